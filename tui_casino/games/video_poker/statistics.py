"""The statistics screen of video poker: counts beside what they should be, bankroll, export."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static

from ...errors import BadInput
from ...records.export import export
from ...tui.steady import Steady
from ...tui.widgets.plots import plot
from .game import State
from .odds import WEIGHT, odds_of
from .rules import MAX_COINS, NOTHING, PayTable
from .tally import Tally, table

EDGES = 4
"""Columns of the window's own."""
BELOW, BESIDE = 49, 80
"""Columns of the figures, one below the other and side by side."""
WIDE = 104
"""Columns of a screen on which the stylesheet puts them side by side."""
ROWS = 6
EXPORTS = ("video-poker-statistics.csv", "video-poker-statistics.json")


class StatisticsScreen(Steady, ModalScreen[None]):
    """The course's table, the expected share of every row, the bankroll, and an export."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,enter,space,s,f2", "dismiss", "Close", id="statistics.close"),
        Binding("e", "export", "Export", id="statistics.export"),
    ]

    def __init__(
        self, tally: Tally, view: State, bankroll: Sequence[int], paytable: PayTable
    ) -> None:
        super().__init__(classes="modal")
        self._tally, self._view = tally, view
        self._bankroll, self._paytable = bankroll, paytable

    def compose(self) -> ComposeResult:
        """Lay out the counts at once; the expected shares follow."""
        with VerticalScroll(classes="window", can_focus=True) as window:
            window.border_title = "Statistics"
            window.border_subtitle = "e: export, Esc"
            with Container(id="figures"):
                counts = table(self._tally, self._view.credit, self._paytable)
                yield Static(counts, id="counts", markup=False)
                yield Static(id="shares", markup=False)
            yield Static(id="plot", markup=False)
            yield Static(id="exported", markup=False)

    def on_mount(self) -> None:
        """Have the shares worked out."""
        self._work_out()

    def on_resize(self) -> None:
        """Draw the bankroll as wide as the figures above it."""
        columns = self.app.size.width
        width = BESIDE if columns >= WIDE else min(BELOW, columns - EDGES)
        drawn = plot(self._bankroll, width, ROWS, self.app.has_class("-ascii"))
        self.query_one("#plot", Static).update("\n".join(["", "Bankroll", *drawn]))

    @work(thread=True)
    def _work_out(self) -> None:
        found = odds_of(self._paytable, MAX_COINS).report("optimal")
        counts, rounds = self._tally.counts, self._tally.rounds
        lines = [f"{'Row':<20}{'came':>8}{'share':>10}{'expected':>11}"]
        for row, count in found.hands.items():
            share = f"{100 * counts[row] / rounds:.3f}%" if rounds else "-"
            name = row.capitalize() if row != NOTHING else "Nothing"
            lines.append(f"{name:<20}{counts[row]:>8,}{share:>10}{100 * count / WEIGHT:>10.4f}%")
        lines.append("Expected: best play with 5 coins")
        self.app.call_from_thread(self._show_shares, "\n".join(lines))

    def _show_shares(self, text: str) -> None:
        for shares in self.query("#shares").results(Static):  # none if closed meanwhile
            shares.update(text)

    def action_export(self) -> None:
        """Write CSV and JSON into the current folder."""
        said = []
        for name in EXPORTS:
            try:
                export(self._tally.report(), name)
                said.append(f"written: {Path(name).absolute()}")
            except BadInput as error:
                said.append(str(error))
        for exported in self.query("#exported").results(Static):
            exported.update("\n".join(["", *said]))
