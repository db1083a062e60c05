"""The exact odds of five-card draw as text and as JSON."""

from __future__ import annotations

from ....cards.draw_odds import TOTAL_WEIGHT
from ....cards.hand_indexing import DEAL_COUNT
from ....cards.poker import HandCategory
from ....records.codec import ascii_json
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
