"""What only video poker has on the screen: its pay table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content
from textual.geometry import Region
from textual.message import Message

from ....tui.widgets.drawn import look_of
from ....tui.widgets.painter import Painted
from ..machine.rules import MAX_COINS, PayTable

if TYPE_CHECKING:
    from textual import events

LEAST_NAME = 20
WINS = "bold $block-cursor-foreground on $block-cursor-background"


class PayTableView(Painted):
    """The pay table, the column of the bet lit, the row that won marked."""

    class Chosen(Message):
        """A column was clicked: a bet of so many coins."""

        def __init__(self, coins: int) -> None:
            super().__init__()
            self.coins = coins

    def __init__(self, table: PayTable) -> None:
        super().__init__()
        self._table = table
        # not auto: drawn for a wide window it would grow while that shrinks
        self.styles.height = len(table.rows)
        self._shown: tuple[int, str | None] = (0, None)

    def light(self, coins: int, won: str | None) -> None:
        """Light a bet's column and mark the row that won, if any."""
        before, self._shown = self._shown, (coins, won)
        if before[0] != coins:
            self.refresh()
        elif before[1] != won:  # only these rows look different
            names = [row.name for row in self._table.rows]
            changed = [names.index(name) for name in (before[1], won) if name is not None]
            self.refresh(*(Region(0, row, self.size.width, 1) for row in changed))

    def render(self) -> Content:
        """Draw the rows over the present width."""
        return self._content(*self._shown)

    @property
    def _column(self) -> int:
        """The width of a column; what is left over goes to the names."""
        return max(5, (self.size.width - LEAST_NAME) // MAX_COINS)

    @property
    def _names(self) -> int:
        return max(LEAST_NAME, self.size.width - MAX_COINS * self._column) - 2

    def _content(self, coins: int, won: str | None) -> Content:
        ascii_only = self.app.has_class("-ascii")
        left, right = (">", "<") if ascii_only else ("▶", "◀")
        width, room = self._column, self._names
        lines = []
        for row in self._table.rows:
            wins = row.name == won
            cells = [
                (f"{pay:>{width - 1}} ", self._style(bet == coins, wins))
                for bet, pay in enumerate(row.pays, 1)
            ]
            name = f"{left if wins else ' '} {row.name:<{room}}"[: room + 1]
            style = WINS if wins else "$gold"
            end = (f"{right if wins else ' '}", style if wins else "")
            lines.append(Content.assemble((name, style), *cells, end))
        return Content("\n").join(lines)

    def _style(self, lit: bool, wins: bool) -> str:
        if lit:
            plain = look_of(self).palette.panel == "ansi_default"  # no colour to light it with
            usual = "bold reverse" if plain else "bold $foreground on $panel"
            return WINS if wins else usual
        return "$gold" if wins else "$foreground"

    def on_click(self, event: events.Click) -> None:
        """Choose the bet of the column."""
        column = (event.x - self._names - 1) // self._column
        if 0 <= column < MAX_COINS:
            self.post_message(self.Chosen(column + 1))
