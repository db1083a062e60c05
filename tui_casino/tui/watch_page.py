"""The window in which a player watches a table with others."""

from __future__ import annotations

import asyncio
from collections import deque
from itertools import chain
from typing import ClassVar

from textual import work
from textual.binding import BindingType
from textual.containers import VerticalScroll

from ..house.table_watch import TableWatch
from ..inputs.errors import BadInput
from .modals import TextPage
from .room import help_binding
from .table.action_text import with_card_signs
from .widgets.text_blocks import wrap_text
from .window import open_over

HELP = """\
You see each round once it is over: the bets, the cards that were shown, and \
the results. Cards that stay hidden at the end of a round stay hidden here. \
The players do not see that you watch.

  up, down      scroll
  Esc           close"""
KEPT = 500
"""The maximum number of lines that can still be read."""
INDENT = 2
"""The columns by which the further lines of a long line are indented."""
REFRESH = 1.0
"""Seconds between two looks at the table."""


class WatchPage(TextPage):
    """The rounds of a table that are over, one line after the other; it follows the last one."""

    BINDINGS: ClassVar[list[BindingType]] = [help_binding("watch")]
    edge = "Esc, F1 help"

    def __init__(self, watch: TableWatch, first: tuple[str, ...]) -> None:
        """Show the ``first`` lines, and follow the table."""
        super().__init__(watch.title, self._report)
        self._watch, self._lines = watch, deque(first, KEPT)
        self._reads, self._last_error = False, ""

    def _report(self, columns: int) -> str:
        shown = map(with_card_signs, self._lines)
        wrapped = (wrap_text(line, columns, INDENT) or [""] for line in shown)
        return "\n".join(chain.from_iterable(wrapped))

    def on_mount(self) -> None:
        super().on_mount()
        self.call_after_refresh(self._window.scroll_end, animate=False)
        self.set_interval(REFRESH, self.follow)

    @property
    def _window(self) -> VerticalScroll:
        return self.query_one(".window", VerticalScroll)

    def action_help(self) -> None:
        open_over(self, TextPage("Watching", HELP))

    @work(group="watch")
    async def follow(self) -> None:
        """Add the lines about each round that is over, unless that happens already."""
        if self._reads or self._watch.is_over:
            return
        self._reads = True
        try:
            lines = await asyncio.to_thread(self._watch.read)
            self._last_error = ""
        except (BadInput, OSError) as error:  # said once, until the server answers again
            lines = () if str(error) == self._last_error else (f"{error}.",)
            self._last_error = str(error)
        finally:
            self._reads = False
        self._add(lines)

    def _add(self, lines: tuple[str, ...]) -> None:
        if not lines:
            return
        window = self._window
        was_at_end = window.scroll_offset.y >= window.max_scroll_y
        self._lines.extend(lines)
        self.on_resize()
        if was_at_end:
            self.call_after_refresh(window.scroll_end, animate=False)
