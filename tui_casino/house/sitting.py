"""A session at a table, from buy-in to cash-out, with its log and its money."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Generic, Self

from .. import __version__
from ..engine.chance import ChanceSource, make_source
from ..engine.croupier import Croupier
from ..engine.game import A, ComputerPlayer, Deal, E, O, S, Seat, Shoe, SittingOver
from ..engine.table import Table
from ..gamekit.definition import GameDefinition
from ..gamekit.table_setup import ListenerFactory
from ..gamekit.tally import T
from ..inputs.errors import BadInput
from ..inputs.files import BadFile, make_folder
from ..records.codec import to_builtins
from ..records.ledger import LOAN_CENTS, LedgerError, LedgerUnsure, LogCheckpoint, OpenSitting
from ..records.log_header import HUMAN, LOG_FORMAT, BranchOrigin, LogHeader
from ..records.replay import (
    LogMismatch,
    log_options,
    make_table,
    replay_log,
    rerun_log,
    source_of_log,
)
from ..records.session_log import TAKEN_BACK, LogWriter, SessionLog, SittingResult, read_log
from .dialogue import Dialogue
from .game_log import attach_game_log
from .house import House as House
from .house import MoneyElsewhere as MoneyElsewhere
from .ledger_checkpoint import LedgerCheckpoint
from .limits import DailyLimits
from .table_money import is_staked, money_at_table

if TYPE_CHECKING:
    from ..records.alternatives import Alternative

_PROGRAM = f"tui-casino {__version__}"
PRACTICE = 1_000_00
"""What a player has in cents where no purse is touched."""


class SittingEnding(Enum):
    """How a sitting was left."""

    CASHED_OUT = "cashed out"
    UNPLAYED = "unplayed"
    """Cashed out before any human acted; no log is left of it."""
    BROKEN_OFF = "broken off"


@dataclass(slots=True)
class Sitting(Generic[O, S, A, E, T]):
    """A table in play with its dialogue and log; :meth:`leave` ends it, or it can be taken up.

    Whoever opens one closes it: use it as a context, or :meth:`close` it. ``lent`` says that the
    house lent money at the buy-in, in cents; ``hearer`` makes the one who hears the table's events,
    once what they tell lies open to the human. ``taken_back`` tells that it goes on from a choice
    taken back.
    """

    id: str
    house: House
    definition: GameDefinition[O, S, A, E, T]
    table: Table[O, S, A, E]
    dialogue: Dialogue[O, S, A, E, T]
    log: LogWriter
    lent: int = 0
    ending: SittingEnding | None = None
    hearer: ListenerFactory | None = None
    taken_back: bool = False
    binding: LedgerCheckpoint | None = None
    _daily_limits: DailyLimits | None = None

    def __post_init__(self) -> None:
        """Heed the limits that the player has set himself, where he plays for money."""
        timer, ledger = self.house.play_timer, self.house.ledger
        if timer is not None and ledger is not None and not self.for_points:
            self._daily_limits = DailyLimits(ledger, self.house.player, self.id, timer)
            self.dialogue.refusal = self._bars

    def _bars(self) -> str:
        """Say why no new round may begin, if one would: nothing is at stake."""
        try:
            return (
                ""
                if self._daily_limits is None
                else self._daily_limits.round_refusal(self.cents, staked=self.staked)
            )
        except LedgerError as error:
            return str(error)

    def bind(self, known: LogCheckpoint) -> None:
        """Have the ledger know, from now on, how far the log goes; ``known`` it knows already."""
        if self.house.ledger is not None:
            self.binding = LedgerCheckpoint(self.house.ledger, self.id, self.log, self.table, known)

    @property
    def cents(self) -> int:
        """What the humans of the sitting have, free and staked, in cents."""
        return money_at_table(self.table)

    @property
    def staked(self) -> bool:
        """Whether a human has a bet at stake."""
        return is_staked(self.table)

    @property
    def loan(self) -> int:
        """What the house would lend, in cents, to sit down here anew; 0 if the purse is enough."""
        house, game = self.house, self.definition.game
        if house.ledger is None or self.for_points:
            return 0
        bring = house.limit_buy_in(house.ledger.balance(house.player) + self.cents)
        start = game.start(game.sit(self.table.options, bring // game.unit))
        return LOAN_CENTS if isinstance(game.turn(start), SittingOver) else 0

    def leave(self, *, keep: bool = False, refund: bool = False) -> SittingEnding:
        """Cash out, the seed revealed; with a bet at stake the sitting stays open instead.

        So does, to ``keep`` it, a game for points that is not over. With ``refund`` it ends
        in any case, and the bet is paid back. If no human has acted, the log is removed: there is
        nothing to replay. Left already, it only says how. Raises ``OSError`` if the log's last
        line cannot be written, and
        :class:`~tui_casino.records.ledger.LedgerError`; the sitting is open still.
        """
        if self.ending is None:
            waits = (self.staked and self.house.can_resume) or (keep and self.unfinished)
            self.ending = self._break_off() if waits and not refund else self._leave()
            if self.ending is SittingEnding.UNPLAYED:
                self.log.discard()
            self.log.close()
            if self._daily_limits is not None:
                self._daily_limits.save()
        return self.ending

    def take_news(self) -> list[str]:
        """Say what happened to log and ledger since the last call that the player must know."""
        messages = self.log.take_repaired()
        if self.binding is not None:
            messages += self.binding.take_news()
        return messages

    def reminder(self) -> str:
        """Say how long the player has been here, if he wants it said and it is time."""
        return "" if self.house.play_timer is None else self.house.play_timer.reminder()

    def close(self) -> None:
        """Let the log go; what has not been left stays open, to be taken up. Once is enough."""
        if self.binding is not None:
            self.binding.wait()
        self.log.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _break_off(self) -> SittingEnding:
        if self.binding is not None:
            self.binding.note()
            self.binding.confirm()
        return SittingEnding.BROKEN_OFF

    def _leave(self) -> SittingEnding:
        unplayed = bool(self.table.humans) and not self._acted(if_missing=True)
        turn = self.definition.game.turn(self.table.state)
        # the last line first: should the ledger fail then, the log still says what is owed
        if not self.log.ended:
            self._end(turn.reason if isinstance(turn, SittingOver) else "left")
        if self.house.can_resume:
            self.log.sync()
        ledger, at = self.house.ledger, self.house.clock()
        if ledger and self.binding is not None:
            self.binding.wait()
            self.binding.confirm()
        if ledger and not ledger.cash_out(self.id, self.cents, self.log.hash, at):
            raise LedgerError("this session has already been settled; nothing more is paid")
        return SittingEnding.UNPLAYED if unplayed else SittingEnding.CASHED_OUT

    def _end(self, reason: str) -> None:
        game, state, source = self.definition.game, self.table.state, self.table.source
        money = [game.money(state, seat) for seat in self.table.players]
        seed = source.seed.hex() if source.seed else None
        self.log.end(SittingResult(reason, tuple(m.free + m.staked for m in money), seed))

    @property
    def practice(self) -> bool:
        """Whether a human plays here without a purse."""
        return self.house.ledger is None and bool(self.table.humans)

    @property
    def may_undo(self) -> bool:
        """Whether choices may be taken back here: for practice, if the game lets it."""
        return self.practice and self.definition.choices.may_undo(self.table.options)

    @property
    def for_points(self) -> bool:
        """Whether the humans brought no money: then nothing is lost when a game is over."""
        start = self.definition.game.start(self.table.options)
        return not any(self.definition.game.money(start, seat).free for seat in self.table.humans)

    @property
    def unfinished(self) -> bool:
        """Whether it is a game for points, begun and not over, that one may want to go on with."""
        options, turn = self.table.options, self.definition.game.turn(self.table.state)
        if not self.definition.can_resume(options) or isinstance(turn, SittingOver):
            return False
        return self._acted(if_missing=False)  # then it is ended, and so written again

    def _acted(self, *, if_missing: bool) -> bool:
        """Return whether a human has acted, by the log; ``if_missing`` if there is no log."""
        with suppress(BadFile):
            return any(line.by in self.table.humans for line in read_log(self.log.path).steps())
        return if_missing

    def step_back(self) -> bool:
        """Take the human's last choice back; false if there was none.

        All before it is played again at a new table, with a new log that names the one left
        behind; the dialogue is a new one, too, and has heard all that again. Raises ``OSError``
        if a log cannot be written; nothing has changed then.
        """
        log = read_log(self.log.path)
        choices = [*self._choices(log)]
        if not choices:
            return False
        source = make_source(log.header.source, self.table.source.seed)
        assert source is not None
        other = _branch(self.house, self.definition, log, choices[-1] - 1, source, self.hearer)
        try:
            if not self.log.ended:
                self._end(TAKEN_BACK)
        except BaseException:
            other.log.discard()
            raise
        self.close()
        self.id, self.log = other.id, other.log
        self.table, self.dialogue = other.table, other.dialogue
        self.taken_back = True
        return True

    def _choices(self, log: SessionLog) -> Iterator[int]:
        """Give the steps at which a human chose; what was forced, or only goes on, is no choice."""
        game = self.definition.game
        state = game.start(log_options(game, log))
        for played in replay_log(game, log):
            by, action = played.line.by, played.action
            if by in self.table.humans and not isinstance(action, Shoe | Deal):
                seat = Seat(by)
                if self.definition.is_choice(game.view(state, seat), seat, action):
                    yield played.line.n
            state = played.state

    def alternatives(self) -> tuple[int, tuple[Alternative[A], ...]] | None:
        """Give the choice that was made after the last step back, with those taken back there.

        Works for a sitting that was gone on with from another's step, too. ``None`` if nothing
        was taken back. May take a while.
        Raises :class:`~tui_casino.inputs.files.BadFile` if the log cannot be read.
        """
        from ..records.alternatives import (
            find_alternatives,  # late: only after a step was taken back
        )
        from ..records.cache import Cache

        return find_alternatives(self.definition, self.log.path, Cache(self.house.cache))

    def compare(self) -> list[str]:
        """Lay these choices side by side, by the words that do them. Raises the same."""
        from ..records.alternatives import (
            format_alternatives,  # late: only after a step was taken back
        )

        choices = self.alternatives()
        return (
            ["nothing was taken back here"]
            if choices is None
            else [*format_alternatives(self.definition, *choices)]
        )


def branch_sitting(
    house: House, definition: GameDefinition[O, S, A, E, T], path: Path, step: int
) -> Sitting[O, S, A, E, T]:
    """Go on for practice from a step of a recorded sitting, which stays as it is.

    The new log stands beside the old one and names it; no purse is touched. May take a while
    where computer players think again. Raises :class:`BadInput` if the seed is not revealed yet,
    or the log does not hold up to that step, and ``OSError`` if a log cannot be written.
    """
    log = read_log(path)
    try:
        source = source_of_log(log)
        back = not log.over and step < len(log.lines)
        if back and not definition.choices.may_undo(log_options(definition.game, log)):
            source = None  # what was chosen there is not to be chosen again
        if source is None:
            raise BadInput(
                "the seed of this shuffle is not revealed yet; once the session has ended, "
                "you can play on from here"
            )
        return _branch(replace(house, ledger=None), definition, log, step, source, None)
    except LogMismatch as differs:
        raise BadFile(path, differs.reason, differs.line) from None


def _branch(
    house: House,
    definition: GameDefinition[O, S, A, E, T],
    original: SessionLog,
    step: int,
    source: ChanceSource,
    hearer: ListenerFactory | None,
) -> Sitting[O, S, A, E, T]:
    """Play the first steps of a log again at a new table, which writes a log of its own.

    If anything is raised, no log is left.
    """
    house.check_log_quota()
    at = house.clock()
    name = _name(definition.game.slug, at)
    prefix = replace(original, lines=original.lines[:step])
    header = replace(
        original.header,
        format=LOG_FORMAT,
        program=_PROGRAM,
        at=at,
        parent=BranchOrigin(_written(original.path.name), len(prefix.lines)),
        seed=_public_seed(source),
        who=house.identities(original.header.players),
    )
    path = original.path.with_name(f"{name}.jsonl")
    log = LogWriter.begin(path, header, house.clock, house.logbook)
    try:
        log.follower = house.follower(definition, log.path)
        table = make_table(definition, prefix, source, log.step)
        dialogue = Dialogue(table, definition)
        attach_game_log(house, definition, table, header.players, hearer)
        rerun_log(table, prefix)
        return Sitting(name, house, definition, table, dialogue, log, hearer=hearer)
    except BaseException:
        log.discard()
        raise


def _written(name: str) -> str:
    """Give a file's name as it can stand in a log: not every name is text."""
    return name.encode(errors="replace").decode()


def begin_sitting(
    house: House,
    definition: GameDefinition[O, S, A, E, T],
    options: O,
    croupier: Croupier,
    source: ChanceSource,
    players: Mapping[Seat, str | None],
    hearer: ListenerFactory | None = None,
) -> Sitting[O, S, A, E, T]:
    """Sit down: buy in, begin the log, set up the table. ``players`` names the computer players.

    The options' own money counts only for practice; else the player brings the purse, and the
    house lends if it is below the smallest bet. Raises ``OSError`` if the log cannot be written,
    and :class:`~tui_casino.records.ledger.LedgerError`; no money has moved then.
    """
    house.check_log_quota()
    game, at = definition.game, house.clock()
    name = _name(game.slug, at)
    path = house.logs.resolve() / f"{name}.jsonl"
    lent = 0
    if house.ledger is not None:
        purse = house.ledger.balance(house.player)
        options = game.sit(options, house.limit_buy_in(purse) // game.unit)
        if isinstance(game.turn(game.start(options)), SittingOver):
            if waiting := house.ledger.open_sittings(house.player):
                raise MoneyElsewhere(sorted({one.game for one in waiting}), house.ledger.name)
            lent = LOAN_CENTS
            options = game.sit(options, house.limit_buy_in(purse + LOAN_CENTS) // game.unit)
    seed = _public_seed(source) if house.ledger is None else None
    named = tuple(who or HUMAN for _, who in sorted(players.items()))
    header = LogHeader(
        format=LOG_FORMAT,
        game=game.slug,
        options=to_builtins(options),
        players=named,
        croupier=croupier.kind,
        source=source.spec,
        program=_PROGRAM,
        at=at,
        seed=seed,
        who=house.identities(named),
    )
    seats: dict[Seat, ComputerPlayer[S, A] | None] = {
        seat: None if who is None else definition.players[who]() for seat, who in players.items()
    }
    table = Table(game, options, croupier, source, seats)
    attach_game_log(house, definition, table, named, hearer)
    # the log is begun, and locked, before any money moves: an open sitting without it is lost
    make_folder(house.logs)
    log = LogWriter.begin(path, header, house.clock, house.logbook)
    try:
        log.follower, table.bus.recorder = house.follower(definition, path), log.step
        sitting = Sitting(
            name, house, definition, table, Dialogue(table, definition), log, lent, None, hearer
        )
        if house.ledger is not None:
            known = LogCheckpoint(head=log.hash)
            entry = OpenSitting(name, game.slug, path, source.stored_seed, sitting.cents, known)
            if house.can_resume:
                log.sync()
            house.ledger.buy_in(entry, house.player, at, lent)
            sitting.bind(known)
        return sitting
    except BaseException as error:
        if isinstance(error, LedgerUnsure):  # the money may have moved: then the log is needed
            log.close()
        else:
            log.discard()
        raise


def _name(slug: str, at: int) -> str:
    day = datetime.fromtimestamp(at / 1000, UTC)
    return f"{day:%Y%m%d-%H%M%S}-{slug}-{secrets.token_hex(3)}"


def _public_seed(source: ChanceSource) -> str | None:
    """Give the seed for the header of a sitting for practice; a number stands there anyway."""
    return source.seed.hex() if source.seed and source.spec.kind == "committed" else None
