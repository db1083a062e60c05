"""Turn a recording into an SVG that moves, without a script, so that it plays in an ``<img>``.

    python screenshots/animation.py RECORDING.cast >PICTURE.svg

A frame is what the terminal shows until the next change. Each distinct row of text is drawn once
and used by every frame that contains it. CSS shows one frame at a time. Readers who have asked
their system for less motion see only the frame that lasts longest, and so does a program that
ignores CSS. A marker in the recording is the caption below the terminal until the next marker.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
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
    styles = {colour: f"c{number}" for number, colour in enumerate(_colours(rows))}
    width = len(every[0].rows[0]) * CELL_WIDTH + 2 * MARGIN
    height = len(every[0].rows) * ROW_HEIGHT + 2 * MARGIN + BAR
    captions = ". ".join(dict.fromkeys(frame.caption for frame in every if frame.caption))
    still = max(range(len(every)), key=lambda number: every[number].seconds)
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            f'width="{width}" height="{height}" role="img">',
            f"<title>{escape(captions)}</title>",
            f"<style>{_sheet(every, styles)}</style>",
            "<defs>",
            *(f'<g id="r{number}">{_drawn(row, styles)}</g>' for number, row in enumerate(rows)),
            "</defs>",
            f'<rect width="{width}" height="{height}" rx="8" fill="#{WINDOW}"/>',
            f'<rect x="{MARGIN}" y="{MARGIN}" width="{width - 2 * MARGIN}" '
            f'height="{height - 2 * MARGIN - BAR}" fill="#{BACKGROUND}"/>',
            *(
                _group(number, frame, rows, height, hidden=number != still)
                for number, frame in enumerate(every)
            ),
            "</svg>\n",
        )
    )


def _row(screen: Any, line: int) -> Row:
    return tuple(_cell(screen.buffer[line][column]) for column in range(screen.columns))


def _cell(cell: Any) -> tuple[str, Style]:
    colour = FOREGROUND if cell.fg == "default" else cell.fg
    ground = BACKGROUND if cell.bg == "default" else cell.bg
    if cell.reverse:
        colour, ground = ground, colour
    bold = cell.bold and cell.data != " "
    return cell.data, Style(FOREGROUND if cell.data == " " else colour, ground, bold)


def _colours(rows: list[Row]) -> Iterator[str]:
    seen = dict.fromkeys(
        colour for row in rows for _, style in row for colour in (style.ground, style.colour)
    )
    yield from seen


def _sheet(every: list[Frame], styles: dict[str, str]) -> str:
    """Return the style sheet: colours, and when each frame is visible."""
    total = sum(frame.seconds for frame in every)
    lines = [
        f"text{{font:{ROW_HEIGHT * 0.83:g}px {FONT};font-variant-emoji:text}}",
        ".b{font-weight:bold}",
        "rect,path{shape-rendering:crispEdges}",
        *(f".{name}{{fill:#{colour}}}" for colour, name in styles.items()),
        f".f{{animation:{total:g}s step-end infinite}}",
    ]
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
            eighths = (EIGHTHS.find(glyph) + 1) if len(glyph) == 1 else 0
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
