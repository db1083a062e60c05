"""Statistics of recorded sessions, by game and overall; free play has its own figures."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property, reduce
from math import sqrt
from operator import add
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from ..engine.game import Seat
from ..engine.money import dollars
from ..gamekit.adviser import Expectation
from ..gamekit.definition import AnyDefinition, Games
from ..gamekit.tally import Tally
from ..inputs.sanitize import printable
from .codec import decode
from .log_catalog import CatalogEntry
from .log_header import HUMAN
from .result_split import ResultSplit
from .summaries import (
    NO_STREAKS,
    ExclusionReason,
    ReviewedLog,
    SittingSummary,
    chance_of_result,
    longest_streaks,
)

if TYPE_CHECKING:
    from ..gamekit.distributions import ReturnDistribution


class PlayedSitting(Struct, frozen=True):
    """A session that is included in the statistics."""

    entry: CatalogEntry
    summary: SittingSummary

    @property
    def name(self) -> str:
        """The name of the session's log."""
        return printable(self.entry.path.stem)


class Luck(Struct, frozen=True, dict=True):
    """The money that was paid back, in cents, compared with the expectation by the exact odds.

    Only bets with known odds are included.
    """

    wagered: int
    won: int
    expected: Expectation
    distributions: Mapping[ReturnDistribution, int] = field(default_factory=dict)

    @cached_property
    def as_bad(self) -> float | None:
        """The chance of a result this bad or worse; ``None`` if not all distributions are known."""
        return chance_of_result(self.distributions, self.won)

    @property
    def deviation(self) -> float:
        """The standard deviation of the money that is paid back, in cents."""
        return sqrt(self.expected.variance)

    @property
    def luck(self) -> float | None:
        """The result minus the expected result, in standard deviations; ``None`` without bets."""
        return float(self.won - self.expected.mean) / self.deviation if self.deviation else None


class BankrollPoint(Struct, frozen=True):
    """A session on the time axis: its result, the total so far, and the cost of mistakes, in cents.

    In a game for points, these are the lead, the total lead, and the cost in points.
    """

    name: str
    at: int
    game: str
    net: int
    bankroll: int
    mistakes: int | None
    cost: Fraction


class MistakeTotals(Struct, frozen=True):
    """The mistakes in the sessions whose choices were analysed; the cost is in cents or points."""

    sittings: int
    count: int
    cost: float
    for_points: bool

    @property
    def cost_text(self) -> str:
        """The cost in credits, or in points with their unit."""
        return f"{self.cost:.2f} points" if self.for_points else dollars(round(self.cost))


class SittingTotals(Struct, frozen=True, dict=True):
    """The sums of some sessions in chronological order; money is in cents.

    If some sessions were for money, mistakes in games for points are not counted.
    """

    sittings: tuple[PlayedSitting, ...]

    @property
    def rounds(self) -> int:
        """The number of finished rounds."""
        return sum(sat.summary.rounds for sat in self.sittings)

    @property
    def wagered(self) -> int:
        """The sum of all bets."""
        return sum(sat.summary.wagered for sat in self.sittings)

    @property
    def won(self) -> int:
        """The sum of all money that was paid back."""
        return sum(sat.summary.won for sat in self.sittings)

    @property
    def net(self) -> int:
        """The net result."""
        return self.won - self.wagered

    @cached_property
    def luck(self) -> Luck | None:
        """The result compared with the exact odds; ``None`` if they are not known."""
        expectations = [
            (sat.summary, mean) for sat in self.sittings if (mean := sat.summary.expectation)
        ]
        if not expectations:
            return None
        distributions = Counter["ReturnDistribution"]()
        for summary, _ in expectations:
            distributions.update(dict(summary.laws))
        if any(not summary.laws and summary.wagered for summary, _ in expectations):
            distributions.clear()  # not all are known
        return Luck(
            sum(summary.wagered for summary, _ in expectations),
            sum(summary.won for summary, _ in expectations),
            reduce(add, (expected for _, expected in expectations)),
            distributions,
        )

    @cached_property
    def split(self) -> ResultSplit | None:
        """The results split into luck and play; ``None`` unless known for every session.

        If some sessions were for money, games for points are left out.
        """
        sittings = [sat for sat in self.sittings if self.for_points or sat.summary.score is None]
        splits = [split for sat in sittings if (split := sat.summary.split)]
        return reduce(add, splits) if splits and len(splits) == len(sittings) else None

    @property
    def for_points(self) -> bool:
        """Whether all sessions were played for points."""
        return bool(self.sittings) and all(sat.summary.score is not None for sat in self.sittings)

    @cached_property
    def mistakes(self) -> MistakeTotals:
        """The mistakes in all sessions."""
        judged = [point for point in self.points() if point.mistakes is not None]
        return MistakeTotals(
            len(judged),
            sum(point.mistakes or 0 for point in judged),
            round(float(sum(point.cost for point in judged)), 2),
            self.for_points,
        )

    @property
    def games_won(self) -> int:
        """The number of sessions for points that were played to the end and won."""
        scores = [sat.summary.score for sat in self.sittings if sat.entry.played_out]
        return sum(score is not None and score[0] > score[1] for score in scores)

    @property
    def points_ahead(self) -> int:
        """The sum of the leads in a game for points."""
        return sum(point.net for point in self.points())

    def points(self) -> Iterator[BankrollPoint]:
        """Yield the sessions in chronological order; the bankroll begins at 0."""
        bankroll, all_for_points = 0, self.for_points
        for sat in self.sittings:
            summary, net, mistakes = sat.summary, sat.summary.net, sat.summary.mistakes
            if summary.score is not None and all_for_points:
                net = summary.score[0] - summary.score[1]
            elif summary.score is not None:
                mistakes = None
            bankroll += net
            cost = Fraction(0) if mistakes is None else Fraction(summary.cost)
            game = sat.entry.game or ""
            yield BankrollPoint(sat.name, sat.entry.started, game, net, bankroll, mistakes, cost)

    def course(self, count: int) -> list[float]:
        """Return ``count`` values of the bankroll at evenly spaced rounds; the first value is 0.

        In a game for points, the value is known only after each session.
        """
        at, known, before, rounds = [0.0], [0], 0, 0
        for point, sat in zip(self.points(), self.sittings, strict=True):
            nets = sat.summary.course or (point.net,)
            for place, net in enumerate(nets, 1):
                at.append(rounds + sat.summary.rounds * place / len(nets))
                known.append(before + net)
            before, rounds = point.bankroll, rounds + sat.summary.rounds
        places = (rounds * number / (count - 1) for number in range(count))
        return [known[bisect_right(at, moment) - 1] for moment in places]

    def report(self) -> dict[str, Any]:
        """Return the figures by name, ready for JSON."""
        nets = [(sat.summary.net, sat.name) for sat in self.sittings]
        streaks = longest_streaks(net for net, _ in nets)
        rounds = sum((sat.summary.run for sat in self.sittings), NO_STREAKS)
        best = [sat.summary.best for sat in self.sittings if sat.summary.best is not None]
        worst = [sat.summary.worst for sat in self.sittings if sat.summary.worst is not None]
        mistakes = self.mistakes
        return {
            "sittings": len(self.sittings),
            "rounds": self.rounds,
            "seconds": sum(sat.summary.played for sat in self.sittings) // 1000,
            "wagered": self.wagered,
            "won": self.won,
            "net": self.net,
            "return_percent": _percent(self.won, self.wagered),
            "expected": _luck(self.luck),
            "without_luck": _split(self.split),
            "best_sitting": _named(max(nets, default=None)),
            "worst_sitting": _named(min(nets, default=None)),
            "best_round": max(best, default=None),
            "worst_round": min(worst, default=None),
            "longest_runs": {
                "sittings_won": streaks.won,
                "sittings_lost": streaks.lost,
                "rounds_won": rounds.won,
                "rounds_lost": rounds.lost,
            },
            "mistakes": {
                "sittings": mistakes.sittings,
                "count": mistakes.count,
                "cost": mistakes.cost,
            },
            "over_time": {
                point.name: {
                    "at": point.at,
                    "game": point.game,
                    "net": point.net,
                    "bankroll": point.bankroll,
                    "mistakes": point.mistakes,
                    "cost": round(float(point.cost), 2),
                }
                for point in self.points()
            },
        }


class Period(Struct, frozen=True):
    """Consecutive sessions of a game: their figures, and the game's own tally."""

    figures: SittingTotals
    tally: Tally[Any]

    @property
    def started(self) -> int:
        """The time when the first session began, in milliseconds since 1970."""
        return self.figures.sittings[0].entry.started

    @property
    def net(self) -> int:
        """The result of the sessions in cents, or the lead in a game for points."""
        return self.figures.points_ahead

    @property
    def averages(self) -> Mapping[str, float | None]:
        """The game's own averages, such as the average hand; empty if it has none.

        They are the group ``average`` of its :meth:`.Tally.report`.
        """
        group = self.tally.report().get("average", {})
        return group if isinstance(group, Mapping) else {}

    @property
    def cost(self) -> Fraction | None:
        """The cost of mistakes per round in cents or points; ``None`` if no choice was analysed."""
        pairs = zip(self.figures.points(), self.figures.sittings, strict=True)
        judged = [(at.cost, sat.summary.rounds) for at, sat in pairs if at.mistakes is not None]
        rounds = sum(count for _, count in judged)
        return sum((cost for cost, _ in judged), Fraction(0)) / rounds if rounds else None

    def report(self) -> dict[str, Any]:
        """Return the figures by name, ready for JSON."""
        points = [*self.figures.points()]
        known = [point.mistakes for point in points if point.mistakes is not None]
        return {
            "from": self.started,
            "to": self.figures.sittings[-1].entry.started,
            "sittings": len(self.figures.sittings),
            "rounds": self.figures.rounds,
            "net": self.net,
            "average": dict(self.averages),
            "mistakes": sum(known) if known else None,
            "cost_a_round": None if self.cost is None else round(float(self.cost), 4),
        }


MOST_PERIODS = 8
"""The largest number of periods; there are never more periods than sessions."""


class TotalsByGame(Struct, frozen=True):
    """Figures overall and by game, with each game's own tally of all its sessions.

    ``eras`` divides the sessions of a game, in chronological order, into periods with about the
    same number of rounds.
    """

    overall: SittingTotals
    games: dict[str, SittingTotals]
    tallies: dict[str, Tally[Any]]
    eras: dict[str, tuple[Period, ...]]

    def report(self) -> dict[str, Any]:
        """Return all figures by name; a game's own ``tally`` and ``average`` are in its units."""
        return {
            "overall": self.overall.report(),
            "games": {
                game: {
                    **figures.report(),
                    "tally": self.tallies[game].report(),
                    "eras": {str(n): era.report() for n, era in enumerate(self.eras[game], 1)},
                }
                for game, figures in self.games.items()
            },
        }


class Statistics(Struct, frozen=True):
    """Sessions for money and free play, and the number of excluded sessions by reason."""

    money: TotalsByGame
    practice: TotalsByGame
    left_out: dict[ExclusionReason, int]

    def report(self) -> dict[str, Any]:
        """Return all figures by name; money is in cents."""
        return {
            "money": self.money.report(),
            "practice": self.practice.report(),
            "left_out": {reason.value: count for reason, count in self.left_out.items()},
        }


def compute_statistics(reviewed: Iterable[ReviewedLog], games: Games) -> Statistics:
    """Return the statistics of reviewed sessions, given in any order."""
    left_out: Counter[ExclusionReason] = Counter()
    sat: list[PlayedSitting] = []
    for each in reviewed:
        if each.left_out is not None:
            left_out[each.left_out] += 1
        elif each.entry.players.count(HUMAN) > 1:  # nobody knows which of them was the player
            left_out[ExclusionReason.SHARED] += 1
        elif each.summary is not None:
            sat.append(PlayedSitting(each.entry, each.summary))
    sat.sort(key=lambda one: (one.entry.started, one.name))
    money = [one for one in sat if one.entry.player is not None]
    practice = [one for one in sat if one.entry.player is None]
    return Statistics(_book(money, games), _book(practice, games), dict(left_out))


def _book(sat: list[PlayedSitting], games: Games) -> TotalsByGame:
    by_game: dict[str, list[PlayedSitting]] = {}
    for one in sat:
        by_game.setdefault(one.entry.game or "", []).append(one)
    return TotalsByGame(
        SittingTotals(tuple(sat)),
        {game: SittingTotals(tuple(own)) for game, own in sorted(by_game.items())},
        {game: reduce(add, _tallies(games[game], own)) for game, own in by_game.items()},
        {game: tuple(_eras(games[game], own)) for game, own in by_game.items()},
    )


def _eras(definition: AnyDefinition, sat: list[PlayedSitting]) -> Iterator[Period]:
    """Divide sessions into periods of about equal length, by the middle round of each session."""
    every, count, before = sum(one.summary.rounds for one in sat), min(MOST_PERIODS, len(sat)), 0
    parted: dict[int, list[PlayedSitting]] = {}
    for one in sat:
        place = int(count * (2 * before + one.summary.rounds) / (2 * every)) if every else 0
        parted.setdefault(place, []).append(one)
        before += one.summary.rounds
    for own in parted.values():
        yield Period(SittingTotals(tuple(own)), reduce(add, _tallies(definition, own)))


def _tallies(definition: AnyDefinition, sat: list[PlayedSitting]) -> Iterator[Tally[Any]]:
    for one in sat:
        begun = definition.tally(Seat(one.entry.players.index(HUMAN)))
        yield decode(one.summary.tally.encode(), type(begun))


def _percent(won: int, wagered: int) -> float | None:
    return round(100 * won / wagered, 4) if wagered else None


def _named(best: tuple[int, str] | None) -> dict[str, Any] | None:
    return None if best is None else {"net": best[0], "log": best[1]}


def _split(split: ResultSplit | None) -> dict[str, Any] | None:
    if split is None:
        return None
    return {
        "net": split.net,
        "luck": round(float(split.luck), 2),
        "play": round(float(split.play), 2),
        "error": None if split.error is None else round(split.error, 2),
        "mistakes": split.mistakes,
        "cost": round(float(split.cost), 2),
    }


def _luck(luck: Luck | None) -> dict[str, Any] | None:
    if luck is None:
        return None
    mean = float(luck.expected.mean)
    return {
        "wagered": luck.wagered,
        "won": luck.won,
        "mean": round(mean, 2),
        "standard_deviation": round(luck.deviation, 2),
        "return_percent": round(100 * mean / luck.wagered, 4) if luck.wagered else None,
        "luck": None if luck.luck is None else round(luck.luck, 4),
        "as_bad": None if luck.as_bad is None else round(luck.as_bad, 6),
    }


NAME_WIDTH, COLUMN_WIDTH = 17, 7
"""The widths of a name and of a figure, in columns."""


def format_trend(eras: Sequence[Period], day: Callable[[int], str], points: bool) -> Iterator[str]:
    """Yield a line for each figure, with a column for each period, headed by its first ``day``.

    A single period yields no lines, because there is nothing to compare. Money is in credits; with
    ``points``, figures are in points.
    """
    if len(eras) < 2:
        return
    yield _line("period from", (day(era.started) for era in eras))
    yield _line("rounds", (f"{era.figures.rounds:,}" for era in eras))
    unit = 1 if points else 100
    nets = (f"{era.net / unit:+,.0f}" for era in eras)
    yield _line("points ahead" if points else "net in credits", nets)
    for name in eras[0].averages:
        yield _line(f"average {name}".replace("_", " "), (_figure(era, name) for era in eras))
    if any(era.cost is not None for era in eras):
        costs = ("" if era.cost is None else _cost(float(era.cost), points) for era in eras)
        yield _line("cost/round", costs)


def _line(name: str, figures: Iterator[str]) -> str:
    return f"{name:<{NAME_WIDTH}}" + "".join(f"{figure:>{COLUMN_WIDTH}}" for figure in figures)


def _figure(era: Period, name: str) -> str:
    average = era.averages.get(name)
    return "" if average is None else f"{average:.2f}"


def _cost(cost: float, points: bool) -> str:
    return f"{cost:.2f}" if points else dollars(round(cost))
