"""The errors of leaks, tried where true costs are known: intervals hold, nothing is inflated.

A player errs once in eight rounds, in one of some hundred kinds that come more or less often. Some
logs are drawn, and what is reported of each is compared with the truth.
"""

from __future__ import annotations

from bisect import bisect
from collections import Counter, defaultdict
from collections.abc import Callable
from itertools import accumulate
from random import Random
from typing import NamedTuple

import pytest

from tests.helpers.narrow import not_none
from tui_casino.cards.card import PACK
from tui_casino.engine.game import Seat
from tui_casino.gamekit.adviser import MistakeKind
from tui_casino.games.video_poker import DEFINITION
from tui_casino.games.video_poker.machine.game import Hold, Options, Phase
from tui_casino.structs import replace
from tui_casino.teacher.leaks import (
    ROUNDS_PER_RATE,
    TREND_ERRORS,
    CostRate,
    cost_rate,
    rate_of_all,
    rates_by_kind,
    rates_of_groups,
)

ERRS = 1 / 8
"""How often a round has a mistake."""
Draw = Callable[[], tuple[MistakeKind, float] | None]
"""Gives the kind and the cost of a mistake; ``None`` where a choice was good after all."""


class Coverage(NamedTuple):
    """Shares of intervals that contain the truth, and what is reported beside the truth.

    ``once`` is of kinds seen once: all that is reported of them over what they truly cost.
    """

    kinds: float
    overall: float
    once: float
    plain_once: float


def tried(
    draw: Draw, truth: dict[MistakeKind, float], rounds: int, logs: int, dice: Random
) -> Coverage:
    """Draw so many logs. ``truth`` is what a mistake costs on average by kind, all kinds summed."""
    right = all_right = told = 0
    once = plain = true_once = 0.0
    every = ERRS * ROUNDS_PER_RATE * sum(truth.values())
    for _ in range(logs):
        costs = defaultdict[MistakeKind, list[float]](list)
        for _ in range(sum(dice.random() < ERRS for _ in range(rounds))):
            if (mistake := draw()) is not None:
                costs[mistake[0]].append(mistake[1])
        found = rates_by_kind(costs, rounds)
        for kind, rate_of in found.items():
            true = ERRS * ROUNDS_PER_RATE * truth[kind]
            told += 1
            right += holds(rate_of, true)
            if len(costs[kind]) == 1:
                once, true_once = once + rate_of.cost, true_once + true
                plain += cost_rate(costs[kind], rounds).cost
        all_right += holds(
            rate_of_all([cost for each in costs.values() for cost in each], rounds), every
        )
    return Coverage(right / told, all_right / logs, once / true_once, plain / true_once)


def holds(found: CostRate, true: float) -> bool:
    return abs(found.cost - true) <= TREND_ERRORS * found.error


def many_kinds(dice: Random) -> tuple[Draw, dict[MistakeKind, float]]:
    """Make up 300 kinds: few come often, most seldom, and the seldom ones are no cheaper."""
    kinds = [MistakeKind("spot", f"slip {number}") for number in range(300)]
    often = [(3 + number) ** -1.3 for number in range(300)]
    upto = [*accumulate(often)]
    costs = [dice.lognormvariate(-1, 1) for _ in kinds]

    def draw() -> tuple[MistakeKind, float]:
        place = bisect(upto, dice.random() * upto[-1])
        return kinds[place], costs[place] * dice.uniform(0.7, 1.3)

    shares = zip(kinds, often, costs, strict=True)
    return draw, {kind: share / upto[-1] * cost for kind, share, cost in shares}


@pytest.mark.parametrize(("rounds", "logs"), [(40, 100), (200, 40)])
def test_cost_intervals_of_short_logs_contain_the_true_cost(rounds: int, logs: int) -> None:
    players = [many_kinds(Random(seed)) for seed in range(4)]
    tries = [tried(*each, rounds, logs, Random(9)) for each in players]
    found = Coverage(*(sum(shares) / len(tries) for shares in zip(*tries, strict=True)))
    assert found.kinds >= 0.93
    assert found.overall >= 0.91
    assert found.once < 1.4
    assert found.plain_once > 2


@pytest.mark.parametrize("seed", range(3))
def test_cost_of_a_group_of_kinds_is_the_sum_of_its_kinds(seed: int) -> None:
    dice = Random(seed)
    draw, _ = many_kinds(Random(seed + 10))
    costs = defaultdict[MistakeKind, list[float]](list)
    for _ in range(25):
        kind, cost = not_none(draw())
        costs[kind].append(cost)
    names = {kind: dice.randrange(3) for kind in costs}
    groups = {name: [kind for kind in costs if names[kind] == name] for name in range(3)}
    found, kinds = rates_of_groups(groups, costs, 200), rates_by_kind(costs, 200)
    for name, group in groups.items():
        each = [kinds[kind] for kind in group]
        assert found[name].cost == pytest.approx(sum(one.cost for one in each))
        assert found[name].error < sum(one.error for one in each)
    for kind in costs:
        assert rates_of_groups({0: [kind]}, costs, 200)[0] == kinds[kind]


def test_error_of_a_kind_that_was_cheap_allows_for_the_usual_cost() -> None:
    """Two kinds occurred as often; the error of the cheap one counts the average of both costs."""
    cheap, costly = MistakeKind("spot", "cheap"), MistakeKind("spot", "costly")
    rates = rates_by_kind({cheap: [0.001], costly: [0.999]}, 50)
    assert rates[cheap].cost == pytest.approx(rates[costly].cost / 999)
    assert rates[cheap].error > 50 * rates[cheap].cost


@pytest.fixture(scope="module")
def random_holds() -> list[tuple[MistakeKind, float] | None]:
    """Hold anything of 60,000 hands of video poker."""
    dice, start, me = Random(5), DEFINITION.game.start(Options()), Seat(0)
    judge, kind = DEFINITION.adviser.judge, DEFINITION.adviser.kind
    assert judge is not None
    assert kind is not None
    found: list[tuple[MistakeKind, float] | None] = []
    for _ in range(60_000):
        hand = tuple(dice.sample(PACK, 5))
        view = replace(start, phase=Phase.HOLD, hand=hand, coins=5)
        hold = Hold(tuple(place for place in range(1, 6) if dice.random() < 0.5))
        mistake = judge(view, me, hold)
        if mistake is None:
            found.append(None)
        else:
            found.append((kind(view, me, hold, mistake.best), float(mistake.cost) / 5))
    return found


@pytest.mark.prove
@pytest.mark.parametrize(
    ("rounds", "logs"), [(40, 3_000), (200, 1_500), (1_000, 400), (5_000, 100)]
)
def test_cost_intervals_contain_the_cost_of_one_random_hold_in_eight(
    rounds: int, logs: int, random_holds: list[tuple[MistakeKind, float] | None]
) -> None:
    dice, truth = Random(rounds), Counter[MistakeKind]()
    for mistake in filter(None, random_holds):
        truth[mistake[0]] += mistake[1] / len(random_holds)  # type: ignore[assignment]
    found = tried(lambda: dice.choice(random_holds), dict(truth), rounds, logs, dice)
    assert 0.92 <= found.kinds <= 0.99
    assert found.overall >= 0.92
    assert found.once < 1.4
    assert found.plain_once > found.once + 0.3
