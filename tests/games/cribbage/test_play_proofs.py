"""The pegging adviser against the slow solver, in positions that come of any play."""

from __future__ import annotations

from collections.abc import Iterator
from math import comb
from random import Random

import pytest

from tests.games.cribbage.slow_endplay import Spot, exact, may_hold, some_position
from tests.helpers.parameter_ids import labelled
from tui_casino.engine.game import Seat
from tui_casino.games.cribbage.brains.pegging import PeggingPosition, weigh_cards
from tui_casino.games.cribbage.machine.rules import ACC

POSITIONS = 400
SOLVED = 2


def placed(number: int, held: range) -> tuple[PeggingPosition, Spot, dict[tuple[int, ...], int]]:
    """Find a position against so many cards: for us, for the slow solver, and what he may hold."""
    random = Random(f"position {number}")
    while True:
        start, way, end = some_position(random)
        seat = end.player
        if len(end.unplayed(1 - seat)) in held:
            break
    worlds = may_hold(start, way, end)
    position = PeggingPosition.from_view(end, Seat(seat))
    assert sum(worlds.values()) == comb(len(position.unseen), position.opponent_cards)
    ranks = {card.rank for card in position.unseen}
    assert {rank for hand in worlds for rank in hand} == (
        ranks if position.opponent_cards else set()
    )
    gone = frozenset((1,) if end.go else ())
    spot = Spot(
        tuple(int(card.rank) for card in position.hand),
        tuple(int(card.rank) for card in end.segment),
        end.laid[-1].seat != seat if end.segment else None,
        gone,
        0,
    )
    return position, spot, worlds


def compared(number: int, held: range) -> Iterator[tuple[int, float, float, float]]:
    """Each card of a position that may be laid: his cards, our figure and its error, the exact."""
    position, spot, worlds = placed(number, held)
    for one in weigh_cards(position, ACC):
        best = position.opponent_cards <= SOLVED
        yield (
            position.opponent_cards, one.ev, one.error,
            float(exact(spot, worlds, int(one.card.rank), best)),
        )  # fmt: skip


@pytest.mark.parametrize("number", range(6), ids=labelled("position {}"))
def test_pegging_values_against_at_most_two_cards_equal_the_slow_solver(number: int) -> None:
    for _, found, error, true in compared(number, range(SOLVED + 1)):
        assert error == 0
        assert found == pytest.approx(true, abs=1e-9)


def test_pegging_values_against_three_cards_equal_the_slow_solver() -> None:
    for _, found, error, true in compared(0, range(3, 4)):
        assert error == 0
        assert found == pytest.approx(true, abs=1e-9)


@pytest.mark.prove
def test_at_most_1_percent_of_pegging_values_are_off_by_over_3_errors() -> None:
    """The slow solver takes a quarter of a second per position; fewer would not show one in 100."""
    beyond = sampled = 0
    for number in range(POSITIONS):
        told = list(compared(number, range(5)))
        sampled += any(error > 0 for _, _, error, _ in told)
        wide = [abs(found - true) > 3 * error + 1e-9 for _, found, error, true in told]
        assert not any(wide) or told[0][0] == 4, f"position {number} is counted wrong: {told}"
        beyond += any(wide)
    assert sampled > POSITIONS / 10
    assert beyond <= POSITIONS / 100


@pytest.mark.prove
def test_pegging_confidence_intervals_contain_95_percent_of_true_values() -> None:
    """Five positions against four cards, each sampled 200 times, against the slow solver."""
    holds = 0
    for number in range(5):
        position, spot, worlds = placed(number, range(4, 5))
        card = position.options[number % len(position.options)]
        true = float(exact(spot, worlds, int(card.rank), False))
        for seed in range(200):
            told = weigh_cards(position, ACC, seed=1000 * number + seed)
            one = next(one for one in told if one.card == card)
            assert one.error > 0
            holds += abs(one.ev - true) < 1.96 * one.error
    assert 930 <= holds <= 970
