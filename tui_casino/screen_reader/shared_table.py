"""A table with other people in screen-reader mode: the players, their choices, and the clock."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from threading import Lock, Timer
from time import monotonic
from typing import Any, TypeAlias

from ..engine.money import dollars
from ..engine.seating import READY, SITS_OUT
from ..house.phrases import PHRASES, phrase_text
from ..house.shared_seat import OtherPlayer, SharedSeat
from ..house.shared_tables import CONTINUES, STOPPED, TableNews
from ..house.table_clock import clock_words
from ..house.table_commands import HouseVerb, QuestionAnswer, house_verb
from ..house.table_list import BLOCK, BLOCKED, UNBLOCK
from ..house.visit_state import VisitState
from ..inputs.numbers import count_noun, is_integer, list_words, parse_integer
from ..records.ledger import LedgerError
from ..records.session_log import LogWriteError
from .voice import InputEnded, Voice

AnySeat: TypeAlias = SharedSeat[Any, Any, Any, Any, Any]
WARNED_AT = (10, 5)
"""The seconds that a choice may still take when they are said."""
LATE = 1.0
"""Seconds after the end of a seat's time for which a line still belongs to the lost choice."""
WHO, LEAVE, RESIGN = "who", "q", "resign"
NOT_USED = "Your line was not used."
SAY, MUTE, UNMUTE = "say", "mute", "unmute"
PEOPLE_HELP = (
    "say: lists the phrases that you can say to the others; say 2 says one of them",
    "mute, unmute: the phrases of others are not said, or said again",
    "block, with a name: you hear no phrases of this player, and your tables are closed to them",
    "unblock, with a name: ends that; blocked lists the names",
)
RESIGN_HELP = (
    "q: leave the table for a while; your seat and the game are kept",
    "resign: give the game up, which ends it for the others as well",
)


class SharedTableInput(Iterator[str]):
    """The lines ``typed`` at a table with others, which also says what happens there meanwhile.

    While a line is awaited, the thread that reads the table also plays its steps here. A line that
    arrives when the seat's time is over, or while others choose, does nothing, except one that
    leaves the table. If the input ends, the player does not leave the table: the connection may
    have been cut.
    """

    def __init__(
        self, voice: Voice, seat: AnySeat, typed: Iterator[str], memory: VisitState
    ) -> None:
        self._voice, self._seat, self._typed, self._memory = voice, seat, typed, memory
        self._said: tuple[OtherPlayer, ...] = ()
        self._due: int | None = None
        self._was_frozen = False
        self._timers = list[Timer]()
        self._leaves = self._has_said_wait = False
        self._lapsed_at = -LATE  # when the seat's time was over
        self._playing = Lock()  # held by the thread that plays at the table

    def begin(self) -> None:
        """Say who is there, and begin to read the table."""
        if self._seat.is_continued:
            self._voice.say("You are back in your seat.")
        for line in people_lines(self._seat):
            self._voice.say(line)
        self._said, self._was_frozen = self._seat.others(), self._seat.feed.is_frozen
        self._seat.feed.told, self._seat.feed.waits = self._hear, self._say_wait
        self._seat.feed.paused = self._say_pause
        self._seat.table.blocks = False
        if (news := self._seat.feed.news) is not None:
            self._due = news.due
            self._start_clock()
        self._playing.acquire()
        self._seat.feed.start()

    def close(self) -> None:
        """Stop to read the table."""
        self._stop_clock()
        self._seat.close()  # the other thread plays nothing more: the lock is kept

    def __next__(self) -> str:
        if self._leaves:
            return LEAVE
        while (line := self._read()) is not None:
            if why := self._seat.end():
                self._voice.say(f"The table is closed: {why}.")
                raise StopIteration
            leaves = house_verb(line, may_undo=False) is HouseVerb.LEAVE
            if self._seat.was_played or monotonic() - self._lapsed_at < LATE:
                self._leaves, self._lapsed_at = leaves, -LATE
                is_unused = bool(line.strip()) and not leaves
                lapsed = "Your time was over. " * self._seat.was_played
                self._say_all(f"{lapsed}{NOT_USED * is_unused}".strip())
                return ""
            word, *rest = line.lower().split() or [""]
            if word == RESIGN and not rest and self._seat.is_slow:
                self._seat.gives_up = True
                return LEAVE
            if word == WHO and not rest:
                self._say_all(*people_lines(self._seat))
            elif word == SAY:
                self._say_all(*self._say_phrase(rest))
            elif word in (MUTE, UNMUTE) and not rest:
                self._memory.mute(on=word == MUTE)
                not_ = "not " * (word == MUTE)
                self._voice.say(f"The phrases of others are {not_}said.")
            elif word in (BLOCK, UNBLOCK, BLOCKED):
                self._say_all(self._block(word, line.strip()[len(word) :].strip()))
            elif self._seat.table.is_asked or leaves:
                return line
            elif line.strip():
                self._answer(line)
        raise InputEnded

    def _answer(self, line: str) -> None:
        """Answer a question that is typed while others choose; nothing else can be done then."""
        match self._seat.sitting.dialogue.read(line):
            case QuestionAnswer(_, lines):
                self._say_all(*lines)
            case _:
                self._voice.say(f"{self._seat.waiting_text} {NOT_USED}")

    def _read(self) -> str | None:
        """Return the next line; meanwhile the other thread may play."""
        while True:
            if not self._seat.table.is_asked:
                self._say_wait()
            self._playing.release()
            try:
                if not self._seat.feed.has_next:
                    return next(self._typed, None)
            finally:
                self._playing.acquire()
                self._catch_up()
            self._play()

    def _play(self) -> None:
        """Play the known steps, and say what happens."""
        with suppress(LogWriteError):  # the step is played again with the next line
            self._say_all(*self._seat.sitting.dialogue.listen())
        self._has_said_wait = self._has_said_wait and not self._seat.table.is_asked

    def _say_pause(self, reason: str) -> None:
        waits = f"{reason[:1].upper()}{reason[1:]}. The table waits."
        self._say_all(waits if reason else "The table continues.")

    def _say_all(self, *lines: str) -> None:
        for line in filter(None, lines):
            self._voice.say(line)

    def _catch_up(self) -> None:
        try:
            self._seat.feed.catch_up()
        except LedgerError as error:
            self._voice.say(f"{error}.")

    def _say_phrase(self, words: list[str]) -> Iterable[str]:
        """Say a phrase to the others, or list the phrases; yield the answer."""
        match words:
            case []:
                yield from (f"{number}: {text}" for number, text in enumerate(PHRASES, 1))
            case [word] if is_integer(word) and (text := phrase_text(parse_integer(word))):
                try:
                    self._seat.feed.say(parse_integer(word))
                    yield f"You say: {text}."
                except LedgerError as error:
                    yield f"{SAY}: {error}."
            case _:
                yield f"{SAY}: type one of the numbers 1 to {len(PHRASES)}, such as {SAY} 2."

    def _block(self, word: str, name: str) -> str:
        """Block a player or end that, or list the players who are blocked; return the answer."""
        feed = self._seat.feed
        try:
            blocked = feed.blocked()
            if word == BLOCKED:
                return f"You block {list_words(blocked) if blocked else 'nobody'}."
            people = [one.name for one in self._seat.others() if one.state != "computer"]
            names = people if word == BLOCK else blocked
            name = next((one for one in names if one.casefold() == name.casefold()), name)
            if not name:
                return f"{word}: type the name of a player after it."
            feed.block(name, on=word == BLOCK)
        except LedgerError as error:
            return f"{word}: {error}."
        return f"You block {name}." if word == BLOCK else f"You no longer block {name}."

    def _say_wait(self) -> None:
        if not self._has_said_wait:
            self._voice.say(self._seat.waiting_text)
        self._has_said_wait = True

    def _hear(self, news: TableNews | None) -> None:
        """Say what has changed; called on the thread that reads the table."""
        if news is None:
            self._voice.say("The table does not answer.")
            return
        before, self._said = {one.name: one for one in self._said}, self._seat.others()
        for one in self._said:
            was = before.pop(one.name, None)
            if was is None:
                self._voice.say(f"{one.name} sits down{_with_money(one)}.")
            elif one.state != was.state:
                self._voice.say(f"{one.name} is {'away' if one.state == 'away' else 'back'}.")
            elif one.doing != was.doing and self._is_news(one.doing):
                self._voice.say(f"{one.name}: {one.doing}.")
        for name in before:
            self._voice.say(f"{name} leaves.")
        for phrase in news.phrases:
            text = phrase_text(phrase.phrase)
            if text is not None and not self._memory.is_muted:
                self._voice.say(f"{phrase.name} says: {text}.")
        if news.is_frozen != self._was_frozen:
            self._was_frozen = news.is_frozen
            if news.is_frozen:
                self._voice.say(STOPPED)
            elif news.seed is None:
                self._voice.say(CONTINUES)
        if news.due != self._due:
            self._due = news.due
            self._start_clock()
        if self._playing.acquire(blocking=False):
            try:
                self._play_here()
            finally:
                self._playing.release()

    def _is_news(self, doing: str) -> bool:
        """Return whether only the list of players tells a choice; the game reports the others."""
        return bool(doing) and (self._seat.feed.shared.is_solo or doing in (READY, SITS_OUT))

    def _play_here(self) -> None:
        """Play on the thread that reads the table, while the player may type a line."""
        if self._seat.was_played:
            self._voice.say("Your time was over.")
            self._lapsed_at = monotonic()
        if self._seat.feed.has_next:
            self._play()
        if why := self._seat.end():
            self._voice.say(f"The table is closed: {why}. Press Enter.")

    def _start_clock(self) -> None:
        self._stop_clock()
        for wait, text in clock_texts(self._seat):
            timer = Timer(wait, self._warn, (text,))
            timer.daemon = True
            timer.start()
            self._timers.append(timer)

    def _stop_clock(self) -> None:
        for timer in self._timers:
            timer.cancel()
        self._timers = []

    def _warn(self, text: str) -> None:
        if not self._seat.feed.has_next:
            self._voice.say(text)


def clock_texts(seat: AnySeat) -> Iterable[tuple[int, str]]:
    """Yield what is said while the clock runs, each with the seconds until then."""
    if (left := seat.seconds_left()) is None or seat.is_slow:
        return
    form = "A computer plays in {} seconds." if seat.is_offer else "{} seconds left."
    yield from ((left - at, form.format(at)) for at in WARNED_AT if at < left)
    if (bank := seat.bank) and not seat.is_in_bank:
        yield left, f"Time bank: {count_noun(bank, 'second')}."
        yield from ((left + bank - at, form.format(at)) for at in WARNED_AT if at < bank)


def people_help(seat: AnySeat) -> tuple[str, ...]:
    """Return the help about the commands that only a table with others has."""
    return (*PEOPLE_HELP, *RESIGN_HELP * seat.is_slow)


def people_lines(seat: AnySeat) -> Iterable[str]:
    """Yield sentences about the other players, and whether the table is stopped."""
    if seat.feed.is_frozen:
        yield STOPPED
    left, offer = seat.seconds_left(), ""
    if left is not None and seat.is_offer:
        offer = f"; a computer plays in {count_noun(left, 'second')}"
    if not (others := seat.others()):
        yield f"Nobody else is here yet{offer}."
        return
    yield f"Here too: {list_words([one.name + _with_money(one) for one in others])}."
    for one in others:
        if one.doing:
            yield f"{one.name}: {one.doing}."
    if offer:
        yield f"Waiting for more players{offer}."
    elif left is not None:
        clock = f"{clock_words(left)} left."
        yield f"Time bank: {clock}" if seat.is_in_bank else clock


def _with_money(player: OtherPlayer) -> str:
    return "" if player.cents is None else f" with {dollars(player.cents)}"
