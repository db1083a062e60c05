"""The base of all screens: follows the terminal's size, and controls layout and closing."""

from __future__ import annotations

from functools import partial
from typing import Any, Self

from rich.console import RenderableType
from textual import events, on
from textual.await_complete import AwaitComplete
from textual.dom import DOMNode
from textual.geometry import Region, Size
from textual.renderables.background_screen import BackgroundScreen
from textual.renderables.blank import Blank
from textual.screen import Screen
from textual.widget import Widget

from ..textual_compat import LayoutControl, forget_styles, mark_painted
from .painter import HasPainter

ABOVE = 0.05
"""Seconds after which a closing screen checks again whether another screen is above it."""
VAST = "-vast"
"""The class of a screen with room for the largest cards, in addition to those of its breakpoints.
"""


def has_vast_size(size: Size) -> bool:
    """Return whether a window has room for the largest cards."""
    return size.width >= 160 and size.height >= 50


class BaseScreen(LayoutControl):
    """Mixed into a screen, before Textual's own class.

    A layout sends its size to the screen again. While a window is being resized, two sizes on their
    way would otherwise follow each other for ever.

    Whenever widgets are added or removed, Textual lays out the whole screen and repaints all of it.
    This class paints only what the layout changes. Textual also treats the screen under the top one
    as visible, even if it is covered, and repaints the whole top screen when something changes
    below.

    In the terminal's own colours every screen is transparent. Textual passes the screens below to
    the painted ones in painting order, so that two screens may come to show each other without end.
    Here a window shows only the one screen below it, and a full screen shows none.
    """

    def hint_label(self, action: str) -> str | None:
        """Return an action's current name if it differs from that of its binding."""
        return None

    def disabled_reason(self, action: str) -> str:
        """Return why the action of a greyed-out key is disabled."""
        return ""

    def render(self) -> RenderableType:
        """Return the background of the screen."""
        ground, stack = self.styles.background, self.app.screen_stack
        nodes: list[DOMNode] = [*stack]
        if isinstance(self, Screen) and self.is_modal and ground.a < 1 and self in nodes[1:]:
            return BackgroundScreen(stack[nodes.index(self) - 1], ground)
        blank = Blank(self.app.styles.background if ground.is_transparent else ground)
        return blank  # type: ignore[return-value]  # one of Textual's own, as its screens return

    @property
    def is_current(self) -> bool:
        """Whether any part of the screen is visible: below windows yes, below a full screen no."""
        stack: list[DOMNode] = [*self.app.screen_stack]
        if self not in stack:
            return False
        above = stack[stack.index(self) + 1 :]
        return all(isinstance(screen, Screen) and screen.is_modal for screen in above)

    def refresh(
        self, *regions: Region, repaint: bool = True, layout: bool = False, recompose: bool = False
    ) -> Self:
        """Redo a requested layout without repainting what stays in place."""
        screen: Any = super()
        screen.refresh(*regions, repaint=repaint and not layout, layout=layout, recompose=recompose)
        return self

    def dismiss(self, result: Any = None) -> AwaitComplete:
        """Close only this screen, and only once; wait until no other screen is above it.

        Textual closes whatever is on top, so the second of two fast keys would close the screen
        below.
        """
        stack: list[DOMNode] = [*self.app.screen_stack]
        if stack[-1] is self:
            closing: AwaitComplete = super().dismiss(result)  # type: ignore[misc]  # the screen's
            return closing
        if self in stack:
            self.set_timer(ABOVE, partial(self._close, result))
        nothing: AwaitComplete = AwaitComplete.nothing()  # type: ignore[no-untyped-call]
        return nothing

    def _close(self, result: Any) -> None:
        self.dismiss(result)  # return nothing, because the timer would wait for it

    @on(events.Resize)
    def keep_to_size(self, event: events.Resize) -> None:
        """Ignore a size that the terminal no longer has."""
        if event.size != self.app.size:
            event.stop()
            event.prevent_default()
        else:
            self.set_class(has_vast_size(event.size), VAST)

    def on_unmount(self) -> None:
        """Clear Textual's cache of widget styles, which keeps thousands of removed ones."""
        forget_styles()

    @on(events.ScreenResume)
    def open_late(self, event: events.ScreenResume) -> None:
        """Show the screen for the first time after earlier requests are done, and only once.

        A mounted screen is already styled; Textual's own way would style, lay out and paint it
        again.
        """
        if isinstance(self, Screen) and not self.stack_updates:
            event.prevent_default()
            self.call_later(self._come_up)

    def _come_up(self) -> None:
        if isinstance(self, Screen):
            self.stack_updates += 1
            if self.is_current:
                self.lay_out(self.app.size)
                app = self.app
                if not (
                    isinstance(app, HasPainter) and app.batches
                ):  # otherwise nothing is painted yet
                    for widget in self.walk_children(Widget, with_self=True):
                        mark_painted(widget)
