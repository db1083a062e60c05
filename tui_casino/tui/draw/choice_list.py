"""The trainer's list of the choices in a position: its data, and how all games draw it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from msgspec import Struct
from rich.style import Style
from textual.geometry import Size
from textual.strip import Strip

from ...structs import replace
from ..terminal.detection import GlyphSet
from .canvas import TonedLine, line_width
from .look import Look, graph_style, line_styles_of, style_of
from .segments import BARE, LineBuilder, centre_strip, truncate

BEST, EITHER = "best", "either"
"""The cost of the best choice, and of a choice that is about as good."""
SPACE, YOURS, NOW, BEFORE = "space", "yours", "now", "before"
"""The labels of the choice that Space makes, and of those that the player has made."""
CURSOR = {GlyphSet.UNICODE: "▌", GlyphSet.CP437: "▌", GlyphSet.ASCII: ">"}
BAR = {GlyphSet.UNICODE: "▄", GlyphSet.CP437: "▄", GlyphSet.ASCII: "="}
"""Half as high as a row, so that neighbouring bars do not merge."""
ROOMY = 34
"""The width from which the columns of figures are two columns apart."""
NUMBERED = 20
"""The width from which choices without keys are numbered."""
NUMBER = 3
"""The columns of a rank in the list."""
BARS = range(3, 21)
"""The possible lengths of the longest bar."""
FEW = 6
"""The most choices of a list whose title does not say that it is complete."""
MOST_COLUMNS = 3
BLOCK = 80
"""The most columns of a list; in a wider area it is centred if it has several columns."""
CALCULATING = "calculating"
RUNNER = 3
"""The length of the mark that moves while the list is calculated."""


class ChoiceRow(Struct, frozen=True):
    """A choice with its EV and cost as text; ``short`` is its name where there is little room.

    ``share`` is the cost relative to the most costly choice. ``figures`` has a text for each
    heading of the list, and ``key`` is the key that makes the choice. A row with a ``label`` is
    highlighted: :data:`SPACE` if Space makes the choice, :data:`YOURS` if the player has made it. A
    choice that is not possible has a ``reason`` and no EV.
    """

    name: str
    ev: str = ""
    cost: str = ""
    short: str = ""
    share: float = 0.0
    figures: tuple[str, ...] = ()
    key: str = ""
    label: str = ""
    reason: str = ""

    @property
    def is_best(self) -> bool:
        """Whether no other choice is better."""
        return self.cost in (BEST, EITHER)


class ChoiceList(Struct, frozen=True):
    """The choices, best first. ``kind`` is their name in the plural, ``note`` the unit of the EVs.

    ``value`` is the heading of the EVs, and ``headings`` are those of the other figures. The parts
    of ``details`` are shown below the list as far as they fit. While the choices are being
    calculated, there are no rows, and ``frame`` counts the moves of a bar. A list with a ``scroll``
    begins with that row, and says how many rows are below.
    """

    kind: str
    rows: tuple[ChoiceRow, ...] = ()
    note: str = ""
    headings: tuple[str, ...] = ()
    value: str = "EV"
    details: tuple[TonedLine, ...] = ()
    frame: int = 0
    scroll: int | None = None

    @property
    def lit(self) -> ChoiceRow | None:
        """The choice with a label, if there is one."""
        return next((row for row in self.rows if row.label), None)

    def visible_rows(self, count: int) -> tuple[ChoiceRow, ...]:
        """Return the best ``count`` choices, with the labelled ones instead of the last."""
        if self.scroll:
            return self.rows[self.scroll : self.scroll + count]
        shown = [*self.rows[: max(1, count)]]
        below = [row for row in self.rows[len(shown) :] if row.label]
        for row in below[: len(shown)]:
            spare = next((one for one in reversed(shown[1:] or shown) if not one.label), None)
            if spare is not None:
                shown.remove(spare)
                shown.append(row)
        return tuple(shown)


class _Widths(Struct, frozen=True):
    """The widths of the parts of an entry, each with the gap before it; 0 leaves a part out."""

    key: int
    number: int
    name: int
    figures: tuple[int, ...]
    ev: int
    cost: int
    bar: int

    @property
    def total(self) -> int:
        """The width of an entry, with the column of the cursor."""
        texts = self.key + self.number + self.name + sum(self.figures)
        return 1 + texts + self.ev + self.cost + self.bar


class _Grid(Struct, frozen=True):
    """How a list is laid out: columns, rows in each, and whether there is a foot."""

    columns: int
    across: int
    down: int
    has_heads: bool
    has_foot: bool


def list_widths(choices: ChoiceList) -> tuple[int, ...]:
    """Return the widths that a list in one column needs: with a label, without, without costs."""
    if not choices.rows:
        return len(CALCULATING) + BARS.stop, len(CALCULATING) + RUNNER + 4
    parts, lit = _parts(choices, 1), choices.lit
    more = 1 + len(lit.label) if lit is not None else 0
    return parts.least + more, parts.least, parts.least - parts.cost


def rows_wanted(choices: ChoiceList, width: int, height: int) -> int:
    """Return how many of ``height`` rows a list uses; with fewer columns it shows more figures."""
    count = len(choices.rows)
    for columns in range(1, MOST_COLUMNS):
        wanted = -(-count // columns) + 2 + (columns > 1)
        if columns * _full_width(choices) <= min(width, BLOCK) and wanted <= height:
            return wanted
    return -(-count // MOST_COLUMNS) + 2


def _full_width(choices: ChoiceList) -> int:
    """Return the width of an entry with all figures, its number, and a short bar."""
    figures = sum(_column((head,), 1) for head in choices.headings)
    return _parts(choices, 1).least + figures + NUMBER + BARS.start


def _column(texts: Sequence[str], gap: int) -> int:
    return max(map(len, texts), default=0) + gap


class _Parts(Struct, frozen=True):
    """The widths that the parts of an entry need, with the gaps before figures, EVs and costs."""

    key: int
    longest: int
    shortest: int
    figures: tuple[int, ...]
    ev: int
    cost: int

    @property
    def least(self) -> int:
        """The width of an entry with a short name, an EV and a cost, and the cursor before it."""
        return 1 + self.key + self.shortest + self.ev + self.cost


def _parts(choices: ChoiceList, gap: int) -> _Parts:
    rows = choices.rows
    key = max((len(row.key) for row in rows), default=0)
    figures = (
        _column([head, *(row.figures[place] for row in rows if row.figures)], gap)
        for place, head in enumerate(choices.headings)
    )
    return _Parts(
        key + bool(key),
        max((len(row.name) for row in rows), default=0),
        max((len(row.short or row.name) for row in rows), default=0),
        tuple(figures),
        _column([choices.value, *(row.ev for row in rows)], gap),
        _column(["cost", *(row.cost for row in rows)], gap),
    )


def _widths(choices: ChoiceList, width: int, *, one_column: bool) -> _Widths:
    """Divide the width of an entry; names and EVs come first, then costs, and then the figures."""
    rows, parts = choices.rows, _parts(choices, 2 if width >= ROOMY and one_column else 1)
    room, no_figures = width - 1 - parts.key - parts.ev, (0,) * len(parts.figures)
    wanted = (
        (parts.longest, parts.cost, parts.figures),
        (parts.shortest, parts.cost, parts.figures),
        (parts.longest, parts.cost, no_figures),
        (parts.shortest, parts.cost, no_figures),
    )
    fits = (one for one in wanted if one[0] + one[1] + sum(one[2]) <= room)
    least = min(parts.shortest, max(0, room)), 0, no_figures
    name, cost, figures = next(fits, least)
    spare = room - name - cost - sum(figures)
    for lit in (row for row in rows if row.label and one_column):
        named = [len(text) + 1 + len(lit.label) for text in (lit.name, lit.short or lit.name)]
        more = next((wide - name for wide in named if 0 < wide - name <= spare), 0)
        spare, name = spare - more, name + more
    number = NUMBER if not parts.key and spare >= NUMBER and width >= NUMBERED else 0
    spare -= number
    spare -= not one_column  # a blank before the next column
    bar = min(spare - 1, BARS.stop - 1) if spare > BARS.start else 0
    if one_column:
        name += max(0, spare - bar - bool(bar))
    return _Widths(parts.key, number, name, figures, parts.ev, cost, bar + bool(bar))


def _grid(choices: ChoiceList, area: Size) -> _Grid:
    """Choose as few columns as possible, and only one if most choices would not fit anyway."""
    count, least = len(choices.rows), _parts(choices, 1).least + NUMBER
    most = max(1, min(MOST_COLUMNS, area.width // least))
    if choices.details:
        fits_foot = True
    elif choices.scroll is not None:
        fits_foot = count - choices.scroll > area.height - 1
    else:
        fits_foot = count > area.height - 1 and area.height > 3
    body = max(1, area.height - 1 - fits_foot)
    if choices.scroll is not None:
        most = 1
    columns = next((few for few in range(1, most) if few * body >= count), most)
    if columns * body < count / 2:
        columns = 1
    if columns > 1 and columns * _full_width(choices) > area.width:
        columns = most
    down = min(body, -(-count // columns))
    has_heads = columns > 1 and down < body and columns * _full_width(choices) <= area.width
    across = min(area.width, BLOCK) // columns
    return _Grid(columns, across, down, has_heads, fits_foot)


@lru_cache(32)
def choice_lines(choices: ChoiceList, area: Size, look: Look) -> tuple[Strip, ...]:
    """Draw a list in an area; in a single row, the choices are next to each other."""
    if area.height < 1 or area.width < 1:
        return ()
    if not choices.rows:
        return _calculation(choices, area, look)
    if area.height == 1:
        return (_single_line(choices, area.width, look),)
    grid = _grid(choices, area)
    widths = _widths(
        choices if grid.columns == 1 or grid.has_heads else replace(choices, headings=()),
        grid.across,
        one_column=grid.columns == 1,
    )
    shown = choices.visible_rows(grid.columns * grid.down)
    block = min(area.width, BLOCK)
    lines = [*_heads(choices, grid, widths, len(shown), block, look)]
    for line in range(grid.down):
        row = LineBuilder(look.tier)
        for place in range(line, len(shown), grid.down):
            rank = choices.rows.index(shown[place]) + 1
            row.pad_to(place // grid.down * grid.across)
            row.join(_entry(shown[place], rank, widths, look))
        lines.append(row.strip())
    if grid.has_foot:
        lines.append(_foot(choices, grid, len(shown), block, look))
    return tuple(centre_strip(line.adjust_cell_length(block), area.width) for line in lines)


def choice_at(choices: ChoiceList, area: Size, x: int, y: int) -> int | None:
    """Return the index of the choice at a cell of a list, or ``None`` if there is none."""
    if not choices.rows or area.height < 2:
        return None
    grid = _grid(choices, area)
    column = (x - (area.width - min(area.width, BLOCK)) // 2) // grid.across
    line = y - 1 - grid.has_heads
    shown = choices.visible_rows(grid.columns * grid.down)
    place = column * grid.down + line
    if not (0 <= line < grid.down and 0 <= column < grid.columns and place < len(shown)):
        return None
    return choices.rows.index(shown[place])


def text_rows(choices: ChoiceList) -> list[str]:
    """Return the whole list as lines of text for a page, with its headings."""
    texts = [(row.name, *row.figures, row.ev, row.cost) for row in choices.rows]
    heads = ("", *choices.headings, choices.value, "cost")
    widths = [max(map(len, column)) for column in zip(heads, *texts, strict=True)]
    return [
        f"{name:<{widths[0]}}"
        + "".join(f"{text:>{wide + 3}}" for text, wide in zip(rest, widths[1:], strict=True))
        for name, *rest in (heads, *texts)
    ]


def _title(choices: ChoiceList, shown: int) -> str:
    count = len(choices.rows)
    if choices.scroll is not None:
        return f"{count} {choices.kind}"
    if shown < count:
        return f"best {choices.kind}"
    return choices.kind if count <= FEW else f"all {choices.kind}"


def _heads(
    choices: ChoiceList, grid: _Grid, widths: _Widths, shown: int, block: int, look: Look
) -> Iterator[Strip]:
    inks = line_styles_of(look.palette)
    line = LineBuilder(look.tier).add(_title(choices, shown).upper(), inks.gold)
    if grid.columns > 1:
        note, room = f"{choices.value} {choices.note}".strip(), block - line.width - 2
        with_cost = f"{note}, then the cost"
        note = with_cost if len(with_cost) <= room else note
        yield line.add("  ").add(truncate(note, room, look.tier), inks.muted).strip()
        if grid.has_heads:
            row = LineBuilder(look.tier)
            for column in range(grid.columns):
                _put_headings(row, column * grid.across, choices, widths, inks.muted)
            yield row.strip()
        return
    first = widths.total - widths.bar - widths.cost - widths.ev - sum(widths.figures)
    heads = _heading_texts(choices, widths)
    first += heads[0][0] - len(heads[0][1]) if heads else 0
    if choices.note and line.width >= first:  # the unit is more important than the title
        line = LineBuilder(look.tier).add(f"{choices.value} {choices.note}", inks.gold)
        choices = replace(choices, value="")
    elif _has_note_below(choices, grid):
        pass
    elif choices.note and line.width + 1 + len(choices.note) < first:
        line.add(f" {choices.note}", inks.muted)
    elif choices.note and shown == len(choices.rows):
        line = LineBuilder(look.tier).add(f"{choices.value} {choices.note}", inks.gold)
        choices = replace(choices, value="")
    _put_headings(line, 0, choices, widths, inks.muted)
    yield line.cut(grid.across).strip()


def _heading_texts(choices: ChoiceList, widths: _Widths) -> list[tuple[int, str]]:
    """Return the width of each column of figures that is shown, and its heading."""
    texts = [*zip(widths.figures, choices.headings, strict=True)]
    texts += [(widths.ev, choices.value), (widths.cost, "cost")]
    return [(width, text) for width, text in texts if width]


def _put_headings(
    line: LineBuilder, start: int, choices: ChoiceList, widths: _Widths, ink: Style
) -> None:
    column = start + 1 + widths.key + widths.number + widths.name
    for width, text in _heading_texts(choices, widths):
        column += width
        if text and column - len(text) > line.width:
            line.put_before(column, text, ink)


@lru_cache(256)
def _entry(row: ChoiceRow, rank: int, widths: _Widths, look: Look) -> Strip:
    """Draw a choice: the best in green, one with a label in gold with its cost in red."""
    palette, inks = look.palette, line_styles_of(look.palette)
    lit = bool(row.label)
    ground = BARE
    if lit:
        named = not palette.lit.startswith("#")
        ground = Style(bold=True) if named else style_of("ansi_default", palette.lit)
    line = LineBuilder(look.tier, ground).add(CURSOR[look.tier] if lit else " ", inks.gold)
    possible = bool(row.ev)
    line.add(row.key.ljust(widths.key), inks.gold if possible else inks.faint)
    if widths.number:
        line.add(f"{rank:>{widths.number - 1}} ", inks.muted)
    ink = inks.bad if row.label == BEFORE else _ink_of(row, look)
    start = line.width
    name = row.name if len(row.name) <= widths.name else row.short or row.name
    if not possible:
        line.add(name, inks.faint).pad_to(start + widths.name)
        room = widths.total - line.width - 2
        reason = truncate(row.reason, room, look.tier) if room > len(row.reason) // 2 else ""
        return line.add(f"  {reason}" * bool(reason), inks.faint).pad_to(widths.total).strip()
    if lit:
        both = (f"{text} {row.label}" for text in (row.name, row.short or row.name))
        said = next((text for text in both if len(text) <= widths.name), "")
        name = said.removesuffix(f" {row.label}") or name
        line.add(truncate(name, widths.name, look.tier), ink)
        line.add(f" {row.label}" * bool(said), inks.muted)
    else:
        line.add(truncate(name, widths.name, look.tier), ink)
    column = start + widths.name
    for width, text in zip(widths.figures, row.figures or ("",) * 9, strict=False):
        if width:
            column += width
            line.put_before(column, text, inks.muted)
    column += widths.ev
    line.put_before(column, row.ev, inks.good if row.is_best else inks.strong if lit else inks.text)
    if widths.cost:
        column += widths.cost
        dear = inks.bad if lit else inks.muted
        line.put_before(column, row.cost, inks.good if row.is_best else dear)
    if widths.bar:
        bar = BAR[look.tier] * max(round(row.share * (widths.bar - 1)), int(row.share > 0))
        line.put(column + 1, bar, graph_style(palette.bad, palette, lit=lit))
    return line.pad_to(widths.total).strip()


def _has_note_below(choices: ChoiceList, grid: _Grid) -> bool:
    """Return whether the unit is shown below the list, where there is more room than above."""
    return bool(choices.note) and grid.has_foot and grid.columns == 1


def _foot(choices: ChoiceList, grid: _Grid, shown: int, width: int, look: Look) -> Strip:
    inks = line_styles_of(look.palette)
    line = LineBuilder(look.tier)
    if choices.scroll is not None:
        below = len(choices.rows) - choices.scroll - shown
        return line.add(f"  {below} more: down" * (below > 0), inks.muted).strip()
    if not choices.details and shown < len(choices.rows):
        line.add("o", inks.gold).add(f"  all {len(choices.rows)}", inks.text)
        if _has_note_below(choices, grid) and line.width + len(choices.note) + 2 < width:
            line.put_before(width - 1, choices.note, inks.muted)
        return line.strip()
    if _has_note_below(choices, grid):
        line.add(
            choices.note if choices.note.startswith("in ") else f"{choices.value} {choices.note}",
            inks.muted,
        )
    for part in choices.details:
        dot = " · " * (part is choices.details[0] and line.width > 0)
        if line.width + len(dot) + line_width(part) <= width:
            line.add(dot, inks.muted)
            for text, tone in part:
                line.add(text, inks.style(tone))
    return line.strip()


def _single_line(choices: ChoiceList, width: int, look: Look) -> Strip:
    """Draw the choices next to each other, with the unit if all of them fit."""
    inks = line_styles_of(look.palette)
    entries = []
    for row in choices.rows:
        entry = LineBuilder(look.tier).add("   ").add(f"{row.name} ", _ink_of(row, look))
        entry.add(f"{row.ev} ", inks.good if row.is_best else inks.text)
        entry.add(row.cost, inks.good if row.is_best else inks.muted)
        entries.append(entry.strip())
    line = LineBuilder(look.tier).add(f" {choices.value}", inks.gold)
    note = f" {choices.note}" * bool(choices.note)
    if line.width + len(note) + sum(entry.cell_length for entry in entries) <= width:
        line.add(note, inks.muted)
    for place, strip in enumerate(entries):
        more = " …" * (place + 1 < len(entries))
        if line.width + strip.cell_length + len(more) > width:
            return line.add(" …", inks.muted).strip()
        line.join(strip)
    return line.strip()


def _ink_of(row: ChoiceRow, look: Look) -> Style:
    inks = line_styles_of(look.palette)
    return inks.gold if row.label else inks.good if row.is_best else inks.text


def _calculation(choices: ChoiceList, area: Size, look: Look) -> tuple[Strip, ...]:
    """Draw a mark that moves to and fro, once the calculation takes long enough to be noticed."""
    inks, block = line_styles_of(look.palette), min(area.width, BLOCK)
    if not choices.frame:
        return ()
    room = max(RUNNER, min(BARS.stop, block - len(CALCULATING) - 4))
    way = room - RUNNER
    place = choices.frame % (2 * way) if way else 0
    place = min(place, 2 * way - place)
    line = LineBuilder(look.tier).add(CALCULATING, inks.muted).add("  ")
    line.add("─" * place, inks.faint).add(BAR[look.tier] * RUNNER, inks.gold)
    line.add("─" * (way - place), inks.faint)
    lines = [line.strip()]
    if area.height > 1:
        lines.insert(0, LineBuilder(look.tier).add(choices.kind.upper(), inks.gold).strip())
    return tuple(centre_strip(one.adjust_cell_length(block), area.width) for one in lines)
