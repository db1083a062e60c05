"""The roads on the screen, and on a page of their own."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.strip import Strip
from textual.widgets import Static

from .....tui.widgets.card_art import Look
from .....tui.widgets.cards import Drawn
from .....tui.widgets.steady import Steady
from ...machine.rules import Coup
from .road_art import FULL, RoadArt, draw_roads


class RoadsView(Drawn):
    """As many of the five roads as there is room for."""

    def __init__(self, coups: tuple[Coup, ...] = ()) -> None:
        super().__init__()
        self.coups = coups

    def show(self, coups: tuple[Coup, ...]) -> None:
        """Draw these coups from now on."""
        self.coups = coups
        self._repaint()

    def _shown(self) -> object:
        return self.coups

    def _draw(self, look: Look) -> list[Strip]:
        lines = draw_roads(self.coups, self.size.width, self.size.height, look)
        return [Strip(line.render(self.app.console)) for line in lines]


class RoadsPage(Steady, ModalScreen[None]):
    """All five roads in full height, and what their marks mean."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,enter,space,v", "dismiss", "Close", id="roads.close"),
    ]

    def __init__(self, coups: tuple[Coup, ...]) -> None:
        super().__init__(classes="modal")
        self._coups = coups

    def compose(self) -> ComposeResult:
        """Lay out the roads over the legend."""
        from .....tui.widgets.cards import look_of

        with VerticalScroll(classes="window roads-window") as window:
            window.border_title = "Roads"
            window.border_subtitle = "Esc"
            view = RoadsView(self._coups)
            view.styles.height = FULL
            yield view
            yield Static(RoadArt(look_of(self)).legend, classes="legend", markup=False)
