"""The pay table, with a column for how often each row hits."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache

from msgspec import Struct
from rich.style import Style
from textual import events
from textual.geometry import Size
from textual.message import Message
from textual.strip import Strip

from .....tui.draw.look import Look, line_styles_of, style_of
from .....tui.draw.plots import bar
from .....tui.draw.segments import LineBuilder, join_pieces
from .....tui.draw.text import empty_mark
from .....tui.terminal.detection import GlyphSet
from .....tui.widgets.line_widget import LineWidget
from ...brains.adviser import RankedHold
from ...machine.rules import MAX_COINS, PayTable, Row
from ..tally import Tally

NARROW, WITH_FIGURES, BOXED = 46, 70, 90
"""The smallest widths, in columns, for all bets, for figures next to the table, and for a box."""
FIGURE = 9
"""The width of a figure next to the table, in columns."""
LEAST_COLUMN = 5
"""The width of a column of pays that has no room for thousands separators."""
LEAST_CARDS = 6
"""The number of rows that the message and the cards need below the complete table."""


class FrequencyCell(Struct, frozen=True):
    """The cell next to a row: how often it hits, as text and as a share of all winning rounds.

    ``adds`` is the row's contribution to a hold's EV, in credits.
    """

    figure: str
    part: float
    adds: str = ""


class FrequencyColumn(Struct, frozen=True):
    """The column next to the table: its head, and a cell per row, or no cells while it is blank.

    A column without a head stays empty.
    """

    head: str
    cells: tuple[FrequencyCell | None, ...] = ()


class PayTableView(LineWidget):
    """The pay table. It highlights the column of the bet and marks the row that won.

    In a small window it shows only the pays for the bet, in two columns, as many as fit.
    """

    DEFAULT_CSS = "PayTableView { height: auto; }"

    class Chosen(Message):
        """Posted when the column for a bet of ``coins`` is clicked."""

        def __init__(self, coins: int) -> None:
            super().__init__()
            self.coins = coins

    def __init__(self, table: PayTable) -> None:
        super().__init__()
        self._table = table
        self._coins = 0
        self._winner: tuple[str, int] | None = None
        self._frequencies = FrequencyColumn("")

    def show(
        self, coins: int, winner: tuple[str, int] | None, frequencies: FrequencyColumn
    ) -> None:
        """Set the highlighted bet, the winning row and the column next to the table.

        The ``winner`` is the name of the row, and the part of its pay that has been counted.
        """
        shown_before, (self._coins, self._winner, self._frequencies) = (
            self._shown(),
            (coins, winner, frequencies),
        )
        if shown_before != self._shown():
            self.refresh()

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Return the whole table's height if it leaves room for the cards, otherwise less."""
        rows = len(self._table.rows)
        if width >= BOXED and container.height >= rows + 18:
            return rows + 2
        if width >= NARROW and container.height >= rows + LEAST_CARDS:
            return rows
        cards = 8 if width >= 49 else 6
        return max(1, min((rows + 1) // 2, container.height - cards - 1))

    @property
    def shows_all(self) -> bool:
        """Whether every row and every bet is shown."""
        return self.size.width >= NARROW and self.size.height >= len(self._table.rows)

    @property
    def boxed(self) -> bool:
        """Whether the table has a box, which then also contains the column heads."""
        return self.shows_all and self.size.height > len(self._table.rows)

    @property
    def heads(self) -> tuple[tuple[int, str], ...]:
        """The heads of the columns: the column at which each ends, and its text.

        Without a box they are in the title bar, which has no room above the columns of low bets, so
        the bet has no head there.
        """
        shape, box_edge = self._shape, int(self.boxed)
        if not self.shows_all or not shape.side_columns:
            return ()
        is_headed = self.boxed and self._coins
        bet = ((shape.end(self._coins), f"bet {self._coins}"),) if is_headed else ()
        frequency_head = ((box_edge + shape.pays + FIGURE, self._frequencies.head),)
        adds = ((box_edge + shape.width - 2, "adds"),) if self._adds else ()
        return (*bet, *(frequency_head if self._frequencies.head else ()), *adds)

    @property
    def _adds(self) -> bool:
        return self._shape.adds > 0 and any(cell and cell.adds for cell in self._frequencies.cells)

    @property
    def _shape(self) -> _Shape:
        return _shape(self.size.width - 2 * self.boxed)

    def _shown(self) -> object:
        return self._coins, self._winner, self._frequencies

    def _counted(self, row: Row) -> int | None:
        """Return what has been counted of the winning row's pay, or ``None`` for other rows."""
        name, counted = self._winner or ("", 0)
        return counted if row.name == name else None

    def _draw(self, look: Look, area: Size) -> list[Strip]:
        if not self.shows_all:
            return self._draw_bet(look, area)
        cells = self._frequencies.cells or (None,) * len(self._table.rows)
        blank = not self._frequencies.cells
        draw = _row_in_box if self.boxed else _row
        rows = (
            draw(row, self._coins, self._counted(row), cell, blank, area.width, look)
            for row, cell in zip(self._table.rows, cells, strict=True)
        )
        if not self.boxed:
            return [*rows]
        above, below = _lines_of_box(area.width, self.heads, look)
        return [above, *rows, below]

    def _draw_bet(self, look: Look, area: Size) -> list[Strip]:
        """Draw the pays for the bet, down the left column and then down the right one."""
        inks, half = line_styles_of(look.palette), area.width // 2
        rows = self._rows_kept(2 * area.height)
        strips = []
        for y in range(area.height):
            line = LineBuilder(look.tier)
            for x, place in ((0, y), (half, y + area.height)):
                if place >= len(rows):
                    continue
                name, pays = rows[place].name, rows[place].pays
                counted = self._counted(rows[place])
                wins = counted is not None
                pay = f"{pays[(self._coins or MAX_COINS) - 1] if counted is None else counted:,}"
                room = half - 3 - len(pay)
                marker = _win_markers(look.tier)[0] if wins else " "
                line.put(x, f"{marker}{name[:room]}", inks.block if wins else inks.gold)
                line.put_before(x + half - 1, f" {pay}", inks.block if wins else inks.strong)
            strips.append(line.strip(area.width))
        return strips

    def _rows_kept(self, count: int) -> Sequence[Row]:
        """Return the lowest rows, which are hit most often, and the winning row."""
        spare = max(0, len(self._table.rows) - count)
        kept = self._table.rows[spare:]
        won = [row for row in self._table.rows[:spare] if self._counted(row) is not None]
        return [*won, *kept[len(won) :]]

    def on_click(self, event: events.Click) -> None:
        """Post :class:`Chosen` if a bet's column was clicked."""
        shape = self._shape
        for coins in range(1, MAX_COINS + 1):
            inside = shape.end(coins - 1) <= event.x - self.boxed < shape.end(coins)
            if self.shows_all and inside:
                self.post_message(self.Chosen(coins))


# ---- layout --------------------------------------------------------------------------------


class _Shape(Struct, frozen=True):
    """Widths in columns: the names, a bet, the last bet, and everything next to the table."""

    names: int
    column: int
    last: int
    side_columns: int

    def end(self, coins: int) -> int:
        """Return the column at which the pays for a bet end."""
        return self.names + coins * self.column + (self.last - self.column) * (coins == MAX_COINS)

    @property
    def pays(self) -> int:
        """The width of the table itself, in columns."""
        return self.end(MAX_COINS)

    @property
    def width(self) -> int:
        """The whole width, in columns."""
        return self.pays + self.side_columns

    @property
    def adds(self) -> int:
        """The width of the column "adds" (a row's share of the EV), 0 if there is no room."""
        return 9 if self.side_columns >= 36 else 0

    @property
    def bar(self) -> int:
        """The width of a bar, in columns."""
        return self.side_columns - FIGURE - 2 - self.adds - 2


def _shape(width: int) -> _Shape:
    if width < WITH_FIGURES:
        column = max(LEAST_COLUMN, (width - 22) // MAX_COINS)
        return _Shape(width - MAX_COINS * column - 1, column, column + 1, 0)
    spare = width - 80
    column = 6 + spare // 10
    side_columns = 26 + spare // 4
    return _Shape(width - side_columns - MAX_COINS * column - 2, column, column + 2, side_columns)


@lru_cache(512)
def _row(
    row: Row,
    coins: int,
    counted: int | None,
    cell: FrequencyCell | None,
    blank: bool,
    width: int,
    look: Look,
) -> Strip:
    """Draw a row of the table; cached, because a key press changes only a few rows."""
    palette, tier = look.palette, look.tier
    inks, shape, wins = line_styles_of(palette), _shape(width), counted is not None
    left_marker, right_marker = _win_markers(tier) if wins else (" ", " ")
    name = inks.gold if wins or cell else style_of(palette.gold)
    line = LineBuilder(tier).add(
        f"{left_marker} {row.name}".ljust(shape.names), inks.block if wins else name
    )
    for bet, pay in enumerate(row.pays, 1):
        room = shape.column if bet < MAX_COINS else shape.last
        shown = counted if counted is not None and bet == coins else pay
        figure = f"{shown:,}" if shape.column > LEAST_COLUMN else str(shown)
        end = " " if bet < MAX_COINS else right_marker
        style = inks.block if wins else _lit(look) if bet == coins else inks.muted
        line.add(f"{figure:>{room - 1}}{end}", style)
    if not shape.side_columns or blank:
        return line.strip(width)
    if cell is None:
        return line.put_before(shape.pays + FIGURE, empty_mark(tier), inks.faint).strip(width)
    line.put_before(shape.pays + FIGURE, cell.figure, inks.text)
    track = style_of(palette.good, palette.lit)
    line.put(shape.pays + FIGURE + 2, bar(cell.part, shape.bar, tier), track)
    if shape.adds:
        line.put_before(width - 2, cell.adds, inks.text)
    return line.strip(width)


def _lit(look: Look) -> Style:
    """Return the style of the bet's column: a background, or without colours reverse video."""
    bold = Style(bold=True)
    if look.palette.lit == "ansi_default":
        return bold + Style(reverse=True)
    return style_of(look.palette.text, look.palette.lit) + bold


def _win_markers(tier: GlyphSet) -> tuple[str, str]:
    return (
        (">", "<")
        if tier is GlyphSet.ASCII
        else ("▶", "◀")
        if tier is GlyphSet.UNICODE
        else ("►", "◄")
    )


_BOX = {
    GlyphSet.UNICODE: ("╭", "╮", "╰", "╯", "─", "│"),
    GlyphSet.CP437: ("┌", "┐", "└", "┘", "─", "│"),
    GlyphSet.ASCII: ("+", "+", "+", "+", "-", "|"),
}
_TITLE = "PAY TABLE"


@lru_cache(512)
def _row_in_box(
    row: Row,
    coins: int,
    counted: int | None,
    cell: FrequencyCell | None,
    blank: bool,
    width: int,
    look: Look,
) -> Strip:
    edge, rim = _BOX[look.tier][-1], style_of(look.palette.rim)
    line = LineBuilder(look.tier).add(edge, rim)
    line.join(_row(row, coins, counted, cell, blank, width - 2, look))
    return line.add(edge, rim).strip()


@lru_cache(64)
def _lines_of_box(
    width: int, heads: tuple[tuple[int, str], ...], look: Look
) -> tuple[Strip, Strip]:
    """Draw the top and bottom edge of the box; the column heads are in the top edge."""
    inks, rim = line_styles_of(look.palette), style_of(look.palette.rim)
    a, b, c, d, rule, _ = _BOX[look.tier]
    above = LineBuilder(look.tier).add(a + rule, rim)
    above.add(f" {_TITLE} ", inks.gold)
    for end, text in heads:
        above.add(rule * (end - len(text) - 1 - above.width), rim)
        above.add(f" {text} ", inks.muted)
    above.add(rule * (width - 1 - above.width) + b, rim)
    below = join_pieces([(c + rule * (width - 2) + d, rim)], width, look.tier)
    return above.strip(width), below


CHANCE, HITS = "chance", "hits"
LEAST = 0.0005
"""The share, in %, below which three decimals would show ``0.000%``."""


def hold_frequencies(hold: RankedHold) -> FrequencyColumn:
    """Return the chance of each row after a hold, and the credits that it adds to the EV.

    A full bar stands for certainty, so that bars of different hands can be compared.
    """
    distribution = hold.outcomes
    return FrequencyColumn(
        CHANCE,
        tuple(
            FrequencyCell(per_cent(share), float(share), f"{float(share * pay):,.2f}")
            if (share := Fraction(count, distribution.total))
            else None
            for pay, count in zip(distribution.pays[:-1], distribution.counts[:-1], strict=True)
        ),
    )


def sitting_frequencies(tally: Tally, paytable: PayTable) -> FrequencyColumn:
    """Return how often each row has hit in this session."""
    counts = [tally.counts[row.name] for row in paytable.rows]
    every = sum(counts) or 1
    cells = (FrequencyCell(f"{count:,}", count / every) if count else None for count in counts)
    return FrequencyColumn(HITS, tuple(cells))


def per_cent(share: Fraction) -> str:
    """Format a share with few digits, more for small ones: ``19.1%``, ``0.012%``, ``1 in 1.2M``."""
    value = 100 * float(share)
    if 0 < value < LEAST:
        every = round(1 / share)
        return f"1 in {every / 1e6:.1f}M" if every >= 1e6 else f"1 in {round(every / 1e3)}k"
    if share == 1:
        return "100%"
    digits = 1 if value >= 1 else 2 if value >= 0.1 else 3
    return f"{value:.{digits}f}%"
