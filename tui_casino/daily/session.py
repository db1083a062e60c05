"""A player's tries: begin or resume one, play it, and read its result. The log is the proof.

The name of the log follows from the day, the game and the player, and a new log never replaces
another file. So the file system decides which of two programs begins a try, and the lock on the log
decides which of them plays it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from datetime import date, timedelta
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Any

from msgspec import Struct

from ..engine.game import SittingOver
from ..engine.offers import has_choice
from ..gamekit.adviser import Decision, ValuesScope
from ..gamekit.definition import AnyDefinition
from ..gamekit.unaided import unaided
from ..gamekit.verdict import action_text, amount_text, describe_position
from ..house.daily_ranking import cost_text
from ..house.house import House
from ..house.lobby import AnySitting
from ..house.resumption import resume_from_log
from ..house.sitting import begin_sitting
from ..inputs.errors import BadInput
from ..inputs.files import BadFile, folder_reason, os_error_reason, read_bytes
from ..inputs.numbers import count_noun
from ..records.cache import Cache
from ..records.log_catalog import hold_lock, make_entry
from ..records.log_header import daily_log_name
from ..records.log_review import decision_at
from ..records.replay import (
    LogMismatch,
    ProofLevel,
    check_chain,
    log_options,
    replay_log,
    verify_log,
)
from ..records.seat_steps import SeatStep, reviewed_seat, walk_steps
from ..records.session_log import LONGEST_LOG, LogInUse, LogWriteError, SessionLog, read_log
from ..records.summaries import review_logs
from .deal import FIRST_DAY, OVER, DayDeal, day_before, day_of, deals_of


class DailyTry(Struct, frozen=True):
    """A player's try, as its log shows it.

    ``log`` is ``None`` before the try has begun. A try with a ``fault`` does not count, and no
    other try is possible; the fault is a sentence that says why.
    """

    deal: DayDeal
    path: Path
    log: SessionLog | None = None
    fault: str = ""

    @property
    def finished(self) -> bool:
        """Whether the try counts: it was played to its end, and its log is valid."""
        return self.log is not None and self.log.over and not self.fault

    @property
    def unfinished(self) -> bool:
        """Whether the try has begun and can be resumed."""
        return self.log is not None and not (self.log.over or self.fault or self.deal.over)

    def result(self) -> DailyResult | None:
        """Return the result; ``None`` unless the try is finished. This may take seconds."""
        return result_of(self.deal, self.log) if self.log is not None and self.finished else None


def read_try(house: House, deal: DayDeal) -> DailyTry:
    """Read and verify a player's try of a deal; change nothing.

    Raises :class:`BadInput` if a server cannot deal the cards of a try again at the moment.
    """
    path = house.logs / f"{daily_log_name(deal.day, deal.slug, house.player)}.jsonl"
    name = path.name if house.remote else str(path)
    try:
        if not _has_begun(path):
            return DailyTry(deal, path)
    except OSError as error:
        return DailyTry(deal, path, fault=f"{name}: cannot be read: {os_error_reason(error)}")
    try:
        log = read_log(path)
        reason = _fault(house, deal, log)
    except BadFile as error:
        return DailyTry(deal, path, None, _not_counted(str(error).replace(str(path), name)))
    except LogWriteError as error:
        raise BadInput(f"the daily deal cannot be checked now: {error.strerror}") from None
    return DailyTry(deal, path, log, _not_counted(f"{name}: {reason}") if reason else "")


def _not_counted(reason: str) -> str:
    return f"{reason}. The try does not count, and there is no second one"


def _fault(house: House, deal: DayDeal, log: SessionLog) -> str:
    """Return why a try does not count, or an empty text. Raises :class:`BadFile`."""
    header = log.header
    try:
        check_chain(log)
    except LogMismatch as fault:
        return f"it was changed by hand near line {fault.line}: {fault.reason}"
    mine = house.player in [one.id for one in header.who if one is not None]
    if (header.daily, header.game, mine) != (deal.day.isoformat(), deal.slug, True):
        return "line 1 was changed by hand: it does not begin your try of this daily deal"
    if not deal.deals(header):
        return f"it was begun with another version, {header.program}, which deals other cards"
    check = verify_log(deal.game, log, source=deal.source)
    if check.proof is ProofLevel.DIFFERS:
        return f"line {check.line} was changed by hand: {check.reason}"
    if line := _line_beyond_deal(deal, log):
        return f"line {line} was changed by hand: the deal is played differently"
    return ""


def _line_beyond_deal(deal: DayDeal, log: SessionLog) -> int:
    """Return the first line that a try cannot have, or 0: another bet, more rounds, an early end.

    Raises :class:`BadFile`.
    """
    game, seat, bet, rounds = deal.game, reviewed_seat(log.header), deal.daily.bet, 0
    state = game.game.start(log_options(game.game, log))
    for step in walk_steps(game, seat, state, game.tally(seat), replay_log(game.game, log)):
        action = step.played.action
        if rounds == deal.daily.rounds or (type(action) is type(bet) and action != bet):
            return step.played.line.n + 1
        rounds, state = step.tally.rounds, step.played.state
    is_short = rounds < deal.daily.rounds and not isinstance(game.game.turn(state), SittingOver)
    is_ended_early = log.end is not None and (is_short or not log.over)
    return len(log.lines) + 2 if is_ended_early else 0


def _has_begun(path: Path) -> bool:
    """Return whether a log has a complete first line; before that, no card can be dealt.

    Raises ``OSError`` if there is a log that cannot be read.
    """
    try:
        return b"\n" in read_bytes(path, LONGEST_LOG)
    except (FileNotFoundError, NotADirectoryError):
        return False


class DailySession:
    """A try in play. It asks the player only for choices, and ends after the last round.

    Use it as a context manager: it releases the log, and an unfinished try can be resumed.
    """

    def __init__(self, deal: DayDeal, sitting: AnySitting, *, resumed: bool) -> None:
        self.deal, self.sitting, self.resumed = deal, sitting, resumed
        sitting.dialogue.recall()  # of a resumed try: the lines so far
        self._rounds = sitting.dialogue.tally.rounds  # after which the player has continued

    def __enter__(self) -> DailySession:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Release the log; an unfinished try can be resumed."""
        self.sitting.close()

    @property
    def over(self) -> bool:
        """Whether the last round has been played."""
        table = self.sitting.table
        if self.sitting.dialogue.tally.rounds >= self.deal.daily.rounds:
            return True
        return isinstance(table.game.turn(table.state), SittingOver)

    @property
    def round_ended(self) -> bool:
        """Whether a round has ended, and the player has not asked for the next one yet."""
        return bool(self.sitting.dialogue.tally.rounds > self._rounds)

    def begin_next(self) -> None:
        """Let the next round begin, because the player asks for it."""
        self._rounds = self.sitting.dialogue.tally.rounds

    def advance(self) -> list[str]:
        """Play up to the next choice, or to the end of the round; return the new lines.

        Nothing is dealt after a round before :meth:`begin_next`. Raises the errors of the log; the
        next call then continues where this one stopped.
        """
        table, dialogue = self.sitting.table, self.sitting.dialogue
        while not (self.over or self.round_ended):
            if table.advance():
                continue
            if self.forced_action is None:
                break
            self.play_forced()
        if self.over or self.round_ended:
            dialogue.drop_prompt()
        return dialogue.recall()

    def describe(self) -> tuple[str, ...]:
        """Return lines that describe the position of the next choice, for a resumed try."""
        table, seat = self.sitting.table, self.sitting.dialogue.seat
        return describe_position(self.deal.game, table.view(seat), seat)

    @property
    def progress(self) -> str:
        """The number of the deal and of the current round: ``daily 327, 3 of 10``."""
        return f"daily {self.deal.number}, {self.round_text.removeprefix('round ')}"

    @property
    def round_text(self) -> str:
        """The current round: ``round 3 of 10``; it lasts until the player asks for the next one."""
        number = self.sitting.dialogue.tally.rounds + (not self.round_ended)
        rounds = self.deal.daily.rounds
        return f"round {min(number, rounds)} of {rounds}"

    def play_forced(self) -> None:
        """Take the action that the player is not asked for."""
        self.sitting.dialogue.drop_prompt()
        self.sitting.dialogue.act(self.forced_action)

    @property
    def forced_action(self) -> Any | None:
        """The action that the player is not asked for: the fixed bet, or the only one."""
        if self.over or not self.sitting.table.waiting:
            return None
        table, seat, bet = self.sitting.table, self.sitting.dialogue.seat, self.deal.daily.bet
        offers = table.game.offers(table.view(seat), seat)
        if bet is not None and any(offer.contains(bet) for offer in offers):
            return bet
        if has_choice(offers):
            return None
        return next((one for offer in offers if offer.barred is None for one in offer.all()), None)

    def reply(self, line: str) -> list[str]:
        """Carry out or answer a line of at least one word; return the answer or the refusal."""
        dialogue = self.sitting.dialogue
        return dialogue.reply(dialogue.definition.words.spoken.as_command(line))

    def finish(self) -> None:
        """End the session after the last round. Raises ``OSError`` if the log cannot be written."""
        assert self.over, "a try that is not over stays open"
        self.sitting.leave()
        if (server := self.sitting.house.daily) is not None:
            server.report()


NO_ADVICE = "there is no advice before the end of a daily deal"


def open_try(house: House, deal: DayDeal) -> DailySession:
    """Begin a try, or resume an unfinished one; ``house`` must be in free play.

    Raises :class:`BadInput` if the try is finished, has a fault or is being played by another
    program, if the deal is over, and if the log cannot be written.
    """
    definition = unaided(deal.game, NO_ADVICE)
    for _ in range(2):  # if another program begins the try in the meantime, read it again
        attempt = read_try(house, deal)
        if attempt.fault:
            raise BadInput(attempt.fault)
        if attempt.finished:
            raise BadInput(f"{attempt.path.name}: you have played this daily deal")
        if deal.over:
            raise BadInput(OVER)
        try:
            if attempt.unfinished:
                sitting = resume_from_log(house, definition, attempt.path, deal.source)
                return DailySession(deal, sitting, resumed=True)
            _remove_unbegun(attempt.path)
            setup = deal.setup
            sitting = begin_sitting(
                house,
                definition,
                setup.options,
                setup.croupier,
                deal.source,
                setup.players,
                daily=deal.day,
            )
            return DailySession(deal, sitting, resumed=False)
        except LogInUse:
            break
        except BadFile:
            if read_try(house, deal).unfinished:
                raise
        except OSError as error:
            if isinstance(error, FileExistsError) and attempt.path.exists():
                continue
            raise BadInput(
                f"the log cannot be written: {os_error_reason(error)}"
                if house.remote
                else f"the log cannot be written in {house.logs}: "
                f"{folder_reason(house.logs, error)}; choose a folder with --log-dir"
            ) from None
    raise BadInput("another program is playing this daily deal; finish it there")


def _remove_unbegun(path: Path) -> None:
    """Remove a log that a program could not begin, unless a program is just beginning it."""
    with suppress(FileNotFoundError, NotADirectoryError), hold_lock(path) as free:
        if free and not _has_begun(path):
            path.unlink()


def played_days(house: House, games: Mapping[str, AnyDefinition]) -> Callable[[date], bool]:
    """Return a function that says whether a player finished any deal of a day; it reads logs."""
    try:
        names = {path.stem for path in house.logs.iterdir()}
    except OSError:
        names = set()

    def played_games(at: date) -> dict[str, AnyDefinition]:
        mine = ((slug, daily_log_name(at, slug, house.player)) for slug in games)
        return {slug: games[slug] for slug, name in mine if name in names}

    @lru_cache(maxsize=1024)  # a run of almost three years
    def is_played(at: date) -> bool:
        return any(
            read_try(house, deal).finished for deal in deals_of(at, played_games(at), house.daily)
        )

    return is_played


def run_on(house: House, games: Mapping[str, AnyDefinition], day: date) -> int:
    """Return the player's run of days on a day; see :func:`run_until`."""
    return run_until(played_days(house, games), day)


def run_until(is_played: Callable[[date], bool], day: date) -> int:
    """Return the run of days on a day; a day counts if any of its deals was finished.

    If nothing has been finished on the day itself, the run ends on the day before.
    """
    return run_length(is_played, day if is_played(day) else day_before(day))


WEEK = 7
"""The number of days in which one missed day does not break a run."""


def _seat_steps(
    definition: AnyDefinition, log: SessionLog
) -> Iterator[SeatStep[Any, Any, Any, Any]]:
    """Yield a log's steps. Raises the errors of :func:`~tui_casino.records.replay.replay_log`."""
    seat = reviewed_seat(log.header)
    start = definition.game.start(log_options(definition.game, log))
    steps = replay_log(definition.game, log)
    return walk_steps(definition, seat, start, definition.tally(seat), steps)


class DailyResult(Struct, frozen=True):
    """The result of a finished try.

    ``marks`` says of each choice, in order, whether it was a best one; ``cost`` is the sum of all
    costs in the game's units. ``decisions`` are the choices themselves, if they are known, and
    ``endings`` what the player saw at the end of each round.
    """

    deal: DayDeal
    marks: tuple[bool, ...]
    cost: Fraction
    decisions: tuple[Decision[Any, Any], ...] = ()
    endings: tuple[Any, ...] = ()

    @property
    def choices(self) -> int:
        """The number of choices."""
        return len(self.marks)

    @property
    def best(self) -> int:
        """The number of best choices."""
        return sum(self.marks)

    @property
    def cost_in_units(self) -> float:
        """The cost in credits or points."""
        return self.deal.game.in_units(self.cost)

    @property
    def bets(self) -> Fraction | None:
        """The cost in bets; ``None`` in a game for points."""
        stake = self.deal.daily.stake
        return self.cost / stake if stake else None

    @property
    def shared_cost(self) -> str:
        """The cost as it is shared: in bets, or in points."""
        return self.cost_text if self.bets is None else cost_text(self.bets, "bets")

    @property
    def answers(self) -> Iterator[tuple[str, str]]:
        """Yield each choice as the key of its question and the choice in words.

        Everybody has the same keys in the same position of a deal, whatever they chose before.
        """
        game = self.deal.game
        for choice in self.decisions:
            asked = "\n".join(describe_position(game, choice.view, choice.seat))
            key = hashlib.sha256(f"{choice.round}\n{asked}".encode()).hexdigest()[:16]
            yield key, action_text(game, choice, choice.action, past=True)

    @property
    def cost_text(self) -> str:
        """The cost in the game's unit: ``0.60 credits``."""
        return f"{amount_text(self.deal.game, self.cost)} {self.deal.game.unit_name}"


def result_of(deal: DayDeal, log: SessionLog) -> DailyResult:
    """Return the result of a finished try; forced actions are left out.

    The judge is :meth:`.GameDefinition.decision`, as everywhere. This may take seconds. Raises the
    errors of :func:`~tui_casino.records.replay.replay_log`.
    """
    game, seat = deal.game, reviewed_seat(log.header)
    choices, endings = list[Decision[Any, Any]](), list[Any]()
    for step in _seat_steps(game, log):
        decision = decision_at(game, seat, step, ValuesScope.OF_MISTAKES)
        if decision is not None:
            choices.append(decision)
        if step.ended is not None:
            endings.append(game.game.view(step.played.state, seat))
    marks = tuple(one.mistake is None for one in choices)
    cost = sum((one.cost for one in choices), Fraction(0))
    return DailyResult(deal, marks, cost, tuple(choices), tuple(endings))


def run_length(is_played: Callable[[date], bool], day: date) -> int:
    """Return the number of days played in the run that ends on a day.

    One missed day in seven does not break a run, and does not count.
    """
    length, missed = 0, None
    while True:
        if is_played(day):
            length += 1
        elif missed is not None and (missed - day).days < WEEK:
            return length
        else:
            missed = day
        day = day_before(day)


STRIP = 14
"""The number of days in the strip of days."""


class DailyOverview(Struct, frozen=True):
    """A day's tries in the order of the games, the run of days, and which of the last days count.

    ``strip`` says of each of the last days whether it was played; today is the last one.
    """

    day: date
    tries: tuple[DailyTry, ...]
    run: int
    strip: tuple[bool, ...]

    @property
    def number(self) -> int:
        """The number of the day's deals."""
        return (self.day - FIRST_DAY).days

    @property
    def played(self) -> str:
        """How many deals are finished: ``2 of 4 played``."""
        return f"{sum(one.finished for one in self.tries)} of {len(self.tries)} played"

    @property
    def run_text(self) -> str:
        """The run in words: ``run 5 days``."""
        return f"run {count_noun(self.run, 'day')}"


def read_day(house: House, games: Mapping[str, AnyDefinition]) -> DailyOverview:
    """Read and verify the tries of the current day and of the run; this may take a while.

    Raises :class:`~tui_casino.inputs.errors.BadInput` if the clock is wrong.
    """
    day = day_of(house.clock())
    tries = tuple(read_try(house, deal) for deal in deals_of(day, games, house.daily))
    is_played = played_days(house, games)
    days = (day - timedelta(days=back) for back in reversed(range(STRIP)))
    return DailyOverview(day, tries, run_until(is_played, day), tuple(map(is_played, days)))


def past_costs(house: House, deal: DayDeal) -> Iterator[float | None]:
    """Yield what a player's tries of the last days cost, in bets or points, newest first.

    The first one is that of the deal's own day; a day without a finished try is ``None``. This may
    take seconds, unless the reviews are in the cache.
    """
    games = {deal.slug: deal.game}
    for back in range(STRIP):
        cost = None
        with suppress(BadInput):  # such as a log that does not count
            day = deal.day - timedelta(days=back)
            (each,) = deals_of(day, games, house.daily) if day >= FIRST_DAY else (None,)
            if each is not None and (attempt := read_try(house, each)).finished:
                entry = make_entry(attempt.path, games, {})
                for review in review_logs([entry], games, Cache(house.cache), choices=True):
                    if review.summary is not None and review.summary.mistakes is not None:
                        cost = _shared_amount(deal, Fraction(review.summary.cost))
        yield cost


def _shared_amount(deal: DayDeal, cents: Fraction) -> float:
    game, stake = deal.game, deal.daily.stake
    return float(cents if game.points else cents / game.game.unit / stake)
