"""The statistics window, shared by all games: counts, expected counts, bankroll, and export."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from ...inputs.errors import BadInput
from ...inputs.files import UserPath
from ...records.export import export_report
from ..draw.plots import plot
from ..draw.report_style import style_report
from ..draw.text import transliterate, with_negative_numbers
from ..terminal.detection import GlyphSet
from ..theme import sheet
from ..widgets.line_widget import look_of
from ..widgets.text_blocks import wrap_lines
from ..window import EDGES, Window
from .background_tasks import NO_MEMORY
from .snapshot import ReferenceLines, StatisticsPage

WIDE = 104
"""The minimum screen width at which the stylesheet puts the figures side by side."""
GAP = 4
"""The columns that the stylesheet puts between them."""
ROWS = 6


class StatisticsScreen(Window[None]):
    """A session's statistics: a game's page, the bankroll in whole dollars, and an export.

    ``unit`` is the unit of money in the export.
    """

    CSS_PATH = [sheet("tables")]  # noqa: RUF012 - as Textual requires
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,enter,space,s", "dismiss", "Close", id="statistics.close"),
        Binding("e", "export", "Export", id="statistics.export"),
    ]
    edge = "e: export, Esc"

    def __init__(
        self,
        slug: str,
        page: StatisticsPage,
        bankroll: Sequence[int],
        folder: Path | None,
        unit: str,
    ) -> None:
        super().__init__(classes="modal statistics")
        self._page, self._bankroll, self._folder, self._unit = page, bankroll, folder, unit
        self._bands, self._expected = ReferenceLines((), ""), ""
        self.exports = tuple(f"{slug}-statistics{ending}" for ending in (".csv", ".json"))

    def compose(self) -> ComposeResult:
        """Lay out the counts immediately; the expected figures follow, then the bankroll."""
        with VerticalScroll(classes="window", can_focus=True) as window:
            window.border_title = "Statistics"
            yield Static(id="exported", markup=False)
            with Container(id="figures"):
                yield Static(id="counts", markup=False)
                yield Static(id="shares", markup=False)
            yield Static(id="plot", markup=False)

    def on_mount(self) -> None:
        self._work_out()

    def on_resize(self) -> None:
        """Narrow the figures to the window, and draw the bankroll as wide as they are."""
        self._write_figures()
        self._draw()

    def _styled(self, text: str) -> Content:
        tier = look_of(self).tier
        plain = transliterate(with_negative_numbers(text), tier)
        return style_report(plain, ascii_only=tier is not GlyphSet.UNICODE)

    def _write_figures(self) -> None:
        columns = self.app.size.width
        counts = wrap_lines(self._page.counts, columns - EDGES)
        beside = max(map(len, counts.split("\n"))) + GAP if columns >= WIDE else 0
        shares = wrap_lines(self._expected, columns - EDGES - beside)
        for name, text in (("#counts", counts), ("#shares", shares)):
            for figures in self.query(name).results(Static):  # none after the window was closed
                figures.update(self._styled(text))

    def _draw(self) -> None:
        if not (self._page.for_money and self._expected):  # the figures would push the plot down
            return
        columns = self.app.size.width
        below, wide_columns = self._page.columns
        width = wide_columns if columns >= WIDE else min(below, columns - EDGES)
        start = self._bankroll[0] if self._bankroll else 0
        around = [[start + net for net in line] for line in self._bands.lines]
        drawn = plot(self._bankroll, width, ROWS, self.app.has_class("-ascii"), references=around)
        head = f"Bankroll {self._bands.label}".rstrip()
        self.query_one("#plot", Static).update(self._styled("\n".join(["", head, *drawn])))

    @work(thread=True)
    def _work_out(self) -> None:
        rounds, bands = len(self._bankroll) - 1, self._page.bands
        try:
            self.app.call_from_thread(self._show_expected, self._page.expected())
            if bands is not None and rounds > 0:
                self.app.call_from_thread(self._show_bands, bands(rounds))
        except MemoryError:
            self.app.call_from_thread(self._show_expected, NO_MEMORY)

    def _show_bands(self, bands: ReferenceLines) -> None:
        self._bands = bands
        if self.query("#plot"):  # none after the window was closed
            self._draw()

    def _show_expected(self, text: str) -> None:
        self._expected = text
        self._write_figures()
        if self.query("#plot"):  # none after the window was closed
            self._draw()

    def action_export(self) -> None:
        messages, _ = export_figures(
            {"unit": self._unit, **self._page.report}, self.exports, self._folder
        )
        for line in self.query("#exported").results(Static):
            line.update("\n".join([*messages, ""]))
            line.scroll_visible(animate=False)


def export_figures(
    report: Mapping[str, Any], names: Sequence[str], folder: Path | None
) -> tuple[list[str], bool]:
    """Write figures to files in a folder; return a message per file, and whether all succeeded."""
    if folder is None:
        return ["There is no folder to export to."], False
    messages, succeeded = [], True
    for name in names:
        try:
            export_report(report, UserPath(name, folder))
            messages.append(f"Exported to {folder / name}")
        except BadInput as error:
            messages.append(str(error))
            succeeded = False
    return messages, succeeded
