"""The chart of the best play, with the row and the column of the moment."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from rich.style import Style
from textual.geometry import Region

from .....tui.draw.canvas import Canvas
from .....tui.draw.styles import line_styles_of, style_of
from .....tui.draw.table_rows import TonedLine, write_line
from .....tui.terminal.detection import GlyphSet
from ...brains.strategy_chart import FIRST, PAIR, UP_CARDS, ChartRow, card_name, merge_equal_rows

LABELS: Mapping[str, str] = MappingProxyType({FIRST: "first ", "soft": "soft ", "two soft": "two "})
CODES: Mapping[str, str] = MappingProxyType({"H": "muted", "S": "blue", "D": "gold", "P": "good"})
LEGEND = (("H", "hit"), ("S", "stand"), ("D", "double"), ("P", "split"))
BROAD = 54
"""Columns from which on a cell has four of them, and the title has room for the legend."""
MARKS = {GlyphSet.UNICODE: "▌", GlyphSet.CP437: "▌", GlyphSet.ASCII: ">"}


@dataclass(frozen=True, slots=True)
class StrategyChart:
    """The rows that are alike as one, each with its label, and the place of the moment.

    ``here`` is the number of a row and that of a column; ``dark`` keeps what is best there back.
    ``turned`` shows the other page, where there is no room for both: that of the pairs.
    """

    labels: tuple[str, ...]
    plays: tuple[str, ...]
    first_pair: int
    here: tuple[int, int] | None = None
    dark: bool = False
    turned: bool = False

    def whole(self, rows: int) -> bool:
        """Tell whether all of it can be seen at once."""
        return len(self.labels) <= rows

    @property
    def on_pairs(self) -> bool:
        """Whether the page is that of the pairs: as the moment has it, unless it was turned."""
        return (self.here is not None and self.here[0] >= self.first_pair) != self.turned

    def page(self, rows: int) -> range:
        """Give the numbers of the rows that are shown in so many."""
        every = len(self.labels)
        if self.whole(rows):
            return range(every)
        if self.on_pairs:
            return range(self.first_pair, every)
        first = 0
        if self.here is not None and self.here[0] < self.first_pair:
            first = max(0, min(self.here[0] - rows // 2, self.first_pair - rows))
        return range(first, min(first + rows, self.first_pair))


def chart_of(
    rows: Iterable[ChartRow], at: tuple[str, str] | None, up: int, *, dark: bool, turned: bool
) -> StrategyChart:
    """Make the chart of a house; ``at`` are kind and name of the row of the moment, if any."""
    groups = [*merge_equal_rows(rows)]
    here = None
    for number, group in enumerate(groups):
        if any((row.kind, row.name) == at for row in group):
            here = number, UP_CARDS.index(up)
    return StrategyChart(
        labels=tuple(map(_label, groups)),
        plays=tuple("".join(group[0].plays[up] for up in UP_CARDS) for group in groups),
        first_pair=next(n for n, group in enumerate(groups) if group[0].kind == PAIR),
        here=here,
        dark=dark,
        turned=turned,
    )


def _label(group: Sequence[ChartRow]) -> str:
    first, last = group[0], group[-1]
    if first.kind == FIRST and len(group) == len(UP_CARDS):
        return FIRST
    between = ", " if len(group) == 2 else " to "
    names = first.name if first is last else f"{first.name}{between}{last.name}"
    return LABELS.get(first.kind, "") + names


def paint_chart(canvas: Canvas, place: Region, chart: StrategyChart) -> None:
    """Paint a chart: the dealer's cards over the rows; a broad one under a title."""
    y, broad = place.y, place.width >= BROAD
    if broad:
        write_line(canvas, place.x + 2, y, (("BEST PLAY", "gold"),))
        legend = legend_line(chart)
        write_line(canvas, place.right - 2 - sum(len(text) for text, _ in legend), y, legend)
        y += 1
    inks = line_styles_of(canvas.look.palette)
    lit = style_of("ansi_default", canvas.look.palette.lit)
    columns = _columns(place)
    row_here, up_here = chart.here or (-1, -1)
    for number, (x, name) in enumerate(zip(columns, map(card_name, UP_CARDS), strict=True)):
        here = number == up_here
        canvas.write(x + 1 - len(name), y, name, inks.gold if here else inks.muted)
    for line, number in enumerate(chart.page(place.height - 1 - broad), y + 1):
        here = number == row_here
        if here:
            canvas.write(place.x + 1, line, " " * (place.width - 2), lit)
            canvas.write(place.x, line, MARKS[canvas.look.tier], inks.gold)
        canvas.write(place.x + 2, line, chart.labels[number], inks.gold if here else inks.muted)
        for column, (x, code) in enumerate(zip(columns, chart.plays[number], strict=True)):
            left, wide = (x - 2, 4) if broad else (x - 1, 2)
            style = inks.style(CODES[code.upper()])
            if column == up_here:
                canvas.write(left, line, " " * wide, lit)
                if here:
                    _cell(canvas, left, line, wide, x, "?" if chart.dark else code)
                    continue
            canvas.write(x, line, code, style)


def _cell(canvas: Canvas, left: int, y: int, wide: int, x: int, code: str) -> None:
    """Paint the cell of the moment: gold, or dark while one guesses."""
    palette, inks = canvas.look.palette, line_styles_of(canvas.look.palette)
    style = inks.block
    if code == "?" and palette.bg.startswith("#"):
        style = style_of(palette.gold, palette.bg) + Style(bold=True)
    canvas.write(left, y, " " * wide, style)
    canvas.write(x, y, code, style)


def _columns(place: Region) -> tuple[int, ...]:
    """Give the column of each letter; the ten among the dealer's cards is two wide."""
    step = 4 if place.width >= BROAD else 2
    last = place.right - (3 if step == 4 else 2)
    back = [step * (len(UP_CARDS) - 1 - number) for number in range(len(UP_CARDS))]
    if step == 2:
        back = [columns + (number < UP_CARDS.index(10)) for number, columns in enumerate(back)]
    return tuple(last - columns for columns in back)


def legend_line(chart: StrategyChart) -> TonedLine:
    """Say what the letters mean."""
    pieces = [*LEGEND]
    if any("d" in plays for plays in chart.plays):
        pieces.append(("d", "or stand"))
    line: list[tuple[str, str]] = []
    for letter, words in pieces:
        line += [(f"{' ' * bool(line)}{letter} ", CODES[letter.upper()]), (words, "muted")]
    return tuple(line)
