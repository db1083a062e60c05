"""The totals of hands, the dealer's rule, and the payment of a hand."""

from __future__ import annotations

import pytest

from tui_casino.cards.card import parse_hand as cards
from tui_casino.games.thirty_one.machine.rules import (
    Odds,
    Rules,
    Total,
    dealer_draws,
    payout,
    total_of,
)


@pytest.mark.parametrize(
    ("hand", "points", "soft"),
    [
        ("AS", 11, 1),
        ("AS AH", 22, 2),
        ("AS AH 9C", 31, 2),
        ("AS AH TC", 22, 1),
        ("AS AH AC", 23, 2),
        ("AS 3H", 14, 1),
        ("4S KH", 14, 0),
        ("KS QH JC", 30, 0),
        ("KS QH JC AS", 31, 0),
        ("KS QH JC 2S", 32, 0),
        ("AS 6H TC", 27, 1),
        ("AS 6H TC 5D", 22, 0),
    ],
)
def test_aces_count_11_and_are_lowered_to_1_one_at_a_time(
    hand: str, points: int, soft: int
) -> None:
    assert total_of(cards(hand)) == Total(points, soft)


@pytest.mark.parametrize(
    ("total", "draws", "after_14"),
    [
        (Total(13), True, True),
        (Total(14), False, True),
        (Total(14, 1), False, True),
        (Total(26), True, True),
        (Total(27), False, True),
        (Total(27, 1), False, True),
        (Total(30), False, True),
        (Total(31), False, False),
        (Total(32), False, False),
    ],
    ids=["hard 13", "hard 14", "soft 14", "hard 26", "hard 27", "soft 27", "hard 30", "31", "bust"],
)
def test_dealer_stops_at_14_and_27_but_only_at_31_against_a_14(
    total: Total, draws: bool, after_14: bool
) -> None:
    assert dealer_draws(total, Rules()) is draws
    assert dealer_draws(total, Rules(), only_31=True) is after_14


def test_option_lets_the_dealer_draw_to_a_soft_27() -> None:
    rules = Rules(dealer_hits_soft=True)
    assert dealer_draws(Total(27, 1), rules)
    assert not dealer_draws(Total(27), rules)
    assert not dealer_draws(Total(28, 1), rules)


@pytest.mark.parametrize(
    ("player", "dealer", "on_14", "back"),
    [
        (28, 27, False, 2),
        (27, 27, False, 1),
        (27, 28, False, 0),
        (20, 32, False, 2),
        (31, 14, False, 0),
        (14, 31, True, 0),
        (14, 33, True, 2),
        (14, 28, False, 0),
    ],
    ids=[
        "28 against 27",
        "27 against 27",
        "27 against 28",
        "dealer bust",
        "31 against 14",
        "14 against 31",
        "dealer bust against a 14",
        "14 against 28",
    ],
)
def test_hit_me_payout_follows_from_both_totals_and_standing_on_14(
    player: int, dealer: int, on_14: bool, back: int
) -> None:
    assert payout(20, player, dealer, on_14=on_14) == 20 * back


def test_invalid_hit_me_rules_are_refused() -> None:
    with pytest.raises(ValueError, match="2 to 4 hands"):
        Rules(most_hands=1)
    with pytest.raises(ValueError, match="above 0"):
        Odds(0, 1)
