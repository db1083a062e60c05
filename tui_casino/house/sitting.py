"""A session at a table, from buy-in to cash-out, with its log and its money."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from datetime import date
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Generic, Self

from msgspec import Struct

from .. import __version__
from ..engine.chance import ChanceSource, make_source
from ..engine.croupier import Croupier
from ..engine.game import A, ComputerPlayer, Deal, E, Game, O, S, Seat, Shoe, SittingOver
from ..engine.seat_table import SeatTable, TableSteps
from ..engine.table import Table
from ..gamekit.definition import GameDefinition
from ..gamekit.table_catalog import ListenerFactory
from ..gamekit.tally import T
from ..inputs.errors import BadInput
from ..inputs.files import BadFile, make_folder, real_path
from ..records.codec import to_builtins
from ..records.ledger import (
    LOAN_CENTS,
    BalanceTooLow,
    Ledger,
    LedgerError,
    LedgerUnsure,
    LogCheckpoint,
    OpenSitting,
)
from ..records.log_header import (
    HUMAN,
    LOG_FORMAT,
    OTHER,
    SEAT_FORMAT,
    BranchOrigin,
    LogHeader,
    log_name,
)
from ..records.replay import (
    LogMismatch,
    log_options,
    make_table,
    replay_log,
    rerun_log,
    source_of_log,
)
from ..records.session_log import TAKEN_BACK, LogWriter, SessionLog, SittingResult, read_log
from ..structs import replace
from .house import House as House
from .house import LoanNeeded
from .limits import DailyLimits
from .seat_dialogue import Dialogue
from .table_listeners import LedgerCheckpoint, attach_game_log, is_staked, money_at_table

if TYPE_CHECKING:
    from ..records.tried_choices import Alternative

_PROGRAM = f"tui-casino {__version__}"
SUMMARY_ROUNDS = 3
"""The rounds after which a session that ends gets a summary."""
PRACTICE = 1_000_00
"""The money, in cents, of a player in free play."""


class TableElsewhere(Struct, Generic[S, A, E], frozen=True):
    """A table with others: its code, the own seat in the game, and the steps of that seat."""

    code: str
    seat: Seat
    steps: TableSteps[S, A, E]

    def table(
        self, game: Game[O, S, A, E], options: O, croupier: Croupier, source: ChanceSource
    ) -> SeatTable[O, S, A, E]:
        """Return the table as the seat sees it."""
        return SeatTable(game, options, croupier, source, self.seat, self.steps)

    def players(self, count: int) -> tuple[str, ...]:
        """Return the players for the header of a log."""
        return tuple(HUMAN if seat == self.seat else OTHER for seat in range(count))


SEAT_WAITS = "your seat waits for a while: table {} takes you back"
"""The message to a player who leaves a table with others while a bet is at stake."""
SEAT_IS_KEPT = "your seat and the game are kept: table {} takes you back"
"""The message to a player who leaves a table by correspondence for a while."""


class SittingEnding(Enum):
    """The state of a session after the player has left it."""

    CASHED_OUT = "cashed out"
    UNPLAYED = "unplayed"
    """Cashed out without a bet or, where there are no bets, without an action; it has no log."""
    BROKEN_OFF = "broken off"


class Sitting(Struct, Generic[O, S, A, E, T]):
    """A session at a table, with its dialogue and log, which can be resumed until :meth:`leave`.

    Use it as a context manager, or call :meth:`close`. ``lent`` is the house's loan at the buy-in,
    in cents, and ``repaid`` the debt that its winnings repaid. ``hearer`` makes the writer of the
    game's own log. ``taken_back`` is true if the session continues from a choice that was undone.
    ``has_bets`` is false for a dialogue that takes no bets. ``catch_up`` is called before the
    session is left, and plays what a table with others has played already. ``stand_up`` then leaves
    the seat there, given a function that returns the hash of the log's last line; it returns false
    if the table does not let the player go yet. ``keeps_seat`` returns true if the seat waits for
    the player even if nothing is at stake.
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
    repaid: int = 0
    has_bets: bool = True
    catch_up: Callable[[], None] = lambda: None
    stand_up: Callable[[Callable[[], str]], bool] = lambda last_hash: True
    keeps_seat: Callable[[], bool] = lambda: False
    _daily_limits: DailyLimits | None = None
    _is_kept: bool = False

    def __post_init__(self) -> None:
        """Apply the limits that the player has set, if this is a money session."""
        timer, ledger = self.house.play_timer, self.house.ledger
        if timer is not None and ledger is not None and not self.for_points:
            self._daily_limits = DailyLimits(ledger, self.house.player, self.id, timer)
            self.dialogue.refusal = self._bars

    def _bars(self) -> str:
        """Return why no new round may begin, or an empty text if it may or a bet is at stake."""
        try:
            return (
                ""
                if self._daily_limits is None
                else self._daily_limits.round_refusal(self.cents, staked=self.staked)
            )
        except LedgerError as error:
            return str(error)

    def bind(self, known: LogCheckpoint) -> None:
        """Write checkpoints for the log to the ledger from now on; ``known`` is the last one."""
        if self.house.ledger is not None:
            self.binding = LedgerCheckpoint(self.house.ledger, self.id, self.log, self.table, known)

    @property
    def cents(self) -> int:
        """The money of the humans at the table, free and at stake, in cents."""
        return money_at_table(self.table)

    @property
    def staked(self) -> bool:
        """Whether a human has a bet at stake."""
        return is_staked(self.table)

    @property
    def needs_loan(self) -> bool:
        """Whether the player needs a loan to sit down here again."""
        house, game = self.house, self.definition.game
        if house.ledger is None or self.for_points:
            return False
        bring = house.limit_buy_in(house.ledger.balance(house.player) + self.cents)
        start = game.start(game.sit(self.table.options, bring // game.unit))
        return isinstance(game.turn(start), SittingOver)

    def leave(self, *, keep: bool = False, refund: bool = False) -> SittingEnding:
        """Cash out and reveal the seed; with a bet at stake, leave the session open instead.

        With ``keep``, an unfinished game for points or daily deal also stays open, but at a table
        with others, who would wait, only if the seat is kept. With ``refund``, the session always
        ends, and the bet is paid back. If the humans only looked at the table, the log is removed;
        the ledger keeps its hashes. A second call only returns the ending.
        Raises ``OSError`` if the log's last line cannot be written, and
        :class:`~tui_casino.records.ledger.LedgerError`; the session is then still open.
        """
        if self.ending is None:
            self.catch_up()
            is_shared = self.shared_table is not None
            self._is_kept = keep and is_shared and self.keeps_seat()
            keeps = self._is_kept or (keep and not is_shared and self.unfinished)
            waits = (self.staked and self.house.can_resume) or keeps
            ended, at = self._result(self._why_left), self.house.clock()
            if (waits and not refund) or not self.stand_up(lambda: self.log.end_hash(ended, at)):
                self.ending = self._break_off()
            else:
                self.ending = self._leave(at)
            if self.ending is SittingEnding.UNPLAYED:
                self.log.discard()
            self.log.close()
            if self._daily_limits is not None:
                self._daily_limits.save()
        return self.ending

    def take_news(self) -> list[str]:
        """Return the new messages about the log and the ledger that the player must see."""
        messages = self.log.take_repaired()
        if self.binding is not None:
            messages += self.binding.take_news()
        return messages

    def reminder(self) -> str:
        """Return a reminder of the time played if it is due, or an empty text."""
        return "" if self.house.play_timer is None else self.house.play_timer.reminder()

    def close(self) -> None:
        """Release the log; an open session can be resumed. A second call does nothing."""
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

    @property
    def _why_left(self) -> str:
        turn = self.definition.game.turn(self.table.state)
        return turn.reason if isinstance(turn, SittingOver) else "left"

    def _leave(self, at: int) -> SittingEnding:
        unplayed = bool(self.table.humans) and not self._has_played()
        # write the last line first: if the ledger then fails, the log still has the money owed
        if not self.log.ended:
            self.log.end(self._result(self._why_left), at)
        if self.house.can_resume:
            self.log.sync()
        ledger = self.house.ledger
        if ledger and self.binding is not None:
            self.binding.wait()
            self.binding.confirm()
        if ledger and not ledger.cash_out(self.id, self.cents, self.log.hash, at):
            raise LedgerError("this session has already been settled; nothing more is paid")
        if ledger and self.house.repays_debt:
            with suppress(LedgerError):  # the session is settled; the debt can be repaid later
                self._repay(ledger, at)
        return SittingEnding.UNPLAYED if unplayed else SittingEnding.CASHED_OUT

    def _repay(self, ledger: Ledger, at: int) -> None:
        """Repay the player's debt from the winnings of this session."""
        player = self.house.player
        if (cents := min(self.cents - self._bought_in, ledger.debt(player))) > 0:
            ledger.repay(player, cents, at)
            self.repaid = cents

    def _result(self, reason: str) -> SittingResult:
        game, state, source = self.definition.game, self.table.state, self.table.source
        money = [game.money(state, seat) for seat in self.table.players]
        seed = source.seed.hex() if source.seed else None
        return SittingResult(reason, tuple(m.free + m.staked for m in money), seed)

    @property
    def practice(self) -> bool:
        """Whether a human is playing here without a balance (free play)."""
        return self.house.ledger is None and bool(self.table.humans)

    @property
    def may_undo(self) -> bool:
        """Whether choices may be undone here: in free play, if the game allows it."""
        return self.practice and self.definition.choices.may_undo(self.table.options)

    @property
    def why_final(self) -> str:
        """The reason why choices are final here; empty where they may be undone."""
        if self.may_undo:
            return ""
        if not (self.practice or self.for_points):
            return "choices are final when you play for money"
        against = len(self.table.players) > 1
        return f"choices are final {'against opponents' if against else 'in this game'}"

    @property
    def for_points(self) -> bool:
        """Whether the humans brought no money, so they can lose none."""
        return not self._bought_in

    @property
    def _bought_in(self) -> int:
        """The money that the humans brought, in cents."""
        game = self.definition.game
        start = game.start(self.table.options)
        return game.unit * sum(game.money(start, seat).free for seat in self.table.humans)

    @property
    def shared_table(self) -> str | None:
        """The code of the table with others where this is a seat, if it is one."""
        return self.log.header.table

    @property
    def why_seat_waits(self) -> str:
        """The message to a player who has left a table with others, but not the seat there."""
        text = SEAT_IS_KEPT if self._is_kept else SEAT_WAITS
        return text.format(self.shared_table)

    @property
    def unfinished(self) -> bool:
        """Whether this is a daily deal, or a game for points that has begun and is not over."""
        if self.log.header.daily is not None:
            return not self.log.ended
        options, turn = self.table.options, self.definition.game.turn(self.table.state)
        if not self.definition.can_resume(options) or isinstance(turn, SittingOver):
            return False
        return self._acted(if_missing=False)  # a game without a log is not unfinished

    def _has_played(self) -> bool:
        """Return whether a human has bet (where there are no bets: acted), or there is no log."""
        if self.for_points or not self.has_bets:
            return self._acted(if_missing=True)
        if self.dialogue.tally.wagered:
            return True
        game = self.definition.game
        with suppress(BadFile, LogMismatch):
            return any(
                game.money(step.state, seat).staked
                for step in replay_log(game, read_log(self.log.path))
                for seat in self.table.humans
            )
        return True

    def _acted(self, *, if_missing: bool) -> bool:
        """Return whether a human has acted, according to the log; ``if_missing`` without a log."""
        with suppress(BadFile):
            return any(line.by in self.table.humans for line in read_log(self.log.path).steps())
        return if_missing

    def step_back(self) -> bool:
        """Undo the human's last choice; return false if there was none.

        The steps before the choice are played again at a new table, with a new log that refers to
        the old one. The dialogue is also new and receives all earlier lines again. Raises
        ``OSError`` if a log cannot be written, and then changes nothing.
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
                self.log.end(self._result(TAKEN_BACK), self.house.clock())
        except BaseException:
            other.log.discard()
            raise
        self.close()
        self.id, self.log = other.id, other.log
        self.table, self.dialogue = other.table, other.dialogue
        self.taken_back = True
        return True

    def _choices(self, log: SessionLog) -> Iterator[int]:
        """Yield the steps at which a human made a choice, not forced actions or confirmations."""
        game = self.definition.game
        state = game.start(log_options(game, log))
        for played in replay_log(game, log):
            by, action = played.line.by, played.action
            if by in self.table.humans and not isinstance(action, Shoe | Deal | None):
                seat = Seat(by)
                if self.definition.is_choice(game.view(state, seat), seat, action):
                    yield played.line.n
            state = played.state

    def alternatives(self) -> tuple[int, tuple[Alternative[A], ...]] | None:
        """Return the step of the last undo, and the choices made there, including the undone ones.

        This also works for a session that continues from a step of another one. Returns ``None`` if
        nothing was undone. This may take a while. Raises :class:`~tui_casino.inputs.files.BadFile`
        if the log cannot be read.
        """
        from ..records.cache import Cache  # late: only after an undo
        from ..records.tried_choices import find_alternatives

        return find_alternatives(self.definition, self.log.path, Cache(self.house.cache))

    def compare(self) -> list[str]:
        """Return lines that compare the :meth:`alternatives`, each identified by its command.

        Raises the errors of :meth:`alternatives`.
        """
        from ..records.tried_choices import format_alternatives  # late: only after an undo

        choices = self.alternatives()
        return (
            ["no choice was undone in this position"]
            if choices is None
            else [*format_alternatives(self.definition, *choices)]
        )


def branch_sitting(
    house: House, definition: GameDefinition[O, S, A, E, T], path: Path, step: int
) -> Sitting[O, S, A, E, T]:
    """Start free play from a step of a recorded session, which does not change.

    The new log is written next to the old one and refers to it. No balance changes. This may take a
    while if computer players have to choose again. Raises :class:`BadInput` if the seed is not
    revealed yet or the log is invalid before that step, and ``OSError`` if a log cannot be written.
    """
    log = read_log(path)
    try:
        source = source_of_log(log) or house.daily_shuffle(log.header)
        back = not log.over and step < len(log.lines)
        if back and not definition.choices.may_undo(log_options(definition.game, log)):
            source = None  # otherwise the player could choose again knowing the cards
        if source is None:
            ends = "session ends" if log.header.daily is None else "day of the daily deal is over"
            raise BadInput(f"the seed is still secret until the {ends}")
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
    """Play the first steps of a log again at a new table, which writes its own log.

    If an error is raised, no new log is left behind.
    """
    house.check_log_quota()
    at = house.clock()
    name = log_name(definition.game.slug, at)
    prefix = replace(original, lines=original.lines[:step])
    header = replace(
        original.header,
        format=LOG_FORMAT,
        program=_PROGRAM,
        at=at,
        parent=BranchOrigin(_written(original.path.name), len(prefix.lines)),
        seed=_public_seed(source),
        who=house.identities(original.header.players),
        daily=None,
    )
    path = original.path.with_name(f"{name}.jsonl")
    log = LogWriter.begin(path, header, house.clock, house.log_replica)
    try:
        log.follower = house.follower(definition, log.path)
        table = make_table(definition, prefix, source, log.step)
        dialogue = Dialogue(table, definition, names=house.seat_names)
        attach_game_log(house, definition, table, header.players, hearer)
        rerun_log(table, prefix)
        return Sitting(name, house, definition, table, dialogue, log, hearer=hearer)
    except BaseException:
        log.discard()
        raise


def _written(name: str) -> str:
    """Return a file name as valid text for a log; not every file name is valid text."""
    return name.encode(errors="replace").decode()


def begin_sitting(
    house: House,
    definition: GameDefinition[O, S, A, E, T],
    options: O,
    croupier: Croupier,
    source: ChanceSource,
    players: Mapping[Seat, str | None],
    hearer: ListenerFactory | None = None,
    *,
    borrow: bool = False,
    daily: date | None = None,
    elsewhere: TableElsewhere[S, A, E] | None = None,
) -> Sitting[O, S, A, E, T]:
    """Start a session: buy in, begin the log, set up the table.

    ``players`` lists the computer players. The money in the options counts only in free play.
    Otherwise the player brings the balance. If it is below the smallest bet, the house lends money
    to a player who has asked to ``borrow``. Raises :class:`.LoanNeeded` if the player has not,
    ``OSError`` if the log cannot be written, and :class:`~tui_casino.records.ledger.LedgerError`;
    in all cases no money has moved. With ``daily``, the session is the deal of that day, in free
    play; ``FileExistsError`` means that the player has already begun it. A table with others is
    ``elsewhere``.
    """
    house.check_log_quota()
    game, at = definition.game, house.clock()
    name = log_name(game.slug, at, daily, house.player)
    path = real_path(house.logs) / f"{name}.jsonl"
    lent = 0
    if house.ledger is not None:
        purse = house.ledger.balance(house.player)
        options = game.sit(options, house.limit_buy_in(purse) // game.unit)
        if isinstance(game.turn(game.start(options)), SittingOver):
            house.check_elsewhere()
            if not borrow:
                raise LoanNeeded(purse, LOAN_CENTS)
            lent = LOAN_CENTS
            options = game.sit(options, house.limit_buy_in(purse + LOAN_CENTS) // game.unit)
    seed = _public_seed(source) if house.ledger is None else None
    named = tuple(who or HUMAN for _, who in sorted(players.items()))
    if elsewhere is not None:
        named = elsewhere.players(game.seats(options))
    header = LogHeader(
        format=LOG_FORMAT if elsewhere is None else SEAT_FORMAT,
        game=game.slug,
        options=to_builtins(options),
        players=named,
        croupier=croupier.kind,
        source=source.spec,
        program=_PROGRAM,
        at=at,
        seed=seed,
        who=house.identities(named),
        daily=None if daily is None else daily.isoformat(),
        table=None if elsewhere is None else elsewhere.code,
        seat=None if elsewhere is None else elsewhere.seat,
    )
    if elsewhere is not None:
        table: Table[O, S, A, E] = elsewhere.table(game, options, croupier, source)
    else:
        seats: dict[Seat, ComputerPlayer[S, A] | None] = {
            seat: None if who is None else definition.players[who]()
            for seat, who in players.items()
        }
        table = Table(game, options, croupier, source, seats)
    attach_game_log(house, definition, table, named, hearer)
    # create and lock the log before any money moves: without it, an open session would be lost
    make_folder(house.logs)
    log = LogWriter.begin(path, header, house.clock, house.log_replica)
    try:
        log.follower, table.bus.recorder = house.follower(definition, path), log.step
        sitting = Sitting(
            name,
            house,
            definition,
            table,
            Dialogue(table, definition, names=house.seat_names),
            log,
            lent,
            None,
            hearer,
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
        if isinstance(error, LedgerUnsure):  # the money may have moved, and then the log is needed
            log.close()
        else:
            log.discard()
        if isinstance(error, BalanceTooLow):
            house.check_elsewhere()
        raise


def _public_seed(source: ChanceSource) -> str | None:
    """Return the seed for the header of a free-play log; ``None`` if the source includes it."""
    return source.seed.hex() if source.seed and source.spec.kind == "committed" else None
