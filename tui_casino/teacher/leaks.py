"""Leaks: the cost per 100 rounds of each kind of mistake, with its standard error and its trend.

The raw rates of the kinds that occurred are too high: most kinds seen once in 40 rounds are rarer
than that. So rates are estimated with a prior over kinds. Suppose that a game has N mistakes in R
rounds, of which n are of one kind and cost c each on average:

- The rate of all mistakes is N / R, with N taken as Poisson distributed.
- The share of the kind is (n - d) / (N + t), as in the two-parameter Poisson-Dirichlet process
  (Pitman and Yor 1997), a usual model of the frequencies of species. The remaining share, (t + d
  times the kinds seen) / (N + t), belongs to kinds not seen yet. The discount d and the
  concentration t are averaged over a grid, each pair weighted by its likelihood.
- The relative spread of the cost c is estimated for all kinds of the game together, as if five more
  mistakes with a spread of 30% had been seen.

The error is half the distance from the cost to the 97.5% quantile of a gamma distribution with the
estimate's mean and variance, but at least the standard deviation. So the cost plus and minus two
errors contains the true cost about 95 times in 100, even for short logs.

The cost of all mistakes together is their sum divided by the rounds. Its variance is that of a
compound Poisson sum in which the costliest mistake is counted four more times. The reason is that
costs have a long tail, whose largest values a short log has probably not seen.
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
"""The number of successive periods for which the rate of a kind is shown."""
COST_CURVE_POINTS = 60
"""The number of points of the curve of all mistakes."""
WINDOW = 4
"""Each point of the curve is the rate over the preceding 1 / ``WINDOW`` of all rounds."""
ROUNDS_PER_RATE = 100
"""The number of rounds to which costs refer."""
TREND_ERRORS = 2
"""The number of standard errors beyond which a difference is significant."""
TREND_MINIMUM = 20
"""The smallest number of mistakes for which a trend is reported."""

DISCOUNTS = (0.0, 0.15, 0.3, 0.45, 0.6, 0.75)
CONCENTRATIONS = (0.75, 3.0, 12.0, 48.0)
"""The grid of the prior over kinds."""
SPREAD, SPREAD_SEEN = 0.3, 5
"""The usual relative spread of costs within a kind, and the number of mistakes it counts as."""
TAIL = 4
"""How many more times the costliest mistake is counted for the error of all mistakes."""
UPPER = 1.96
"""The 97.5% quantile of the standard normal distribution."""


@dataclass(frozen=True, slots=True)
class CostRate:
    """A cost per 100 rounds, and its standard error."""

    cost: float
    error: float


class Trend(Enum):
    """How the cost changed from the earlier half of the rounds to the later half."""

    BETTER = "less than before"
    WORSE = "more than before"
    UNSURE = "no clear trend"


def trend_of(earlier: CostRate, later: CostRate, mistakes: int) -> Trend:
    """Return the trend; it needs at least 20 mistakes and a change of more than two errors."""
    change = later.cost - earlier.cost
    if mistakes < TREND_MINIMUM or abs(change) <= TREND_ERRORS * hypot(later.error, earlier.error):
        return Trend.UNSURE
    return Trend.BETTER if change < 0 else Trend.WORSE


@dataclass(frozen=True, slots=True)
class Leak:
    """A kind of mistake of a game: its number in all ``rounds``, and its cost per 100 rounds.

    ``each`` is the average cost of such a mistake, and ``rate`` the estimate with the prior over
    kinds. ``unit`` is bets or points. ``earlier`` and ``later`` are the plain rates of the two
    halves of the rounds, ``course`` those of the eighths. ``moments`` counts all choices at the
    same spot, including good ones.
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
        """The trend of the cost, as :func:`trend_of` defines it."""
        return trend_of(self.earlier, self.later, self.count)


@dataclass(frozen=True, slots=True)
class TotalCost:
    """The cost of all mistakes together, in games with the same ``unit``.

    ``course`` has up to :data:`COST_CURVE_POINTS` rates, each over the preceding quarter of all
    rounds. ``started`` and ``ended`` are the times when the first and the last session began, in
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
        """The trend of the cost, as :func:`trend_of` defines it."""
        return trend_of(self.earlier, self.later, self.mistakes)

    @property
    def accuracy(self) -> float | None:
        """The share of choices without a mistake; ``None`` if there were no choices."""
        return 1 - self.mistakes / self.choices if self.choices else None


def total_cost(sittings: Iterable[ReviewedSitting]) -> TotalCost | None:
    """Return the cost of all mistakes in games for money, or else in games for points.

    Return ``None`` if no round counts.
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
    """Return the leaks by game and kind, costliest first; those in points follow those in bets.

    The sessions may be given in any order.
    """
    by_game: defaultdict[str, list[ReviewedSitting]] = defaultdict(list)
    for each in sittings:
        if each.stake is not None:
            by_game[each.entry.game or ""].append(each)
    leaks = [leak for game, own in by_game.items() for leak in _of_game(game, own)]
    return sorted(leaks, key=_costliest_first)


def _costliest_first(leak: Leak) -> tuple[bool, float, str, str]:
    """Return the sort key of a leak; points are not comparable with bets, so they come last."""
    return leak.unit == POINTS_UNIT, -leak.rate.cost, leak.game, str(leak.kind)


class _Costs:
    """The costs of mistakes by round; rounds are numbered continuously over all sessions."""

    def __init__(self) -> None:
        self.each: list[float] = []
        self._by_round: defaultdict[int, float] = defaultdict(float)

    def add(self, round: int, cost: float) -> None:
        """Add a mistake."""
        self.each.append(cost)
        self._by_round[round] += cost

    def rate(self, first: int, end: int) -> CostRate:
        """Return the rate of the rounds from ``first`` to ``end - 1``."""
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
    """Return two sentences about a leak: how often the mistake is made, and its cost and trend."""
    share = f" ({leak.count / leak.moments:.0%})" if leak.moments > 1 else ""
    often = "once" if leak.count == 1 else f"{leak.count:,} times"
    among = f"{often} in {leak.moments:,} such choices{share}" if leak.moments > 1 else often
    costs = f"Each costs {figure(leak.each)} {leak.unit} on average"
    if leak.trend is not Trend.UNSURE:
        later, earlier = figure(leak.later.cost), figure(leak.earlier.cost)
        which = "falling" if leak.trend is Trend.BETTER else "rising"
        return f"{leak.kind}: {among}.", f"{costs}; {which}: {later} lately, {earlier} before."
    sure = leak.rate.cost > TREND_ERRORS * leak.rate.error
    reason = "no clear trend yet" if sure else "this may be chance (few rounds)"
    return f"{leak.kind}: {among}.", f"{costs}; {reason}."


def cost_rate(costs: Sequence[float], rounds: int) -> CostRate:
    """Return the rate of ``rounds`` rounds, given the costs of those that cost something.

    The error is 0 (not known) for a single round; for no rounds rate and error are 0.
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
    """Estimate the rate of each kind from the costs of its mistakes in ``rounds`` rounds."""
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
    """Estimate the rate of all mistakes together from the cost of each."""
    if not costs:
        return CostRate(0.0, 0.0)
    mean = sum(costs) / rounds
    variance = (sum(cost**2 for cost in costs) + TAIL * max(costs) ** 2) / rounds**2
    return CostRate(ROUNDS_PER_RATE * mean, ROUNDS_PER_RATE * _error(mean, variance))


def _prior_weights(counts: Mapping[int, int]) -> list[tuple[float, float, float]]:
    """Return (weight, discount, concentration) by likelihood; ``counts`` has the kinds by count."""
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
    """Return the squared relative spread of costs within a kind, pooled over all kinds."""
    squares, weight = SPREAD_SEEN * SPREAD**2, float(SPREAD_SEEN)
    for each in costs:
        mean = sum(each) / len(each)
        squares += sum((cost / mean - 1) ** 2 for cost in each)
        weight += len(each) - 1
    return squares / weight


def _error(mean: float, variance: float) -> float:
    """Return half the distance to a gamma distribution's 97.5% quantile (Wilson-Hilferty)."""
    shape = mean**2 / variance
    quantile = mean * (1 - 1 / (9 * shape) + UPPER / (3 * sqrt(shape))) ** 3
    return max(sqrt(variance), (quantile - mean) / 2)
