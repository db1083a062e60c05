"""The errors that the adviser states at the limit table for two, against sampled true values."""

from __future__ import annotations

from math import hypot

import pytest

from tests.games.five_card_draw.true_values import Position, positions
from tui_casino.cards.card import parse_hand
from tui_casino.games.five_card_draw.brains.mistakes import action_values
from tui_casino.games.five_card_draw.machine.state import Discard, Fold, Phase
from tui_casino.structs import replace


def in_errors(hand: int, deals: int, *, opening: bool, at_random: bool = False) -> list[float]:
    """Return by how many errors each value of a hand's decisions is off, sampling included."""
    found = []
    for view, seat in positions(hand, at_random=at_random):
        if view.phase is Phase.OPENING and not opening:
            continue
        truths = Position(view, seat, deals, hand).truths()
        for worth in action_values(view, seat):
            truth = truths.get(worth.action)
            if isinstance(worth.action, Fold):
                assert worth.error == worth.value == 0
            elif truth is not None:
                assert worth.error > 0
                off = abs(float(worth.value) - truth.value)
                found.append(off / hypot(worth.error, truth.error))
    return found


def test_evs_of_draw_decisions_are_within_four_stated_errors_of_deals() -> None:
    """Checks one hand from the draw on; earlier decisions take some seconds each."""
    off = in_errors(1_001, 4_000, opening=False)
    assert len(off) >= 6
    assert max(off) < 4


@pytest.mark.prove
def test_evs_of_draw_decisions_are_within_two_errors_in_93_percent() -> None:
    """Each hand deals every decision 40,000 times; fewer hands would not show one value in 20.

    One of two players plays at random, so it makes choices that the solution never makes.
    """
    off = [
        one
        for at_random in (False, True)
        for hand in range(3_000, 3_016)
        for one in in_errors(hand, 40_000, opening=True, at_random=at_random)
    ]
    assert sum(one <= 2 for one in off) / len(off) >= 0.93
    assert max(off) < 4.5
    assert sum(one <= 0.25 for one in off) / len(off) < 0.6, "the errors are not too wide"


@pytest.mark.parametrize(
    ("hand", "discards"),
    [
        ("AH AD TH 4D 3C", (2, 3, 4)),
        ("AS 8C 6H 4C 2H", (1, 2, 5)),
        ("7H 7S AD JS TC", (1, 4, 5)),
        ("QS QD 9C 8S 3H", (2, 3, 4)),
    ],
)
def test_ev_of_a_discard_that_nobody_should_make_is_within_its_error(
    hand: str, discards: tuple[int, ...]
) -> None:
    """The dealer throws an ace or half a pair, after checks and a draw of three cards."""
    view, seat = next(
        (view, seat)
        for number in range(100, 200)
        for view, seat in positions(number)
        if view.phase is Phase.DRAW
        and view.put_in == (5, 5)  # ante only
        and view.drawn[1 - seat] == 3
    )
    hands = [view.hands[0], view.hands[1]]
    hands[seat] = parse_hand(hand)
    view = replace(view, hands=tuple(hands))
    position = Position(view, seat, 100_000, 1)
    came = position.came_to_draw(0, 3)
    truth = position.mean(position.drawing(0, discards, 3, came), came)
    worth = next(one for one in action_values(view, seat) if one.action == Discard(discards))
    assert abs(float(worth.value) - truth.value) < 2 * hypot(worth.error, truth.error)
