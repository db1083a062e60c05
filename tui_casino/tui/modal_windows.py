"""Windows over a screen, one at a time; each reports a key that does nothing.

Keys may wait in a screen's queue, and a figure may be worked out, while a window opens. What
they ask for then comes too late: without this, windows would pile up by the dozen, and a pile
is drawn through every window of it.
"""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from textual import events
from textual.content import Content
from textual.geometry import Region
from textual.screen import ModalScreen, Screen
from textual.widget import Widget

from .widgets.base_screen import BaseScreen
from .widgets.hint_strips import StrayInput
from .widgets.key_names import pressed_key_name

Answer = TypeVar("Answer")


BROAD = 132
"""Columns from which on there is room for a window beside the cards."""


MOST = 74
"""Columns of a text that can be read well."""
EDGES = 5
"""Columns of a window beside those of its text: edges, and what scrolls it."""
CARDS = 80
"""Columns that stay free beside a window, if that leaves :data:`ASIDE` for it."""
ASIDE = 59


EDGE_ROWS = 2
"""Rows of a window beside those of its text."""
FRAME = 3
"""Rows of meters, hint line and footer, which a window leaves free that makes way."""
LEAST = 10
"""Rows of a window that makes way: with fewer, too little of it is read at a time."""
CORNERS = 6
"""Columns of a window's lower edge that no words can have."""


class Window(BaseScreen, ModalScreen[Answer], Generic[Answer]):
    """A window over a screen, whose part of the class ``window`` has the edges.

    The lower edge names the keys in short. After a key that does nothing it shows
    :attr:`keys_text`, until the player presses a key that does something. A letter that does
    nothing opens a line of words, as at a table; no such line is accepted.
    """

    edge = "Esc"

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._stray = StrayInput()

    @property
    def keys_text(self) -> str:
        """What keys do here, in some more words."""
        return f"{self.edge} closes" if self.edge == "Esc" else self.edge

    def on_mount(self) -> None:
        """Name the keys."""
        self.name_keys()

    def name_keys(self) -> None:
        """Let the lower edge say what keys do."""
        self.write(self.edge)

    def write(self, words: str, *, bad: bool = False) -> None:
        """Write this into the lower edge; ``bad`` it is why a key does nothing."""
        for window in self.query(".window").results(Widget):
            window.border_subtitle = Content(words)
            window.set_class(bad, "-unheard")

    def on_key(self, event: events.Key) -> None:
        """Let no key be silent."""
        active = self.active_bindings
        acts = any(key in active and active[key].enabled for key in event.aliases)
        begun = bool(self._stray.text)
        if self._stray.accept(event, known=acts) and begun:
            self.refuse_words(self._stray.text)
        elif acts:
            self.name_keys()
        else:
            self.refuse_key(event)

    async def on_click(self, event: events.Click) -> None:
        """Do what Escape does at a click outside, or on the word Esc in the lower edge."""
        at = event.screen_x, event.screen_y
        windows = [*self.query(".window").results(Widget)]
        outside = not any(one.region.contains(*at) for one in windows)
        named = any(_esc_of(one).contains(*at) for one in windows)
        if (outside or named) and (escape := self.active_bindings.get("escape")) is not None:
            await self.app.run_action(escape.binding.action, escape.node)

    def refuse_words(self, words: str) -> None:
        """Say that words do nothing here, up to Enter or Escape; nothing once there are none."""
        self._stray.text = words
        if words:
            self.write(f"{self._stray.visible_text}: {' '.join(StrayInput.REFUSAL)}", bad=True)
        else:
            self.name_keys()

    def refuse_key(self, event: events.Key) -> None:
        """Say that a key does nothing here, and which ones do: as much of it as there is room."""
        pressed = pressed_key_name(event)
        room = max((one.region.width - CORNERS for one in self.query(".window")), default=0)
        keys_text = self.keys_text
        texts = (
            f"{pressed}: no such key here. {keys_text}",
            f"not {pressed}: {keys_text}",
            keys_text,
        )
        self.write(next((words for words in texts if len(words) <= room), keys_text), bad=True)


def _esc_of(window: Widget) -> Region:
    """Give where the word Esc stands in a window's lower edge; an empty region if it does not."""
    words = str(window.border_subtitle or "")
    _, esc, after = words.partition("Esc")
    x = window.region.right - len(" ─╯") - len(esc + after)
    return Region(x, window.region.bottom - 1, len(esc), 1)


def window_columns(width: int, *, aside: bool = False) -> int:
    """Give the columns of a window's text, in a terminal so wide."""
    room = max(width - CARDS, ASIDE) if aside and width >= BROAD else width
    return max(1, min(MOST, room - EDGES))


def free_rows(region: Region, end: int, rows: int) -> range | None:
    """Give rows before ``end`` for a window that leaves a region free: under it, else over it.

    Where neither has all that are ``rows``, it is the side with more, if it has :data:`LEAST`.
    """
    sides = range(region.bottom, end), range(region.y)
    largest = max(sides, key=len)
    room = next((side for side in sides if len(side) >= rows), largest)
    return room if len(room) >= min(rows, LEAST) else None


def open_over(screen: Screen[Any], window: Screen[Any], *, aside: bool = False) -> None:
    """Open a window over a screen, unless another covers it already.

    ``aside`` it lies at the right edge, where the cards are seen beside it.
    """
    if screen.is_active:
        window.set_class(aside, "-aside")
        screen.app.push_screen(window)


async def ask_over(screen: Screen[Any], window: Screen[Answer]) -> Answer | None:
    """Open a window and give its answer; none if another window covers the screen already.

    Only a worker can wait for it.
    """
    if not screen.is_active:
        return None
    return await screen.app.push_screen_wait(window)
