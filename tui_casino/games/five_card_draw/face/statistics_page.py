"""The statistics page of five-card draw: hands, credits and expected hand frequencies."""

from __future__ import annotations

from ....cards.poker import HandCategory
from ....gamekit.number_formats import percent
from ....tui.table.snapshot import StatisticsPage, TableSnapshot
from ..brains.lazy import odds
from ..machine.moves import Action
from ..machine.state import State
from .tally import Tally, table

COLUMNS = (46, 80)


def statistics(snapshot: TableSnapshot[State, Action, Tally]) -> StatisticsPage:
    """Return the session's counts next to the shares expected in the long run."""
    tally = snapshot.tally
    counts = table(tally, snapshot.view.stacks[snapshot.seat])
    return StatisticsPage(counts, lambda: _expected(tally), tally.report(), COLUMNS)


def _expected(tally: Tally) -> str:
    """List the share of each hand category shown, next to its chance after the algorithm's draw."""
    counts = dict(tally.categories)
    total = sum(counts.values())
    exact = odds.after_the_algorithm()
    lines = [f"{'Hand':<18}{'shown':>7}{'share':>9}{'expected':>12}"]
    for category in reversed(HandCategory):
        count = counts.get(category, 0)
        share = percent(count, of=total) if total else "-"
        chance = percent(exact.chance(category), 4)
        lines.append(f"{category.words.capitalize():<18}{count:>7,}{share:>9}{chance:>12}")
    lines.append("Expected: after the algorithm's draw")
    return "\n".join(lines)
