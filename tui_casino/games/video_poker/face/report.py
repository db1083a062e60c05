"""The exact odds of video poker as text and as JSON."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from ....cards.draws import WEIGHT
from ....records.codec import ascii_json
from ..brains.odds import Outcomes, Strategy, odds_of
from ..brains.ruin import bets_against_ruin, bets_to_last
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
    for (_, name), found in zip(STRATEGIES, outcomes, strict=True):
        lines += _summary(name, found)
    lost = outcomes[0].credits - outcomes[1].credits
    lines += [f"The list costs {float(lost):.6f} credits a round against the optimum.", ""]
    lines += [f"{'Hand':<24}{'pays':>6}{'optimum: count':>22}{'one in':>12}{'list: count':>22}"]
    for row, pay, best, by_list in zip(
        outcomes[0].rows, outcomes[0].pays, outcomes[0].counts, outcomes[1].counts, strict=True
    ):
        one_in = f"{WEIGHT / best:,.2f}" if best else "never"
        lines.append(f"{row:<24}{pay:>6}{best:>22,}{one_in:>12}{by_list:>22,}")
    return "\n".join([*lines, f"{'of':<24}{WEIGHT:>28,}{'':>12}{WEIGHT:>22,}"])


def _summary(name: str, found: Outcomes) -> list[str]:
    expected: Fraction = found.expected_return
    return [
        f"{name} returns {float(expected):.16f}",
        f"  exactly {expected.numerator} / {expected.denominator}",
        f"  with variance {float(found.variance):.6f} per unit bet, squared",
        "",
    ]


def ruin_json(
    table: PayTable, coins: int, risk: float, hands: int | None, cash_back: Fraction
) -> str:
    """Give one JSON object: the bets that one needs; within so many hands, also how surely.

    Raises ``ValueError`` as :mod:`..brains.ruin`.
    """
    bets, lasts = _ruin(table, coins, risk, hands, cash_back)
    more = {} if lasts is None else {"hands": hands, "lasts": lasts}
    return ascii_json({"bets": bets, **more})


def ruin_text(
    table: PayTable, coins: int, risk: float, hands: int | None, cash_back: Fraction
) -> str:
    """Give the same in a line. Raises as :func:`ruin_json`."""
    bets, lasts = _ruin(table, coins, risk, hands, cash_back)
    when = "are ever lost" if hands is None else f"do not last {hands:,} hands"
    how = f"{risk:.4%}" if lasts is None else f"{1 - lasts:.4%}"
    least = "no more than " if lasts is None else ""
    return (
        f"{table.title}, {coins} coin{'s' * (coins > 1)}, by the best play:"
        f" {bets:,} bets ({bets * coins:,} credits) {when} with a chance of {least}{how}"
    )


def _ruin(
    table: PayTable, coins: int, risk: float, hands: int | None, cash_back: Fraction
) -> tuple[int, float | None]:
    optimum = odds_of(table, coins).report("optimal")
    if hands is not None:
        return bets_to_last(optimum, hands, risk)
    return bets_against_ruin(optimum, risk, cash_back), None
