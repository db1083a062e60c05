"""Textual's option list, made safe against keys that arrive before the list has a size."""

from __future__ import annotations

from rich.segment import Segment
from textual.events import Click
from textual.strip import Strip
from textual.widgets import OptionList

MARKS = {True: ">", False: "▌"}
"""The mark before the option at the cursor, in ASCII and otherwise."""


class SafeOptionList(OptionList):
    """A list to choose from; Page Up and Page Down do nothing before it is laid out."""

    def action_page_up(self) -> None:
        """Move up by a page, if the list is laid out."""
        if self._is_laid_out:
            super().action_page_up()  # type: ignore[no-untyped-call]

    def action_page_down(self) -> None:
        """Move down by a page, if the list is laid out."""
        if self._is_laid_out:
            super().action_page_down()  # type: ignore[no-untyped-call]

    def on_click(self, event: Click) -> None:
        """Ignore a click on an option that is still painted but no longer in the list."""
        place = event.style.meta.get("option")
        if place is not None and place >= self.option_count:
            event.prevent_default()

    @property
    def _is_laid_out(self) -> bool:
        return bool(self.scrollable_content_region) or self.highlighted is None


class MarkedOptionList(SafeOptionList):
    """A list in a window, with a cursor mark that is visible without colours."""

    def render_line(self, y: int) -> Strip:
        """Put the mark in the empty column before the option."""
        strip = super().render_line(y)
        style = next((segment.style for segment in strip), None)
        if style is None or style.meta.get("option", -1) != self.highlighted:
            return strip
        mark = Segment(MARKS[self.app.has_class("-ascii")], style)
        return Strip([mark, *strip.crop(1)], strip.cell_length)
