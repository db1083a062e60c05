"""All private names of Textual that the program uses.

The reason for each is given here. `tests/repository/test_architecture.py` checks that there are at
most ten, and that no other module uses one. `make compat` tests them with other versions of
Textual.

* `_compositor`: only it knows where each widget was last painted, and which others cover it.
* `_display`: it writes to the terminal within one synchronised update, as Textual does itself.
* `_get_terminal_size`: a size that is too large must not reach the app, not even the first one.
* `_handle_exception`: all unexpected errors arrive there; those of closing screens are harmless.
* `_layout_required`: while a layout is pending, the positions of the widgets are about to change.
* `_repaint_regions`: the lines of a widget that have changed since it was last painted.
* `_repaint_required`: Textual must not paint a widget again that has just been painted.
* `_screen_resized`: the app lays out covered screens through it, which would paint the top screen.
* `_styles_cache`: its cache keeps up to 1,024 removed widgets with everything that they showed.
* `_xterm_parser`: nothing else in Textual turns a terminal's bytes into keys and mouse events.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from textual._compositor import CompositorUpdate
from textual._styles_cache import StylesCache
from textual._xterm_parser import XTermParser
from textual.app import App
from textual.dom import DOMNode
from textual.driver import Driver
from textual.geometry import Region, Size
from textual.screen import Screen
from textual.widget import Widget

__all__ = [
    "CompositorUpdate",
    "ErrorHandlingApp",
    "LayoutControl",
    "SelfSizedDriver",
    "XTermParser",
    "awaits_textual",
    "fail_app",
    "forget_styles",
    "has_changed",
    "leave_to_textual",
    "mark_painted",
    "repaint",
    "take_changes",
    "widget_regions",
    "write_to_terminal",
]

# ---- the app -------------------------------------------------------------------------------------


class ErrorHandlingApp(App[None]):
    """Mix-in that decides which unexpected errors end an app; ``panic`` reports them."""

    def is_harmless(self, error: Exception) -> bool:
        """Return whether the app should continue as if the error had not happened."""
        return False

    def _handle_exception(self, error: Exception) -> None:
        if not self.is_harmless(error):
            # Textual passes errors that render themselves to panic; for others, it prints all
            # variables
            vars(error)["__rich__"] = str
            super()._handle_exception(error)


def fail_app(app: App[Any], error: Exception) -> None:
    """End an app because of an unexpected error that Textual would not notice by itself."""
    app._handle_exception(error)


class SelfSizedDriver(Driver):
    """Mix-in that defines the terminal's size; it precedes the class of a Textual driver."""

    def window_size(self) -> tuple[int, int]:
        """Return the number of columns and rows that the app may use."""
        raise NotImplementedError

    def _get_terminal_size(self) -> tuple[int, int]:
        return self.window_size()


# ---- screens -------------------------------------------------------------------------------------


class LayoutControl(DOMNode):
    """Mix-in that controls when a screen is laid out; it precedes Textual's screen class."""

    def lay_out(self, size: Size) -> None:
        """Lay out the screen for a size of the terminal, and paint it if it is visible."""
        super()._screen_resized(size)  # type: ignore[misc]  # the screen's

    def _screen_resized(self, size: Size) -> None:
        self.lay_out(size)


def forget_styles() -> None:
    """Clear the cache in which Textual keeps widgets that have been removed."""
    StylesCache.get_inner_outer.cache_clear()


# ---- painting ------------------------------------------------------------------------------------


def widget_regions(screen: Screen[Any]) -> Mapping[Widget, tuple[Region, Region]] | None:
    """Return the region and clip of each visible widget; ``None`` if these are about to change.

    The same object is returned until the screen is laid out again.
    """
    if screen._layout_required or screen._compositor.size != screen.app.size:
        return None
    return screen._compositor.visible_widgets


def write_to_terminal(screen: Screen[Any], update: CompositorUpdate) -> None:
    """Write an update, followed by the cursor's position, to the terminal of a screen's app."""
    screen.app._display(screen, update)  # type: ignore[arg-type]


def repaint(screen: Screen[Any]) -> None:
    """Repaint a whole screen, in case the terminal shows something else."""
    screen.app._display(screen, screen._compositor.render_update(full=True))


def has_changed(widget: Widget) -> bool:
    """Return whether a widget has changed since it was painted."""
    return bool(widget._repaint_regions)


def take_changes(widget: Widget) -> Collection[Region]:
    """Return the regions of a widget that have changed, for the caller to paint."""
    regions = {*widget._repaint_regions}
    widget._repaint_regions.clear()
    return regions


def awaits_textual(widget: Widget) -> bool:
    """Return whether Textual is about to paint a widget."""
    return widget._repaint_required


def mark_painted(widget: Widget) -> None:
    """Prevent Textual from painting a widget until its next change."""
    widget._repaint_required = False


def leave_to_textual(widget: Widget) -> None:
    """Let Textual paint the changes of a widget."""
    widget._repaint_required = True
    widget.check_idle()
