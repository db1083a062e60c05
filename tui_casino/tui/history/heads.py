"""The lines over and under the list of logs."""

from __future__ import annotations

from collections.abc import Iterable

from textual.geometry import Size
from textual.strip import Strip

from ..draw.segments import line
from ..draw.styles import Look, inks_of
from ..widgets.drawn import Drawn


class Columns(Drawn):
    """What the columns are called."""

    def __init__(self) -> None:
        super().__init__(id="records-heading")
        self._text = ""

    def put(self, text: str) -> None:
        """Write this."""
        if text != self._text:
            self._text = text
            self.refresh()

    def _shown(self) -> object:
        return self._text

    def _draw(self, look: Look, area: Size) -> Iterable[Strip]:
        yield line([(self._text, inks_of(look.palette).muted)], area.width, look.tier)


class Below(Drawn):
    """How many logs come below those in sight, and a rule."""

    def __init__(self) -> None:
        super().__init__(id="records-below")
        self._count = 0

    def put(self, count: int) -> None:
        """Say so many."""
        if count != self._count:
            self._count = count
            self.refresh()

    def _shown(self) -> object:
        return self._count

    def _draw(self, look: Look, area: Size) -> Iterable[Strip]:
        inks = inks_of(look.palette)
        said = f"  {self._count:,} more below " if self._count else " "
        rule = "─" * max(0, area.width - len(said) - 1)
        yield line([(said, inks.muted), (rule, inks.faint)], area.width, look.tier)
