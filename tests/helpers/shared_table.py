"""A shared table without a server, and the connections of players to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from threading import Condition
from typing import Any

from tests.helpers.random_play import seed_of
from tui_casino.engine.croupier import ShuffledShoe
from tui_casino.engine.game import IllegalAction, Seat
from tui_casino.engine.seating import Join
from tui_casino.host.cage.table_answers import line_about, shared_play, table_news
from tui_casino.host.cage.table_operator import CLOSED_BY_OPERATOR, pay_out
from tui_casino.host.cage.table_watching import watched_rounds
from tui_casino.host.storage import HostLedger
from tui_casino.house.shared_tables import (
    FROZEN,
    OwnSeat,
    TableLine,
    TableNews,
    TablePhrase,
    TableSeat,
    WatchedRounds,
)
from tui_casino.records.codec import build_named
from tui_casino.records.ledger import LedgerError, OpenSitting
from tui_casino.records.shared_tables import PaidSeat, SeatLogEnd, SeatMark, SharedTable
from tui_casino.records.table_replica import TableReplica
from tui_casino.structs import replace

SEED = seed_of(3)


CODE = "K7QX"


@dataclass
class Desk:
    """The table of a server, without the server; its clock stands still until it is moved.

    There may be ``more`` tables, by their codes. The cards are the same each time, unless the table
    ``mixes_entropy`` of the seats into its shuffles.
    """

    ledger: HostLedger
    game: str = "baccarat"
    options: dict[str, Any] = field(default_factory=lambda: {"seats": 3})
    now: int = 1_000
    changed: Condition = field(default_factory=Condition)
    code: str = CODE
    maker: str = "ann"
    is_listed: bool = True
    mixes_entropy: bool = False
    more: dict[str, Desk] = field(default_factory=dict)
    phrases: list[TablePhrase] = field(default_factory=list)
    blocked: dict[str, list[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.tables = self.ledger.shared_tables()
        shared = shared_play(self.game)
        options = {name: str(value) for name, value in self.options.items()}
        entry = SharedTable(self.code, self.game, self.maker, self.now, SEED, self.is_listed)
        entry = replace(entry, seconds=shared.seconds_of(options))
        self.replica: TableReplica[Any, Any, Any, Any] = TableReplica.create(
            self.tables,
            entry,
            shared.game,
            shared.options_of(options),
            ShuffledShoe(),
            self.clock,
            shared.seconds,
            shared.bank,
        )

    def clock(self) -> int:
        return self.now

    def open_table(self, code: str, game: str, options: dict[str, Any], **others: Any) -> Desk:
        """Open one more table."""
        table = Desk(self.ledger, game, options, self.now, self.changed, code, **others)
        self.more[code] = table
        return table

    def line(self, player: str | None = None) -> TableLine:
        return line_about(self.replica, str.title, lambda player: False, player)

    def seats(self) -> tuple[TableSeat, ...]:
        return self.line().seats

    def play_computers(self) -> None:
        """Let the computers choose, as long as it is their turn."""
        turn_of = shared_play(self.game).computer
        assert turn_of is not None, "no computer plays this game"
        with self.changed:
            while (choose := self.replica.ask_computer(turn_of)) is not None:
                assert self.replica.play_computer(choose())
            self.changed.notify_all()

    def freeze(self, *, on: bool) -> None:
        """Freeze the table, or thaw it."""
        with self.changed:
            self.replica.freeze() if on else self.replica.thaw()
            self.changed.notify_all()

    def close(self) -> None:
        """Pay everybody out and close the table, as an operator does."""
        with self.changed:
            pay_out(self.replica)
            self.replica.finish(CLOSED_BY_OPERATOR)
            self.changed.notify_all()

    def expire(self, seconds: int | None = None) -> None:
        with self.changed:
            self.now += 1000 * (seconds or self.replica.seconds)
            assert self.replica.expire()
            self.changed.notify_all()


@dataclass
class Client:
    """A player's connection to the table."""

    desk: Desk
    player: str
    knows_end: bool = False
    knows_frozen: bool = False

    def at(self, code: str) -> Desk:
        if (found := {self.desk.code: self.desk, **self.desk.more}.get(code)) is None:
            raise LedgerError(f"there is no table {code}")
        return found

    def place(self, code: str) -> Seat | None:
        seats = self.at(code).replica.occupants.items()
        return next((seat for seat, one in seats if one.player == self.player), None)

    def list(self) -> Sequence[TableLine]:
        every = (self.desk, *self.desk.more.values())
        lines = [(one.is_listed, one.line(self.player)) for one in every if not one.replica.ended]
        return [
            line for is_listed, line in lines if is_listed or line.is_own or line.own is not None
        ]

    def make(self, game: str, options: dict[str, Any], *, is_listed: bool) -> str:
        code = f"NEW{len(self.desk.more) + 2}"
        self.desk.open_table(code, game, options, maker=self.player, is_listed=is_listed)
        return code

    def find(self, code: str) -> TableLine | None:
        return self.at(code).line(self.player) if code in (CODE, *self.desk.more) else None

    def join(self, code: str, seat: int, sitting: OpenSitting, entropy: str = "") -> None:
        with self.desk.changed:
            desk = self.at(code)
            if desk.replica.entry.frozen is not None:
                raise LedgerError(FROZEN)
            units = sitting.bought_in // shared_play(desk.game).game.unit
            action = Join(units, entropy if desk.mixes_entropy else "")
            try:
                desk.replica.join(Seat(seat), action, self.player, sitting)
            except IllegalAction:
                raise LedgerError(f"the seat at the table {code} is taken") from None
            self.desk.changed.notify_all()

    def seat(self, code: str) -> OwnSeat | None:
        if (place := self.place(code)) is None:
            return None
        replica = self.at(code).replica
        sitting = self.desk.ledger.open_sitting(replica.occupants[place].sitting)
        if sitting is None:
            return None
        return OwnSeat(place, replica.stays[self.player].first, sitting)

    def act(
        self, code: str, action: dict[str, Any], after: int | None, last_hash: str | None = None
    ) -> int | None:
        with self.desk.changed:
            if (seat := self.place(code)) is None:
                raise LedgerError("you do not sit at the table")
            desk = self.at(code)
            if desk.replica.entry.frozen is not None:
                raise LedgerError(FROZEN)
            do: Any = build_named(action, shared_play(desk.game).game.actions)
            try:
                row = desk.replica.act(seat, do, self.player, last_hash=last_hash, after=after)
            except IllegalAction as refused:
                raise LedgerError(f"not now: {refused.reason}") from None
            self.desk.changed.notify_all()
            return row

    def mark(self, code: str, steps: int, mark: str) -> None:
        if (seat := self.place(code)) is not None:
            sitting = self.at(code).replica.occupants[seat].sitting
            self.desk.tables.book(SeatMark(sitting, steps, mark))

    def say(self, code: str, phrase: int) -> None:
        with self.desk.changed:
            spoken = self.at(code).phrases
            spoken.append(TablePhrase(len(spoken) + 1, self.player.title(), phrase))
            self.desk.changed.notify_all()

    def block(self, code: str, name: str, *, on: bool) -> None:
        names = self.desk.blocked.setdefault(self.player, [])
        if name not in (names if not on else [one.name for one in self.at(code).seats()]):
            raise LedgerError(f"nobody called {name} is there")
        names.append(name) if on else names.remove(name)

    def blocked(self) -> Sequence[str]:
        return self.desk.blocked.get(self.player, [])

    def paid(self) -> Sequence[PaidSeat]:
        return self.desk.tables.paid_seats(self.player)

    def read_stay(self, code: str, sitting: str, first: int) -> TableNews:
        desk = self.at(code)
        stay = desk.replica.stay_of(self.player, sitting)
        assert stay is not None, "the player has sat there"
        return table_news(desk.replica, self.player, first, desk.seats(), stay)

    def end_log(self, sitting: str, last_hash: str) -> None:
        self.desk.tables.book(SeatLogEnd(sitting, last_hash))

    def heard(self, code: str, after: int) -> tuple[TablePhrase, ...]:
        spoken = self.at(code).phrases
        return tuple(one for one in spoken if one.at > after and one.name != self.player.title())

    def has_news(self, code: str, first: int, heard: int) -> bool:
        replica = self.at(code).replica
        is_end = replica.ended and not self.knows_end
        is_new = is_end or (replica.entry.frozen is not None) != self.knows_frozen
        return replica.rows > first or is_new or bool(self.heard(code, heard))

    def watch(self, code: str, after: int, wait: float) -> WatchedRounds:
        if self.place(code) is not None:
            raise LedgerError("you sit there")
        with self.desk.changed:
            if wait:
                self.desk.changed.wait_for(lambda: self.is_over(code, after), wait)
            return watched_rounds(self.at(code).replica, after, str.title)

    def is_over(self, code: str, after: int) -> bool:
        seen = watched_rounds(self.at(code).replica, after, str.title)
        return bool(seen.lines or seen.why)

    def read(self, code: str, first: int, wait: float, heard: int = 0) -> TableNews:
        with self.desk.changed:
            if wait:
                self.desk.changed.wait_for(lambda: self.has_news(code, first, heard), wait)
            desk = self.at(code)
            self.knows_end = desk.replica.ended
            self.knows_frozen = desk.replica.entry.frozen is not None
            news = table_news(desk.replica, self.player, first, desk.seats())
            return replace(news, phrases=self.heard(code, heard))
