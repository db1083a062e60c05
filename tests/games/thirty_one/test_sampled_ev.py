"""Sampled rounds at the end of a shoe, compared with every possible order of the cards."""

from __future__ import annotations

from itertools import permutations
from statistics import fmean

import pytest

from tests.games.thirty_one.simple_rules import counted, dealer_stops
from tui_casino.games.thirty_one.brains.odds import (
    HandInPlay,
    PerfectPlay,
    PlayerChoice,
    card_total,
)
from tui_casino.games.thirty_one.brains.sampled_ev import LEAST, SampledPosition, sample_values
from tui_casino.games.thirty_one.brains.shoe_odds import choice_values
from tui_casino.games.thirty_one.machine.rules import Odds, Rules, Total
from tui_casino.structs import replace

USUAL = Rules()
LEFT = (0, 0, 0, 0, 0, 1, 0, 1, 0, 1)
GONE = (1, 0, 0, 0, 1, 0, 0, 0, 1, 1)


def cards(counts: tuple[int, ...]) -> list[int]:
    return [value for value, count in enumerate(counts, 1) for _ in range(count)]


def orders() -> list[list[int]]:
    """Yield the cards left in every order, followed by those shuffled in."""
    return [[*a, *b] for a in permutations(cards(LEFT)) for b in permutations(cards(GONE))]


def settled(points: int, up: int, deck: list[int]) -> tuple[float, bool, bool]:
    """Return the gain of a hand, and whether the dealer's usual and last draws end on 31."""
    drawn, rest = [up], iter(deck)
    while not dealer_stops(tuple(drawn), False, False):
        drawn.append(next(rest))
    usual = counted(drawn)[0]
    if points > 31:
        return -1.0, usual == 31, usual == 31
    if points == 14:
        while not dealer_stops(tuple(drawn), False, True):
            drawn.append(next(rest))
        last = counted(drawn)[0]
        return (-1.0 if last == 31 else 1.0), usual == 31, last == 31
    if usual == 14 or points < usual < 32:
        return -1.0, usual == 31, usual == 31
    return float(usual != points), usual == 31, usual == 31


def moment(
    hand: tuple[int, ...], up: int = 10, back: float = 0.0, **more: object
) -> SampledPosition:
    return SampledPosition(hand, (), up, LEFT, GONE, USUAL, 1, 2, back, **more)  # type: ignore[arg-type]


def test_sampled_ev_shuffles_discards_in_when_the_shoe_runs_out() -> None:
    """With 28 against a ten, three cards are left, and the dealer may need more."""
    found = sample_values(
        moment((10, 9, 9)), (PlayerChoice.STAND, PlayerChoice.DOUBLE), PerfectPlay(USUAL, 10), 4_000
    )
    exact = {
        PlayerChoice.STAND: fmean(settled(28, 10, deck)[0] for deck in orders()),
        PlayerChoice.DOUBLE: fmean(
            2 * settled(counted((10, 9, 9, first))[0], 10, rest)[0] for first, *rest in orders()
        ),
    }
    for choice, value in exact.items():
        assert found[choice].value == pytest.approx(value, abs=4 * found[choice].error)
        assert LEAST / 4_000 <= found[choice].error < 0.04


@pytest.mark.parametrize(
    "opened",
    [False, True],
    ids=["insurance opened earlier", "insurance opened now"],
)
def test_sampled_ev_includes_the_insurance_result(opened: bool) -> None:
    rules = Rules(insurance=Odds(3))
    at = moment((10, 4), 1, 4.0, insurance_opened=opened)
    (found,) = sample_values(
        at, (PlayerChoice.STAND,), PerfectPlay(rules, 1, insured=True), 4_000
    ).values()
    exact = []
    for deck in orders():
        gain, usual, last = settled(14, 1, deck)
        exact.append(gain + (4 * last - 1 if opened else 4 * (last - usual)))
    assert found.value == pytest.approx(fmean(exact), abs=4 * found.error)


def test_sampled_evs_of_a_fixed_position_have_the_recorded_figures() -> None:
    """The seed text has its own names, so renamed fields change no advice."""
    position = moment((10, 4), 1, 4.0, insurance_opened=True)
    position = replace(position, remaining=(1,) * 10, discards=(2,) * 10)
    play = PerfectPlay(USUAL, 1, insured=True)
    values = sample_values(position, (PlayerChoice.HIT, PlayerChoice.STAND), play)
    assert [round(estimate.value, 10) for estimate in values.values()] == [-0.6275, 0.695]


def test_sampled_ev_deals_cards_to_waiting_split_hands_before_the_dealer() -> None:
    """A waiting twenty is doubled, so the dealer gets the card after it."""
    waits = SampledPosition((10, 9, 9), ((10, 10),), 10, LEFT, GONE, USUAL, 2, 2)
    play = PerfectPlay(USUAL, 10)
    values = play.values(HandInPlay(card_total(10).plus(10), 2, False, 2))
    assert max(values, key=lambda choice: values[choice]) is not PlayerChoice.STAND
    (found,) = sample_values(waits, (PlayerChoice.STAND,), play, 4_000).values()
    plain = sample_values(moment((10, 9, 9)), (PlayerChoice.STAND,), play, 4_000)[
        PlayerChoice.STAND
    ]
    assert found != plain


def test_sampled_value_in_a_long_shoe_equals_the_exact_one() -> None:
    """All values except eights, so another play would gain little."""
    left = (8, 8, 8, 8, 8, 8, 8, 7, 8, 30)
    exact = choice_values(Total(20), 9, left, USUAL, cards=2, double=True)
    at = SampledPosition((10, 10), (), 9, left, (0,) * 10, USUAL, 1, 1)
    found = sample_values(at, tuple(exact), PerfectPlay(USUAL, 9), 3_000)
    for choice, value in exact.items():
        assert found[choice].value == pytest.approx(value, abs=4 * found[choice].error)


def test_sampled_ev_of_repeated_splits_equals_the_exact_one() -> None:
    """Eights against a six from an infinite shoe, approximated by eight decks."""
    left = (32,) * 9 + (128,)
    play = PerfectPlay(Rules(most_hands=4), 6)
    exact = play.values(HandInPlay(card_total(8).plus(8), 2, pair=True))[PlayerChoice.SPLIT]
    at = SampledPosition((8, 8), (), 6, left, (0,) * 10, Rules(most_hands=4), 1, 4)
    found = sample_values(at, (PlayerChoice.SPLIT,), play, 2_000)[PlayerChoice.SPLIT]
    assert found.value == pytest.approx(float(exact), abs=4 * found.error)


@pytest.mark.prove
def test_sampled_ev_intervals_contain_the_true_value_in_95_percent() -> None:
    exact = fmean(settled(28, 10, deck)[0] for deck in orders())
    holds, play = 0, PerfectPlay(USUAL, 10)
    for number in range(1000):
        (found,) = sample_values(
            moment((10, 9, 9)), (PlayerChoice.STAND,), play, 100 + number
        ).values()
        holds += abs(found.value - exact) < 1.96 * found.error
    assert 930 <= holds <= 970
