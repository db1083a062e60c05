"""The tour for a first-time visitor: five short steps, shown once."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from ..modal_windows import Window

STEPS: tuple[tuple[str, str], ...] = (
    (
        "What you can do",
        "The second line from the bottom shows each action that you can take now, with its key. "
        "Space does the first one, in gold: Play, Deal, Call 20. "
        "Grey actions are not available yet; press the key of one to see why.",
    ),
    (
        "Where you can go",
        "The bottom line shows where you can go from here; the key to leave is at its right end. "
        "F1 explains the current screen, and F2 shows your results.",
    ),
    (
        "Commands",
        "At a table you can also type commands. A colon begins one, such as :b 5 for a bet of 5. "
        "The hint line shows what the command would do before you press Enter.",
    ),
    (
        "The trainer",
        "At a table, t switches the trainer on. It shows the EV (expected value) of each choice "
        "before you make it. While it is off, you see only what any player could know.",
    ),
    (
        "Nothing is hidden",
        "Each shuffle is fixed before you bet, and its seed is revealed when you leave: v checks "
        "every card. r opens the history, where you can replay every session.",
    ),
)
"""The steps: a title and a text each."""


class Tour(Window[None]):
    """The steps, one after the other; any other key closes the tour and then does its own work."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space,enter,right", "step(1)", "Next", id="tour.next"),
        Binding("left,backspace", "step(-1)", "Back", id="tour.back"),
        Binding("escape,q", "dismiss", "Close", id="tour.close"),
    ]

    def __init__(self) -> None:
        super().__init__(classes="modal")
        self._at = 0
        self._text = Static(id="tour", markup=False)

    def compose(self) -> ComposeResult:
        """Lay out the first step."""
        with VerticalScroll(classes="window question", can_focus=False) as self._window:
            yield self._text

    def on_mount(self) -> None:
        """Show the first step."""
        self._show()

    def _show(self) -> None:
        title, text = STEPS[self._at]
        self._window.border_title = Content(f"{title}, {self._at + 1} of {len(STEPS)}")
        last = self._at == len(STEPS) - 1
        self.edge = "Space, Esc" if last else "Space continues, Esc ends"
        self.name_keys()
        self._text.update(text)

    def action_step(self, step: int) -> None:
        """Show the next or the previous step; close the tour after the last one."""
        self._at = max(0, self._at + step)
        if self._at == len(STEPS):
            self.dismiss()
        else:
            self._show()

    def on_key(self, event: events.Key) -> None:
        """Close the tour and pass the key on, such as a game's digit."""
        if not any(key in self.active_bindings for key in event.aliases):
            event.stop()
            event.prevent_default()
            self.dismiss()
            self.app.call_later(self.app.simulate_key, event.key)
