"""Draw a recording as an SVG: its last screen, or all of it as a moving picture without a script.

    python screenshots/animation.py RECORDING.cast >PICTURE.svg

Blocks are drawn as shapes, and words have a fixed length, so every viewer shows the same columns.

A frame is what the terminal shows until the next change. Each distinct row of text is drawn once
and used by every frame that contains it. CSS shows one frame at a time. Readers who have asked
their system for less motion see only the frame that lasts longest, and so does a program that
ignores CSS. A marker in the recording is the caption below the terminal until the next marker.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

import pyte

CELL_WIDTH, ROW_HEIGHT = 10, 20
MARGIN, BAR = 12, 36
"""Pixels around the terminal, and the height of the caption below it."""
FONT = "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace"
FOREGROUND, BACKGROUND = "c5c8c6", "0b1f18"
WINDOW, CAPTION, KEY = "1c1c1c", "e9e4d4", "f2c14e"
QUADRANTS = dict(
    zip("▘▝▖▗▀▄▌▐█▙▛▜▟▚▞", (1, 2, 4, 8, 3, 12, 5, 10, 15, 13, 7, 11, 14, 9, 6), strict=True)
)
"""Which quarters of its cell a block fills: 1 top left, 2 top right, 4 and 8 below them."""
EIGHTHS = "▏▎▍▌▋▊▉"
"""Blocks that fill one to seven eighths of their cell, from the left."""
LOW_EIGHTHS = "▁▂▃▄▅▆▇"
"""Blocks that fill one to seven eighths of their cell, from below."""
NAMED_COLOURS = {
    **{"black": "000000", "red": "cc342b", "green": "198844", "brown": "fba922"},
    **{"blue": "3971ed", "magenta": "a36ac7", "cyan": "3aaab2", "white": "c5c8c6"},
    **{"brightblack": "666666", "brightred": "f14c4c", "brightgreen": "23d18b"},
    **{"brightbrown": "f5f543", "brightblue": "6f9bff", "brightmagenta": "d670d6"},
    **{"brightcyan": "5fd7d7", "brightwhite": "ffffff"},
}
"""The 16 colours of a terminal, by the names of ``pyte``; each terminal has its own shades."""


class Style(NamedTuple):
    """How a cell is drawn: colours as six hexadecimal digits, and bold or not."""

    colour: str
    ground: str
    bold: bool


Row = tuple[tuple[str, Style], ...]
"""The characters of a row, each with its style."""


@dataclass(frozen=True)
class Frame:
    """What the terminal shows, for how many seconds, and the caption below it."""

    rows: tuple[Row, ...]
    seconds: float
    caption: str


def frames(recording: str) -> list[Frame]:
    """Return the frames of an asciicast v3. Frames that look alike are one."""
    header, *events = map(json.loads, recording.splitlines())
    columns, lines = header["term"]["cols"], header["term"]["rows"]
    screen: Any = pyte.Screen(columns, lines)
    stream = pyte.Stream(screen)
    found: list[Frame] = []
    caption = ""
    for interval, kind, text in events:
        if interval:
            shown = Frame(tuple(_row(screen, line) for line in range(lines)), interval, caption)
            if found and (found[-1].rows, found[-1].caption) == (shown.rows, caption):
                shown = Frame(shown.rows, found.pop().seconds + interval, caption)
            found.append(shown)
        if kind == "o":
            stream.feed(text)
        elif kind == "m":
            caption = text
    return found


def animated(recording: str) -> str:
    """Return the SVG of a recording."""
    every = frames(recording)
    rows = list(dict.fromkeys(row for frame in every for row in frame.rows))
    styles = _style_names(rows)
    captions = ". ".join(dict.fromkeys(frame.caption for frame in every if frame.caption))
    longest = max(range(len(every)), key=lambda number: every[number].seconds)
    height = len(every[0].rows) * ROW_HEIGHT + 2 * MARGIN + BAR
    return _picture(
        captions,
        every[0].rows,
        _sheet(every, styles),
        (
            "<defs>",
            *(f'<g id="r{number}">{_drawn(row, styles)}</g>' for number, row in enumerate(rows)),
            "</defs>",
        ),
        (
            _group(number, frame, rows, height, hidden=number != longest)
            for number, frame in enumerate(every)
        ),
        bar=BAR,
    )


def still(recording: str, title: str) -> str:
    """Return the SVG of the last screen of a recording."""
    rows = frames(recording)[-1].rows
    styles = _style_names(rows)
    drawn = (
        f'<g transform="translate({MARGIN} {MARGIN + line * ROW_HEIGHT})">{_drawn(row, styles)}</g>'
        for line, row in enumerate(rows)
    )
    return _picture(title, rows, "\n".join(_text_styles(styles)), (), drawn)


def _picture(
    title: str,
    rows: Sequence[Row],
    sheet: str,
    definitions: Iterable[str],
    content: Iterable[str],
    bar: int = 0,
) -> str:
    """Return an SVG of a terminal window, with a ``bar`` of this height below the terminal."""
    width = len(rows[0]) * CELL_WIDTH + 2 * MARGIN
    height = len(rows) * ROW_HEIGHT + 2 * MARGIN + bar
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            f'width="{width}" height="{height}" role="img">',
            f"<title>{escape(title)}</title>",
            f"<style>{sheet}</style>",
            *definitions,
            f'<rect width="{width}" height="{height}" rx="8" fill="#{WINDOW}"/>',
            f'<rect x="{MARGIN}" y="{MARGIN}" width="{width - 2 * MARGIN}" '
            f'height="{height - 2 * MARGIN - bar}" fill="#{BACKGROUND}"/>',
            *content,
            "</svg>\n",
        )
    )


def _row(screen: Any, line: int) -> Row:
    return tuple(_cell(screen.buffer[line][column]) for column in range(screen.columns))


def _cell(cell: Any) -> tuple[str, Style]:
    colour = FOREGROUND if cell.fg == "default" else NAMED_COLOURS.get(cell.fg, cell.fg)
    ground = BACKGROUND if cell.bg == "default" else NAMED_COLOURS.get(cell.bg, cell.bg)
    if cell.reverse:
        colour, ground = ground, colour
    bold = cell.bold and cell.data != " "
    return cell.data, Style(FOREGROUND if cell.data == " " else colour, ground, bold)


def _style_names(rows: Iterable[Row]) -> dict[str, str]:
    """Return the name of the class of each colour."""
    colours = dict.fromkeys(
        colour for row in rows for _, style in row for colour in (style.ground, style.colour)
    )
    return {colour: f"c{number}" for number, colour in enumerate(colours)}


def _text_styles(styles: dict[str, str]) -> list[str]:
    return [
        f"text{{font:{ROW_HEIGHT * 0.83:g}px {FONT};font-variant-emoji:text}}",
        ".b{font-weight:bold}",
        "rect,path{shape-rendering:crispEdges}",
        *(f".{name}{{fill:#{colour}}}" for colour, name in styles.items()),
    ]


def _sheet(every: list[Frame], styles: dict[str, str]) -> str:
    """Return the style sheet: colours, and when each frame is visible."""
    total = sum(frame.seconds for frame in every)
    lines = [*_text_styles(styles), f".f{{animation:{total:g}s step-end infinite}}"]
    at = 0.0
    for number, frame in enumerate(every):
        begin, at = at, at + frame.seconds
        steps = [(0.0, "hidden")] if begin else []
        steps.append((begin, "visible"))
        if number < len(every) - 1:
            steps.append((at, "hidden"))
        shown = "".join(f"{100 * time / total:.4g}%{{visibility:{how}}}" for time, how in steps)
        lines.append(f"@keyframes k{number}{{{shown}}}#f{number}{{animation-name:k{number}}}")
    lines.append("@media (prefers-reduced-motion:reduce){.f.f{animation:none}}")
    return "\n".join(lines)


def _group(number: int, frame: Frame, rows: list[Row], height: int, *, hidden: bool) -> str:
    used = "".join(
        f'<use href="#r{rows.index(row)}" x="{MARGIN}" y="{MARGIN + line * ROW_HEIGHT}"/>'
        for line, row in enumerate(frame.rows)
    )
    key, colon, words = frame.caption.partition(": ")
    if not colon:
        key, words = "", frame.caption
    caption = (
        f'<text x="{MARGIN + 6}" y="{height - MARGIN - 8}" fill="#{CAPTION}">'
        f'<tspan fill="#{KEY}" class="b">{escape(key)}</tspan>'
        f'<tspan dx="{CELL_WIDTH if key else 0}">{escape(words)}</tspan></text>'
    )
    visibility = ' visibility="hidden"' if hidden else ""
    return f'<g id="f{number}" class="f"{visibility}>{used}{caption}</g>'


def _drawn(row: Row, styles: dict[str, str]) -> str:
    """Draw a row: its grounds, then its blocks as shapes, then its text."""
    parts = []
    column = 0
    for ground, cells in groupby(row, key=lambda cell: cell[1].ground):
        width = len([*cells])
        if ground != BACKGROUND:
            size = f'width="{width * CELL_WIDTH}" height="{ROW_HEIGHT}"'
            parts.append(f'<rect x="{column * CELL_WIDTH}" {size} class="{styles[ground]}"/>')
        column += width
    blocks: dict[str, str] = {}
    for column, (glyph, style) in enumerate(row):
        if shape := _shape(glyph, column * CELL_WIDTH):
            blocks[style.colour] = blocks.get(style.colour, "") + shape
    parts += [f'<path class="{styles[colour]}" d="{path}"/>' for colour, path in blocks.items()]
    for x, word, style in _words(row):
        bold = " b" if style.bold else ""
        parts.append(
            f'<text x="{x}" y="{ROW_HEIGHT * 0.75:g}" textLength="{len(word) * CELL_WIDTH}" '
            f'lengthAdjust="spacingAndGlyphs" class="{styles[style.colour]}{bold}">'
            f"{escape(word)}</text>"
        )
    return "".join(parts)


def _words(row: Row) -> Iterator[tuple[int, str, Style]]:
    """Yield words of one style with single spaces between them, and where they begin."""
    letters = [(" " if _shape(glyph, 0) else glyph, style) for glyph, style in row]
    for place, (glyph, _) in enumerate(letters):
        if glyph == " " and place:  # a space looks alike in every style
            letters[place] = glyph, letters[place - 1][1]
    column = 0
    for _, cells in groupby(letters, key=lambda cell: (cell[1].colour, cell[1].bold)):
        text = "".join(glyph for glyph, _ in cells)
        for word in re.finditer(r"\S+(?: \S+)*", text):
            place = column + word.start()
            yield place * CELL_WIDTH, word[0], letters[place][1]
        column += len(text)


def _shape(glyph: str, x: int) -> str:
    """Return the path that fills a block element's part of its cell; empty for other characters."""
    wide, high = CELL_WIDTH // 2, ROW_HEIGHT // 2
    match QUADRANTS.get(glyph, 0):
        case 0:
            if len(glyph) != 1:
                return ""
            if low := LOW_EIGHTHS.find(glyph) + 1:
                top = ROW_HEIGHT - ROW_HEIGHT * low / 8
                return f"M{x} {top:g}h{CELL_WIDTH}V{ROW_HEIGHT}h-{CELL_WIDTH}z"
            eighths = EIGHTHS.find(glyph) + 1
            return f"M{x} 0h{CELL_WIDTH * eighths / 8:g}v{ROW_HEIGHT}H{x}z" if eighths else ""
        case 15:
            return f"M{x} 0h{CELL_WIDTH}v{ROW_HEIGHT}h-{CELL_WIDTH}z"
        case quarters:
            return "".join(
                f"M{x + column * wide} {row * high}h{wide}v{high}h-{wide}z"
                for row in (0, 1)
                for column in (0, 1)
                if quarters >> (2 * row + column) & 1
            )


if __name__ == "__main__":
    sys.stdout.write(animated(Path(sys.argv[1]).read_text(encoding="utf-8")))
