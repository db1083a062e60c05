"""Texts that change while one plays, and are painted at once."""

from __future__ import annotations

from typing import Self

from textual.geometry import Region
from textual.widgets import Digits, Static

from .painter import Painted


class Text(Static, Painted):
    """Some lines of text; never markup."""

    def __init__(
        self, content: str = "", *, id: str | None = None, classes: str | None = None
    ) -> None:
        super().__init__(content, id=id, classes=classes, markup=False)


class Figure(Digits, Painted):
    """A figure in large digits, in a place whose size does not depend on it."""

    def refresh(
        self, *regions: Region, repaint: bool = True, layout: bool = False, recompose: bool = False
    ) -> Self:
        """Paint it without laying it out anew."""
        return super().refresh(*regions, repaint=repaint, recompose=recompose)
