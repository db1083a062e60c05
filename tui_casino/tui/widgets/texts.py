"""Texts that change while one plays, and are painted at once."""

from __future__ import annotations

from textual.widgets import Digits, Static

from .painter import Painted


class Text(Static, Painted):
    """Some lines of text; never markup."""

    def __init__(
        self, content: str = "", *, id: str | None = None, classes: str | None = None
    ) -> None:
        super().__init__(content, id=id, classes=classes, markup=False)


class Figure(Digits, Painted):
    """A figure in large digits."""
