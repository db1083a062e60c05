"""The money at a table: figures with their names, on a line or in large digits."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content

from .texts import Figure, Text

ROOMY = 60
"""Columns from which on there is room between the figures of the line."""


class Meters(Horizontal):
    """Credit, bet, win and the like; ``large``: as digits where the stylesheet has room for them.

    Between other panels digits would take rows from the table, so most games go without.
    """

    def __init__(self, *names: str, large: bool = False) -> None:
        super().__init__(classes="-digits" if large else "")
        self._names = names
        self._line = Text(id="meter-line")
        self._digits = tuple(Figure(id=_id(name)) for name in names) if large else ()
        self._figures: tuple[str, ...] = ()

    def compose(self) -> ComposeResult:
        """Lay out the line and the large digits."""
        yield self._line
        for name, digits in zip(self._names, self._digits, strict=False):
            with Vertical(classes="meter") as meter:
                meter.border_title = name.upper()
                yield digits

    def read(self, *figures: str) -> None:
        """Show these figures, in the order of the names, if they are others than before.

        The first is money at hand; a ``win`` or what was ``paid`` is lit if it is not 0.
        """
        if figures == self._figures:
            return
        self._figures = figures
        parts: list[tuple[str, str]] = []
        for place, (name, figure) in enumerate(zip(self._names, figures, strict=True)):
            lit = name in ("win", "paid") and figure.strip("0.") != ""
            style = "bold $gold" if place == 0 else "bold $good" if lit else "$foreground"
            gap = ("   " if self.app.size.width >= ROOMY else " ") if place else ""
            parts += [(f"{gap}{name.upper()} ", "$muted"), (figure, style)]
        for digits, figure in zip(self._digits, figures, strict=False):
            digits.update(figure)
        self._line.update(Content.assemble(*parts), layout=False)


def _id(name: str) -> str:
    return f"meter-{name.replace(' ', '-')}"
