"""A screen that keeps to the size the terminal has now."""

from __future__ import annotations

from textual import events
from textual.dom import DOMNode


class Steady(DOMNode):
    """Mixed into a screen, before Textual's own class.

    A layout sends its size to the screen once more; while a window is dragged, two sizes on
    their way would chase each other for ever.
    """

    async def _on_resize(self, event: events.Resize) -> None:
        if event.size != self.app.size:
            event.stop()
            event.prevent_default()
