"""A screen that keeps to the size the terminal has now, and knows what lies under it."""

from __future__ import annotations

from rich.console import RenderableType
from textual import events
from textual.dom import DOMNode
from textual.renderables.background_screen import BackgroundScreen
from textual.renderables.blank import Blank
from textual.screen import Screen


class Steady(DOMNode):
    """Mixed into a screen, before Textual's own class.

    A layout sends its size to the screen once more; while a window is dragged, two sizes on
    their way would chase each other for ever.

    In the terminal's own colours every screen is transparent. Textual hands the screens below to
    those that are painted in the order of painting, by which two may come to show each other, for
    ever. Here a window shows the one screen below it, and a whole screen shows none.
    """

    def render(self) -> RenderableType:
        """Give what the screen is painted on."""
        ground, stack = self.styles.background, self.app.screen_stack
        nodes: list[DOMNode] = [*stack]
        if isinstance(self, Screen) and self.is_modal and ground.a < 1 and self in nodes[1:]:
            return BackgroundScreen(stack[nodes.index(self) - 1], ground)
        blank = Blank(self.app.styles.background if ground.is_transparent else ground)
        return blank  # type: ignore[return-value]  # one of Textual's own, as its screens give

    async def _on_resize(self, event: events.Resize) -> None:
        if event.size != self.app.size:
            event.stop()
            event.prevent_default()
