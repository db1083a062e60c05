"""A shared table without a server, and the connections of players to it."""

from __future__ import annotations

from dataclasses import dataclass, field
from threading import Condition
from typing import Any

from tests.helpers.random_play import seed_of
from tui_casino.engine.croupier import ShuffledShoe
from tui_casino.engine.game import IllegalAction, Seat
from tui_casino.engine.seating import Join
from tui_casino.host.cage.table_desk import line_about, shared_play, table_event
from tui_casino.house.shared_tables import OwnSeat, TableLine, TableNews, TableSeat
from tui_casino.records.codec import build_named, encode
from tui_casino.records.ledger import LedgerError, OpenSitting
from tui_casino.records.shared_tables import SeatMark, SharedTable
from tui_casino.records.sqlite_ledger import SqliteLedger
from tui_casino.records.table_replica import TableReplica

SEED = seed_of(3)


@dataclass
class Desk:
    """The table of a server, without the server; its clock stands still until it is moved."""

    ledger: SqliteLedger
    game: str = "baccarat"
    options: dict[str, Any] = field(default_factory=lambda: {"seats": 3})
    now: int = 1_000
    changed: Condition = field(default_factory=Condition)

    def __post_init__(self) -> None:
        self.tables = self.ledger.shared_tables()
        shared = shared_play(self.game)
        entry = SharedTable("K7QX", self.game, "ann", self.now, SEED)
        self.replica: TableReplica[Any, Any, Any, Any] = TableReplica.create(
            self.tables,
            entry,
            shared.game,
            shared.game.Options(**self.options),
            ShuffledShoe(),
            self.clock,
            shared.seconds,
        )

    def clock(self) -> int:
        return self.now

    def line(self) -> TableLine:
        commitment = self.replica._table.source.spec.value
        options = encode(self.replica.options)
        return TableLine("K7QX", self.game, "open", 0, self.seats(), options, commitment)

    def seats(self) -> tuple[TableSeat, ...]:
        line = line_about(self.replica, str.title, lambda player: False)
        return line.seats

    def play_computers(self) -> None:
        """Let the computers choose, as long as it is their turn."""
        turn_of = shared_play(self.game).computer
        assert turn_of is not None, "no computer plays this game"
        with self.changed:
            while (choose := self.replica.ask_computer(turn_of)) is not None:
                assert self.replica.play_computer(choose())
            self.changed.notify_all()

    def expire(self) -> None:
        with self.changed:
            self.now += 1000 * shared_play(self.game).seconds
            assert self.replica.expire()
            self.changed.notify_all()


@dataclass
class Client:
    """A player's connection to the table."""

    desk: Desk
    player: str
    knows_end: bool = False

    def place(self) -> Seat | None:
        seats = self.desk.replica.occupants.items()
        return next((seat for seat, one in seats if one.player == self.player), None)

    def find(self, code: str) -> TableLine | None:
        return self.desk.line() if code == "K7QX" else None

    def join(self, code: str, seat: int, sitting: OpenSitting) -> None:
        with self.desk.changed:
            self.desk.replica.join(
                Seat(seat),
                Join(sitting.bought_in // shared_play(self.desk.game).game.unit),
                self.player,
                sitting,
            )
            self.desk.changed.notify_all()

    def seat(self, code: str) -> OwnSeat | None:
        if (place := self.place()) is None:
            return None
        replica = self.desk.replica
        sitting = self.desk.ledger.open_sitting(replica.occupants[place].sitting)
        if sitting is None:
            return None
        return OwnSeat(place, replica.stays[self.player].first, sitting)

    def act(
        self, code: str, action: dict[str, Any], after: int | None, last_hash: str | None = None
    ) -> int | None:
        with self.desk.changed:
            if (seat := self.place()) is None:
                raise LedgerError("you do not sit at the table")
            do: Any = build_named(action, shared_play(self.desk.game).game.actions)
            try:
                row = self.desk.replica.act(seat, do, self.player, last_hash=last_hash, after=after)
            except IllegalAction as refused:
                raise LedgerError(f"not now: {refused.reason}") from None
            self.desk.changed.notify_all()
            return row

    def mark(self, code: str, steps: int, mark: str) -> None:
        if (seat := self.place()) is not None:
            sitting = self.desk.replica.occupants[seat].sitting
            self.desk.tables.book(SeatMark(sitting, steps, mark))

    def has_news(self, first: int) -> bool:
        replica = self.desk.replica
        return replica.rows > first or (replica.ended and not self.knows_end)

    def read(self, code: str, first: int, wait: float) -> TableNews:
        with self.desk.changed:
            if wait:
                self.desk.changed.wait_for(lambda: self.has_news(first), wait)
            updates = tuple(map(table_event, self.desk.replica.seen(self.player, first)))
            replica = self.desk.replica
            self.knows_end = replica.ended
            seed = replica.entry.seed if replica.ended else None
            seats = self.desk.seats()
            stay = replica.stays.get(self.player)
            place = None if stay is None else stay.seat
            return TableNews(replica.rows, place, replica.due, updates, seats, seed)
