"""The reports on the exact odds and on the solution of the limit table, as text and as JSON."""

from __future__ import annotations

from collections.abc import Sequence

from ....cards.draw_odds import TOTAL_WEIGHT
from ....cards.hand_indexing import DEAL_COUNT
from ....cards.poker import HandCategory
from ....records.codec import ascii_json
from ..brains.equilibrium.blueprint import SolutionMetrics, read_blueprint, read_head
from ..brains.equilibrium.solution_figures import (
    BluffFrequencies,
    OpeningFrequencies,
    algorithm_loss,
    bluff_frequencies,
    exact_draw_loss,
    opening_frequencies,
)
from ..brains.odds import CategoryCounts, after_the_algorithm, before_the_draw


def as_json() -> str:
    """Return one JSON object: counts by category, as dealt and after the algorithm's draw.

    The counts as dealt add up to 2,598,960 hands. The counts after the draw are weighted and add
    up to 19,933,230,517,200.
    """
    reports = {"before": before_the_draw(), "after": after_the_algorithm()}
    return ascii_json({name: _by_name(chances) for name, chances in reports.items()})


def _by_name(chances: CategoryCounts) -> dict[str, int]:
    return {category.name.lower(): chances.count(category) for category in HandCategory}


def as_text() -> str:
    """Return a table of how often each category occurs, as dealt and after the draw."""
    before, after = before_the_draw(), after_the_algorithm()
    lines = ["Five-card draw: all deals, and all final hands if the algorithm draws", ""]
    lines += [f"{'Hand':<17}{'dealt':>11}{'chance':>12}{'after the draw':>24}{'chance':>12}"]
    for category in reversed(HandCategory):
        name = category.words.capitalize()
        dealt, drawn = before.count(category), after.count(category)
        chances = float(before.chance(category)), float(after.chance(category))
        lines.append(f"{name:<17}{dealt:>11,}{chances[0]:>12.6%}{drawn:>24,}{chances[1]:>12.6%}")
    return "\n".join([*lines, f"{'Total':<17}{DEAL_COUNT:>11,}{'':>12}{TOTAL_WEIGHT:>24,}"])


_CREDITS, _MB, _SHARE = 4, 2, 4
"""The number of decimals in the report for credits, mb (hundredths of a credit) and shares."""


def solution_as_json() -> str:
    """Return one JSON object: values in credits per hand, shares (0 to 1), exploitability in mb."""
    metrics = read_head().figures
    fold, call, raise_ = (round(share, _SHARE) for share in metrics.facing_bet)
    return ascii_json(
        {
            "value": round(metrics.value, _CREDITS),
            "model": "kernel",
            "true_value": round(metrics.true_value, _CREDITS),
            "true_value_error": round(metrics.true_value_error, _CREDITS),
            "exploitability_mb": round(metrics.exploitability_mb, _MB),
            "true_mb_at_least": round(metrics.true_mb, _MB),
            "true_mb_error": round(metrics.true_error_mb, _MB),
            "opens": round(metrics.opens, _SHARE),
            "after_check": {"bets": round(metrics.bets_after_check, _SHARE)},
            "facing_bet": {"fold": fold, "call": call, "raise": raise_},
            "two_decks": {
                "value": round(metrics.packs_value, _CREDITS),
                "exploitability_mb": round(metrics.packs_exploitability_mb, _MB),
            },
        }
    )


def solution_as_text() -> str:
    """Return a report on each seat's value, opening bets, bluffs, and skill at an ante table.

    This takes several seconds, because only the figures of the first part are stored in the file.
    """
    head, policy_pair = read_blueprint()
    losses = exact_draw_loss(), algorithm_loss()
    parts = (
        solution_summary(head.figures),
        opening_chart(opening_frequencies(policy_pair[0])),
        bluff_chart(bluff_frequencies(policy_pair)),
        skill_text(*losses),
    )
    return "\n\n".join("\n".join(part) for part in parts)


def solution_summary(metrics: SolutionMetrics) -> list[str]:
    """Report the value of each seat and the exploitability of the solution."""
    return [
        "Five-card draw, fixed limit for two players: a near-equilibrium solution",
        "",
        f"In the model, the first seat {_signed_verb(metrics.value)} credits per hand;",
        f"with real deals, it {_signed_verb(metrics.true_value)}"
        f" (standard error {metrics.true_value_error:.{_CREDITS}f}).",
        "",
        *_frequency_rows(metrics),
        "",
        "A best response to the solution wins, in mb per hand (100 mb are 1 credit):",
        f"  in the model with card removal {metrics.exploitability_mb:.{_MB}f}",
        f"  with real deals, at least      {metrics.true_mb:.{_MB}f}"
        f"  (standard error {metrics.true_error_mb:.{_MB}f})",
        "",
        "With one pack per player, so that the two hands are independent:",
        f"  the first seat {_signed_verb(metrics.packs_value)} credits,"
        f" and a best response wins {metrics.packs_exploitability_mb:.{_MB}f} mb",
    ]


def opening_chart(openings: Sequence[OpeningFrequencies]) -> list[str]:
    """List how often each group of hands opens or answers a bet, in %.

    Hands are grouped because equally good solutions play individual hands differently.
    """
    first_header, dealer_header = f"{'opens':>9}{'bets if':>9}", f"{'facing a bet':>21}"
    lines = [
        "Actions before the draw by type of hand, in %:",
        f"{'':<26}{'dealt':>7}{first_header}{dealer_header}",
        f"{'':<26}{'':>7}{'first':>9}{'checked':>9}{'fold':>7}{'call':>7}{'raise':>7}",
    ]
    for one in openings:
        facing = "".join(f"{100 * share:>7.0f}" for share in one.facing)
        shares = f"{100 * one.opens:>9.0f}{100 * one.after_check:>9.0f}"
        lines.append(f"{one.name:<26}{100 * one.dealt:>7.1f}{shares}{facing}")
    return lines


def bluff_chart(rows: Sequence[BluffFrequencies]) -> list[str]:
    """List how often the first seat's bets after the draw are bluffs, next to the ideal share."""
    lines = [
        "Bets of 20 by the first seat after the draw, one pack per player, in %:",
        f"{'drew, opponent':<18}{'pot':>5}{'bets':>8}{'bluffs':>9}{'ideal':>8}",
    ]
    for one in rows:
        drew = f"{one.drew[0] or 'pat'}, {one.drew[1]}"
        shares = f"{100 * one.bets:>8.1f}{100 * one.bluffs:>9.1f}{100 * one.due:>8.1f}"
        lines.append(f"{drew:<18}{one.pot:>5}{shares}")
    return [
        *lines,
        "A pat hand below a pair counts as a bluff. With the share of bluffs in the",
        "column 'ideal', calling a bet breaks even.",
    ]


def skill_text(exact: float, algorithm: float) -> list[str]:
    """Report how much skill is worth at a table without bets."""
    return [
        "With only an ante, skill hardly matters. Against a perfect opponent, with one",
        f"pack per player, the exact draw loses {exact:.3f} credits per hand;",
        f"the algorithm loses {algorithm:.3f}.",
    ]


def _signed_verb(value: float) -> str:
    return f"{'wins' if value > 0 else 'loses'} {abs(value):.{_CREDITS}f}"


def _frequency_rows(metrics: SolutionMetrics) -> list[str]:
    fold, call, raise_ = metrics.facing_bet
    rows = (
        ("The first seat opens", metrics.opens),
        ("The dealer bets after a check", metrics.bets_after_check),
        ("The dealer folds to a bet", fold),
        ("The dealer calls a bet", call),
        ("The dealer raises a bet", raise_),
    )
    return [f"{words:<32}{share:>7.2%}" for words, share in rows]
