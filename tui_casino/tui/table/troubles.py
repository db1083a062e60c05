"""What goes wrong beside the game, told to who plays it: play goes on."""

from __future__ import annotations

from textual.widget import Widget

from ...house.lobby import AnySitting
from ...inputs.errors import BadInput, write_error
from ..draw.glyphs import capital


class Troubles:
    """Tells, over the screen of a sitting, of log, ledger, and who could not listen."""

    def __init__(self, screen: Widget, sitting: AnySitting) -> None:
        self._screen, self._sitting, self._table = screen, sitting, sitting.table
        self._told = False

    def tell(self) -> None:
        """Tell what is new; of those who listen only the first fault, since more may be its own."""
        for said in self._sitting.take_news():
            self._warn(f"{capital(said)}.")
        if due := self._sitting.reminder():
            self._screen.app.notify(f"{capital(due)}.")
        if self._table.bus.faults and not self._told:
            self._told = True
            self._warn(_said(self._table.bus.faults[0]))

    def _warn(self, said: str) -> None:
        self._screen.app.notify(said, severity="warning")


def _said(fault: Exception) -> str:
    if isinstance(fault, BadInput):
        return f"{fault}."
    return f"A background task failed. {write_error(fault)}."
