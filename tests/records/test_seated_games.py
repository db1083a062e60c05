"""Games with a fixed number of seats at a shared table: people come, play, leave, are paid out."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.random_play import Wild, cards_in, seed_of
from tests.helpers.table_ledgers import BOTH
from tui_casino.engine.chance import DiceStream
from tui_casino.engine.croupier import ShuffledShoe
from tui_casino.engine.game import Seat
from tui_casino.engine.seated_game import Seated, SeatedGame
from tui_casino.engine.seating import Join, Leave
from tui_casino.gamekit.registry import GAMES, GameListing
from tui_casino.host.storage import HostLedger
from tui_casino.records.ledger import OPENING_BALANCE, OpenSitting
from tui_casino.records.shared_tables import SharedTable
from tui_casino.records.table_replica import TableReplica

SEATED = [
    listing
    for listing in GAMES
    if (shared := listing.definition().shared) is not None and isinstance(shared.game, SeatedGame)
]
PLAYERS = ("ann", "bob", "cat", "dan")
_NUMBERS = count()


@pytest.fixture(params=BOTH)
def ledger(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[HostLedger]:
    ledger: HostLedger = request.param(tmp_path, request)()
    yield ledger
    ledger.close()


class SharedSeats:
    """A table of a game, and the ledger from which its players bring their money."""

    def __init__(self, ledger: HostLedger, listing: GameListing, seed: bytes) -> None:
        shared = listing.definition().shared
        assert shared is not None
        self.game, self.now, self.ledger = shared.game, 1_000, ledger
        entry = SharedTable("K7QX", listing.slug, "ann", self.now, seed)
        self.replica: TableReplica[Any, Any, Any, Any] = TableReplica.create(
            ledger.shared_tables(),
            entry,
            shared.game,
            shared.game.Options(),
            ShuffledShoe(),
            lambda: self.now,
            shared.seconds,
        )

    def sit(self, seat: int) -> None:
        (offer,) = self.game.offers(self.replica.state, Seat(seat))
        join = next(offer.all())
        assert isinstance(join, Join)
        name = f"sitting-{next(_NUMBERS)}"
        cents = join.cents * self.game.unit
        booked = OpenSitting(name, self.game.slug, Path(f"{name}.jsonl"), None, cents)
        self.replica.join(Seat(seat), join, PLAYERS[seat], booked)

    def choose(self, seed: bytes, steps: int) -> bool:
        """Let the seats that are asked choose; return false once the game is over."""
        for number in range(steps):
            if not (asked := self.game.awaited(self.replica.state)):
                return False
            seat = asked[0]
            offers = tuple(
                one for one in self.game.offers(self.replica.state, seat) if one.kind is not Leave
            )
            dice = DiceStream(seed, f"choice {number}")
            self.replica.act(seat, Wild().choose(None, seat, offers, dice), PLAYERS[seat])
        return True


@pytest.fixture(params=SEATED, ids=lambda listing: listing.slug)
def listing(request: pytest.FixtureRequest) -> GameListing:
    listing: GameListing = request.param
    return listing


def test_game_begins_once_all_seats_are_taken_and_pays_everybody_at_its_end(
    listing: GameListing, ledger: HostLedger
) -> None:
    table = SharedSeats(ledger, listing, seed_of(1))
    seats = range(table.replica.seats)
    for seat in seats:
        assert not table.game.awaited(table.replica.state)
        table.sit(seat)
    assert table.game.awaited(table.replica.state)
    while table.choose(seed_of(table.replica.rows), 50):
        assert table.replica.rows < 5_000
    assert table.replica.why_over
    assert not table.replica.occupants
    held = [ledger.open_sittings(PLAYERS[seat]) for seat in seats]
    assert held == [[] for _ in seats]
    balances = sum(ledger.balance(PLAYERS[seat]) for seat in seats)
    assert balances == len(seats) * OPENING_BALANCE


def test_everybody_is_paid_out_if_somebody_leaves(listing: GameListing, ledger: HostLedger) -> None:
    table = SharedSeats(ledger, listing, seed_of(2))
    for seat in range(table.replica.seats):
        table.sit(seat)
    assert table.choose(seed_of(7), 3)
    last = Seat(table.replica.seats - 1)
    table.replica.act(last, Leave(), PLAYERS[last])
    assert table.replica.why_over
    assert not table.replica.occupants
    assert not table.game.offers(table.replica.state, Seat(0))


def test_seat_can_be_left_and_taken_again_before_the_game_begins(
    listing: GameListing, ledger: HostLedger
) -> None:
    table = SharedSeats(ledger, listing, seed_of(3))
    table.sit(0)
    table.replica.act(Seat(0), Leave(), PLAYERS[0])
    assert not table.replica.why_over
    assert ledger.balance("ann") == OPENING_BALANCE
    for seat in range(table.replica.seats):
        table.sit(seat)
    assert table.game.awaited(table.replica.state)


def test_clock_chooses_for_whoever_does_not_answer(
    listing: GameListing, ledger: HostLedger
) -> None:
    """If nobody ever answers, the game is played to its end by the clock."""
    table = SharedSeats(ledger, listing, seed_of(4))
    for seat in range(table.replica.seats):
        table.sit(seat)
    for _ in range(3_000):
        if table.replica.why_over:
            break
        due = table.replica.due
        assert due is not None
        table.now = due - 1
        assert not table.replica.expire()
        table.now = due
        assert table.replica.expire()
    assert table.replica.why_over


def test_rows_that_a_seat_sees_have_no_hidden_card_of_others(
    listing: GameListing, ledger: HostLedger
) -> None:
    """Exchange what others hide: a seat receives the same bytes."""
    table = SharedSeats(ledger, listing, seed_of(5))
    for seat in range(table.replica.seats):
        table.sit(seat)
    table.choose(seed_of(9), 1)
    state: Seated[Any, Any] = table.replica.state
    dice = random.Random(5)
    for seat in map(Seat, range(table.replica.seats)):
        seen = table.game.seen(state, (), seat).state
        known = {*cards_in(seen)}
        hidden = sorted({*cards_in(state)} - known, key=str)
        assert hidden, "others hold cards"
        dice.shuffle(hidden)
        assert not {*cards_in(seen)} & {*hidden}
        for row in table.replica.seen(PLAYERS[seat], 0):
            assert not {*cards_in(row.seen)} & {*hidden}
            assert row.action is None or row.actor == seat
