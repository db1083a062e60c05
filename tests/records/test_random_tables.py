"""People come, play, vanish and leave at random at tables that two programs play, which die too."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.random_play import seed_of
from tui_casino.cli.verify import check
from tui_casino.engine.croupier import ShuffledShoe
from tui_casino.engine.game import IllegalAction, Seat, is_asked
from tui_casino.engine.seating import OFFER_SECONDS, Join, Leave
from tui_casino.gamekit.definition import AnyDefinition
from tui_casino.gamekit.registry import find_listing
from tui_casino.host.cage.table_answers import replica_of
from tui_casino.records.codec import encode
from tui_casino.records.ledger import OPENING_BALANCE, BalanceTooLow, OpenSitting
from tui_casino.records.shared_tables import SeatMove, SharedRow, SharedTable, SharedTables
from tui_casino.records.sqlite_ledger import SqliteLedger
from tui_casino.records.table_replica import TableReplica

Replica = TableReplica[Any, Any, Any, Any]
CODE, PLAYERS = "K7QX", ("ann", "bob", "cat", "dan", "eve")
FEW, MANY = 60, 400
"""The numbers of events in a test, and in a proof."""
ENDS_TABLE = ("cribbage",)
"""The games at which nobody leaves before the end, because that ends the table."""
TABLES = {
    "baccarat": {"seats": "4"},
    "thirty-one": {"seats": "4"},
    "five-card-draw": {"seats": "4", "computers": "algorithm"},
    "cribbage": {},
    "cribbage with a computer": {"computer": "greedy"},
}


class Death(Exception):
    """A program that dies."""


class MortalTables:
    """The tables of a program that may die just before or after it appends rows."""

    def __init__(self, tables: SharedTables) -> None:
        self._tables, self.dies = tables, ""

    def __getattr__(self, name: str) -> Any:
        return getattr(self._tables, name)

    def append(
        self, code: str, first: int, rows: Sequence[SharedRow], moves: Sequence[SeatMove] = (), /
    ) -> bool:
        if self.dies == "before":
            raise Death
        done = self._tables.append(code, first, rows, moves)
        if self.dies == "after":
            raise Death
        return done


class TableProgram:
    """A server that plays the tables of a ledger."""

    def __init__(self, house: RandomHouse) -> None:
        self._house = house
        self.replica: Replica
        self.begin()

    def begin(self) -> None:
        """Read the table, as after a restart."""
        house = self._house
        self.tables = MortalTables(house.ledger.shared_tables())
        self.replica = replica_of(self.tables, house.entry, house.clock)


class RandomHouse:
    """A ledger, a table, and two programs that play it."""

    def __init__(self, folder: Path, game: str, number: int) -> None:
        slug = game.split()[0]
        listing = find_listing(slug)
        assert listing is not None, game
        self.definition: AnyDefinition = listing.definition()
        assert self.definition.shared is not None
        self.shared, self.dice = self.definition.shared, random.Random(f"{game} {number}")
        self.now, self.ids, self.events = 1_000, count(), Counter[str]()
        self.ledger, self.folder = SqliteLedger(folder / "ledger"), folder
        self.entry = SharedTable(CODE, slug, "ann", self.now, seed_of(number))
        options = self.shared.options_of(TABLES[game])
        TableReplica.create(
            *(self.ledger.shared_tables(), self.entry, self.shared.game, options),
            *(ShuffledShoe(), self.clock, self.shared.seconds, self.shared.bank),
        )
        self.programs = [TableProgram(self), TableProgram(self)]

    def clock(self) -> int:
        return self.now

    @property
    def patience(self) -> int:
        """The longest time of a choice, in milliseconds."""
        return 1000 * max(self.shared.seconds + self.shared.bank, OFFER_SECONDS)

    # ---- what happens ---------------------------------------------------------------------

    def happen(self) -> None:
        """Let one of the two programs do something at random; it may die at it."""
        program = self.dice.choice(self.programs)
        self.now += self.dice.choice((0, 40, 900, 5_000))
        dies = self.dice.choices(("", "before", "after"), (10, 1, 1))[0]
        program.tables.dies = dies
        try:
            self.do(program.replica)
        except (IllegalAction, BalanceTooLow):
            self.events["refused"] += 1
        except Death:
            self.events[f"death {dies} a row"] += 1
            program.begin()
        program.tables.dies = ""

    def do(self, replica: Replica) -> None:
        """Do one thing: the clock, a computer, or a person."""
        if self.dice.randrange(40) == 0:
            self.now += self.patience
        if replica.expire():
            self.events["timeout"] += 1
            return
        turn_of = self.shared.computer
        if turn_of is not None and (choose := replica.ask_computer(turn_of)) is not None:
            self.events["computer"] += replica.play_computer(choose())
            return
        player = self.dice.choice(PLAYERS)
        seat = next((at for at, one in replica.occupants.items() if one.player == player), None)
        if seat is None:
            self.sit(replica, player)
        elif self.entry.game not in ENDS_TABLE and self.dice.randrange(25) == 0:
            replica.act(seat, Leave(), player)
            self.events["left"] += 1
        elif self.dice.randrange(30):  # otherwise the player sleeps, or the line was cut
            self.act(replica, seat, player)

    def sit(self, replica: Replica, player: str) -> None:
        free = [Seat(n) for n in range(replica.seats) if n not in replica.occupants]
        if not free or replica.why_over:
            return
        seat = self.dice.choice(free)
        offers = self.shared.game.offers(replica.state, seat)
        join = next((offer for offer in offers if offer.kind is Join), None)
        if join is None:
            return
        money = Join(20_000 // self.shared.game.unit)
        join_with = money if join.contains(money) else next(join.all())
        name = f"{player}-{next(self.ids)}"
        if number := self.dice.randrange(4):  # others bring no entropy
            join_with = Join(join_with.cents, f"{number:032x}")
        cents = join_with.cents * self.shared.game.unit
        log = self.folder / f"{name}.jsonl"
        replica.join(seat, join_with, player, OpenSitting(name, self.entry.game, log, None, cents))
        self.events["joined"] += 1

    def act(self, replica: Replica, seat: Seat, player: str) -> None:
        game = self.shared.game
        if not is_asked(game.turn(replica.state), seat):
            return
        able = [
            one
            for one in game.offers(replica.state, seat)
            if one.barred is None and one.kind is not Leave
        ]
        if able:
            replica.act(seat, self.dice.choice(able).sample(RandomDice(self.dice)), player)
            self.events["acted"] += 1

    # ---- what must hold -------------------------------------------------------------------

    def check_money(self) -> None:
        """Check that each seat of the ledger has the money of the table."""
        replica = self.programs[0].replica
        replica.refresh()
        held = {one.id: one.owed for who in PLAYERS for one in self.ledger.open_sittings(who)}
        assert held.keys() == {one.sitting for one in replica.occupants.values()}
        game = self.shared.game
        for seat, one in replica.occupants.items():
            money = game.money(replica.state, seat)
            if not money.staked:
                assert held[one.sitting] == money.free * game.unit

    def check_stays(self) -> None:
        """Check that each seat paid out what its own rounds won, counted from what it heard."""
        replica, accounts = self.programs[0].replica, self.ledger.accounts()
        rows = self.ledger.shared_tables().rows(CODE)
        balances = dict.fromkeys(PLAYERS, OPENING_BALANCE)
        for row in rows:
            if row.sitting is None:
                continue
            account = accounts[row.sitting]
            assert account.cashed_out is not None, "everybody was paid out"
            balances[account.player] += account.cashed_out - account.bought_in
        assert balances == {player: self.ledger.balance(player) for player in PLAYERS}
        for player, stay in replica.stays.items():
            sitting = rows[stay.first].sitting
            assert sitting is not None
            tally = self.definition.tally(self.shared.own_seat(stay.seat))
            for seen in replica.seen(player, stay.first):
                for event in seen.seen.events:
                    tally = tally.add(event)
            won = (tally.won - tally.wagered) * self.shared.game.unit
            assert accounts[sitting].cashed_out == accounts[sitting].bought_in + won, player

    def check_states(self) -> None:
        """Check that both programs, and one that reads all rows, have the same state."""
        hashes = set[bytes]()
        for program in self.programs:
            program.replica.refresh()
            hashes.add(encode(program.replica.state))
            program.begin()
            hashes.add(encode(program.replica.state))
        assert len(hashes) == 1

    def end(self) -> None:
        """Let everybody leave, which may need the clock, and close the table."""
        replica = self.programs[0].replica
        replica.refresh()
        while replica.occupants:
            for seat, one in [*replica.occupants.items()]:
                if replica.offers(seat, Leave) and seat in replica.occupants:
                    replica.act(seat, Leave(), one.player)
            self.now += self.patience
            turn_of = self.shared.computer
            if turn_of is not None and (choose := replica.ask_computer(turn_of)) is not None:
                replica.play_computer(choose())
            replica.expire()
        replica.finish()


class RandomDice:
    """The dice of an offer's sample."""

    def __init__(self, dice: random.Random) -> None:
        self._dice = dice

    def below(self, n: int, /) -> int:
        return self._dice.randrange(n)


@pytest.mark.parametrize("game", TABLES)
def test_random_events_lose_no_cent_and_no_row(game: str, tmp_path: Path) -> None:
    check_random_table(tmp_path, game, 0, FEW)


@pytest.mark.prove
@pytest.mark.parametrize("number", range(1, 4))
@pytest.mark.parametrize("game", TABLES)
def test_thousands_of_random_events_and_deaths_lose_no_cent_and_no_row(
    game: str, number: int, tmp_path: Path
) -> None:
    events = check_random_table(tmp_path, game, number, MANY)
    usual = {"joined", "acted", "timeout", "death before a row", "death after a row"}
    assert usual <= events.keys(), events


def check_random_table(folder: Path, game: str, number: int, count: int) -> Counter[str]:
    """Let that many random things happen, and check money, states and the log; count them."""
    house = RandomHouse(folder, game, number)
    with closing(house.ledger):
        for _ in range(count):
            house.happen()
            house.check_money()
        house.check_states()
        house.end()
        house.check_states()
        house.check_stays()
        log = folder / f"{CODE}.jsonl"
        rows = house.ledger.shared_tables().rows(CODE)
        log.write_bytes(b"".join(row.line + b"\n" for row in rows))
    assert check(log) == 0
    return house.events
