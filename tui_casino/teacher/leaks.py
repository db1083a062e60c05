"""Leaks: the cost per 100 rounds of each kind of mistake, with its standard error and its trend.

The raw rates of the kinds that occurred are too high on average: most kinds that were seen once in
40 rounds are rarer than once in 40. So rates are estimated with a prior over kinds. Suppose that a
game has N mistakes in R rounds, of which n are of one kind and cost c each on average:

- The rate of all mistakes is N / R, where N is assumed to be Poisson distributed.
- The share of the kind is (n - d) / (N + t), as in the two-parameter Poisson-Dirichlet process
  (Pitman and Yor 1997), a usual model of the frequencies of species. The remaining share, (t + d
  times the kinds seen) / (N + t), belongs to kinds not seen yet. The discount d and the
  concentration t are averaged over a grid, each pair weighted by its likelihood.
- The relative spread of the cost c is estimated for all kinds of the game together, as if five more
  mistakes with a spread of 30% had been seen. It is a share of the cost, or of the average cost of
  all mistakes if that is higher: a kind that was cheap once may be costlier next time.

The cost of a habit is the sum of the costs of its kinds, and its variance is that of this sum: the
estimate is shrunk only once, at the kinds.

The error is :func:`.skewed_error`. So the cost plus and minus two errors contains the true cost
about 95 times in 100, even for short logs.

The cost of all mistakes together is their sum divided by the number of rounds, with
:func:`.total_error`.

A player's strength at a game is the cost per 100 choices, compared with computer players. Only
choices with an alternative count. The measurement goes back from the last session to the one that
completes 500 choices, and its error is estimated in the same way.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from itertools import pairwise
from math import exp, hypot, lgamma, log, sqrt
from typing import TypeAlias, TypeVar

from msgspec import Struct

from ..gamekit.adviser import (
    NO_FREQUENCY,
    OTHER_HABIT,
    ActFrequencies,
    ActFrequency,
    Habit,
    Habits,
    LevelCost,
    MistakeKind,
    add_frequencies,
)
from ..inputs.numbers import count_noun
from ..records.result_split import skewed_error, total_error
from .mistakes import POINTS_UNIT, ReviewedSitting

RATE_PERIODS = 8
"""The number of successive periods for which the cost rate of a kind is shown."""
COST_CURVE_POINTS = 60
"""The number of points of the curve of all mistakes."""
WINDOW = 4
"""Each point of the curve is the rate over the preceding 1 / ``WINDOW`` of all rounds."""
ROUNDS_PER_RATE = 100
"""The number of rounds to which a stated cost refers."""
TREND_ERRORS = 2
"""The number of standard errors beyond which a difference is significant."""
TREND_MINIMUM = 20
"""The smallest number of choices, right or wrong, for which a trend is reported."""

DISCOUNTS = (0.0, 0.15, 0.3, 0.45, 0.6, 0.75)
CONCENTRATIONS = (0.75, 3.0, 12.0, 48.0)
"""The grid of the prior over kinds."""
SPREAD, SPREAD_SEEN = 0.3, 5
"""The assumed relative spread of costs within a kind, and its weight as a number of mistakes."""


class CostRate(Struct, frozen=True):
    """A cost per 100 rounds or choices, and its standard error."""

    cost: float
    error: float


class Trend(Enum):
    """How the cost changed from the earlier half of the rounds to the later half."""

    BETTER = "less than before"
    WORSE = "more than before"
    UNSURE = "no clear trend"


def trend_of(earlier: CostRate, later: CostRate, choices: int) -> Trend:
    """Return the trend; it needs at least 20 choices and a change of more than two errors."""
    change = later.cost - earlier.cost
    if choices < TREND_MINIMUM or abs(change) <= TREND_ERRORS * hypot(later.error, earlier.error):
        return Trend.UNSURE
    return Trend.BETTER if change < 0 else Trend.WORSE


class Leak(Struct, frozen=True):
    """A kind of mistake in a game: its number in all ``rounds``, and its cost per 100 rounds.

    ``each`` is the average cost of such a mistake, and ``rate`` the cost per 100 rounds, estimated
    with the prior over kinds. ``unit`` is bets or points. ``earlier`` and ``later`` are the raw
    rates of the two halves of the rounds; ``course`` holds the raw rates of :data:`RATE_PERIODS`
    periods. ``moments`` counts the choices at which the mistake was possible, including good ones.
    ``frequency`` compares how often the player acts in this way with the ``benchmark`` player.
    ``strong_loss`` is what a strong player of the game loses in 100 rounds.
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
    habit: str = OTHER_HABIT.name
    act: str = ""
    frequency: ActFrequency = NO_FREQUENCY
    benchmark: str = ""
    strong_loss: float = 1.0

    @property
    def trend(self) -> Trend:
        """The trend of the cost, as :func:`trend_of` defines it."""
        return trend_of(self.earlier, self.later, self.moments)

    @property
    def rate_text(self) -> str:
        """The rate with its unit: ``2.30 bets per 100 rounds``."""
        return f"{self.rate.cost:.2f} {self.unit} per 100 rounds"

    @property
    def relative(self) -> CostRate:
        """The rate in units that can be compared between games: what a strong player loses."""
        return CostRate(self.rate.cost / self.strong_loss, self.rate.error / self.strong_loss)


class HabitLeak(Struct, frozen=True):
    """A habit: its ``total`` over all its kinds, and the leaks of these kinds, costliest first.

    The cost of the total is the sum of the kinds' costs. The ``kind`` of the total has the habit as
    its spot and no slip. Its ``moments`` are all choices at which the habit could have shown, also
    at spots without such a mistake.
    """

    total: Leak
    leaks: tuple[Leak, ...]


class TotalCost(Struct, frozen=True):
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
        return trend_of(self.earlier, self.later, self.choices)

    @property
    def accuracy(self) -> float | None:
        """The share of choices without a mistake; ``None`` if there were no choices."""
        return 1 - self.mistakes / self.choices if self.choices else None


def total_cost(sittings: Iterable[ReviewedSitting]) -> TotalCost | None:
    """Return the cost of all mistakes in games for money.

    If there are only games for points, return the cost of all mistakes in these games. Return
    ``None`` if there are no rounds that count.
    """
    every = [each for each in sittings if each.stake is not None]
    unit = next((each.unit for each in every if each.unit != POINTS_UNIT), POINTS_UNIT)
    own = chronological(each for each in every if each.unit == unit)
    costs, rounds = _Costs(), 0
    for each in own:
        for mistake in each.mistakes:
            costs.add(rounds + mistake.round - 1, each.cost_of(mistake))
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


def chronological(sittings: Iterable[ReviewedSitting]) -> list[ReviewedSitting]:
    """Return the sessions, earliest first."""
    return sorted(sittings, key=lambda each: (each.entry.started, each.entry.path.name))


def find_leaks(sittings: Iterable[ReviewedSitting]) -> list[Leak]:
    """Return the leaks by game and kind, costliest first.

    Costs of different games are compared in relation to what a strong player of the game loses. The
    sessions may be given in any order.
    """
    leaks = [leak for game, own in _by_game(sittings) for leak in _of_game(game, own, _own_kind)]
    return sorted(leaks, key=_costliest_first)


def find_habits(sittings: Iterable[ReviewedSitting]) -> list[HabitLeak]:
    """Return the leaks by game and habit in the order of :func:`find_leaks`, with their kinds."""
    every, found = [*sittings], list[HabitLeak]()
    leaks = find_leaks(every)
    for game, own in _by_game(every):
        for total in _of_game(game, own, _as_habit):
            kinds = (leak for leak in leaks if (leak.game, leak.habit) == (game, total.habit))
            found.append(HabitLeak(total, tuple(kinds)))
    return sorted(found, key=lambda one: _costliest_first(one.total))


_Grouping: TypeAlias = Callable[[MistakeKind, Habit], MistakeKind]


def _own_kind(kind: MistakeKind, habit: Habit) -> MistakeKind:
    return kind


def _as_habit(kind: MistakeKind, habit: Habit) -> MistakeKind:
    return MistakeKind(habit.name, "")


def _by_game(sittings: Iterable[ReviewedSitting]) -> Iterable[tuple[str, list[ReviewedSitting]]]:
    by_game: defaultdict[str, list[ReviewedSitting]] = defaultdict(list)
    for each in sittings:
        if each.stake is not None:
            by_game[each.entry.game or ""].append(each)
    return by_game.items()


def _costliest_first(leak: Leak) -> tuple[float, str, str]:
    """Return the sort key of a leak."""
    return -leak.relative.cost, leak.game, str(leak.kind)


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


def _of_game(game: str, own: list[ReviewedSitting], group: _Grouping) -> Iterable[Leak]:
    own = chronological(own)
    habits = own[0].habits
    kinds: defaultdict[MistakeKind, set[MistakeKind]] = defaultdict(set)
    each_cost: defaultdict[MistakeKind, list[float]] = defaultdict(list)
    sums: defaultdict[MistakeKind, _Costs] = defaultdict(_Costs)
    choices, acts, rounds = Counter[str](), ActFrequencies(), 0
    for each in own:
        choices.update(each.choices)
        add_frequencies(acts, each.acts)
        for mistake in each.mistakes:
            kind = group(mistake.kind, habits.of_kind(mistake.kind))
            kinds[kind].add(mistake.kind)
            each_cost[mistake.kind].append(each.cost_of(mistake))
            sums[kind].add(rounds + mistake.round - 1, each.cost_of(mistake))
        rounds += each.rounds
    half, ends = rounds // 2, [rounds * n // RATE_PERIODS for n in range(RATE_PERIODS + 1)]
    rates = rates_of_groups(kinds, each_cost, rounds)
    for kind, costs in sums.items():
        habit = habits.of_kind(next(iter(kinds[kind])))
        slips = kinds[kind] if kind.slip else _all_kinds(habits, habit, kinds[kind], choices, acts)
        occasions = _occasions(slips, choices, acts)
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
            occasions.possible,
            sum(costs.each) / len(costs.each),
            habit.name,
            habit.act,
            occasions,
            habits.benchmark if habit.act or habits.flawless else "",
            own[0].strong_loss,
        )


def _all_kinds(
    habits: Habits,
    habit: Habit,
    made: Iterable[MistakeKind],
    choices: Iterable[str],
    acts: ActFrequencies,
) -> set[MistakeKind]:
    """Return all kinds of a habit that were possible, given the kinds of mistakes made."""
    slips = {kind.slip for kind in made}
    kinds = (MistakeKind(spot, slip) for spot in choices for slip in slips | {*acts.get(spot, ())})
    return {kind for kind in kinds if habits.of_kind(kind) == habit}


def _occasions(
    kinds: Iterable[MistakeKind], choices: Mapping[str, int], acts: ActFrequencies
) -> ActFrequency:
    """Add up how often any of these kinds was possible, and how often it was done."""
    by_spot: defaultdict[str, list[ActFrequency]] = defaultdict(list)
    for kind in kinds:
        known = acts.get(kind.spot, {}).get(kind.slip, ActFrequency(choices.get(kind.spot, 0)))
        by_spot[kind.spot].append(known)
    total = NO_FREQUENCY
    for each in by_spot.values():
        together = ActFrequency(  # different acts were possible in the same choices
            max(one.possible for one in each),
            max(one.compared for one in each),
            sum(one.done for one in each),
            sum(one.benchmark for one in each),
        )
        total = total.plus(together)
    return total


def describe_leak(leak: Leak, figure: Callable[[float], str] = "{:.2f}".format) -> tuple[str, str]:
    """Return two sentences about a leak: how often it occurs, and its cost and trend.

    The first sentence compares the player with the benchmark player.
    """
    costs = f"Each mistake costs {figure(leak.each)} {leak.unit} on average"
    if leak.count > 1:
        costs += f", together {figure(leak.count * leak.each)}"
    if leak.trend is not Trend.UNSURE:
        later, earlier = figure(leak.later.cost), figure(leak.earlier.cost)
        which = "falling" if leak.trend is Trend.BETTER else "rising"
        return _often(leak), f"{costs}; {which}: {later} lately, {earlier} before."
    sure = leak.rate.cost > TREND_ERRORS * leak.rate.error
    reason = "no clear trend yet" if sure else "this may be chance (few rounds)"
    return _often(leak), f"{costs}; {reason}."


def describe_habit(
    habit: HabitLeak, figure: Callable[[float], str] = "{:.2f}".format
) -> tuple[str, str]:
    """Return the sentences of :func:`describe_leak` about a habit as a whole."""
    return describe_leak(habit.total, figure)


def _often(leak: Leak) -> str:
    """Return a sentence that says how often the player does it, and the benchmark player."""
    _, compared, done, benchmark = leak.frequency
    if leak.act and compared and leak.count <= done:
        choices = f"{done:,} of {count_noun(compared, 'such choice')}"
        mine, other = (_share(count / compared) for count in (done, benchmark))
        share = f" ({mine.removeprefix('in ')})" if 0 < done < compared else ""
        others = f"{other} does" if other in ("never", "always") else f"does {other}"
        wrong = "" if leak.count == done else f"; {count_noun(leak.count, 'mistake')}"
        return f"You {leak.act} in {choices}{share}; {leak.benchmark} {others}{wrong}."
    times = "once" if leak.count == 1 else f"{leak.count:,} times"
    among = f"{times} in {leak.moments:,} such choices" if leak.moments > 1 else times
    never = f"; {leak.benchmark} never does" if leak.benchmark and not leak.act else ""
    return f"You did this {among}{never}."


def _share(share: float) -> str:
    """Return in what share of choices something is done: ``never``, ``always`` or ``in 38%``."""
    if share in (0, 1):
        return "always" if share else "never"
    least, most = 0.005, 0.995  # beyond these, rounding would say never or always
    return f"in {'under 1%' if share < least else 'over 99%' if share > most else f'{share:.0%}'}"


def cost_rate(costs: Sequence[float], rounds: int) -> CostRate:
    """Return the cost per 100 rounds, given the costs of the rounds that had mistakes.

    Rounds without mistakes are not in ``costs``. The error of a single round is unknown and given
    as 0. Without rounds, the rate is also 0.
    """
    if not rounds:
        return CostRate(0.0, 0.0)
    mean = sum(costs) / rounds
    spread = sum((cost - mean) ** 2 for cost in costs) + (rounds - len(costs)) * mean**2
    error = sqrt(spread / (rounds - 1) / rounds) if rounds > 1 else 0.0
    return CostRate(ROUNDS_PER_RATE * mean, ROUNDS_PER_RATE * error)


# ---- estimates with a prior ----------------------------------------------------------------------


_Group = TypeVar("_Group")


def rates_by_kind(
    costs: Mapping[MistakeKind, Sequence[float]], rounds: int
) -> dict[MistakeKind, CostRate]:
    """Estimate the rate of each kind from the costs of its mistakes in ``rounds`` rounds."""
    return rates_of_groups({kind: (kind,) for kind in costs}, costs, rounds)


def rates_of_groups(
    groups: Mapping[_Group, Iterable[MistakeKind]],
    costs: Mapping[MistakeKind, Sequence[float]],
    rounds: int,
) -> dict[_Group, CostRate]:
    """Estimate the summed rate of each group of kinds, from the costs of all kinds of the game."""
    counts = Counter(len(each) for each in costs.values())
    mistakes = sum(count * kinds for count, kinds in counts.items())
    priors, spread = _prior_weights(counts), _spread(costs.values())
    usual = sum(map(sum, costs.values())) / max(1, mistakes)
    rates = {}
    for group, kinds in groups.items():
        lists = [costs[kind] for kind in sorted(kinds, key=str)]  # sums in a fixed order
        seen = [(len(each), sum(each) / len(each)) for each in lists]
        mean = square = 0.0
        for weight, discount, concentration in priors:
            whole = mistakes + concentration
            first = sum(cost * (count - discount) for count, cost in seen)
            # the moments of a Dirichlet distribution; each average cost is uncertain on its own
            second = first**2 + sum(
                (count - discount)
                * (cost**2 + (count - discount + 1) * spread / count * max(cost, usual) ** 2)
                for count, cost in seen
            )
            mean += weight * first / whole
            square += weight * second / (whole * (whole + 1))
        mean *= mistakes / rounds
        square *= mistakes * (mistakes + 1) / rounds**2
        rates[group] = _rate(mean, skewed_error(mean, square - mean**2))
    return rates


def rate_of_all(costs: Sequence[float], rounds: int) -> CostRate:
    """Estimate the rate of all mistakes together from the cost of each, in rounds or choices."""
    squares, costliest = sum(cost**2 for cost in costs), max(costs, default=0.0)
    total = sum(costs)
    return _rate(total / rounds, total_error(total, squares, costliest) / rounds)


def _rate(mean: float, error: float) -> CostRate:
    return CostRate(ROUNDS_PER_RATE * mean, ROUNDS_PER_RATE * error)


def _prior_weights(counts: Mapping[int, int]) -> list[tuple[float, float, float]]:
    """Return triples (weight, discount, concentration); the weights are likelihoods with sum 1.

    ``counts`` maps a number of occurrences to the number of kinds that occurred this often.
    """
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


RECENT = 500
"""The number of choices that count; all choices of the earliest session count."""
FEWEST = 100
"""With fewer choices, the strength is unknown."""


class Strength(Struct, frozen=True):
    """The cost per 100 choices at a game, in its ``unit``, and the number of these choices.

    ``levels`` are the game's computer players, strongest first.
    """

    game: str
    rate: CostRate
    choices: int
    unit: str
    levels: tuple[LevelCost, ...]

    def __str__(self) -> str:
        """Return a phrase with the cost, its error and the place among computer players."""
        cost = f"{self.rate.cost:.2f} {self.unit} per 100 choices (standard error "
        place = f": {' '.join(self.place)}" if self.place else ""
        return f"{cost}{self.rate.error:.2f}), last {self.choices:,} choices{place}"

    @property
    def place(self) -> tuple[str, ...]:
        """The computer players that are slightly weaker and stronger: ``between A``, ``and B``.

        There is nothing to say about a game without computer players to compare with.
        """
        if not self.levels:
            return ()
        first, last = self.levels[0], self.levels[-1]
        if self.rate.cost <= first.cost:
            return (f"as strong as {first.name}",)
        if self.rate.cost > last.cost:
            return (f"weaker than {last.name}",)
        stronger, weaker = next(
            (a, b) for a, b in pairwise(self.levels) if a.cost < self.rate.cost <= b.cost
        )
        return f"between {weaker.name}", f"and {stronger.name}"


def find_strengths(sittings: Iterable[ReviewedSitting]) -> list[Strength]:
    """Return the strength at each game with enough choices, the game played last first."""
    by_game: defaultdict[str, list[ReviewedSitting]] = defaultdict(list)
    for each in reversed(chronological(sittings)):
        if each.stake is not None and each.choices:
            by_game[each.entry.game or ""].append(each)
    strengths = (_strength(game, latest) for game, latest in by_game.items())
    return [strength for strength in strengths if strength.choices >= FEWEST]


def _strength(game: str, latest: Sequence[ReviewedSitting]) -> Strength:
    costs, choices = list[float](), 0
    for each in latest:
        if choices >= RECENT:
            break
        choices += sum(each.choices.values())
        costs += map(each.cost_of, each.mistakes)
    return Strength(game, rate_of_all(costs, choices), choices, latest[0].unit, latest[0].levels)
