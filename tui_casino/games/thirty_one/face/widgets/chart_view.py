"""The strategy chart, with the row and the column of the current position marked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from msgspec import Struct
from rich.style import Style
from textual.geometry import Region

from .....tui.draw.canvas import Canvas, TonedLine, line_width, write_line
from .....tui.draw.look import line_styles_of, style_of
from .....tui.terminal.detection import GlyphSet
from ...brains.strategy_chart import FIRST, PAIR, UP_CARDS, ChartRow, card_name, merge_equal_rows

LABELS: Mapping[str, str] = MappingProxyType({FIRST: "first ", "soft": "soft ", "two soft": "two "})
CODES: Mapping[str, str] = MappingProxyType({"H": "muted", "S": "blue", "D": "gold", "P": "good"})
LEGEND = (("H", "hit"), ("S", "stand"), ("D", "double"), ("P", "split"))
TITLES: tuple[TonedLine, ...] = (
    (("PERFECT PLAY", "gold"), (", endless shoe", "muted")),
    (("PERFECT PLAY", "gold"),),
    (),
)
"""The titles, the longest first; the first that fits to the left of the legend is shown."""
BROAD = 54
"""The smallest width at which cells are four columns wide and the legend is above the rows."""
MARKS = {GlyphSet.UNICODE: "▌", GlyphSet.CP437: "▌", GlyphSet.ASCII: ">"}


class StrategyChart(Struct, frozen=True):
    """The strategy chart: equal rows merged, each with its label, and the current cell.

    ``current_cell`` holds the indices of a row and a column; ``hide_best`` hides the best choice in
    that cell and in the rest of its row and column, which would suggest it. If there is no room for
    all rows, ``on_other_page`` shows the other page: hands or pairs.
    """

    labels: tuple[str, ...]
    plays: tuple[str, ...]
    first_pair: int
    current_cell: tuple[int, int] | None = None
    hide_best: bool = False
    on_other_page: bool = False

    def fits(self, rows: int) -> bool:
        """Return whether all rows of the chart fit."""
        return len(self.labels) <= rows

    @property
    def on_pairs(self) -> bool:
        """Whether the page shows the pairs; by default, the page with the current cell is shown."""
        return (
            self.current_cell is not None and self.current_cell[0] >= self.first_pair
        ) != self.on_other_page

    def page(self, rows: int) -> range:
        """Return the indices of the rows that are shown if ``rows`` of them fit."""
        row_count = len(self.labels)
        if self.fits(rows):
            return range(row_count)
        if self.on_pairs:
            return range(self.first_pair, row_count)
        first = 0
        if self.current_cell is not None and self.current_cell[0] < self.first_pair:
            first = max(0, min(self.current_cell[0] - rows // 2, self.first_pair - rows))
        return range(first, min(first + rows, self.first_pair))


def chart_of(
    rows: Iterable[ChartRow],
    cell: tuple[str, str] | None,
    up_card: int,
    *,
    hide_best: bool,
    on_other_page: bool,
) -> StrategyChart:
    """Return the chart of some rules; ``cell`` is the kind and name of the current row, if any."""
    groups = [*merge_equal_rows(rows)]
    cell_place = None
    for number, group in enumerate(groups):
        if any((row.kind, row.name) == cell for row in group):
            cell_place = number, UP_CARDS.index(up_card)
    return StrategyChart(
        labels=tuple(map(_label, groups)),
        plays=tuple("".join(group[0].plays[up_card] for up_card in UP_CARDS) for group in groups),
        first_pair=next(n for n, group in enumerate(groups) if group[0].kind == PAIR),
        current_cell=cell_place,
        hide_best=hide_best,
        on_other_page=on_other_page,
    )


def _label(group: Sequence[ChartRow]) -> str:
    first, last = group[0], group[-1]
    if first.kind == FIRST and len(group) == len(UP_CARDS):
        return FIRST
    between = ", " if len(group) == 2 else " to "
    names = first.name if first is last else f"{first.name}{between}{last.name}"
    return LABELS.get(first.kind, "") + names


def paint_chart(canvas: Canvas, place: Region, chart: StrategyChart) -> None:
    """Paint a chart with the dealer's cards above the rows; a wide one has a title and a legend."""
    y, broad = place.y, place.width >= BROAD
    if broad:
        legend = legend_line(chart)
        start, room = place.x + 2, place.width - 4 - line_width(legend) - 2
        title = next(one for one in TITLES if not one or line_width(one) <= room)
        write_line(canvas, start, y, title)
        write_line(canvas, place.right - 2 - line_width(legend), y, legend)
        y += 1
    inks = line_styles_of(canvas.look.palette)
    lit = style_of("ansi_default", canvas.look.palette.lit)
    columns = _columns(place)
    current_row, current_column = chart.current_cell or (-1, -1)
    for number, (x, name) in enumerate(zip(columns, map(card_name, UP_CARDS), strict=True)):
        is_current = number == current_column
        canvas.write(x + 1 - len(name), y, name, inks.gold if is_current else inks.muted)
    for line, number in enumerate(chart.page(place.height - 1 - broad), y + 1):
        is_current = number == current_row
        if is_current:
            canvas.write(place.x + 1, line, " " * (place.width - 2), lit)
            canvas.write(place.x, line, MARKS[canvas.look.tier], inks.gold)
        canvas.write(
            place.x + 2, line, chart.labels[number], inks.gold if is_current else inks.muted
        )
        for column, (x, code) in enumerate(zip(columns, chart.plays[number], strict=True)):
            cell_x, cell_width = (x - 2, 4) if broad else (x - 1, 2)
            if chart.hide_best and (is_current or column == current_column):
                code = "?"
            style = inks.style(CODES.get(code.upper(), "muted"))
            if column == current_column:
                canvas.write(cell_x, line, " " * cell_width, lit)
                if is_current:
                    _cell(canvas, cell_x, line, cell_width, x, code)
                    continue
            canvas.write(x, line, code, style)


def _cell(canvas: Canvas, cell_x: int, y: int, cell_width: int, x: int, code: str) -> None:
    """Paint the current cell: gold, or dark while the player guesses."""
    palette, inks = canvas.look.palette, line_styles_of(canvas.look.palette)
    style = inks.block
    if code == "?" and palette.bg.startswith("#"):
        style = style_of(palette.gold, palette.bg) + Style(bold=True)
    canvas.write(cell_x, y, " " * cell_width, style)
    canvas.write(x, y, code, style)


def _columns(place: Region) -> tuple[int, ...]:
    """Return the screen column of each letter; the dealer's ten is two columns wide."""
    step = 4 if place.width >= BROAD else 2
    last = place.right - (3 if step == 4 else 2)
    offsets = [step * (len(UP_CARDS) - 1 - number) for number in range(len(UP_CARDS))]
    if step == 2:
        offsets = [
            columns + (number < UP_CARDS.index(10)) for number, columns in enumerate(offsets)
        ]
    return tuple(last - columns for columns in offsets)


def legend_line(chart: StrategyChart) -> TonedLine:
    """Return the legend of the letters."""
    pieces = [*LEGEND]
    if any("d" in plays for plays in chart.plays):
        pieces.append(("d", "or stand"))
    line: list[tuple[str, str]] = []
    for letter, words in pieces:
        line += [(f"{' ' * bool(line)}{letter} ", CODES[letter.upper()]), (words, "muted")]
    return tuple(line)
