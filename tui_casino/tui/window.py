"""Windows over a screen, only one at a time; each window reports keys that do nothing.

While a window opens, keys may still be in the screen's queue, and computations may still be
running. Either may request another window. Such requests are ignored, because drawing slows down
with each window on the stack.
"""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from textual import events
from textual.content import Content
from textual.geometry import Region
from textual.screen import ModalScreen, Screen
from textual.widget import Widget

from .widgets.base_screen import BaseScreen
from .widgets.hint_line import StrayInput
from .widgets.key_names import pressed_key_name

Answer = TypeVar("Answer")


BROAD = 142
"""The minimum width at which a window fits next to the cards."""


MOST = 74
"""The maximum columns of text that are comfortable to read."""
EDGES = 5
"""Columns that a window needs in addition to its text, for edges and scroll bar."""
CARDS = 83
"""Columns that stay free next to a window, if that leaves :data:`ASIDE` columns for the window."""
ASIDE = 59


EDGE_ROWS = 2
"""Rows that a window needs in addition to its text."""
FRAME = 3
"""Rows of meters, hint line and key bar that a window next to the cards leaves free."""
LEAST = 9
"""The minimum rows of such a window; fewer would show hardly any text."""
CORNERS = 6
"""Columns of a window's lower edge that cannot hold text."""


class Window(BaseScreen, ModalScreen[Answer], Generic[Answer]):
    """A window over a screen; its widget with the class ``window`` draws the edges.

    The lower edge briefly lists the keys. After a key that does nothing it shows
    :attr:`keys_text`, until the player presses a key that does something. A letter that does
    nothing starts a stray line, as at a table; that line has no effect. Escape always closes.
    """

    edge = "Esc"

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._stray = StrayInput()

    @property
    def keys_text(self) -> str:
        """A longer description of this window's keys."""
        return f"{self.edge} closes" if self.edge == "Esc" else self.edge

    def on_mount(self) -> None:
        self.name_keys()

    def name_keys(self) -> None:
        """Show the keys in the lower edge."""
        self.write(self.edge)

    def write(self, words: str, *, bad: bool = False) -> None:
        """Show this text in the lower edge; ``bad`` marks a reason why a key does nothing."""
        for window in self.query(".window").results(Widget):
            window.border_subtitle = Content(words)
            window.set_class(bad, "-unheard")

    def on_key(self, event: events.Key) -> None:
        active = self.active_bindings
        acts = any(key in active and active[key].enabled for key in event.aliases)
        if event.key == "escape":  # it closes the window, even within a stray line
            self._stray.replace("", event.time)
        begun = self._stray.text_before(event.time)
        if self._stray.accept(event, known=acts) and begun:
            self.refuse_words(self._stray.text_before(event.time), event.time)
        elif acts:
            self.name_keys()
        else:
            self.refuse_key(event)

    async def on_click(self, event: events.Click) -> None:
        """Treat a click outside the window, or on the word Esc in its lower edge, like Escape."""
        at = event.screen_x, event.screen_y
        windows = [*self.query(".window").results(Widget)]
        outside = not any(one.region.contains(*at) for one in windows)
        named = any(_esc_of(one).contains(*at) for one in windows)
        if (outside or named) and (escape := self.active_bindings.get("escape")) is not None:
            await self.app.run_action(escape.binding.action, escape.node)

    def refuse_words(self, words: str, time: float) -> None:
        """Show that typed words have no effect here; empty words end the message."""
        self._stray.replace(words, time)
        if words:
            reason, remedy = StrayInput.REFUSAL[0], "Esc closes"
            typed = self._stray.visible_text
            texts = (f"{typed}: {reason} {remedy}", f"{typed}: {remedy}")
            self.write(next((text for text in texts if len(text) <= self._room), remedy), bad=True)
        else:
            self.name_keys()

    def refuse_key(self, event: events.Key) -> None:
        """Show that a key does nothing here and which keys do, as far as there is room."""
        pressed = pressed_key_name(event)
        keys_text = self.keys_text
        texts = (
            f"{pressed}: no action here. {keys_text}",
            f"not {pressed}: {keys_text}",
            keys_text,
        )
        fitting = (words for words in texts if len(words) <= self._room)
        self.write(next(fitting, keys_text), bad=True)

    @property
    def _room(self) -> int:
        """The columns for words in the lower edge of the window."""
        return max((one.region.width - CORNERS for one in self.query(".window")), default=0)


class PassingWindow(Window[Answer]):
    """A window that any other key closes; the key, such as a game's digit, then acts as usual."""

    def on_key(self, event: events.Key) -> None:
        if not any(key in self.active_bindings for key in event.aliases):
            event.stop()
            event.prevent_default()
            self.dismiss(None)
            self.app.call_later(self.app.simulate_key, event.key)


def _esc_of(window: Widget) -> Region:
    """Return the region of the word Esc in a window's lower edge, or an empty region."""
    words = str(window.border_subtitle or "")
    _, esc, after = words.partition("Esc")
    x = window.region.right - len(" ─╯") - len(esc + after)
    return Region(x, window.region.bottom - 1, len(esc), 1)


def window_columns(width: int, *, aside: bool = False) -> int:
    """Return the width of a window's text in a terminal of this width."""
    room = max(width - CARDS, ASIDE) if aside and width >= BROAD else width
    return max(1, min(MOST, room - EDGES))


def free_rows(region: Region, end: int, rows: int) -> range | None:
    """Return the rows for a window below a region (and before ``end``), or above the region.

    If neither side has enough ``rows``, return those of the larger side, or ``None`` if that has
    fewer than :data:`LEAST`.
    """
    sides = range(region.bottom, end), range(region.y)
    largest = max(sides, key=len)
    room = next((side for side in sides if len(side) >= rows), largest)
    return room if len(room) >= min(rows, LEAST) else None


def open_over(screen: Screen[Any], window: Screen[Any], *, aside: bool = False) -> None:
    """Open a window over a screen, unless another window covers it already.

    With ``aside``, the window is at the right edge, so that the cards stay visible.
    """
    if screen.is_active:
        window.set_class(aside, "-aside")
        screen.app.push_screen(window)


async def ask_over(screen: Screen[Any], window: Screen[Answer]) -> Answer | None:
    """Open a window and return its answer; ``None`` if another window covers the screen already.

    Call this in a worker, because only a worker can wait.
    """
    if not screen.is_active:
        return None
    return await screen.app.push_screen_wait(window)
