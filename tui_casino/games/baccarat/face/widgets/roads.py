"""The widget that draws the roads, and the page that shows all five."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.geometry import Size
from textual.strip import Strip
from textual.widgets import Static

from .....tui.draw.styles import Look
from .....tui.modal_windows import Window
from .....tui.theme.stylesheets import sheets_of
from .....tui.widgets.line_widget import LineWidget, look_of
from ...machine.rules import Coup
from .road_art import FULL, RoadArt, draw_roads


class RoadsView(LineWidget):
    """Shows as many roads as fit; ``more_text`` says which key shows all five."""

    def __init__(self, coups: tuple[Coup, ...] = ()) -> None:
        super().__init__()
        self.coups = coups
        self.more_text = ""

    def show(self, coups: tuple[Coup, ...]) -> None:
        """Set the coups to draw."""
        if coups != self.coups:
            self.coups = coups
            self.refresh()

    def set_more_text(self, text: str) -> None:
        """Set the text that says which key shows all roads."""
        if text != self.more_text:
            self.more_text = text
            self.refresh()

    def _shown(self) -> object:
        return self.coups, self.more_text

    def _draw(self, look: Look, area: Size) -> list[Strip]:
        return draw_roads(self.coups, area.width, area.height, look, self.more_text)


class RoadsPage(Window[None]):
    """All five roads at full height, with a legend."""

    CSS_PATH = [*sheets_of("baccarat")]  # noqa: RUF012 - as Textual has it
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,enter,space,v", "dismiss", "Close", id="roads.close"),
    ]

    def __init__(self, coups: tuple[Coup, ...]) -> None:
        super().__init__(classes="modal")
        self._coups = coups

    def compose(self) -> ComposeResult:
        """Lay out the roads above the legend."""
        with VerticalScroll(classes="window roads-window") as window:
            window.border_title = "Roads"
            view = RoadsView(self._coups)
            view.styles.height = FULL
            yield view
            yield Static(RoadArt(look_of(self)).legend, classes="legend", markup=False)
