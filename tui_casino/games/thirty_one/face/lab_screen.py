"""The rules lab in a window: options to switch, and the house edge with them."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.geometry import Region

from ....tui.draw.canvas import Canvas, ClickTarget
from ....tui.theme import sheets_of
from ....tui.widgets.line_widget import CanvasWidget
from ....tui.window import Window
from ..brains.rules_lab import OPTIONS
from ..machine.rules import Rules
from .trainer import LabBench
from .widgets.side_panel import LabState, paint_lab


class LabView(CanvasWidget):
    """The lab with a cursor on one of its options."""

    def __init__(self, lab: LabState, switched: Callable[[int], None]) -> None:
        super().__init__()
        self.lab, self._on_switch = lab, switched
        self._click_targets: list[ClickTarget] = []

    def show(self, lab: LabState) -> None:
        if lab != self.lab:
            self.lab = lab
            self.refresh()

    def _shown(self) -> object:
        return self.lab

    def _paint(self, canvas: Canvas) -> None:
        place = Region(2, 0, canvas.width - 2, canvas.height)
        self._click_targets = paint_lab(canvas, place, self.lab)

    def on_click(self, event: events.Click) -> None:
        for region, number in self._click_targets:
            if region.contains(event.x, event.y):
                self._on_switch(int(number))


class LabScreen(Window[None]):
    """Lets the player change rules, and sit down at a table with the changed rules."""

    CSS_PATH = [*sheets_of("thirty-one")]  # noqa: RUF012 - as Textual has it
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,l", "dismiss", "Close", id="lab.close"),
        Binding("up,k", "move(-1)", "Up", show=False, id="lab.up"),
        Binding("down,j", "move(1)", "Down", show=False, id="lab.down"),
        Binding("space,enter", "switch", "Switch", id="lab.switch"),
        Binding("f4", "sit_down", "Sit down", id="lab.sit_down"),
    ]
    edge = "space: switch, F4: play with these rules, Esc"

    def __init__(self, bench: LabBench, sit_down: Callable[[Rules], None]) -> None:
        super().__init__(classes="modal lab")
        self._bench, self._sit_down = bench, sit_down
        self._cursor = 0

    def compose(self) -> ComposeResult:
        with Vertical(classes="window") as window:
            window.border_title = "Rules lab"
            self.lab_view = LabView(self._lab, self.switch)
            yield self.lab_view

    def on_mount(self) -> None:
        """Start computing the figures, and listen for updates."""
        self._previous_listener, self._bench.changed = self._bench.changed, self._update
        self._bench.begin()

    def on_unmount(self) -> None:
        self._bench.changed = self._previous_listener
        super().on_unmount()

    @property
    def _lab(self) -> LabState:
        return self._bench.lab.with_cursor(self._cursor)

    def _update(self) -> None:
        self.lab_view.show(self._lab)
        self._previous_listener()

    def switch(self, number: int) -> None:
        """Turn an option on or off, and move the cursor to the option."""
        self._cursor = number
        self._bench.switch(number)

    def action_switch(self) -> None:
        self.switch(self._cursor)

    def action_move(self, step: int) -> None:
        self._cursor = max(0, min(self._cursor + step, len(OPTIONS) - 1))
        self.lab_view.show(self._lab)

    def action_sit_down(self) -> None:
        self.dismiss()
        self.app.call_later(self._sit_down, self._bench.lab.rules)
