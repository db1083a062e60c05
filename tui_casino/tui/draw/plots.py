"""Draw figures with glyphs: bars for shares, a sparkline, and a plot of several rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise

from rich.style import Style

from ...gamekit.number_formats import with_minus_signs
from ..terminal.detection import GlyphSet
from .canvas import Canvas
from .look import Look, style_of

_PARTS = {GlyphSet.UNICODE: " ▏▎▍▌▋▊▉█", GlyphSet.CP437: " ▌█"}


def bar(share: float, width: int, tier: GlyphSet, ascii_glyph: str = "#") -> str:
    """Draw a share (0 to 1) as a bar of up to ``width`` columns; every share above 0 is visible."""
    parts = f" {ascii_glyph}" if tier is GlyphSet.ASCII else _PARTS[tier]
    finest = len(parts) - 1
    length = min(width * finest, max(round(share * width * finest), int(share > 0)))
    whole, rest = divmod(length, finest)
    return (parts[-1] * whole + parts[rest] * bool(rest)).ljust(width)


def full_block(tier: GlyphSet) -> str:
    """Return the glyph for a full cell of a bar."""
    return "#" if tier is GlyphSet.ASCII else "█"


def draw_bar(canvas: Canvas, x: int, y: int, cells: int, width: int, style: Style) -> None:
    """Draw a bar of whole cells on a track of ``width`` columns."""
    canvas.write(x, y, " " * width, style_of("ansi_default", canvas.look.palette.lit))
    canvas.write(x, y, full_block(canvas.look.tier) * cells, style)


BARS = "▁▂▃▄▅▆▇█"
ASCII_BARS = "_.-:=+*#"
LEVELS = 6
"""The number of heights, out of eight, that a bar uses to stay clear of the line above."""


def downsample(values: Sequence[float], width: int) -> list[float]:
    """Return at most ``width`` evenly spaced values, including the first and the last."""
    if len(values) <= width or width < 2:
        return list(values[-width:]) if width > 0 else []
    last = len(values) - 1
    return [values[round(i * last / (width - 1))] for i in range(width)]


def sparkline(
    values: Sequence[float], width: int, ascii_only: bool = False, levels: int = len(BARS)
) -> str:
    """Draw values as a line of bars between their minimum and their maximum.

    The bars use the lowest ``levels`` of the available heights.
    """
    shown = downsample(values, width)
    if not shown:
        return ""
    bars = ASCII_BARS if ascii_only else BARS
    low, high = min(shown), max(shown)
    span = (high - low) or 1
    return "".join(bars[round((value - low) / span * (levels - 1))] for value in shown)


def bankroll_bars(course: Sequence[int], width: int, look: Look) -> str:
    """Draw a bankroll over time as a line of bars over the whole width."""
    stretched = [course[place * len(course) // width] for place in range(width)]
    values = stretched if len(course) <= width else course
    return sparkline(values, width, look.tier is not GlyphSet.UNICODE, LEVELS)


def column_chart(
    values: Sequence[float | None], height: int, tier: GlyphSet, *, wide: int, gap: int
) -> list[str]:
    """Draw values from 0 as columns of up to ``height`` rows, ``wide`` cells each.

    A value of 0 is a line on the ground, and a missing one is a dot.
    """
    parts = (" ", *BARS) if tier is GlyphSet.UNICODE else (" ", full_block(tier))
    finest, ground = len(parts) - 1, BARS[0] if tier is GlyphSet.UNICODE else "_"
    largest = max((value for value in values if value), default=0) or 1
    rows = []
    for row in reversed(range(height)):
        cells = []
        for value in values:
            filled = round((value or 0) / largest * height * finest) - row * finest
            glyph = parts[max(0, min(finest, filled))] * wide
            if row == 0 and filled <= 0:
                glyph = "·".ljust(wide) if value is None else ground * wide
            cells.append(glyph)
        rows.append((" " * gap).join(cells))
    return rows


def figure_line(name: str, figure: str | int, width: int) -> str:
    """Return a line of ``width`` columns with a name at its start and a figure at its end."""
    text = f"{figure:,}" if isinstance(figure, int) else figure
    return f"{name}{text:>{width - len(name)}}"


def share_bars(
    rows: Iterable[tuple[str, float, str]], width: int, ascii_only: bool = False
) -> Iterator[str]:
    """Yield a line per share: its name, a bar relative to the largest share, and its figure."""
    every = [*rows]
    names = max((len(name) for name, _, _ in every), default=0)
    figures = max((len(figure) for _, _, figure in every), default=0)
    room, largest = width - names - figures - 3, max((share for _, share, _ in every), default=0)
    for name, share, figure in every:
        length = round(room * share / largest) if largest > 0 else 0
        bar = ("#" if ascii_only else "▄") * length  # half a row, so that bars do not merge
        yield f"{name:<{names}}  {bar:<{room}} {figure:>{figures}}"


def plot(
    values: Sequence[float],
    width: int,
    height: int,
    ascii_only: bool = False,
    *,
    label: Callable[[float], str] = "{:,.0f}".format,
    figures: bool = True,
    references: Sequence[Sequence[float]] = (),
    floor: float | None = None,
) -> list[str]:
    """Plot values as a line of ``width`` columns and ``height`` rows.

    ``label`` formats the maximum and the minimum, which are written to the left of the plot.
    Without ``figures``, they are left out, and the plot has the whole width. A few values are
    stretched over the width. In Unicode, each cell has two by four dots; in ASCII, it has one. The
    ``references`` are dotted lines over the same width. The lowest row stands for ``floor``, unless
    some value is lower.
    """
    if not values:
        return []
    low, high = min(map(min, (values, *references))), max(map(max, (values, *references)))
    low = low if floor is None else min(low, floor)
    labels = [label(high), *[""] * (height - 2), label(low)] if height > 1 else [""]
    if not ascii_only:
        labels = [*map(with_minus_signs, labels)]
    room = max(map(len, labels)) + 1 if figures else 0
    across, down = (1, 1) if ascii_only else (2, 4)
    span = (high - low) or 1
    drawn = [
        _columns(
            [round((high - value) / span * (height * down - 1)) for value in line],
            max(1, width - room) * across,
        )
        for line in (values, *references)
        if line
    ]
    lines, others = drawn[0], drawn[1:]
    rows = [
        "".join(
            _cell(lines[at : at + across], [other[at] for other in others], row, ascii_only)
            for at in range(0, len(lines), across)
        )
        for row in range(height)
    ]
    if not figures:
        return rows
    return [f"{label:>{room - 1}} {row}" for label, row in zip(labels, rows, strict=True)]


def _columns(dots: Sequence[int], width: int) -> list[range]:
    """Return the range that the line through all points covers in each column."""
    last = max(1, len(dots) - 1)
    points = [(round(i * (width - 1) / last), y) for i, y in enumerate(dots)]
    covered: list[list[int]] = [[] for _ in range(width)]
    covered[0].append(dots[0])
    for (x, y), (end, goal) in pairwise([*points, (width - 1, dots[-1])]):
        covered[end] += (y, goal) if x == end else ()
        before = y
        for column in range(x + 1, end + 1):
            now = y + round((goal - y) * (column - x) / (end - x))
            step = (now > before) - (now < before)  # connect the dots even where the line is steep
            covered[column] += (before + step, now)
            before = now
    return [range(min(ys), max(ys) + 1) for ys in covered]


_BRAILLE = ((0x01, 0x02, 0x04, 0x40), (0x08, 0x10, 0x20, 0x80))


def _cell(line: Sequence[range], others: Sequence[range], row: int, ascii_only: bool) -> str:
    """Draw a cell; dotted lines use only the first of the cell's two columns of dots."""
    if ascii_only:
        return "*" if row in line[0] else "." if any(row in other for other in others) else " "
    bits = 0
    for columns in (line, *([other] for other in others)):
        for column, places in zip(columns, _BRAILLE, strict=False):
            for y, bit in enumerate(places):
                if 4 * row + y in column:
                    bits |= bit
    return chr(0x2800 + bits) if bits else " "
