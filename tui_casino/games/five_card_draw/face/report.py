"""The exact odds of five-card draw as text and as JSON."""

from __future__ import annotations

from ....cards.draw_odds import TOTAL_WEIGHT
from ....cards.hand_indexing import DEAL_COUNT
from ....cards.poker import HandCategory
from ....records.codec import ascii_json
from ..brains.odds import CategoryCounts, after_the_algorithm, before_the_draw


def as_json() -> str:
    """Give one JSON object: counts by category of all deals, and after the algorithm has drawn.

    The first are of 2,598,960, the others of the common weight of 19,933,230,517,200.
    """
    reports = {"before": before_the_draw(), "after": after_the_algorithm()}
    return ascii_json({name: _by_name(chances) for name, chances in reports.items()})


def _by_name(chances: CategoryCounts) -> dict[str, int]:
    return {category.name.lower(): chances.count(category) for category in HandCategory}


def as_text() -> str:
    """Give a page: how often each category is dealt, and how often it is there after the draw."""
    before, after = before_the_draw(), after_the_algorithm()
    lines = ["Five-card draw: every deal, and every draw by the computer's algorithm", ""]
    lines += [f"{'Hand':<17}{'dealt':>11}{'chance':>12}{'after the draw':>24}{'chance':>12}"]
    for category in reversed(HandCategory):
        name = category.words.capitalize()
        dealt, drawn = before.count(category), after.count(category)
        chances = float(before.chance(category)), float(after.chance(category))
        lines.append(f"{name:<17}{dealt:>11,}{chances[0]:>12.6%}{drawn:>24,}{chances[1]:>12.6%}")
    return "\n".join([*lines, f"{'of':<17}{DEAL_COUNT:>11,}{'':>12}{TOTAL_WEIGHT:>24,}"])
