"""A shared table as one program has it: a machine that plays exactly the rows of the table's log.

The rows in the database are the table; a replica only saves reading them again. An action is first
played here, with the croupier's steps that follow, and then appended to the rows. If another
program has appended something in the meantime, the action has not happened: the replica is made
again from the rows, and the action is checked and played again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Generic

from msgspec import Struct, to_builtins

from .. import __version__
from ..engine.chance import CommittedSource
from ..engine.croupier import Croupier, make_croupier
from ..engine.event_bus import ALL_CARDS, TableUpdate
from ..engine.game import (
    A,
    Chance,
    E,
    IllegalAction,
    O,
    Refusal,
    S,
    Seat,
    SittingOver,
    Step,
)
from ..engine.seating import (
    OFFER_SECONDS,
    ComputerJoin,
    ComputerTurn,
    SeatLeft,
    SeatTaken,
    SharedGame,
    SitOut,
)
from ..engine.table import Table
from ..structs import replace
from .clock import Clock
from .codec import decode, encode, name_and_fields
from .ledger import LedgerBusy, LedgerDamaged, LedgerError, OpenSitting
from .log_header import HUMAN, LOG_FORMAT, Identity, LogHeader, decode_header, encode_header
from .replay import LogMismatch, log_options, rerun_log
from .session_log import EndLine, SessionLog, SittingResult, StepLine, line_hash
from .shared_tables import (
    SeatBuyIn,
    SeatCashOut,
    SeatHolds,
    SeatMove,
    SharedRow,
    SharedTable,
    SharedTables,
)

TRIES = 20
"""How often an action is tried again because another program was faster."""


class Occupant(Struct, frozen=True):
    """The player in a seat: the player's id, and the session that holds the money."""

    player: str
    sitting: str


class Stay(Struct, frozen=True):
    """When a player had a seat: from the row of sitting down to that of leaving, if any."""

    seat: Seat
    first: int
    last: int | None = None


class SeenRow(Struct, Generic[A], frozen=True):
    """A row as a seat sees it: its number, who acted, and the seat's view and events after it.

    The ``action`` is ``None`` unless the seat's player acted; ``kind`` is the name of its class.
    """

    number: int
    actor: Seat | None
    kind: str
    action: A | None
    seen: Step[Any, Any]


class WatchedRow(Struct, frozen=True):
    """A row as somebody sees it who has no seat: its number and actor, the view and the events.

    ``player`` is the id of the player who acted.
    """

    number: int
    actor: Seat | None
    view: Any
    events: tuple[Any, ...]
    player: str | None


class SeatChange(Struct, frozen=True):
    """A row in which a player took a seat, or left it (``None``)."""

    row: int
    seat: Seat
    player: str | None


class SeatAct(Struct, Generic[A], frozen=True):
    """An action at a seat, by a player, or by the clock if ``player`` is ``None``.

    A player who sits down brings a ``sitting``; one who leaves, the hash of their log's last line.
    A choice made ``after`` a row counts only if the croupier and this seat have done nothing since;
    that of a computer, only if its row will be ``row``.
    """

    seat: Seat
    action: A
    player: str | None = None
    sitting: OpenSitting | None = None
    last_hash: str | None = None
    after: int | None = None
    row: int | None = None


class BankClock(Struct, frozen=True):
    """The seat that alone is asked, until when, and how much of that time is from its time bank.

    Times are in milliseconds.
    """

    seat: Seat
    due: int
    bank: int

    def used_at(self, at: int) -> int:
        """Return how much of the time bank is used if the seat acts at a time."""
        return min(self.bank, max(0, at - (self.due - self.bank)))


class TableReplica(Generic[O, S, A, E]):
    """A shared table; one thread uses it.

    ``seconds`` is the time that each choice may take unless the table has its own. Each player has
    a time bank of ``bank`` seconds for all choices together that the round waits for. The table has
    ``ended`` once its last line is written, and ``why_ended`` is the reason that the line states.

    All methods may raise :class:`~.ledger.LedgerError`.
    """

    def __init__(
        self,
        tables: SharedTables,
        entry: SharedTable,
        game: SharedGame[O, S, A, E],
        clock: Clock,
        seconds: int,
        bank: int = 0,
    ) -> None:
        """Read a table from its rows. Raises :class:`LedgerDamaged` if they break the rules."""
        self._tables, self.entry, self._game = tables, entry, game
        self._clock, self._seconds, self._bank = clock, entry.seconds or seconds, bank
        self._lines: list[bytes] | None = None
        self._rows: list[SharedRow] = []
        self.ended, self.why_ended = False, ""
        self._read()

    @classmethod
    def create(
        cls,
        tables: SharedTables,
        entry: SharedTable,
        game: SharedGame[O, S, A, E],
        options: O,
        croupier: Croupier,
        clock: Clock,
        seconds: int,
        bank: int = 0,
    ) -> TableReplica[O, S, A, E]:
        """Make a new table with free seats."""
        seats = range(game.seats(options))
        header = LogHeader(
            format=LOG_FORMAT,
            game=game.slug,
            options=to_builtins(options),
            players=(HUMAN,) * len(seats),
            croupier=croupier.kind,
            source=CommittedSource(entry.seed).spec,
            program=f"tui-casino {__version__}",
            at=entry.made,
            who=tuple(Identity(f"seat-{n}", f"Seat {n + 1}") for n in seats),  # people come and go
        )
        tables.create(entry, (SharedRow(encode_header(header)),))
        return cls(tables, entry, game, clock, seconds, bank)

    # ---- what is there --------------------------------------------------------------------

    @property
    def state(self) -> S:
        """The state with all cards; :meth:`view` returns what a seat may see."""
        return self._table.state

    @property
    def options(self) -> O:
        """The table's options."""
        return self._table.options

    @property
    def seats(self) -> int:
        """The number of seats."""
        return len(self._table.players)

    @property
    def rows(self) -> int:
        """The number of rows, with the header."""
        return len(self._rows)

    @property
    def due(self) -> int | None:
        """The time, in milliseconds since 1970, until which a choice is waited for."""
        return self._rows[-1].due

    @property
    def seconds(self) -> int:
        """The time that each choice may take."""
        return self._seconds

    @property
    def bank(self) -> int:
        """How much of the time until :attr:`due` is from a time bank, in milliseconds."""
        return 0 if self._bank_clock is None else self._bank_clock.bank

    @property
    def is_offer(self) -> bool:
        """Whether a computer takes a free seat when the time is over."""
        return self.due is not None and _is_offer(self._defaults())

    def money(self, seat: Seat) -> int:
        """Return the money of a seat in cents, with what is at stake."""
        money = self._game.money(self.state, seat)
        return self._game.unit * (money.free + money.staked)

    def view(self, seat: Seat | None) -> S:
        """Return the state as a seat may see it; ``None`` is a watcher."""
        return self._table.view(seat)

    def seen(self, player: str, first: int) -> Iterator[SeenRow[A]]:
        """Yield what a player saw at their seat, from row ``first`` on."""
        if (stay := self.stays.get(player)) is not None:
            yield from self.seen_in(stay, first)

    def stay_of(self, player: str, sitting: str) -> Stay | None:
        """Return when a player had the seat that was taken with the money of a session."""
        taken, last = None, None
        for number, (row, (update, _)) in enumerate(
            zip(self._rows[1:], self._played_rows, strict=False), 1
        ):
            for event in update.events:
                match event:
                    case SeatTaken(seat) if (row.player, row.sitting) == (player, sitting):
                        taken = Stay(seat, number)
                    case SeatLeft(seat) if taken is not None and seat == taken.seat:
                        last = last or number
        return None if taken is None else replace(taken, last=last)

    def seen_in(self, stay: Stay, first: int) -> Iterator[SeenRow[A]]:
        """Yield what was seen at a seat during a stay, from row ``first`` on."""
        first, last = max(first, stay.first), stay.last or self.rows
        for number, (update, action) in enumerate(self._played_rows[first - 1 : last], first):
            is_own = update.actor == stay.seat and self._rows[number].player is not None
            own: Any = action if is_own else None
            seen = self._game.seen(update.state, update.events, stay.seat)
            yield SeenRow(number, update.actor, type(action).__name__, own, seen)

    def watched(self, first: int, last: int) -> Iterator[WatchedRow]:
        """Yield what is open to everybody in the rows from ``first`` to ``last``."""
        for number in range(first, last + 1):
            update, _ = self._played_rows[number - 1]
            events = tuple(self._game.hear(update.state, one, None) for one in update.events)
            view, player = self._game.view(update.state, None), self._rows[number].player
            yield WatchedRow(number, update.actor, view, events, player)

    def rows_with(self, is_wanted: Callable[[E], bool], after: int) -> Iterator[int]:
        """Yield the rows after a row that have such an event, the last one first."""
        for number in range(self.rows - 1, max(after, 0), -1):
            update, _ = self._played_rows[number - 1]
            if any(map(is_wanted, update.events)):
                yield number

    @property
    def why_over(self) -> str:
        """Why the game is over, so that nobody sits here any more; empty if it is not."""
        turn = self._game.turn(self.state)
        return turn.reason if isinstance(turn, SittingOver) else ""

    # ---- actions --------------------------------------------------------------------------

    def join(self, seat: Seat, action: A, player: str, sitting: OpenSitting) -> None:
        """Take a seat by a :class:`~tui_casino.engine.seating.Join` of the session's buy-in.

        Raises :class:`IllegalAction`.
        """
        self._act(SeatAct(seat, action, player, sitting))

    def act(
        self,
        seat: Seat,
        action: A,
        player: str,
        *,
        last_hash: str | None = None,
        after: int | None = None,
    ) -> int | None:
        """Play an action of a player's own seat; return the number of its row.

        ``last_hash`` is that of the last line of the player's own log, if the seat is left. Return
        ``None``, and do nothing, if the croupier or the clock of this seat has acted since row
        ``after``. Raises :class:`IllegalAction`.
        """
        return self._act(SeatAct(seat, action, player, last_hash=last_hash, after=after))

    def last_step(self, seat: Seat) -> int:
        """Return the last row of the croupier or of a seat."""
        return max(self._croupier_row, self._seat_rows.get(seat, 0))

    def missed(self, seat: Seat) -> int:
        """Return how many choices of a player the clock has made since the last own one."""
        return self._missed.get(seat, 0)

    def expire(self) -> bool:
        """Play the defaults of the seats whose time is over; return whether there were any."""
        self.refresh()
        if not self._is_over():
            return False
        for seat in self._game.awaited(self.state):
            self._act(SeatAct(seat, self._game.default(self.state, seat)))
        return True

    def _is_over(self) -> bool:
        """Return whether the time of the seats that are asked is over."""
        return self.due is not None and self.due <= self._clock()

    def ask_computer(
        self, turn_of: Callable[[S], ComputerTurn[A] | None]
    ) -> Callable[[], SeatAct[A]] | None:
        """Return a function that makes the choice of the computer whose turn it is; else ``None``.

        Any thread may call it. All programs get the same choice, for :meth:`play_computer`.
        """
        if (turn := turn_of(self.state)) is None:
            return None
        row, choose, seat = self.rows, turn.choose, turn.seat
        dice = self._table.source.dice(f"computer {row}")
        return lambda: SeatAct(seat, choose(dice), row=row)

    def play_computer(self, act: SeatAct[A]) -> bool:
        """Play a computer's choice; return false if the table has continued in the meantime."""
        return self._act(act) is not None

    def pass_computer(self, turn_of: Callable[[S], ComputerTurn[A] | None]) -> None:
        """Play the default of the computer whose turn it is, because it cannot choose."""
        if (turn := turn_of(self.state)) is not None:
            self._act(SeatAct(turn.seat, self._game.default(self.state, turn.seat), row=self.rows))

    def play_default(self, turn_of: Callable[[S], ComputerTurn[A] | None] | None) -> bool:
        """Play the default of one seat, of a person or computer; return whether one is asked."""
        for seat in self._game.awaited(self.state):
            self._act(SeatAct(seat, self._game.default(self.state, seat)))
            return True
        if turn_of is None or turn_of(self.state) is None:
            return False
        self.pass_computer(turn_of)
        return True

    def freeze(self) -> None:
        """Note that the table is frozen. The caller keeps everybody from acting."""
        at = self._clock()
        self._tables.freeze(self.entry.code, at)
        self.entry = replace(self.entry, frozen=at)

    def thaw(self) -> None:
        """Note that the table is not frozen any more; the clock of those who are asked restarts."""
        self._tables.freeze(self.entry.code, None)
        self.entry = replace(self.entry, frozen=None)
        self.extend_clock(self._seconds)

    def extend_clock(self, seconds: int) -> None:
        """Wait at least this long, from now on, for those who are asked."""
        due, row = self._clock() + 1000 * seconds, self.rows - 1
        if self.due is not None and self.due < due:
            self._tables.wait_until(self.entry.code, row, due)
            self._rows[row] = replace(self._rows[row], due=due)

    def is_awaited(self, seat: Seat) -> bool:
        """Return whether the others wait for a choice of this seat."""
        return seat in self._game.awaited(self.state)

    def offers(self, seat: Seat, kind: type[Any]) -> bool:
        """Return whether a seat may do an action of this kind now."""
        offers = self._game.offers(self.state, seat)
        return any(offer.kind is kind and offer.barred is None for offer in offers)

    def finish(self, reason: str = "") -> None:
        """Write the last line, with the seed, of a table at which nobody sits, and close it.

        Without a ``reason``, it states why the game is over, or that nobody sits there.
        """
        assert not self.occupants, "everybody was paid out"
        reason = reason or self.why_over or "nobody sits there"
        if not self.ended:
            seats = range(len(self._table.players))
            money = tuple(self._game.money(self.state, Seat(n)).free for n in seats)
            result = SittingResult(reason, money, self.entry.seed.hex())
            line = encode(EndLine(result, self._clock(), line_hash(self._rows[-1].line)))
            if not self._tables.append(self.entry.code, self.rows, [SharedRow(line)]):
                self._read()  # somebody has sat down
                return
            self.ended, self.why_ended = True, reason
        self._tables.close(self.entry.code, self._clock())

    def refresh(self) -> bool:
        """Play the rows that other programs have appended; return whether there were any."""
        if self.ended or not (rows := self._tables.rows(self.entry.code, self.rows)):
            return False
        if has_ended(rows):
            self._read()
        else:
            self._follow(rows)
        return True

    def _act(self, act: SeatAct[A]) -> int | None:
        for attempt in range(TRIES):
            if self.ended:
                raise LedgerError(f"the table {self.entry.code} is closed")
            if act.sitting is None and act.player is not None:
                occupant = self.occupants.get(act.seat)
                if occupant is None or occupant.player != act.player:
                    raise IllegalAction(Refusal.TURN)
            if act.row is not None and act.row != self.rows:
                return None
            is_clock = act.player is None and act.row is None
            if is_clock and (
                act.seat not in self._game.awaited(self.state) or (attempt and not self._is_over())
            ):
                return None  # it has chosen in the meantime
            if act.after is not None and act.after < self.last_step(act.seat):
                return None
            number = self.rows
            try:
                self._check_seat(act)
                if self._played(act):
                    return number
            except IllegalAction:
                if not self.refresh():  # it may be legal after the rows of others
                    raise
        raise LedgerBusy(f"the table {self.entry.code} is too busy")

    def _check_seat(self, act: SeatAct[A]) -> None:
        if act.sitting is None and act.player is not None:
            occupant = self.occupants.get(act.seat)
            if occupant is None or occupant.player != act.player:
                raise IllegalAction(Refusal.TURN)

    def _played(self, act: SeatAct[A] | None) -> bool:
        """Play an action and the croupier's steps after it, and append them.

        If others have appended something in the meantime, read it and return false.
        """
        self._lines, asked = [], self._defaults()
        try:
            if act is not None:
                self._table.submit(act.seat, act.action)
            self._table.run()
            rows = self._new_rows(act, asked)
            moves = tuple(self._moves(rows, act))
            if self._tables.append(self.entry.code, self.rows, rows, moves):
                self._note(rows)
                return True
        except IllegalAction:
            raise  # nothing has changed
        except BaseException:
            self._lines = None
            self._read()  # only the rows know whether it has happened
            raise
        finally:
            self._lines = None
        self._read()
        return False

    def _record(self, actor: Seat | None, action: A | Chance, events: tuple[E, ...]) -> None:
        """Note a step, and write its line, unless it was read from a row."""
        self._done.append(action)
        if self._lines is None:
            return
        do, outcomes = name_and_fields(action), tuple(map(name_and_fields, events))
        before = self._lines[-1] if self._lines else self._rows[-1].line
        number = len(self._rows) + len(self._lines)
        line = StepLine(number, actor, do, outcomes, self._clock(), line_hash(before))
        self._lines.append(encode(line))

    def _defaults(self) -> dict[Seat, A]:
        """Return what the clock would choose now, for each seat that is waited for."""
        state = self.state
        return {seat: self._game.default(state, seat) for seat in self._game.awaited(state)}

    def _new_rows(self, act: SeatAct[A] | None, asked: dict[Seat, A]) -> tuple[SharedRow, ...]:
        """Return the rows of the steps just played; the first is that of the ``act``.

        The clock continues if nobody is asked a question that was not ``asked`` before, except
        somebody who has just sat down: otherwise newcomers could stop it.
        """
        rows = [SharedRow(line) for line in self._lines or []]
        if act is not None:
            sitting = None if act.sitting is None else act.sitting.id
            rows[0] = replace(rows[0], player=act.player, sitting=sitting)
        if defaults := self._defaults():
            dealt = any(update.actor is None for update in self._heard)
            new = {event.seat for _, event in self._events(rows) if isinstance(event, SeatTaken)}
            known = {seat: default for seat, default in defaults.items() if seat not in new}
            due = self.due if not dealt and known.items() <= asked.items() else None
            seconds = OFFER_SECONDS if _is_offer(defaults) else self._seconds
            if due is None:
                due = _time_of(rows[-1]) + 1000 * seconds
                if (seat := self._bank_seat(self.state)) is not None:
                    due += self._bank_left(seat, act, rows)
            rows[-1] = replace(rows[-1], due=due)
        return tuple(rows)

    def _bank_left(self, seat: Seat, act: SeatAct[A] | None, rows: Sequence[SharedRow]) -> int:
        """Return the time bank of a seat after the ``act`` of the first row."""
        bank, asked = self._banks.get(seat, 0), self._bank_clock
        is_own = act is not None and asked is not None and act.seat == asked.seat == seat
        return bank - asked.used_at(_time_of(rows[0])) if is_own and asked is not None else bank

    def _bank_seat(self, state: S) -> Seat | None:
        """Return the seat that a round waits for, if it is only one and may use its time bank."""
        seats = self._game.awaited(state) if self._bank else ()
        if len(seats) != 1 or isinstance(self._game.default(state, seats[0]), SitOut):
            return None
        return seats[0]

    # ---- money ----------------------------------------------------------------------------

    def _moves(self, rows: Sequence[SharedRow], act: SeatAct[A] | None) -> Iterator[SeatMove]:
        """Yield the moves of money that the steps just played bring about."""
        occupants, at = dict(self.occupants), self._clock()
        for _, event in self._events(rows):
            match event:
                case SeatTaken(_, credit) if act is not None and act.sitting is not None:
                    assert act.player is not None, "somebody sits down"
                    assert act.sitting.bought_in == credit * self._game.unit, "the same money"
                    yield SeatBuyIn(act.sitting, act.player, at)
                case SeatLeft(seat, credit):
                    own = act is not None and act.seat == seat
                    last_hash = act.last_hash if act is not None and own else None
                    cents = credit * self._game.unit
                    yield SeatCashOut(occupants.pop(seat).sitting, cents, at, last_hash)
        for seat, occupant in occupants.items():
            money = self._game.money(self.state, seat)
            if not money.staked and money.free != self._known.get(seat):
                yield SeatHolds(occupant.sitting, money.free * self._game.unit)

    def _events(self, rows: Sequence[SharedRow]) -> Iterator[tuple[SharedRow, E]]:
        """Yield the events of the steps just played, each with its row."""
        for row, update in zip(rows, self._heard, strict=True):
            for event in update.events:
                yield row, event

    # ---- rows -----------------------------------------------------------------------------

    def _read(self) -> None:
        """Make the machine again from the rows."""
        code = self.entry.code
        header, *rows = self._tables.rows(code)
        self.ended = has_ended(rows)
        last = rows.pop().line if self.ended else b""
        end = decode(last, EndLine).end if self.ended else None
        self.why_ended = "" if end is None else end.why
        path = Path(code)  # names the table in errors
        log = SessionLog(path, decode_header(path, header.line), header.line, (), end, b"", 0, 0)
        options = log_options(self._game, log)
        players = dict.fromkeys(map(Seat, range(self._game.seats(options))))
        croupier, source = make_croupier(log.header.croupier), CommittedSource(self.entry.seed)
        self._rows, self._heard = [header], list[TableUpdate[S, E]]()
        self._done = list[A | Chance]()
        self._played_rows: list[tuple[TableUpdate[S, E], A | Chance]] = []
        self.occupants: dict[Seat, Occupant] = {}
        self.stays: dict[str, Stay] = {}  # the last one of each player
        self.changes: list[SeatChange] = []
        self._known: dict[Seat, int] = {}  # without stakes; a replica may be made in a round
        self._croupier_row, self._seat_rows = 0, dict[Seat, int]()
        self._missed = dict[Seat, int]()
        self._banks = dict[Seat, int]()  # what is left of them, in milliseconds
        self._bank_clock: BankClock | None = None
        self._table: Table[O, S, A, E] = Table(
            self._game, options, croupier, source, players, self._record
        )
        self._table.bus.subscribe(ALL_CARDS, self._heard.append)
        self._log = log
        self._follow(rows, last)
        if not self._table.waiting:  # a new table, or one whose program ended between two steps
            self._played(None)

    def _follow(self, rows: Sequence[SharedRow], last: bytes = b"") -> None:
        """Play the rows after those that were played, and check the ``last`` line of a log.

        If this raises an error, the replica can no longer be used.
        """
        lines = tuple(row.line for row in rows)
        log = replace(self._log, first=self._rows[-1].line, lines=lines, last=last)
        torn = next((number - 2 for number, due, held in log.chain() if due != held), None)
        damaged = None if torn is None else self.rows + torn
        try:
            rerun_log(self._table, log, first=self.rows)
        except LogMismatch as fault:
            damaged = fault.line - 1
        except ValueError as error:  # written by another version of the game, or damaged
            raise LedgerDamaged(f"the table {self.entry.code} cannot be read: {error}") from None
        if damaged is not None:
            raise LedgerDamaged(f"the table {self.entry.code} is damaged in row {damaged}")
        self._known = {}  # others have booked
        self._note(rows)

    def _note(self, rows: Sequence[SharedRow]) -> None:
        """Take over the steps just played, which are these rows."""
        for number, (row, update, action) in enumerate(
            zip(rows, self._heard, self._done, strict=True), self.rows
        ):
            if update.actor is None:
                self._croupier_row = number
            else:
                self._seat_rows[update.actor] = number
                by_clock = row.player is None
                self._missed[update.actor] = by_clock * (1 + self.missed(update.actor))
            self._played_rows.append((update, action))
            self._note_bank(row, update)
            for event in update.events:
                match event:
                    case SeatTaken(seat):
                        assert row.player is not None, "somebody sat down"
                        assert row.sitting is not None, "with a session"
                        self.occupants[seat] = Occupant(row.player, row.sitting)
                        self.stays[row.player] = Stay(seat, number)
                        self.changes.append(SeatChange(number, seat, row.player))
                        self._banks[seat] = 1000 * self._bank
                    case SeatLeft(seat):
                        player = self.occupants.pop(seat).player
                        self.stays[player] = replace(self.stays[player], last=number)
                        self.changes.append(SeatChange(number, seat, None))
        self._rows += rows
        self._heard.clear()
        self._done.clear()
        for seat in self.occupants:
            if not (money := self._game.money(self.state, seat)).staked:
                self._known[seat] = money.free

    def _note_bank(self, row: SharedRow, update: TableUpdate[S, E]) -> None:
        """Take what a seat has used of its time bank, and note which seat may use it next.

        A row of a program without time banks has a ``due`` that includes none.
        """
        if not self._bank:
            return
        asked = self._bank_clock
        if asked is not None and update.actor == asked.seat:
            used = asked.used_at(_time_of(row))
            self._banks[asked.seat] -= used
            asked = replace(asked, bank=asked.bank - used)
        seat = None if row.due is None else self._bank_seat(update.state)
        if seat is None or row.due is None:
            self._bank_clock = None
        elif asked is not None and (asked.seat, asked.due) == (seat, row.due):
            self._bank_clock = asked
        else:
            bank = max(0, row.due - _time_of(row) - 1000 * self._seconds)
            self._bank_clock = BankClock(seat, row.due, min(bank, self._banks.get(seat, 0)))


def _time_of(row: SharedRow) -> int:
    """Return when the step of a row was played."""
    return decode(row.line, StepLine).at


def _is_offer(defaults: Mapping[Seat, object]) -> bool:
    return any(isinstance(default, ComputerJoin) for default in defaults.values())


def has_ended(rows: Sequence[SharedRow]) -> bool:
    """Return whether rows contain the last line of a table's log, which reveals the seed."""
    return bool(rows) and rows[-1].line.startswith(b'{"end":')
