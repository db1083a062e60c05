"""The figures of a finished session, and of several: the same rows for the screen and the voice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from ..engine.game import Seat
from ..engine.money import dollars
from ..gamekit.definition import AnyDefinition
from ..gamekit.number_formats import signed_money, with_minus_signs, with_sign
from ..inputs.numbers import count_noun
from ..records.clock import MINUTE, format_time
from ..records.codec import decode
from ..records.session_statistics import SittingTotals
from ..records.summaries import ReviewedLog
from .leaks import Leak, TotalCost, Trend, describe_leak

WEIGHING = "being analysed …"


class ReportRow(NamedTuple):
    """A figure of a report: its name, its value and details; only a name is a heading."""

    name: str
    value: str = ""
    details: str = ""

    @property
    def is_heading(self) -> bool:
        """Whether this row is the heading of the rows that follow."""
        return not self.value

    @property
    def sentence(self) -> str:
        """The row as a sentence, such as ``Net: +12.00.`` for a voice."""
        parts = ", ".join(filter(None, (self.value, self.details)))
        name = f"{self.name[:1].upper()}{self.name[1:]}"
        return f"{name}: {parts}." if parts else f"{name.capitalize()}:"


def summary_rows(
    definition: AnyDefinition, reviewed: ReviewedLog, *, weighed: bool
) -> Iterator[ReportRow]:
    """Yield the figures of a finished session, with mistakes once the choices are ``weighed``.

    A session that does not count has none.
    """
    summary = reviewed.summary
    if summary is None:
        return
    yield ReportRow("rounds", f"{summary.rounds:,}")
    if minutes := summary.played // MINUTE:
        yield ReportRow("time played", f"{minutes:,} min")
    if summary.score is not None:
        mine, other = summary.score
        won = "won" if mine > other else "lost" if mine < other else "even"
        if not reviewed.entry.played_out:
            won = "not played to the end"
        yield ReportRow("score", f"{mine} : {other}, {won}")
    else:
        yield ReportRow("net", signed_money(summary.net))
    if summary.luck is not None:
        deviation = with_sign(round(10 * summary.luck), f"{abs(summary.luck):.1f}")
        yield ReportRow("deviation", f"{deviation} standard deviations")
        if (as_bad := summary.as_bad) is not None and summary.luck > 0:
            yield ReportRow("chance of better", f"{1 - as_bad:.0%}")
        elif as_bad is not None:
            yield ReportRow("chance of this or worse", f"{as_bad:.0%}")
    if definition.adviser.has_judge:
        yield from _mistake_rows(definition, reviewed, weighed)
    if (split := summary.split) is not None:
        _, luck, play = split.amounts
        yield ReportRow(split.name, with_minus_signs(f"{play}{split.margin}, luck {luck}"))


def _mistake_rows(
    definition: AnyDefinition, reviewed: ReviewedLog, weighed: bool
) -> Iterator[ReportRow]:
    summary, choices = reviewed.summary, sum(reviewed.spots.values())
    if not weighed or summary is None or summary.mistakes is None:
        yield ReportRow("mistakes", WEIGHING)
        return
    cost = definition.format_amount(summary.cost_in_units(definition.game.unit))
    cost = f", total cost {cost}{' points' if definition.points else ''}"
    yield ReportRow("mistakes", f"{summary.mistakes:,}{cost}" if summary.mistakes else "none")
    if choices:
        accuracy = f"{1 - summary.mistakes / choices:.1%} of {choices:,} choices"
        yield ReportRow("accuracy", accuracy)


def own_rows(
    definition: AnyDefinition, reviewed: ReviewedLog, *, weighed: bool
) -> Iterator[ReportRow]:
    """Yield a game's own figures of a finished session, if it has any."""
    summary, ending = reviewed.summary, definition.records.ending
    if summary is None or ending is None:
        return
    kind: type[Any] = type(definition.tally(Seat(0)))
    for name, value in ending(decode(summary.tally.encode(), kind), reviewed.mistakes, weighed):
        yield ReportRow(name, value)


def statistics_rows(
    figures: SittingTotals, now: int, titles: Mapping[str, str]
) -> Iterator[ReportRow]:
    """Yield the figures of sessions below headings: rounds, money, mistakes and streaks.

    ``now`` is in milliseconds since 1970; ``titles`` are those of the games by slug.
    """
    report, points = figures.report(), {point.name: point for point in figures.points()}
    mistakes = figures.mistakes
    yield ReportRow("PLAYED")
    yield ReportRow("sessions", f"{report['sittings']:,}")
    yield ReportRow("rounds", f"{report['rounds']:,}")
    yield ReportRow("time played", f"{report['seconds'] // 60:,} min")
    if figures.for_points:
        yield ReportRow("RESULT")
        yield ReportRow("points ahead", with_minus_signs(f"{figures.points_ahead:+,}"))
        if mistakes.sittings:
            each = mistakes.cost / report["rounds"] if report["rounds"] else 0
            details = f"{mistakes.cost_text}, {each:.2f} per round"
            yield ReportRow("mistakes", f"{mistakes.count:,}", details)
        yield from _without_luck(figures)
        return
    if not report["wagered"]:
        return
    yield ReportRow("RESULT")
    yield ReportRow("wagered", dollars(report["wagered"]))
    yield ReportRow("won", dollars(report["won"]))
    yield ReportRow("net", signed_money(report["net"]))
    back, expected = report["return_percent"], report["expected"]
    yield ReportRow("return", "-" if back is None else f"{back:.2f}%")
    if expected is not None and expected["return_percent"] is not None:
        some = expected["wagered"] != report["wagered"]
        basis = f"of {dollars(expected['wagered'])} wagered" if some else ""
        yield ReportRow("expected", f"{expected['return_percent']:.2f}%", basis)
        luck = expected["luck"]
        deviation = "–" if luck is None else with_minus_signs(f"{luck:+z.2f}")
        yield ReportRow("deviation", deviation, "standard deviations")
        if expected["as_bad"] is not None:
            is_above = (luck or 0) > 0
            chance = 1 - expected["as_bad"] if is_above else expected["as_bad"]
            result = "of a better result" if is_above else "of this result or worse"
            yield ReportRow("chance", f"{chance:.2%}", result)
    if mistakes.sittings:
        yield ReportRow("mistakes", f"{mistakes.count:,}", f"total cost {mistakes.cost_text}")
    yield from _without_luck(figures)
    if report["sittings"] > 1:
        yield ReportRow("BEST AND WORST")
    for name in ("best_sitting", "worst_sitting") if report["sittings"] > 1 else ():
        sat = points[report[name]["log"]]
        which = f"{titles[sat.game]}, {format_time(sat.at, now)}"
        value = signed_money(report[name]["net"])
        yield ReportRow(name.replace("_sitting", " session"), value, which)
    if report["sittings"] == 1 and report["best_round"] is not None:
        yield ReportRow("ROUNDS")
    for name in ("best_round", "worst_round"):
        if report[name] is not None:
            yield ReportRow(name.replace("_", " "), signed_money(report[name]))
    streaks = report["longest_runs"]
    for what in ("rounds", "sittings"):
        won, lost = streaks[f"{what}_won"], streaks[f"{what}_lost"]
        named = "sessions" if what == "sittings" else what
        yield ReportRow(f"{named} in a row", f"{won:,} won", f"{lost:,} lost")


def _without_luck(figures: SittingTotals) -> Iterator[ReportRow]:
    if (split := figures.split) is not None:
        _, luck, play = split.amounts
        details = f"{split.margin}, luck {luck}".lstrip(" ,")
        yield ReportRow(split.name, with_minus_signs(play), with_minus_signs(details))


# ---- what mistakes cost --------------------------------------------------------------------------


def format_cost(amount: float) -> str:
    """Format a cost in at most five characters."""
    return f"{amount:.2f}" if amount < 100 else f"{amount:.0f}"


TREND_WORDS = {Trend.BETTER: "falling", Trend.WORSE: "rising", Trend.UNSURE: "not sure"}


def cost_rows(sums: TotalCost) -> Iterator[ReportRow]:
    """Yield the figures of all mistakes together."""
    rate = f"{format_cost(sums.rate.cost)} ± {format_cost(sums.rate.error)}"
    yield ReportRow(f"all, {sums.unit}", rate)
    yield ReportRow("earlier half", format_cost(sums.earlier.cost))
    yield ReportRow("later half", format_cost(sums.later.cost))
    yield ReportRow("trend", TREND_WORDS[sums.trend])
    yield ReportRow("choices", f"{sums.choices:,}")
    yield ReportRow("mistakes", f"{sums.mistakes:,}")
    if (accuracy := sums.accuracy) is not None:
        yield ReportRow("accuracy", f"{accuracy:.1%}")


class LeakFigures(NamedTuple):
    """The figures of a habit or of a kind of mistake, as texts.

    ``cost`` and ``error`` are per 100 rounds; ``relative`` is the cost as a multiple of what a
    strong player loses.
    """

    mistakes: str
    cost: str
    error: str
    relative: str


def leak_figures(leak: Leak) -> LeakFigures:
    """Return the figures of a habit or of a kind of mistake."""
    rate = leak.rate
    return LeakFigures(
        f"{leak.count:,}",
        format_cost(rate.cost),
        format_cost(rate.error),
        f"{leak.relative.cost:,.1f}",
    )


def leak_sentences(leak: Leak) -> Iterator[str]:
    """Yield all figures of a habit or of a kind of mistake as sentences."""
    figures = leak_figures(leak)
    costs = "costs" if leak.count == 1 else "cost"
    yield (
        f"{count_noun(leak.count, 'mistake')} {costs} {figures.cost} {leak.unit} per "
        f"100 rounds, with an error of {figures.error}: {figures.relative} times what a strong "
        "player loses."
    )
    yield from describe_leak(leak)
