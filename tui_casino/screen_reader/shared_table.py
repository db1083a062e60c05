"""A table with other people in screen-reader mode: the players, their choices, and the clock."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from threading import Timer
from typing import Any, TypeAlias

from ..engine.money import dollars
from ..house.shared_seat import OtherPlayer, SharedSeat
from ..house.shared_tables import TableNews
from ..house.table_commands import HouseVerb, house_verb
from ..inputs.numbers import list_words
from ..records.ledger import LedgerError
from .voice import InputEnded, Voice

AnySeat: TypeAlias = SharedSeat[Any, Any, Any, Any, Any]
WARNED_AT = (10, 5)
"""The seconds that a choice may still take when they are said."""
WHO, LEAVE = "who", "q"


class SharedTableInput(Iterator[str]):
    """The lines ``typed`` at a table with others, which also says what the others do.

    A line that arrives after the seat's time was over does nothing. If the input ends, the player
    does not leave the table: the connection may have been cut.
    """

    def __init__(self, voice: Voice, seat: AnySeat, typed: Iterator[str]) -> None:
        self._voice, self._seat, self._typed = voice, seat, typed
        self._said: tuple[OtherPlayer, ...] = ()
        self._due: int | None = None
        self._timers = list[Timer]()
        self._leaves = False

    def begin(self) -> None:
        """Say who is there, and begin to read the table."""
        if self._seat.is_continued:
            self._voice.say("You are back in your seat.")
        for line in people_lines(self._seat):
            self._voice.say(line)
        self._said = self._seat.others()
        self._seat.feed.told, self._seat.feed.waits = self._hear, self._wait
        self._seat.feed.start()

    def close(self) -> None:
        """Stop to read the table."""
        self._stop_clock()
        self._seat.close()

    def __next__(self) -> str:
        if self._leaves:
            return LEAVE
        for line in self._typed:
            self._catch_up()
            if why := self._seat.end():
                self._voice.say(f"The table is closed: {why}.")
                raise StopIteration
            if self._seat.was_played:
                self._leaves = house_verb(line, may_undo=False) is HouseVerb.LEAVE
                is_unused = bool(line.strip()) and not self._leaves
                self._voice.say(f"Your time was over.{' Your line was not used.' * is_unused}")
                return ""
            if line.strip().lower() != WHO:
                return line
            for said in people_lines(self._seat):
                self._voice.say(said)
        raise InputEnded

    def _catch_up(self) -> None:
        try:
            self._seat.feed.catch_up()
        except LedgerError as error:
            self._voice.say(f"{error}.")

    def _wait(self) -> None:
        self._voice.say("Waiting for the others.")

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
            elif one.doing and one.doing != was.doing:
                self._voice.say(f"{one.name}: {one.doing}.")
        for name in before:
            self._voice.say(f"{name} leaves.")
        if news.due != self._due:
            self._due = news.due
            self._start_clock()

    def _start_clock(self) -> None:
        self._stop_clock()
        if (left := self._seat.seconds_left()) is not None:
            self._timers = [Timer(left - at, self._warn, (at,)) for at in WARNED_AT if at < left]
            for timer in self._timers:
                timer.daemon = True
                timer.start()

    def _stop_clock(self) -> None:
        for timer in self._timers:
            timer.cancel()
        self._timers = []

    def _warn(self, seconds: int) -> None:
        if not self._seat.feed.has_next:
            self._voice.say(f"{seconds} seconds left.")


def people_lines(seat: AnySeat) -> Iterable[str]:
    """Yield sentences about the other players."""
    if not (others := seat.others()):
        yield "Nobody else is here yet."
        return
    yield f"Here too: {list_words([one.name + _with_money(one) for one in others])}."
    for one in others:
        if one.doing:
            yield f"{one.name}: {one.doing}."
    if (left := seat.seconds_left()) is not None:
        yield f"{left} seconds left."


def _with_money(player: OtherPlayer) -> str:
    return "" if player.cents is None else f" with {dollars(player.cents)}"
