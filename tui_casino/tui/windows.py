"""Windows over a screen, one at a time.

Keys may wait in a screen's queue, and a figure may be worked out, while a window opens. What
they ask for then comes too late: without this, windows would pile up by the dozen, and a pile
is drawn through every window of it.
"""

from __future__ import annotations

from typing import Any, TypeVar

from textual.screen import Screen

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


def columns_of(width: int, *, aside: bool = False) -> int:
    """Give the columns of a window's text, in a terminal so wide."""
    room = max(width - CARDS, ASIDE) if aside and width >= BROAD else width
    return max(1, min(MOST, room - EDGES))


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
