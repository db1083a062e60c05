"""A new option for the dealer's rule: odds and advice follow it, or refuse it."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest

from tests.games.thirty_one.simple_rules import RANKS, counted
from tui_casino.games.thirty_one.brains import dealer_simulation, odds, sampled_ev
from tui_casino.games.thirty_one.brains.adviser import ThirtyOnePosition, advise, read_trainer_data
from tui_casino.games.thirty_one.brains.odds import (
    FINALS,
    battle_endings,
    dealer_odds,
    house_edge,
)
from tui_casino.games.thirty_one.brains.replacement_odds import replacement_values
from tui_casino.games.thirty_one.brains.round_variance import mean_and_variance
from tui_casino.games.thirty_one.brains.shoe_dealer_odds import dealer_ends
from tui_casino.games.thirty_one.machine import game, rules
from tui_casino.games.thirty_one.machine.rules import Rules, Total

FULL = (8,) * 9 + (32,)
SHORT = (1,) * 9 + (3,)


class HouseRules(Rules, frozen=True):
    """Rules with two more options: where the dealer stands, and a total on which they stop."""

    stands_at: int = 27
    stops_on: int = 14


USUAL = HouseRules()
STANDS_AT_28 = HouseRules(stands_at=28)
STOPS_ON_15 = HouseRules(stops_on=15)
STANDS_AT_26 = HouseRules(stands_at=26)


def house_draws(total: Total, house: Rules, *, only_31: bool = False) -> bool:
    """Draw as the two options say; without them, as the game's rules say."""
    if only_31 or not isinstance(house, HouseRules):
        return plain_draws(total, house, only_31=only_31)
    return total.points != house.stops_on and total.points < house.stands_at


plain_draws = rules.dealer_draws


@pytest.fixture(autouse=True)
def _options(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the rules know the options, wherever the dealer's rule is read."""
    readers = [
        module for module in (rules, game, odds, sampled_ev) if hasattr(module, "dealer_draws")
    ]
    for module in readers:
        monkeypatch.setattr(module, "dealer_draws", house_draws)


def dealt(hand: tuple[int, ...], stands_at: int) -> dict[int, Fraction]:
    """Deal every sequence of cards to a dealer who stands at a total."""
    points, _ = counted(hand)
    if points == 14 or points >= stands_at:
        return {min(points, 32): Fraction(1)}
    found = dict.fromkeys(FINALS, Fraction(0))
    for value, chance in RANKS.items():
        for final, share in dealt((*hand, value), stands_at).items():
            found[final] += chance * share
    return found


FIGURES: dict[str, Callable[[Rules], object]] = {
    "the dealer's odds": lambda house: dealer_odds(Total(20), house),
    "the house edge": house_edge,
    "the dealer simulation by odds": battle_endings,
    "the dealer simulation": lambda house: dealer_simulation.run_battle(house, 5_000, seed=5).ends,
    "the mean and variance of a round": mean_and_variance,
    "quick odds": lambda house: replacement_values(
        Total(17), 10, FULL, house, cards=2, double=True
    ),
    "the dealer's odds from a shoe": lambda house: dealer_ends(10, FULL, house),
    "advice": lambda house: advise(ThirtyOnePosition((10, 8), 10, FULL, 20, house), brief=True),
    "advice on a split": lambda house: advise(
        ThirtyOnePosition((8, 8), 10, SHORT, 20, house), brief=True
    ),
    "the trainer's data": lambda house: read_trainer_data(
        ThirtyOnePosition((10, 8), 10, FULL, 20, house)
    ),
}


@pytest.mark.parametrize("figure", FIGURES.values(), ids=FIGURES)
def test_option_of_the_dealer_changes_all_odds_and_advice(
    figure: Callable[[Rules], object],
) -> None:
    assert figure(USUAL) != figure(STANDS_AT_28)


@pytest.mark.parametrize("house", [STOPS_ON_15, STANDS_AT_26], ids=["stops on 15", "stands at 26"])
@pytest.mark.parametrize("figure", FIGURES.values(), ids=FIGURES)
def test_option_that_the_odds_do_not_know_is_refused(
    figure: Callable[[Rules], object], house: HouseRules
) -> None:
    with pytest.raises(ValueError, match=r"the odds do not know a dealer who stops on (15|26)"):
        figure(house)


@pytest.mark.parametrize("stands_at", [27, 28, 30, 31])
def test_odds_of_a_new_option_equal_dealing_every_card(stands_at: int) -> None:
    expected = dealt((10, 9), stands_at)
    assert dealer_odds(Total(19), HouseRules(stands_at=stands_at)) == expected


def test_mean_of_a_round_follows_a_new_option_as_the_house_edge_does() -> None:
    assert mean_and_variance(STANDS_AT_28)[0] == pytest.approx(
        -float(house_edge(STANDS_AT_28)), abs=1e-12
    )
