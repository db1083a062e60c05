"""The rules lab: options to switch, the house edge with them, and the window that shows both.

The lab is separate from the table: it lets the player try house rules without changing the table.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.geometry import Region
from textual.widget import Widget

from ....structs import replace
from ....tui.draw.canvas import Canvas, ClickTarget
from ....tui.table.background_tasks import BackgroundTasks
from ....tui.theme import sheets_of
from ....tui.widgets.line_widget import CanvasWidget
from ....tui.window import Window
from ..brains.odds import house_edge
from ..brains.rules_lab import OPTIONS, USUAL, EdgeEstimate, edge_effects, edge_of
from ..machine.rules import Rules
from .widgets.side_panel import LabState, paint_lab


class LabBench:
    """The rules lab: a set of rules to try. ``changed`` is called whenever a figure changes."""

    def __init__(self, owner: Widget, rules: Rules, changed: Callable[[], None]) -> None:
        self._owner, self.changed = owner, changed
        self._tasks = BackgroundTasks(owner)
        self._requested_rules: Rules | None = None
        self.lab = LabState(rules)

    def begin(self) -> None:
        """Start computing the figures for the current rules, unless they are known already."""
        rules = self.lab.rules
        if self._requested_rules == rules:
            return
        self._requested_rules = rules

        def still() -> bool:
            return self._owner.is_attached and self.lab.rules == rules

        def put_edge(edges: tuple[Fraction, Fraction, EdgeEstimate | None]) -> None:
            usual, edge, two_deck = edges
            self._put(replace(self.lab, usual_edge=usual, edge=edge, two_deck_edge=two_deck))

        def compute_edges() -> tuple[Fraction, Fraction, EdgeEstimate | None]:
            return house_edge(USUAL), house_edge(rules), edge_of(rules)

        self._tasks.run("edge", compute_edges, put_edge, still)
        self._tasks.run(
            "effects",
            lambda: tuple(effect for _, effect in edge_effects(rules)),
            lambda effects: self._put(replace(self.lab, effects=effects)),
            still,
        )

    def switch(self, number: int) -> None:
        """Turn an option of the rules on or off."""
        rules = OPTIONS[number].switched(self.lab.rules)
        self._put(LabState(rules, usual_edge=self.lab.usual_edge))
        self.begin()

    def _put(self, lab: LabState) -> None:
        self.lab = lab
        self.changed()


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
