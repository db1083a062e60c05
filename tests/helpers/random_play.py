"""Helpers for the contract: random players, tables with a seed, and cards in any value."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from tui_casino.cards.card import BACK, Card
from tui_casino.engine.chance import CommittedSource, DiceStream
from tui_casino.engine.croupier import ShuffledShoe
from tui_casino.engine.event_bus import Recorder
from tui_casino.engine.game import AskSeats, Seat
from tui_casino.engine.offers import Dice, Offer
from tui_casino.engine.table import Table
from tui_casino.gamekit.definition import AnyDefinition
from tui_casino.structs import replace

AnyTable = Table[Any, Any, Any, Any]


class Wild:
    """Chooses a random offer that is not barred, with random values."""

    def choose(self, view: Any, seat: Seat, offers: tuple[Offer[Any], ...], dice: Dice) -> Any:
        able = [offer for offer in offers if offer.barred is None]
        return able[dice.below(len(able))].sample(dice)


def with_wild(definition: AnyDefinition) -> AnyDefinition:
    """Return the game with the wild player among its computer players."""
    return replace(definition, players={**definition.players, "wild": Wild})


def seed_of(number: int) -> bytes:
    return hashlib.sha256(b"contract %d" % number).digest()


def fair_table(
    definition: AnyDefinition,
    seed: bytes,
    humans: tuple[int, ...] = (),
    record: Recorder[Any, Any] | None = None,
    options: Any = None,
) -> AnyTable:
    options = definition.game.Options() if options is None else options
    seats = range(definition.game.seats(options))
    players = {Seat(seat): None if seat in humans else Wild() for seat in seats}
    source = CommittedSource(seed)
    return Table(definition.game, options, ShuffledShoe(), source, players, record)


def advance(table: AnyTable, seed: bytes) -> bool:
    """Play a step; for a human, a random offer that depends only on the seed and the state."""
    if not table.waiting:
        return table.advance()
    if (chosen := human_choice(table, seed)) is None:
        return False
    table.submit(*chosen)
    return True


def human_choice(table: AnyTable, seed: bytes) -> tuple[Seat, Any] | None:
    """Return a seat that is asked and a random offer; ``None`` if there is none."""
    turn = table.game.turn(table.state)
    if not isinstance(turn, AskSeats):
        return None
    moment = hash_of(table.state)
    seat = one_of(turn.seats, DiceStream(seed, f"who {moment}"))
    offers = table.game.offers(table.view(seat), seat)
    if all(offer.barred for offer in offers):
        return None
    return seat, Wild().choose(None, seat, offers, DiceStream(seed, f"human {moment}"))


def one_of(seats: tuple[Seat, ...], dice: Dice) -> Seat:
    """Draw one of the asked seats, because they may answer in any order."""
    return seats[dice.below(len(seats))]


def hash_of(state: Any) -> str:
    return hashlib.sha256(repr(state).encode()).hexdigest()


def play(table: AnyTable, seed: bytes, steps: int) -> None:
    for _ in range(steps):
        if not advance(table, seed):
            return


def cards_in(value: Any) -> Iterator[Card]:
    """Return every card in a value at any depth; a card back is not a card."""
    if isinstance(value, Card):
        if value is not BACK:
            yield value
    elif isinstance(value, Struct):
        for name in value.__struct_fields__:
            yield from cards_in(getattr(value, name))
    elif isinstance(value, dict):
        yield from cards_in(tuple(value.items()))
    elif isinstance(value, list | tuple | set | frozenset):
        for part in value:
            yield from cards_in(part)


def swap(value: Any, one: Card, other: Card) -> Any:
    """Return the value with two cards swapped wherever they occur."""
    if isinstance(value, Card):
        return {one: other, other: one}.get(value, value)
    if isinstance(value, Struct):
        names = value.__struct_fields__
        return type(value)(**{name: swap(getattr(value, name), one, other) for name in names})
    if isinstance(value, list | tuple | frozenset | set):
        return type(value)(swap(part, one, other) for part in value)
    return value
