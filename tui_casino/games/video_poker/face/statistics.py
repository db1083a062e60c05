"""The statistics screen of video poker: the course's table beside the share of every row."""

from __future__ import annotations

from collections.abc import Sequence

from ....cards.draws import WEIGHT
from ....tui.table.statistics import StatisticsScreen
from ..brains.odds import odds_of
from ..machine.game import State, slug
from ..machine.rules import MAX_COINS, NOTHING, PayTable
from .tally import Tally, table


class VideoPokerStatistics(StatisticsScreen):
    """How often each row came, and how often it should with the best play."""

    columns = (49, 80)

    def __init__(
        self, tally: Tally, view: State, bankroll: Sequence[int], paytable: PayTable
    ) -> None:
        super().__init__(slug, table(tally, view.credit, paytable), tally.report(), bankroll)
        self._tally, self._paytable = tally, paytable

    def expected(self) -> str:
        """Give the expected share of every row, by the exact odds."""
        found = odds_of(self._paytable, MAX_COINS).report("optimal")
        counts, rounds = self._tally.counts, self._tally.rounds
        lines = [f"{'Row':<20}{'came':>8}{'share':>10}{'expected':>11}"]
        for row, count in found.hands.items():
            share = f"{100 * counts[row] / rounds:.3f}%" if rounds else "-"
            name = row.capitalize() if row != NOTHING else "Nothing"
            lines.append(f"{name:<20}{counts[row]:>8,}{share:>10}{100 * count / WEIGHT:>10.4f}%")
        lines.append("Expected: best play with 5 coins")
        return "\n".join(lines)
