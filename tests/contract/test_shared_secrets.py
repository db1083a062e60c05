"""At every table with others, cards that a player may not know change nothing that they receive."""

from __future__ import annotations

from typing import Any

import pytest

from tests.contract.checks import PRIVATE_EVENTS
from tests.contract.test_seat_tables import choice_of_others
from tests.helpers.random_play import AnyTable, cards_in, seed_of, swap
from tui_casino.cards.card import PACK, Card
from tui_casino.engine.chance import CommittedSource, DiceStream
from tui_casino.engine.croupier import ShuffledShoe
from tui_casino.engine.game import AskSeats, Seat, Shoe, SittingOver, apply_action
from tui_casino.engine.seating import SharedGame
from tui_casino.engine.table import Table
from tui_casino.gamekit.registry import GAMES, GameListing
from tui_casino.records.codec import encode, name_and_fields

SHARED = [listing for listing in GAMES if listing.definition().shared is not None]
STEPS = 400


def received(
    game: SharedGame[Any, Any, Any, Any], state: Any, events: tuple[Any, ...], viewer: Seat | None
) -> bytes:
    """Return what goes to a seat or to a watcher after a step, as it is sent."""
    if viewer is not None:
        step = game.seen(state, events, viewer)
        return encode([step.state, [name_and_fields(one) for one in step.events]])
    heard = [name_and_fields(game.hear(state, event, None)) for event in events]
    return encode([game.view(state, None), heard])


def view(game: SharedGame[Any, Any, Any, Any], state: Any, viewer: Seat | None) -> Any:
    """Return the state as a viewer sees it."""
    return game.view(state, None) if viewer is None else game.seen(state, (), viewer).state


def allowed(listing: GameListing, event: Any, viewer: Seat | None) -> set[Card]:
    """Return the cards of an event that a viewer may know by the rules of the game."""
    is_private = type(event).__name__ in PRIVATE_EVENTS.get(listing.slug, frozenset())
    is_own = viewer is not None and getattr(event, "seat", None) == viewer
    return set() if is_private and not is_own else {*cards_in(event)}


def next_step(table: AnyTable, seed: bytes, number: int) -> tuple[Seat | None, Any] | None:
    """Return what happens next; ``None`` at the end of the table."""
    turn = table.game.turn(table.state)
    if isinstance(turn, SittingOver):
        return None
    if isinstance(turn, AskSeats):
        return choice_of_others(table, DiceStream(seed, f"step {number}"))
    return table.ask()


@pytest.mark.parametrize("number", range(3))
@pytest.mark.parametrize("listing", SHARED, ids=lambda listing: listing.slug)
def test_unknown_cards_change_nothing_that_a_player_or_a_watcher_receives(
    listing: GameListing, number: int
) -> None:
    definition, seed, swapped = listing.definition(), seed_of(number), 0
    assert definition.shared is not None
    game: SharedGame[Any, Any, Any, Any] = definition.shared.game
    options = game.Options()
    seats = [Seat(seat) for seat in range(game.seats(options))]
    viewers: list[Seat | None] = [*seats, None]
    table: AnyTable = Table(
        game, options, ShuffledShoe(), CommittedSource(seed), dict.fromkeys(seats)
    )
    known: dict[Seat | None, set[Card]] = {viewer: set() for viewer in viewers}
    for step in range(STEPS):
        if (following := next_step(table, seed, step)) is None:
            break
        after = apply_action(game, table.state, *following)
        for viewer in viewers:
            if isinstance(following[1], Shoe):
                known[viewer] &= {*cards_in(view(game, table.state, viewer))}
            for event in after.events:
                known[viewer] |= allowed(listing, event, viewer)
            before = received(game, after.state, after.events, viewer)
            hidden = sorted({*cards_in(after)} - known[viewer], key=str)
            if not hidden:
                continue
            dice = DiceStream(seed, f"swap {step} {viewer}")
            one = hidden[dice.below(len(hidden))]
            others = sorted({*PACK} - known[viewer] - {one}, key=str)
            other = swap(after, one, others[dice.below(len(others))])
            assert received(game, other.state, other.events, viewer) == before, (step, viewer, one)
            swapped += 1
        table.play(*following)
    assert swapped > 5 or listing.slug == "thirty-one", "there every card is face up"
