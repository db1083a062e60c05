"""A shared table as one program has it: a machine that plays exactly the rows of the table's log.

The rows in the database are the table; a replica only saves reading them again. An action is first
played here, with the croupier's steps that follow, and then appended to the rows. If another
program has appended something in the meantime, the action has not happened: the replica is made
again from the rows, and the action is checked and played again.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Generic

from msgspec import Struct, to_builtins

from .. import __version__
from ..engine.chance import CommittedSource
from ..engine.croupier import Croupier, make_croupier
from ..engine.event_bus import ALL_CARDS, TableUpdate
from ..engine.game import A, Chance, E, IllegalAction, O, Refusal, S, Seat
from ..engine.seating import SeatLeft, SeatTaken, SharedGame
from ..engine.table import Table
from .clock import Clock
from .codec import encode, name_and_fields
from .ledger import LedgerBusy, LedgerDamaged, OpenSitting
from .log_header import HUMAN, LOG_FORMAT, Identity, LogHeader, decode_header, encode_header
from .replay import LogMismatch, log_options, rerun_log
from .session_log import SessionLog, StepLine, line_hash
from .shared_tables import (
    SeatBuyIn,
    SeatCashOut,
    SeatCheckpoint,
    SeatMove,
    SharedTable,
    SharedTables,
    TableRow,
)

TRIES = 20
"""How often an action is tried again because another program was faster."""
KEPT = 500
"""The number of updates that are kept for readers."""


class Occupant(Struct, frozen=True):
    """Who sits in a seat: the player's id, and the session that holds the money."""

    player: str
    sitting: str


class NumberedUpdate(Struct, Generic[S, E], frozen=True):
    """An update with the number of its row."""

    number: int
    update: TableUpdate[S, E]


class TableReplica(Generic[O, S, A, E]):
    """A shared table; ``seconds`` is the time that each choice may take. One thread uses it.

    All methods may raise :class:`~.ledger.LedgerError`.
    """

    def __init__(
        self,
        tables: SharedTables,
        entry: SharedTable,
        game: SharedGame[O, S, A, E],
        clock: Clock,
        seconds: int,
    ) -> None:
        """Read a table from its rows. Raises :class:`LedgerDamaged` if they break the rules."""
        self._tables, self.entry, self._game = tables, entry, game
        self._clock, self._seconds = clock, seconds
        self._lines: list[bytes] | None = None
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
        tables.create(entry, (TableRow(encode_header(header)),))
        return cls(tables, entry, game, clock, seconds)

    # ---- what is there --------------------------------------------------------------------

    @property
    def state(self) -> S:
        """The state with all cards; :meth:`view` returns what a seat may see."""
        return self._table.state

    @property
    def rows(self) -> int:
        """The number of rows, with the header."""
        return len(self._rows)

    @property
    def due(self) -> int | None:
        """The time, in milliseconds since 1970, until which a choice is waited for."""
        return self._rows[-1].due

    def money(self, seat: Seat) -> int:
        """Return the money of a seat in cents, with what is at stake."""
        money = self._game.money(self.state, seat)
        return self._game.unit * (money.free + money.staked)

    def view(self, seat: Seat | None) -> S:
        """Return the state as a seat may see it; ``None`` is a watcher."""
        return self._table.view(seat)

    def updates(self, seat: Seat | None, first: int) -> Iterator[NumberedUpdate[S, E]]:
        """Yield the updates from row ``first`` on that are still kept, as a seat may see them."""
        for kept in self._updates:
            if kept.number >= first:
                one = kept.update
                events = tuple(self._game.hear(one.state, event, seat) for event in one.events)
                seen = TableUpdate(one.actor, self._game.view(one.state, seat), events)
                yield NumberedUpdate(kept.number, seen)

    # ---- actions --------------------------------------------------------------------------

    def join(
        self, player: str, seat: Seat, action: A, sitting: Callable[[str], OpenSitting]
    ) -> None:
        """Take a seat by a :class:`~tui_casino.engine.seating.Join`.

        ``sitting`` returns the session with an id, which brings the money of the seat. Raises
        :class:`IllegalAction`.
        """
        self._act(player, seat, action, sitting)

    def act(self, player: str, seat: Seat, action: A) -> None:
        """Play an action of a player's own seat. Raises :class:`IllegalAction`."""
        self._act(player, seat, action)

    def expire(self) -> bool:
        """Play the defaults of the seats whose time is over; return whether there were any."""
        self.refresh()
        if self.due is None or self._clock() < self.due:
            return False
        for seat in self._game.awaited(self.state):
            self._act(None, seat, self._game.default(self.state, seat))
        return True

    def refresh(self) -> None:
        """Play the rows that other programs have appended."""
        if self._tables.rows(self.entry.code, self.rows):
            self._read()

    def _act(
        self,
        player: str | None,
        seat: Seat,
        action: A,
        sitting: Callable[[str], OpenSitting] | None = None,
    ) -> None:
        for _ in range(TRIES):
            if sitting is None and player is not None:
                occupant = self.occupants.get(seat)
                if occupant is None or occupant.player != player:
                    raise IllegalAction(Refusal.TURN)
            if player is None and seat not in self._game.awaited(self.state):
                return  # it has chosen in the meantime
            if self._played(partial(self._table.submit, seat, action), player, sitting):
                return
        raise LedgerBusy(f"the table {self.entry.code} is too busy")

    def _played(
        self,
        play: Callable[[], None],
        player: str | None = None,
        sitting: Callable[[str], OpenSitting] | None = None,
    ) -> bool:
        """Play an action and the croupier's steps after it, and append them.

        If others have appended something in the meantime, read it and return false.
        """
        self._lines = []
        try:
            play()
            self._table.run()
            rows = self._new_rows(player)
            moves = tuple(self._moves(rows, player, sitting))
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
        """Write the line of a step that is about to happen, unless it was read from a row."""
        if self._lines is None:
            return
        do, outcomes = name_and_fields(action), tuple(map(name_and_fields, events))
        before = self._lines[-1] if self._lines else self._rows[-1].line
        number = len(self._rows) + len(self._lines)
        line = StepLine(number, actor, do, outcomes, self._clock(), line_hash(before))
        self._lines.append(encode(line))

    def _new_rows(self, player: str | None) -> tuple[TableRow, ...]:
        """Return the rows of the steps just played; the first is the player's."""
        lines = self._lines or []
        is_new = any(update.actor is None for update in self._heard)
        due = None
        if self._game.awaited(self.state):
            due = None if is_new else self.due
            due = self._clock() + 1000 * self._seconds if due is None else due
        last = len(lines) - 1
        return tuple(
            TableRow(line, None if place else player, due if place == last else None)
            for place, line in enumerate(lines)
        )

    # ---- money ----------------------------------------------------------------------------

    def _moves(
        self,
        rows: Sequence[TableRow],
        player: str | None,
        sitting: Callable[[str], OpenSitting] | None,
    ) -> Iterator[SeatMove]:
        """Yield the moves of money that the steps just played bring about."""
        occupants, at = dict(self.occupants), self._clock()
        for number, row, event in self._events(rows):
            match event:
                case SeatTaken(seat, credit) if player is not None and sitting is not None:
                    booked = sitting(self._sitting_of(number))
                    assert booked.bought_in == credit * self._game.unit, "as the seat was told"
                    occupants[seat] = Occupant(player, booked.id)
                    yield SeatBuyIn(booked, player, at)
                case SeatLeft(seat, credit):
                    cents = credit * self._game.unit
                    left = occupants.pop(seat)
                    yield SeatCashOut(left.sitting, cents, at, line_hash(row.line))
        mark = line_hash(rows[-1].line)
        for seat, occupant in occupants.items():
            money = self._game.money(self.state, seat)
            if seat in self.occupants and not money.staked and money.free != self._known[seat]:
                cents = money.free * self._game.unit
                yield SeatCheckpoint(occupant.sitting, self.rows + len(rows) - 1, mark, cents)

    def _events(self, rows: Sequence[TableRow]) -> Iterator[tuple[int, TableRow, E]]:
        """Yield the events of the steps just played, each with its row and the row's number."""
        for number, (row, update) in enumerate(zip(rows, self._heard, strict=True), self.rows):
            for event in update.events:
                yield number, row, event

    def _sitting_of(self, number: int) -> str:
        """Return the id of the session that begins with a row."""
        return f"{self.entry.code}-{number}"

    # ---- rows -----------------------------------------------------------------------------

    def _read(self) -> None:
        """Make the machine again from the rows."""
        code = self.entry.code
        header, *rows = self._tables.rows(code)
        lines = tuple(row.line for row in rows)
        path = Path(code)  # names the table in errors
        log = SessionLog(
            path, decode_header(path, header.line), header.line, lines, None, b"", 0, 0
        )
        options = log_options(self._game, log)
        players = dict.fromkeys(map(Seat, range(self._game.seats(options))))
        croupier, source = make_croupier(log.header.croupier), CommittedSource(self.entry.seed)
        self._rows, self._heard = [header], list[TableUpdate[S, E]]()
        self._updates = deque[NumberedUpdate[S, E]](maxlen=KEPT)
        self.occupants: dict[Seat, Occupant] = {}
        self._known: dict[Seat, int] = {}
        self._table: Table[O, S, A, E] = Table(
            self._game, options, croupier, source, players, self._record
        )
        self._table.bus.subscribe(ALL_CARDS, self._heard.append)
        torn = next((number for number, due, held in log.chain() if due != held), None)
        try:
            rerun_log(self._table, log)
        except LogMismatch as fault:
            torn = fault.line
        if torn is not None:
            raise LedgerDamaged(f"the table {code} is damaged in row {torn - 1}")
        self._note(rows)
        if not self._table.waiting:  # a new table, or one whose program ended between two steps
            self._played(lambda: None)

    def _note(self, rows: Sequence[TableRow]) -> None:
        """Take over the steps just played, which are these rows."""
        for number, row, event in self._events(rows):
            match event:
                case SeatTaken(seat):
                    assert row.player is not None, "somebody sat down"
                    self.occupants[seat] = Occupant(row.player, self._sitting_of(number))
                case SeatLeft(seat):
                    del self.occupants[seat]
        for number, update in enumerate(self._heard, self.rows):
            self._updates.append(NumberedUpdate(number, update))
        self._rows += rows
        self._heard.clear()
        for seat in self.occupants:
            if not (money := self._game.money(self.state, seat)).staked:
                self._known[seat] = money.free
