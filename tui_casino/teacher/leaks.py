"""Leaks: what each kind of mistake costs in a hundred rounds, how sure that is, and its trend.

A round costs what its mistakes of the kind cost together, mostly nothing. The mean of rounds has
the standard error of their spread over the root of their number; rounds are taken as independent,
and the bet that costs are measured by as known.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from math import hypot, sqrt

from ..gamekit.adviser import Kind
from .lessons import Studied

PER = 100
"""Rounds that a cost is told for."""
SURE = 2
"""So many standard errors make a difference."""


@dataclass(frozen=True, slots=True)
class Rate:
    """A cost in a hundred rounds, and its standard error."""

    cost: float
    error: float


class Trend(Enum):
    """How the later half of the rounds stands to the earlier one."""

    BETTER = "less than before"
    WORSE = "more than before"
    UNSURE = "no sure trend"


@dataclass(frozen=True, slots=True)
class Leak:
    """A kind of mistake of a game: how often in how many rounds, and what a hundred of them cost.

    ``rounds`` are all of the game's, ``unit`` is bets or points; ``earlier`` and ``later`` are the
    rates of the two halves of the rounds.
    """

    game: str
    kind: Kind
    count: int
    rate: Rate
    rounds: int
    unit: str
    earlier: Rate
    later: Rate

    @property
    def trend(self) -> Trend:
        """Tell whether it costs less now, where that is beyond the errors."""
        change = self.later.cost - self.earlier.cost
        if abs(change) <= SURE * hypot(self.later.error, self.earlier.error):
            return Trend.UNSURE
        return Trend.BETTER if change < 0 else Trend.WORSE


def leaks(studied: Iterable[Studied]) -> list[Leak]:
    """Sum the lessons up by game and kind, the dearest kind first; sittings in any order."""
    by_game: defaultdict[str, list[Studied]] = defaultdict(list)
    for each in studied:
        if each.stake is not None:
            by_game[each.entry.game or ""].append(each)
    found = [leak for game, own in by_game.items() for leak in _of_game(game, own)]
    return sorted(found, key=lambda leak: (-leak.rate.cost, leak.game, str(leak.kind)))


@dataclass(slots=True)
class _Sums:
    """A kind's mistakes, and what they cost by round; a round's number goes on over sittings."""

    count: int = 0
    costs: defaultdict[int, float] = field(default_factory=lambda: defaultdict(float))


def _of_game(game: str, own: list[Studied]) -> Iterable[Leak]:
    own.sort(key=lambda each: (each.entry.began, each.entry.path.name))
    sums: defaultdict[Kind, _Sums] = defaultdict(_Sums)
    rounds = 0
    for each in own:
        for lesson in each.lessons:
            one = sums[lesson.kind]
            one.count += 1
            one.costs[rounds + lesson.round - 1] += float(lesson.cost) / (each.stake or 1)
        rounds += each.rounds
    for kind, one in sums.items():
        half = rounds // 2
        early, late = _within(one.costs, 0, half), _within(one.costs, half, rounds)
        yield Leak(
            game,
            kind,
            one.count,
            rate([*one.costs.values()], rounds),
            rounds,
            own[0].unit,
            rate(early, half),
            rate(late, rounds - half),
        )


def _within(costs: Mapping[int, float], first: int, end: int) -> list[float]:
    return [cost for number, cost in costs.items() if first <= number < end]


def rate(costs: Sequence[float], rounds: int) -> Rate:
    """Give the rate of rounds of which these cost something, and the others nothing.

    Of one round the error is not known, and of none the rate: they are 0.
    """
    if not rounds:
        return Rate(0.0, 0.0)
    mean = sum(costs) / rounds
    spread = sum((cost - mean) ** 2 for cost in costs) + (rounds - len(costs)) * mean**2
    error = sqrt(spread / (rounds - 1) / rounds) if rounds > 1 else 0.0
    return Rate(PER * mean, PER * error)
