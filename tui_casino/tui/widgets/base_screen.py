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
"""Seconds between a closing screen's checks whether another screen is above it."""
CARD_ROOM = {"-large": (114, 43), "-vast": (160, 50)}
"""The classes of a screen with room for a hand of 15 by 12 cells and of the largest cards.

They are in addition to its breakpoint classes. Each has the columns and rows of the smallest
window.
"""


def set_card_room(screen: DOMNode, size: Size, *, update: bool = True) -> None:
    """Give a screen the classes for the cards that its window has room for."""
    for name, (columns, rows) in CARD_ROOM.items():
        fits = size.width >= columns and size.height >= rows
        screen.set_class(fits, name, update=update)


class BaseScreen(LayoutControl):
    """Mix-in for all screens; it precedes Textual's own class.

    Each layout sends its size to the screen again. This class ignores outdated sizes. Otherwise,
    two sizes in the queue would alternate for ever while a window is being resized.

    Whenever widgets are added or removed, Textual lays out the whole screen and repaints all of it.
    This class paints only what the layout changes. Textual also treats the screen under the top one
    as visible, even if it is covered, and repaints the whole top screen when something changes
    below.

    With the terminal's own colours, every screen is transparent. Textual assigns the screens that
    show through in painting order, so that two screens may end up showing each other endlessly.
    Here a window shows only the one screen below it, and a full screen shows none.
    """

    place = ""
    """The name of this screen for the screens that return to it."""
    shows_waiting_seats = False
    """Whether it shows the tables with others where a seat waits for the player."""

    @property
    def way_back(self) -> str:
        """The name of the screen below, to which this one returns; empty if it has none."""
        stack: list[Screen[Any]] = self.app.screen_stack
        nodes: list[DOMNode] = [*stack]
        below = stack[: nodes.index(self)] if self in nodes else []
        places = (one.place for one in reversed(below) if isinstance(one, BaseScreen))
        return next(filter(None, places), "")

    def hint_label(self, action: str) -> str | None:
        """Return an action's current name if it differs from that of its binding."""
        return None

    def hides_key(self, action: str) -> bool:
        """Return whether the key bar leaves out an action that the screen never offers."""
        return False

    def disabled_reason(self, action: str) -> str:
        return ""

    async def mount_composed_widgets(self, widgets: list[Widget]) -> None:
        """Mount the screen's own widgets; those of Textual's notices and tooltips are not used."""
        own = [widget for widget in widgets if not widget.has_class("-textual-system")]
        screen: Any = super()
        await screen.mount_composed_widgets(own)

    def render(self) -> RenderableType:
        ground, stack = self.styles.background, self.app.screen_stack
        nodes: list[DOMNode] = [*stack]
        if isinstance(self, Screen) and self.is_modal and ground.a < 1 and self in nodes[1:]:
            return BackgroundScreen(stack[nodes.index(self) - 1], ground)
        blank = Blank(self.app.styles.background if ground.is_transparent else ground)
        return blank  # type: ignore[return-value]  # a Textual type, as its screens return

    @property
    def is_current(self) -> bool:
        """Whether any part of the screen is visible: windows may cover it, but not full screens."""
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
        """Close only this screen, and only once, after waiting until no other screen is above it.

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
        self.dismiss(result)  # returns nothing, because the timer would wait for a result

    @on(events.Resize)
    def keep_to_size(self, event: events.Resize) -> None:
        """Ignore a size if the terminal no longer has it."""
        if event.size != self.app.size:
            event.stop()
            event.prevent_default()
        else:
            set_card_room(self, event.size)

    def on_unmount(self) -> None:
        """Clear Textual's cache of widget styles, which keeps thousands of removed widgets."""
        forget_styles()

    @on(events.ScreenResume)
    def open_late(self, event: events.ScreenResume) -> None:
        """Show the screen for the first time, after earlier requests have been handled.

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
                ):  # if not, nothing is painted yet
                    for widget in self.walk_children(Widget, with_self=True):
                        mark_painted(widget)
