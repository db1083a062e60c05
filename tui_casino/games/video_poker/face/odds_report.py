"""The exact odds of video poker as text and as JSON."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from msgspec import Struct

from ....cards.draw_odds import TOTAL_WEIGHT
from ....inputs.numbers import count_noun
from ....records.codec import ascii_json
from ..brains.bankroll import bets_against_ruin, bets_to_double, bets_to_last
from ..brains.hand_odds import PayoutDistribution
from ..brains.odds import Strategy, odds_of
from ..machine.rules import PayTable

STRATEGIES: tuple[tuple[Strategy, str], ...] = (
    ("optimal", "Perfect play"),
    ("list", "The 34-line strategy"),
)


def as_json(table: PayTable, coins: int) -> str:
    """Return a JSON object: return ([numerator, denominator]), variance, and count of each row.

    Each strategy's counts add up to :data:`~tui_casino.cards.draw_odds.TOTAL_WEIGHT`.
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
    """Return the report as text: both returns, their difference, and how often each row hits."""
    odds = odds_of(table, coins)
    outcomes = [odds.report(strategy) for strategy, _ in STRATEGIES]
    lines = [
        f"{table.title}, {count_noun(coins, 'coin')}: exact, over all deals and draws",
        "",
    ]
    for (_, name), distribution in zip(STRATEGIES, outcomes, strict=True):
        lines += _summary(name, distribution)
    list_cost = outcomes[0].credits - outcomes[1].credits
    lines += [
        f"The 34-line strategy costs {float(list_cost):.6f} credits per round "
        "compared with perfect play.",
        "",
    ]
    heads = ("pays", "perfect: count", "one in", "34 lines: count")
    lines += [f"{'Hand':<24}{heads[0]:>6}{heads[1]:>22}{heads[2]:>12}{heads[3]:>22}"]
    for row, pay, best, list_count in zip(
        outcomes[0].rows, outcomes[0].pays, outcomes[0].counts, outcomes[1].counts, strict=True
    ):
        one_in = f"{TOTAL_WEIGHT / best:,.2f}" if best else "never"
        lines.append(f"{row:<24}{pay:>6}{best:>22,}{one_in:>12}{list_count:>22,}")
    return "\n".join([*lines, f"{'total':<24}{TOTAL_WEIGHT:>28,}{'':>12}{TOTAL_WEIGHT:>22,}"])


def _summary(name: str, distribution: PayoutDistribution) -> list[str]:
    expected: Fraction = distribution.expected_return
    return [
        f"{name} returns {float(expected):.16f} of each bet",
        f"  exactly {expected.numerator} / {expected.denominator}",
        f"  variance {float(distribution.variance):.6f} (bets squared)",
        "",
    ]


class RuinQuery(Struct, frozen=True):
    """A request for the bankroll whose risk of ruin is ``chance``.

    By default, ruin counts at any time; with ``hands``, only within this number of hands; with
    ``double``, only before the bankroll doubles. ``cash_back`` and the ``cost`` of mistakes are
    shares of each bet.
    """

    chance: float
    hands: int | None = None
    cash_back: Fraction = Fraction(0)
    cost: Fraction = Fraction(0)
    double: bool = False


def ruin_json(table: PayTable, coins: int, risk: RuinQuery) -> str:
    """Return a JSON object: the bankroll in bets, and the chances that go with it.

    Raises ``ValueError`` like the functions of :mod:`..brains.bankroll`.
    """
    bets, chance = _ruin(table, coins, risk)
    details: dict[str, float] = {}
    if risk.hands is not None:
        details = {"hands": risk.hands, "lasts": chance}
    elif risk.double:
        details = {"before_doubling": chance}
    return ascii_json({"bets": bets, **details})


def ruin_text(table: PayTable, coins: int, risk: RuinQuery) -> str:
    """Return the answer as one sentence. Raises the errors of :func:`ruin_json`."""
    bets, chance = _ruin(table, coins, risk)
    event, chance_text = "that it is ever lost", f"at most {risk.chance:.4%}"
    if risk.hands is not None:
        event, chance_text = f"that it is lost within {risk.hands:,} hands", f"{1 - chance:.4%}"
    elif risk.double:
        event, chance_text = "that it is lost before it doubles", f"{chance:.4%}"
    cost = f"{float(risk.cost):.4%}"
    play = f"with mistakes that cost {cost} of each bet" if risk.cost else "with perfect play"
    return (
        f"{table.title}, {count_noun(coins, 'coin')}, {play}: a bankroll of"
        f" {bets:,} bets ({bets * coins:,} credits); chance {event}: {chance_text}"
    )


def _ruin(table: PayTable, coins: int, risk: RuinQuery) -> tuple[int, float]:
    optimum = odds_of(table, coins).report("optimal")
    if risk.hands is not None:
        return bets_to_last(optimum, risk.hands, risk.chance, risk.cost)
    if risk.double:
        return bets_to_double(optimum, risk.chance, risk.cost)
    return bets_against_ruin(optimum, risk.chance, risk.cash_back, risk.cost), risk.chance
