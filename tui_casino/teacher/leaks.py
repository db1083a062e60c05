"""Leaks: the cost per 100 rounds of each kind of mistake, its certainty and its trend.

A list of the kinds that occurred overstates each of them: most kinds seen once in 40 rounds come
much less often than that. So rates are estimated with a prior over kinds. Of N mistakes of a game
in R rounds, n are of a kind and cost c each on average:

- The rate of all mistakes is N / R; the count N is taken as Poisson.
- The share of the kind is (n - d) / (N + t), as in the two-parameter Poisson-Dirichlet process
  (Pitman and Yor 1997), a usual model of how often species are seen. The rest of the whole, (t + d
  times the kinds seen) / (N + t), is left for kinds not seen yet. The discount d and the
  concentration t are averaged over a grid, each pair weighted by its likelihood for the counts.
- The cost c has a relative spread that all kinds of the game have in common, as if five mistakes of
  a spread of 30% had been seen besides.

The error is half the distance from the cost to the 97.5% quantile of a gamma distribution with the
estimate's mean and variance (or the standard deviation where that is more). So the cost plus and
minus two errors contains the true cost about 95 times in 100, for short logs as well.

The cost of all mistakes together is their plain sum over the rounds. Its variance is that of a
compound Poisson sum, as if the costliest mistake had come four more times: the cost of mistakes has
a long tail, of which short logs have not seen the end.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise
from math import exp, hypot, lgamma, log, sqrt

from ..gamekit.adviser import MistakeKind
from .mistakes import POINTS_UNIT, ReviewedSitting

RATE_PERIODS = 8
"""Parts of all rounds, one after the other, of which the rates of a kind show how it goes."""
COST_CURVE_POINTS = 60
"""Points of the course of all mistakes."""
WINDOW = 4
"""Each is the rate of the last so many-th part of all rounds."""
ROUNDS_PER_RATE = 100
"""Rounds that a cost is told for."""
TREND_ERRORS = 2
"""So many standard errors make a difference."""
TREND_MINIMUM = 20
"""Mistakes from which on a trend is reported."""

DISCOUNTS = (0.0, 0.15, 0.3, 0.45, 0.6, 0.75)
CONCENTRATIONS = (0.75, 3.0, 12.0, 48.0)
"""The grid of the prior over kinds."""
SPREAD, SPREAD_SEEN = 0.3, 5
"""The usual relative spread of costs within a kind, and how many mistakes it counts for."""
TAIL = 4
"""How many more of the costliest mistake the error of all mistakes allows for."""
UPPER = 1.96
"""Standard deviations of a normal distribution to its 97.5% quantile."""


@dataclass(frozen=True, slots=True)
class CostRate:
    """A cost in 100 rounds, and its error: two errors around it contain the true cost mostly."""

    cost: float
    error: float


class Trend(Enum):
    """How the later half of the rounds stands to the earlier one."""

    BETTER = "less than before"
    WORSE = "more than before"
    UNSURE = "no sure trend"


def trend_of(earlier: CostRate, later: CostRate, mistakes: int) -> Trend:
    """Tell whether it costs less now: beyond two errors, and from 20 mistakes on."""
    change = later.cost - earlier.cost
    if mistakes < TREND_MINIMUM or abs(change) <= TREND_ERRORS * hypot(later.error, earlier.error):
        return Trend.UNSURE
    return Trend.BETTER if change < 0 else Trend.WORSE


@dataclass(frozen=True, slots=True)
class Leak:
    """A kind of mistake of a game: how often in how many rounds, and what 100 of them cost.

    ``each`` is what one such mistake cost on average, ``rate`` the estimate with the prior over
    kinds. ``rounds`` are all of the game's, ``unit`` is bets or points; ``earlier`` and ``later``
    are the plain means of the two halves of the rounds, ``course`` those of the eighths.
    ``moments`` counts all choices at the same spot, good ones as well.
    """

    game: str
    kind: MistakeKind
    count: int
    rate: CostRate
    rounds: int
    unit: str
    earlier: CostRate
    later: CostRate
    course: tuple[float, ...] = ()
    moments: int = 0
    each: float = 0.0

    @property
    def trend(self) -> Trend:
        """Tell whether it costs less now, as :func:`trend_of`."""
        return trend_of(self.earlier, self.later, self.count)


@dataclass(frozen=True, slots=True)
class TotalCost:
    """What all mistakes together cost, of games with the same ``unit``.

    ``course`` are rates of the rounds up to :data:`COST_CURVE_POINTS` places, each of the last
    quarter of all. ``started`` and ``ended`` are when the first and the last session began, in
    milliseconds since 1970.
    """

    rate: CostRate
    earlier: CostRate
    later: CostRate
    rounds: int
    unit: str
    choices: int
    mistakes: int
    course: tuple[float, ...]
    started: int
    ended: int

    @property
    def trend(self) -> Trend:
        """Tell whether they cost less now, as :func:`trend_of`."""
        return trend_of(self.earlier, self.later, self.mistakes)

    @property
    def accuracy(self) -> float | None:
        """The share of choices that were no mistakes; ``None`` without a choice."""
        return 1 - self.mistakes / self.choices if self.choices else None


def total_cost(sittings: Iterable[ReviewedSitting]) -> TotalCost | None:
    """Sum all mistakes up: those of games for money, or for points where there are no others.

    ``None`` where no round counts.
    """
    every = [each for each in sittings if each.stake is not None]
    unit = next((each.unit for each in every if each.unit != POINTS_UNIT), POINTS_UNIT)
    own = sorted((each for each in every if each.unit == unit), key=_when)
    costs, rounds = _Costs(), 0
    for each in own:
        for mistake in each.mistakes:
            costs.add(rounds + mistake.round - 1, float(mistake.cost) / (each.stake or 1))
        rounds += each.rounds
    if not rounds:
        return None
    half = rounds // 2
    places = [round(rounds * n / COST_CURVE_POINTS) for n in range(1, COST_CURVE_POINTS + 1)]
    window = max(1, rounds // WINDOW)
    return TotalCost(
        rate_of_all(costs.each, rounds),
        costs.rate(0, half),
        costs.rate(half, rounds),
        rounds,
        unit,
        sum(sum(each.choices.values()) for each in own),
        sum(len(each.mistakes) for each in own),
        tuple(costs.rate(max(0, end - window), end).cost for end in places if end),
        own[0].entry.started,
        own[-1].entry.started,
    )


def _when(each: ReviewedSitting) -> tuple[int, str]:
    return each.entry.started, each.entry.path.name


def find_leaks(sittings: Iterable[ReviewedSitting]) -> list[Leak]:
    """Sum the mistakes up by game and kind, the costliest first, costs in points after all bets.

    The sittings may come in any order.
    """
    by_game: defaultdict[str, list[ReviewedSitting]] = defaultdict(list)
    for each in sittings:
        if each.stake is not None:
            by_game[each.entry.game or ""].append(each)
    leaks = [leak for game, own in by_game.items() for leak in _of_game(game, own)]
    return sorted(leaks, key=_costliest_first)


def _costliest_first(leak: Leak) -> tuple[bool, float, str, str]:
    """Order leaks; points cannot be compared with bets."""
    return leak.unit == POINTS_UNIT, -leak.rate.cost, leak.game, str(leak.kind)


class _Costs:
    """Mistakes, and what they cost by round; a round's number goes on over sittings."""

    def __init__(self) -> None:
        self.each: list[float] = []
        self._by_round: defaultdict[int, float] = defaultdict(float)

    def add(self, round: int, cost: float) -> None:
        """Add a mistake."""
        self.each.append(cost)
        self._by_round[round] += cost

    def rate(self, first: int, end: int) -> CostRate:
        """Give the rate of the rounds from the first to before the end."""
        within = [cost for number, cost in self._by_round.items() if first <= number < end]
        return cost_rate(within, end - first)


def _of_game(game: str, own: list[ReviewedSitting]) -> Iterable[Leak]:
    own.sort(key=_when)
    sums: defaultdict[MistakeKind, _Costs] = defaultdict(_Costs)
    moments = Counter[str]()
    rounds = 0
    for each in own:
        moments.update(each.choices)
        for mistake in each.mistakes:
            sums[mistake.kind].add(
                rounds + mistake.round - 1, float(mistake.cost) / (each.stake or 1)
            )
        rounds += each.rounds
    half, ends = rounds // 2, [rounds * n // RATE_PERIODS for n in range(RATE_PERIODS + 1)]
    rates = rates_by_kind({kind: costs.each for kind, costs in sums.items()}, rounds)
    for kind, costs in sums.items():
        yield Leak(
            game,
            kind,
            len(costs.each),
            rates[kind],
            rounds,
            own[0].unit,
            costs.rate(0, half),
            costs.rate(half, rounds),
            tuple(costs.rate(first, end).cost for first, end in pairwise(ends)),
            moments[kind.spot],
            sum(costs.each) / len(costs.each),
        )


def describe_leak(leak: Leak, figure: Callable[[float], str] = "{:.2f}".format) -> tuple[str, str]:
    """Say in two plain sentences how often a kind of mistake is made, and what it comes to."""
    share = f" ({leak.count / leak.moments:.0%})" if leak.moments > 1 else ""
    often = "once" if leak.count == 1 else f"{leak.count:,} times"
    among = f"{often} in {leak.moments:,} such choices{share}" if leak.moments > 1 else often
    costs = f"Each costs {figure(leak.each)} {leak.unit} on average"
    if leak.trend is not Trend.UNSURE:
        later, earlier = figure(leak.later.cost), figure(leak.earlier.cost)
        which = "falling" if leak.trend is Trend.BETTER else "rising"
        return f"{leak.kind}: {among}.", f"{costs}; {which}: {later} lately, {earlier} before."
    sure = leak.rate.cost > TREND_ERRORS * leak.rate.error
    reason = "too early to tell a trend" if sure else "few rounds: it may be chance"
    return f"{leak.kind}: {among}.", f"{costs}; {reason}."


def cost_rate(costs: Sequence[float], rounds: int) -> CostRate:
    """Give the rate of rounds of which these cost something, and the others nothing.

    Of one round the error is not known, and of none the rate: they are 0.
    """
    if not rounds:
        return CostRate(0.0, 0.0)
    mean = sum(costs) / rounds
    spread = sum((cost - mean) ** 2 for cost in costs) + (rounds - len(costs)) * mean**2
    error = sqrt(spread / (rounds - 1) / rounds) if rounds > 1 else 0.0
    return CostRate(ROUNDS_PER_RATE * mean, ROUNDS_PER_RATE * error)


# ---- estimates with a prior ----------------------------------------------------------------------


def rates_by_kind(
    costs: Mapping[MistakeKind, Sequence[float]], rounds: int
) -> dict[MistakeKind, CostRate]:
    """Estimate the rate of each kind from what its mistakes in so many rounds cost."""
    counts = Counter(len(each) for each in costs.values())
    mistakes = sum(count * kinds for count, kinds in counts.items())
    shares = dict.fromkeys(counts, (0.0, 0.0))
    for weight, discount, concentration in _prior_weights(counts):
        whole = mistakes + concentration
        for count, (mean, square) in shares.items():
            discounted = count - discount
            mean += weight * discounted / whole
            square += weight * discounted * (discounted + 1) / (whole * (whole + 1))
            shares[count] = mean, square
    spread = _spread(costs.values())
    rates = {}
    for kind, each in costs.items():
        cost, (share, square) = sum(each) / len(each), shares[len(each)]
        mean = mistakes / rounds * share * cost
        square *= mistakes * (mistakes + 1) / rounds**2 * cost**2 * (1 + spread / len(each))
        rates[kind] = CostRate(
            ROUNDS_PER_RATE * mean, ROUNDS_PER_RATE * _error(mean, square - mean**2)
        )
    return rates


def rate_of_all(costs: Sequence[float], rounds: int) -> CostRate:
    """Estimate the rate of all mistakes together from what each of them cost."""
    if not costs:
        return CostRate(0.0, 0.0)
    mean = sum(costs) / rounds
    variance = (sum(cost**2 for cost in costs) + TAIL * max(costs) ** 2) / rounds**2
    return CostRate(ROUNDS_PER_RATE * mean, ROUNDS_PER_RATE * _error(mean, variance))


def _prior_weights(counts: Mapping[int, int]) -> list[tuple[float, float, float]]:
    """Weigh each discount and concentration by their likelihood, given kinds by their count."""
    kinds, mistakes = sum(counts.values()), sum(n * times for n, times in counts.items())
    likely = []
    for d in DISCOUNTS:
        met = sum(times * (lgamma(n - d) - lgamma(1 - d)) for n, times in counts.items())
        for t in CONCENTRATIONS:
            new = (kinds - 1) * log(t)
            if d:
                new = (kinds - 1) * log(d) + lgamma(t / d + kinds) - lgamma(t / d + 1)
            likely.append((met + new - lgamma(t + mistakes) + lgamma(t + 1), d, t))
    maximum = max(one for one, _, _ in likely)
    total = sum(exp(one - maximum) for one, _, _ in likely)
    return [(exp(one - maximum) / total, d, t) for one, d, t in likely]


def _spread(costs: Iterable[Sequence[float]]) -> float:
    """Give the squared relative spread of costs within a kind, pooled over the kinds."""
    squares, weight = SPREAD_SEEN * SPREAD**2, float(SPREAD_SEEN)
    for each in costs:
        mean = sum(each) / len(each)
        squares += sum((cost / mean - 1) ** 2 for cost in each)
        weight += len(each) - 1
    return squares / weight


def _error(mean: float, variance: float) -> float:
    """Give half the distance to the 97.5% quantile of a gamma distribution, by Wilson-Hilferty."""
    shape = mean**2 / variance
    quantile = mean * (1 - 1 / (9 * shape) + UPPER / (3 * sqrt(shape))) ** 3
    return max(sqrt(variance), (quantile - mean) / 2)
