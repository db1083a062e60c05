"""The exact odds of video poker as text and as JSON."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ....cards.draw_odds import TOTAL_WEIGHT
from ....records.codec import ascii_json
from ..brains.odds import PayoutDistribution, Strategy, odds_of
from ..brains.ruin import bets_against_ruin, bets_to_double, bets_to_last
from ..machine.rules import PayTable

STRATEGIES: tuple[tuple[Strategy, str], ...] = (
    ("optimal", "The optimum"),
    ("list", "The list of 34 lines"),
)


def as_json(table: PayTable, coins: int) -> str:
    """Give one JSON object: return as [numerator, denominator], variance, counts by row.

    Counts are over the common weight of 19,933,230,517,200.
    """
    odds = odds_of(table, coins)
    report: dict[str, Any] = {"paytable": table.name, "coins": coins}
    for strategy, _ in STRATEGIES:
        outcomes = odds.report(strategy)
        expected = outcomes.expected_return
        report[strategy] = {
            "return": [expected.numerator, expected.denominator],
            "variance": float(outcomes.variance),
            "hands": outcomes.hands,
        }
    return ascii_json(report)


def as_text(table: PayTable, coins: int) -> str:
    """Give a page: the returns, how far they are apart, and how often each row comes."""
    odds = odds_of(table, coins)
    outcomes = [odds.report(strategy) for strategy, _ in STRATEGIES]
    lines = [f"{table.title}, {coins} coin{'s' * (coins > 1)}: every deal and every draw", ""]
    for (_, name), distribution in zip(STRATEGIES, outcomes, strict=True):
        lines += _summary(name, distribution)
    list_cost = outcomes[0].credits - outcomes[1].credits
    lines += [f"The list costs {float(list_cost):.6f} credits a round against the optimum.", ""]
    lines += [f"{'Hand':<24}{'pays':>6}{'optimum: count':>22}{'one in':>12}{'list: count':>22}"]
    for row, pay, best, list_count in zip(
        outcomes[0].rows, outcomes[0].pays, outcomes[0].counts, outcomes[1].counts, strict=True
    ):
        one_in = f"{TOTAL_WEIGHT / best:,.2f}" if best else "never"
        lines.append(f"{row:<24}{pay:>6}{best:>22,}{one_in:>12}{list_count:>22,}")
    return "\n".join([*lines, f"{'of':<24}{TOTAL_WEIGHT:>28,}{'':>12}{TOTAL_WEIGHT:>22,}"])


def _summary(name: str, distribution: PayoutDistribution) -> list[str]:
    expected: Fraction = distribution.expected_return
    return [
        f"{name} returns {float(expected):.16f}",
        f"  exactly {expected.numerator} / {expected.denominator}",
        f"  with variance {float(distribution.variance):.6f} per unit bet, squared",
        "",
    ]


@dataclass(frozen=True, slots=True)
class RuinQuery:
    """A chance to lose all: ever, within so many ``hands``, or before it has doubled.

    ``cash_back`` and the ``cost`` of mistakes are shares of each bet.
    """

    chance: float
    hands: int | None = None
    cash_back: Fraction = Fraction(0)
    cost: Fraction = Fraction(0)
    double: bool = False


def ruin_json(table: PayTable, coins: int, risk: RuinQuery) -> str:
    """Give one JSON object: the bets that one needs; within so many hands, also how surely.

    Raises ``ValueError`` as :mod:`..brains.ruin`.
    """
    bets, chance = _ruin(table, coins, risk)
    details: dict[str, float] = {}
    if risk.hands is not None:
        details = {"hands": risk.hands, "lasts": chance}
    elif risk.double:
        details = {"before_doubling": chance}
    return ascii_json({"bets": bets, **details})


def ruin_text(table: PayTable, coins: int, risk: RuinQuery) -> str:
    """Give the same in a line. Raises as :func:`ruin_json`."""
    bets, chance = _ruin(table, coins, risk)
    event, chance_text = "are ever lost", f"no more than {risk.chance:.4%}"
    if risk.hands is not None:
        event, chance_text = f"do not last {risk.hands:,} hands", f"{1 - chance:.4%}"
    elif risk.double:
        event, chance_text = "are lost before they double", f"{chance:.4%}"
    play = f"with {float(risk.cost):.4%} lost by mistakes" if risk.cost else "by the best play"
    return (
        f"{table.title}, {coins} coin{'s' * (coins > 1)}, {play}:"
        f" {bets:,} bets ({bets * coins:,} credits) {event} with a chance of {chance_text}"
    )


def _ruin(table: PayTable, coins: int, risk: RuinQuery) -> tuple[int, float]:
    optimum = odds_of(table, coins).report("optimal")
    if risk.hands is not None:
        return bets_to_last(optimum, risk.hands, risk.chance, risk.cost)
    if risk.double:
        return bets_to_double(optimum, risk.chance, risk.cost)
    return bets_against_ruin(optimum, risk.chance, risk.cash_back, risk.cost), risk.chance
