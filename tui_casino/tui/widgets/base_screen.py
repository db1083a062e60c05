"""The base of all screens: follows the terminal's size, and knows what lies below."""

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
"""Seconds after which a screen that shall close looks whether something still lies above it."""
VAST = "-vast"
"""The class of a screen with room for the largest cards, beside those of its breakpoints."""


def has_vast_size(size: Size) -> bool:
    """Tell whether a window has room for the largest cards."""
    return size.width >= 160 and size.height >= 50


class BaseScreen(LayoutControl):
    """Mixed into a screen, before Textual's own class.

    A layout sends its size to the screen once more; while a window is dragged, two sizes on
    their way would chase each other for ever.

    Whenever parts have come or gone, Textual lays out the whole screen anew, and paints all of it
    once more. Here what a layout changes is painted. Textual also takes the screen under the one on
    top for seen, whatever covers it, and paints what is on top whole when something changes below.

    In the terminal's own colours every screen is transparent. Textual hands the screens below to
    those that are painted in the order of painting, by which two may come to show each other, for
    ever. Here a window shows the one screen below it, and a whole screen shows none.
    """

    def hint_label(self, action: str) -> str | None:
        """Return the present name of an action, if its binding has another one."""
        return None

    def disabled_reason(self, action: str) -> str:
        """Say why the action of a greyed key cannot be done."""
        return ""

    def render(self) -> RenderableType:
        """Give what the screen is painted on."""
        ground, stack = self.styles.background, self.app.screen_stack
        nodes: list[DOMNode] = [*stack]
        if isinstance(self, Screen) and self.is_modal and ground.a < 1 and self in nodes[1:]:
            return BackgroundScreen(stack[nodes.index(self) - 1], ground)
        blank = Blank(self.app.styles.background if ground.is_transparent else ground)
        return blank  # type: ignore[return-value]  # one of Textual's own, as its screens give

    @property
    def is_current(self) -> bool:
        """Whether anything of it is seen: over a window it is, under a whole screen nothing."""
        stack: list[DOMNode] = [*self.app.screen_stack]
        if self not in stack:
            return False
        above = stack[stack.index(self) + 1 :]
        return all(isinstance(screen, Screen) and screen.is_modal for screen in above)

    def refresh(
        self, *regions: Region, repaint: bool = True, layout: bool = False, recompose: bool = False
    ) -> Self:
        """Lay out anew what asks for it; what stays where it was is not painted once more."""
        screen: Any = super()
        screen.refresh(*regions, repaint=repaint and not layout, layout=layout, recompose=recompose)
        return self

    def dismiss(self, result: Any = None) -> AwaitComplete:
        """Close this screen, once, and nothing else: at the latest when nothing lies above it.

        Textual closes whatever is on top: of two keys that come in a burst, the second closed what
        lay below.
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
        self.dismiss(result)  # and give nothing: who runs a timer waits for what it gives

    @on(events.Resize)
    def keep_to_size(self, event: events.Resize) -> None:
        """Ignore a size that the terminal no longer has."""
        if event.size != self.app.size:
            event.stop()
            event.prevent_default()
        else:
            self.set_class(has_vast_size(event.size), VAST)

    def on_unmount(self) -> None:
        """Let go of what the parts looked like: Textual keeps it by the thousand, in one cache."""
        forget_styles()

    @on(events.ScreenResume)
    def open_late(self, event: events.ScreenResume) -> None:
        """Come up for the first time behind what has been asked for meanwhile, and only once.

        What is mounted is styled, so that Textual's own way would style, lay out and paint it anew.
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
                if not (isinstance(app, HasPainter) and app.batches):  # else nothing is painted yet
                    for widget in self.walk_children(Widget, with_self=True):
                        mark_painted(widget)
