"""The statistics screen of five-card draw: hands and credits, and how often hands should come."""

from __future__ import annotations

from collections.abc import Sequence

from ....cards.poker import Category
from ....tui.table.statistics import StatisticsScreen
from ..brains.odds import after_the_algorithm
from ..machine.game import slug
from ..machine.state import HUMAN, State
from .tally import Tally, table


class FiveCardDrawStatistics(StatisticsScreen):
    """What was won and shown, and what the algorithm's draws lead to in the long run."""

    columns = (46, 80)

    def __init__(self, tally: Tally, view: State, bankroll: Sequence[int]) -> None:
        counts = table(tally, view.stacks[HUMAN])
        super().__init__(slug, counts, tally.report(), bankroll)
        self._tally = tally

    def expected(self) -> str:
        """Give the share of every category after the algorithm's draw."""
        counts = dict(self._tally.categories)
        shown = sum(counts.values())
        exact = after_the_algorithm()
        lines = [f"{'Hand':<18}{'shown':>7}{'share':>9}{'expected':>12}"]
        for category in reversed(Category):
            count = counts.get(category, 0)
            share = f"{100 * count / shown:.2f} %" if shown else "-"
            chance = f"{100 * float(exact.chance(category)):.4f} %"
            lines.append(f"{category.words.capitalize():<18}{count:>7,}{share:>9}{chance:>12}")
        lines.append("Expected: drawn by the algorithm")
        return "\n".join(lines)
