"""The tour for a first visitor: five short steps, shown once."""

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
        "The last line but one says what you can do now, each action with its key. "
        "Space does the first, in gold: Play, Deal, Call 20. "
        "What is grey cannot be done yet; press its key, and the line says why.",
    ),
    (
        "Where you can go",
        "The last line says where you can go from here, with the way out at its right end. "
        "F1 explains the place you are at, F2 shows what you won and lost.",
    ),
    (
        "Words",
        "At a table you can also type everything: a colon begins a command, such as :b 5 for a bet "
        "of 5, and the line says what it would do before you press Enter.",
    ),
    (
        "The trainer",
        "At a table t switches on the trainer, which says what each choice is worth before you "
        "make it. Without it you are told only what you could know anyway.",
    ),
    (
        "Nothing is hidden",
        "Each shuffle is fixed before you bet, and its seed is shown when you leave: v checks "
        "every card. r opens the records, where every session can be watched again.",
    ),
)
"""What is shown, step by step: a title, and what there is to know."""


class Tour(Window[None]):
    """The steps, one after the other; a key that is none of its own ends it, and is heard."""

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
        self.edge = "Space, Esc" if last else "Space goes on, Esc ends"
        self.name_keys()
        self._text.update(text)

    def action_step(self, step: int) -> None:
        """Go to the next step, or back; behind the last one it is over."""
        self._at = max(0, self._at + step)
        if self._at == len(STEPS):
            self.dismiss()
        else:
            self._show()

    def on_key(self, event: events.Key) -> None:
        """Leave for what an impatient visitor wants, such as a game by its digit."""
        if not any(key in self.active_bindings for key in event.aliases):
            event.stop()
            event.prevent_default()
            self.dismiss()
            self.app.call_later(self.app.simulate_key, event.key)
