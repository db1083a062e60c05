"""Leaks: what each kind of mistake costs in a hundred rounds, how sure that is, and its trend.

A round costs what its mistakes of the kind cost together, mostly nothing. The mean of rounds has
the standard error of their spread over the root of their number; rounds are taken as independent,
and the bet that costs are measured by as known.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise
from math import hypot, sqrt

from ..gamekit.adviser import Kind
from .lessons import POINTS_UNIT, Studied

EIGHTHS = 8
"""Parts of all rounds, one after the other, of which the rates of a kind show how it goes."""
POINTS = 60
"""Points of the course of all mistakes."""
WINDOW = 4
"""Each is the rate of the last so many-th part of all rounds."""
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


def trend_of(earlier: Rate, later: Rate) -> Trend:
    """Tell whether it costs less now, where that is beyond the errors."""
    change = later.cost - earlier.cost
    if abs(change) <= SURE * hypot(later.error, earlier.error):
        return Trend.UNSURE
    return Trend.BETTER if change < 0 else Trend.WORSE


@dataclass(frozen=True, slots=True)
class Leak:
    """A kind of mistake of a game: how often in how many rounds, and what a hundred of them cost.

    ``rounds`` are all of the game's, ``unit`` is bets or points; ``earlier`` and ``later`` are the
    rates of the two halves of the rounds, ``course`` those of the eighths. ``moments`` counts all
    choices at the same spot, good ones as well.
    """

    game: str
    kind: Kind
    count: int
    rate: Rate
    rounds: int
    unit: str
    earlier: Rate
    later: Rate
    course: tuple[float, ...] = ()
    moments: int = 0

    @property
    def trend(self) -> Trend:
        """Tell whether it costs less now, where that is beyond the errors."""
        return trend_of(self.earlier, self.later)


@dataclass(frozen=True, slots=True)
class Overall:
    """What all mistakes together cost, of games with the same ``unit``.

    ``course`` are rates of the rounds up to :data:`POINTS` places, each of the last quarter of all.
    ``began`` and ``ended`` are the first and the last sitting's begin, milliseconds since 1970.
    """

    rate: Rate
    earlier: Rate
    later: Rate
    rounds: int
    unit: str
    choices: int
    mistakes: int
    course: tuple[float, ...]
    began: int
    ended: int

    @property
    def trend(self) -> Trend:
        """Tell whether they cost less now, where that is beyond the errors."""
        return trend_of(self.earlier, self.later)

    @property
    def accuracy(self) -> float | None:
        """The share of choices that were no mistakes; ``None`` without a choice."""
        return 1 - self.mistakes / self.choices if self.choices else None


def overall(studied: Iterable[Studied]) -> Overall | None:
    """Sum all mistakes up: those of games for money, or for points where there are no others.

    ``None`` where no round counts.
    """
    every = [each for each in studied if each.stake is not None]
    unit = next((each.unit for each in every if each.unit != POINTS_UNIT), POINTS_UNIT)
    own = sorted((each for each in every if each.unit == unit), key=_when)
    costs, rounds = _Costs(), 0
    for each in own:
        for lesson in each.lessons:
            costs.add(rounds + lesson.round - 1, float(lesson.cost) / (each.stake or 1))
        rounds += each.rounds
    if not rounds:
        return None
    half = rounds // 2
    places = [round(rounds * n / POINTS) for n in range(1, POINTS + 1)]
    window = max(1, rounds // WINDOW)
    return Overall(
        costs.rate(0, rounds),
        costs.rate(0, half),
        costs.rate(half, rounds),
        rounds,
        unit,
        sum(sum(each.choices.values()) for each in own),
        sum(len(each.lessons) for each in own),
        tuple(costs.rate(max(0, end - window), end).cost for end in places if end),
        own[0].entry.began,
        own[-1].entry.began,
    )


def _when(each: Studied) -> tuple[int, str]:
    return each.entry.began, each.entry.path.name


def leaks(studied: Iterable[Studied]) -> list[Leak]:
    """Sum the lessons up by game and kind, the costliest first, costs in points after all bets.

    The sittings may come in any order.
    """
    by_game: defaultdict[str, list[Studied]] = defaultdict(list)
    for each in studied:
        if each.stake is not None:
            by_game[each.entry.game or ""].append(each)
    found = [leak for game, own in by_game.items() for leak in _of_game(game, own)]
    return sorted(found, key=_costliest_first)


def _costliest_first(leak: Leak) -> tuple[bool, float, str, str]:
    """Order leaks; points cannot be compared with bets."""
    return leak.unit == POINTS_UNIT, -leak.rate.cost, leak.game, str(leak.kind)


class _Costs:
    """Mistakes, and what they cost by round; a round's number goes on over sittings."""

    def __init__(self) -> None:
        self.count = 0
        self._by_round: defaultdict[int, float] = defaultdict(float)

    def add(self, round: int, cost: float) -> None:
        """Add a mistake."""
        self.count += 1
        self._by_round[round] += cost

    def rate(self, first: int, end: int) -> Rate:
        """Give the rate of the rounds from the first to before the end."""
        within = [cost for number, cost in self._by_round.items() if first <= number < end]
        return rate(within, end - first)


def _of_game(game: str, own: list[Studied]) -> Iterable[Leak]:
    own.sort(key=_when)
    sums: defaultdict[Kind, _Costs] = defaultdict(_Costs)
    moments = Counter[str]()
    rounds = 0
    for each in own:
        moments.update(each.choices)
        for lesson in each.lessons:
            sums[lesson.kind].add(rounds + lesson.round - 1, float(lesson.cost) / (each.stake or 1))
        rounds += each.rounds
    half, ends = rounds // 2, [rounds * n // EIGHTHS for n in range(EIGHTHS + 1)]
    for kind, costs in sums.items():
        yield Leak(
            game,
            kind,
            costs.count,
            costs.rate(0, rounds),
            rounds,
            own[0].unit,
            costs.rate(0, half),
            costs.rate(half, rounds),
            tuple(costs.rate(first, end).cost for first, end in pairwise(ends)),
            moments[kind.spot],
        )


def sentences(leak: Leak, figure: Callable[[float], str] = "{:.2f}".format) -> tuple[str, str]:
    """Say in two plain sentences how often a kind of mistake is made, and what it comes to."""
    share = f" ({leak.count / leak.moments:.0%})" if leak.moments > 1 else ""
    often = "once" if leak.count == 1 else f"{leak.count:,} times"
    among = f"{often} in {leak.moments:,} such choices{share}" if leak.moments > 1 else often
    each = figure(leak.rate.cost * leak.rounds / PER / leak.count)
    costs = f"Each costs {each} {leak.unit} on average"
    if leak.trend is not Trend.UNSURE:
        later, earlier = figure(leak.later.cost), figure(leak.earlier.cost)
        which = "falling" if leak.trend is Trend.BETTER else "rising"
        return f"{leak.kind}: {among}.", f"{costs}; {which}: {later} lately, {earlier} before."
    sure = leak.rate.cost > SURE * leak.rate.error
    why = "too early to tell a trend" if sure else "few rounds: it may be chance"
    return f"{leak.kind}: {among}.", f"{costs}; {why}."


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
