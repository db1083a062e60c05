"""The side panel: the strategy chart and the rules lab, or the rules and the last rounds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType

from msgspec import Struct
from rich.style import Style
from textual import events
from textual.geometry import Region
from textual.message import Message
from textual.widget import Widget

from .....gamekit.number_formats import percent, with_minus_signs
from .....structs import replace
from .....tui.draw.canvas import (
    Canvas,
    ClickTarget,
    TableRow,
    TableRows,
    TonedLine,
    line_width,
    write_line,
    write_rows,
)
from .....tui.draw.look import line_styles_of, style_of
from .....tui.draw.plots import draw_bar
from .....tui.table.background_tasks import BackgroundTasks
from .....tui.terminal.detection import GlyphSet
from .....tui.widgets.line_widget import CanvasWidget, ContentWidget
from ...brains.adviser import ThirtyOnePosition
from ...brains.rules_lab import OPTIONS, EdgeEstimate
from ...brains.strategy_chart import (
    FIRST,
    PAIR,
    UP_CARDS,
    ChartRow,
    build_chart,
    card_name,
    chart_cell_of,
    merge_equal_rows,
)
from ...machine.rules import Rules

LABELS: Mapping[str, str] = MappingProxyType({FIRST: "first ", "soft": "soft ", "two soft": "two "})
CODES: Mapping[str, str] = MappingProxyType({"H": "muted", "S": "blue", "D": "gold", "P": "good"})
LEGEND = (("H", "hit"), ("S", "stand"), ("D", "double"), ("P", "split"))
TITLES: tuple[TonedLine, ...] = (
    (("PERFECT PLAY", "gold"), (", endless shoe", "muted")),
    (("PERFECT PLAY", "gold"),),
    (),
)
"""The titles, the longest first; the first that fits to the left of the legend is shown."""
TITLE_GAP = 4
"""The fewest columns between a title and the legend."""
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
        start, room = place.x + 2, place.width - 4 - line_width(legend) - TITLE_GAP
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


SCALE = Fraction(1, 10)
"""The house edge at the right end of the bar."""
BOXES = {
    GlyphSet.UNICODE: ("□", "■"),
    GlyphSet.CP437: ("[ ]", "[x]"),
    GlyphSet.ASCII: ("[ ]", "[x]"),
}


class LabState(Struct, frozen=True):
    """A set of rules to try: its house edge, and the effect of each option, once known.

    ``usual_edge`` is the house edge under the usual rules, ``two_deck_edge`` the house edge with
    two fresh decks, and ``cursor`` the index of the selected option, if any.
    """

    rules: Rules
    usual_edge: Fraction | None = None
    edge: Fraction | None = None
    effects: tuple[Fraction, ...] = ()
    two_deck_edge: EdgeEstimate | None = None
    cursor: int | None = None

    def with_cursor(self, number: int) -> LabState:
        return replace(self, cursor=number)


def edge_line(lab: LabState) -> TonedLine:
    """Return the house edge with the usual rules, and with the current rules."""
    return (
        ("house edge ", "muted"),
        (_percent(lab.usual_edge), "strong"),
        (" now ", "muted"),
        (_percent(lab.edge), "bad" if lab.edge != lab.usual_edge else "strong"),
    )


def paint_lab(canvas: Canvas, place: Region, lab: LabState) -> list[ClickTarget]:
    """Paint the lab with as many options as fit; return the click target of each."""
    edge = edge_line(lab)
    start = write_line(canvas, place.x, place.y, (("RULES LAB ", "gold"),))
    if start + line_width(edge) > place.right:
        edge = (("edge ", "muted"), *edge[1:])
    write_line(canvas, place.right - line_width(edge), place.y, edge)
    options = OPTIONS[: place.height - 3]
    boxes = BOXES[canvas.look.tier]
    rows = []
    for number, option in enumerate(options):
        is_on = option.holds(lab.rules)
        effect = lab.effects[number] if lab.effects else None
        tone = "strong" if is_on else "muted"
        line: TonedLine = ((f"{boxes[is_on]} ", "gold" if is_on else "muted"), (option.words, tone))
        rows.append(TableRow(line, ((_added(effect), _tone(effect, is_on)),), str(number)))
    if lab.cursor is not None:
        lit = style_of("ansi_default", canvas.look.palette.lit)
        canvas.write(place.x, place.y + 1 + lab.cursor, " " * place.width, lit)
        write_line(canvas, place.x - 2, place.y + 1 + lab.cursor, ((">", "gold"),))
    spots = write_rows(canvas, place.x, place.y + 1, place.width, tuple(rows))
    _bar(canvas, Region(place.x, place.y + 1 + len(options), place.width, 2), lab)
    return spots


def _bar(canvas: Canvas, place: Region, lab: LabState) -> None:
    edge = lab.edge
    if lab.two_deck_edge is not None:
        line: TonedLine = (("two decks ", "muted"), (percent(lab.two_deck_edge.value), "strong"))
        write_line(canvas, place.x + (place.width - line_width(line)) // 2, place.y, line)
    write_line(canvas, place.x, place.y, ((percent(0, 0), "muted"),))
    scale_label = percent(SCALE, 0)
    write_line(canvas, place.right - len(scale_label), place.y, ((scale_label, "muted"),))
    share = max(Fraction(0), min((edge or 0) / SCALE, Fraction(1)))
    ink = line_styles_of(canvas.look.palette).bad
    draw_bar(canvas, place.x, place.y + 1, round(place.width * share), place.width, ink)


def _percent(edge: Fraction | None) -> str:
    return "…" if edge is None else percent(edge)


def _added(effect: Fraction | None) -> str:
    if effect is None:
        return "…"
    text = f"{float(100 * effect):+.2f}"
    return "0.00" if text[1:] == "0.00" else with_minus_signs(text)


def _tone(effect: Fraction | None, is_on: bool) -> str:
    if not is_on or effect is None:
        return "muted"
    return "bad" if effect > 0 else "good" if effect < 0 else "muted"


LAB_ROWS = 9
"""The rows that the lab needs below the chart."""


class SidePanelContent(Struct, frozen=True):
    """The content: with the trainer, a chart and perhaps the lab; without it, rules and rounds.

    ``keys`` are the keys of the panel, each with its effect.
    """

    chart: StrategyChart | None = None
    lab: LabState | None = None
    rules: TableRows = ()
    rounds: TableRows = ()
    keys: tuple[tuple[str, str], ...] = ()


class ThirtyOneSidePanel(ContentWidget[SidePanelContent], CanvasWidget):
    """Draws the chart and the lab, or the rules and the last rounds, and posts clicks."""

    @dataclass
    class Pressed(Message):
        """A key was clicked."""

        key: str

    @dataclass
    class Switched(Message):
        """An option of the lab was clicked; its index counts from 0."""

        number: int

    def __init__(self) -> None:
        super().__init__(SidePanelContent())
        self._keys: list[ClickTarget] = []
        self._options: list[ClickTarget] = []

    @property
    def has_lab(self) -> bool:
        chart = self.content.chart
        rows = len(chart.labels) if chart else 0
        return bool(rows) and self.size.height >= rows + self._header_rows + 1 + LAB_ROWS

    @property
    def _header_rows(self) -> int:
        return 2 if self.size.width >= BROAD else 1

    def on_click(self, event: events.Click) -> None:
        for region, key in self._keys:
            if region.contains(event.x, event.y):
                self.post_message(self.Pressed(key))
        for region, number in self._options:
            if region.contains(event.x, event.y):
                self.post_message(self.Switched(int(number)))

    def _paint(self, canvas: Canvas) -> None:
        self._keys, self._options = [], []
        chart, lab = self.content.chart, self.content.lab
        width, height = canvas.width, canvas.height
        if chart is None:
            self._paint_without_chart(canvas)
        elif self.has_lab and lab is not None:
            top = int(height >= len(chart.labels) + self._header_rows + 2 + LAB_ROWS)
            rows = len(chart.labels) + self._header_rows
            paint_chart(canvas, Region(0, top, width, rows), chart)
            self._draw_rule(canvas, top + rows)
            y = top + rows + 1
            place = Region(2, y, width - 4, height - y - (height - y > LAB_ROWS))
            self._options = paint_lab(canvas, place, lab)
            if height - y > LAB_ROWS:
                self._write_keys(canvas, height - 1)
        else:
            legend = width < BROAD
            paint_chart(canvas, Region(0, 0, width, height - 1 - legend), chart)
            if legend:
                write_line(canvas, 2, height - 2, legend_line(chart))
            self._write_keys(canvas, height - 1)

    def _paint_without_chart(self, canvas: Canvas) -> None:
        """Write the rules, and below them as many of the last rounds as fit."""
        width, height = canvas.width - 4, canvas.height
        rules, rounds = self.content.rules, self.content.rounds
        write_rows(canvas, 2, 0, width, rules)
        y = len(rules) + 1
        self._draw_rule(canvas, y - 1)
        write_rows(canvas, 2, y, width, rounds[: max(0, height - 1 - y)])
        self._write_keys(canvas, height - 1)

    def _write_keys(self, canvas: Canvas, y: int) -> None:
        x = 2
        chart = self.content.chart
        for key, words in self.content.keys:
            if (
                key == "c"
                and chart is not None
                and chart.fits(canvas.height - self._header_rows - 1)
            ):
                continue
            line: TonedLine = ((key, "gold"), (f" {words}", "muted"))
            if x + line_width(line) > canvas.width:
                return
            self._keys.append((Region(x, y, line_width(line), 1), key))
            x = write_line(canvas, x, y, line) + 2

    def _draw_rule(self, canvas: Canvas, y: int) -> None:
        canvas.write(2, y, "─" * (canvas.width - 4), line_styles_of(canvas.look.palette).faint)


class ChartBench:
    """The strategy chart of the table. ``changed`` is called when it is known.

    ``on_other_page`` shows the other page of the chart until there is another position.
    """

    def __init__(self, owner: Widget, rules: Rules, changed: Callable[[], None]) -> None:
        self._owner, self._rules, self._changed = owner, rules, changed
        self._tasks = BackgroundTasks(owner)
        self._position: ThirtyOnePosition | None = None
        self._last_position: ThirtyOnePosition | None = None
        self._rows: tuple[ChartRow, ...] = ()
        self._requested = self.on_other_page = False

    def update(self, position: ThirtyOnePosition | None) -> None:
        """Point at a position; without one, remember the last."""
        if not self._requested:
            self._requested = True
            self._tasks.run("chart", lambda: build_chart(self._rules), self._store, self._alive)
        if position is None:
            self._last_position = self._position or self._last_position
        if position != self._position:
            self._position, self.on_other_page = position, False

    def chart(self, *, guess: bool) -> StrategyChart | None:
        """Return the chart with the current cell marked, once it is known.

        For a player who guesses first, the best choice stays hidden until the player has acted, and
        then the last cell is marked.
        """
        if not self._rows:
            return None
        position = self._position or (self._last_position if guess else None)
        cell = (
            chart_cell_of(position)
            if position is not None and not position.insurance_asked
            else None
        )
        hide_best = guess and self._position is not None
        up_card = position.up_card if position else 0
        return chart_of(
            self._rows, cell, up_card, hide_best=hide_best, on_other_page=self.on_other_page
        )

    def _alive(self) -> bool:
        return self._owner.is_attached

    def _store(self, rows: tuple[ChartRow, ...]) -> None:
        self._rows = rows
        self._changed()
