"""What only video poker's screen has: the pay table, the meters, the panel of figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content
from textual.geometry import Region
from textual.message import Message
from textual.widget import Widget

from ....tui.widgets.cards import look_of
from ..brains.trainer import Judgement, Session
from ..machine.rules import MAX_COINS, PayTable
from .tally import Tally, percent

if TYPE_CHECKING:
    from textual import events

LEAST_NAME = 20
WINS = "bold $block-cursor-foreground on $block-cursor-background"


class PayTableView(Widget):
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


def session_text(tally: Tally, session: Session) -> str:
    """Say how the session goes, beside what its holds were worth."""
    lines = [
        f"rounds   {tally.rounds:>10,}",
        f"net      {tally.won - tally.wagered:>+10,}",
        f"return   {percent(tally.won, tally.wagered):>9}%",
    ]
    if session.holds:
        lines.append(f"expected {float(100 * session.expected / max(tally.wagered, 1)):>9.2f}%")
        lines.append(f"mistakes {session.mistakes:>10,}")
        lines.append(f"cost     {float(session.cost):>10.3f}")
    return "\n".join(lines)


def odds_text(judged: Judgement) -> Content:
    """Say what the hold can become, what it is worth, and what list and optimum would hold."""
    outcomes = judged.outcomes
    lines = [
        Content(f"{row.lower():<20}{100 * count / outcomes.total:>9.4f}%")
        for row, count in outcomes.hands.items()
        if count
    ]
    lines.append(Content.styled(f"worth{float(judged.value):>25.4f}", "bold"))
    lines.append(Content(f"list  {places(judged.by_list):<12}{float(judged.list_value):>12.4f}"))
    lines.append(Content(f"best  {places(judged.best):<12}{float(judged.best_value):>12.4f}"))
    if judged.list_cost:
        lines.append(Content(f"the list costs {float(judged.list_cost):.4f}"))
    return Content("\n").join(lines)


def mistake_text(session: Session, hand_then: str) -> str:
    """Say what the last mistake was and what it cost."""
    last = session.last
    if last is None:
        return "none yet"
    return (
        f"{hand_then}\nheld {places(last.positions)}, best {places(last.best)}\n"
        f"cost {float(last.cost):.4f} credits"
    )


def places(positions: tuple[int, ...]) -> str:
    """Print positions: ``1 4``, or ``nothing``."""
    return " ".join(map(str, positions)) or "nothing"
