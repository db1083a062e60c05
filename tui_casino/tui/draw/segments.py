"""Lines put together of pieces, each with a style of its own."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from rich.segment import Segment
from rich.style import Style
from rich.text import Span, Text
from textual.strip import Strip

from ..terminal.detection import Tier
from .glyphs import cut, spelled

Piece = tuple[str, Style]
BARE = Style.null()
NO_LINE = Strip([], 0)


def line(pieces: Iterable[Piece], width: int, tier: Tier) -> Strip:
    """Put pieces one behind the other; what does not fit is cut off, and marked so."""
    text, spans = "", list[Span]()
    for words, style in pieces:
        words = "".join(letter for letter in spelled(words, tier) if letter.isprintable())
        spans.append(Span(len(text), len(text) + len(words), style))
        text += words
    return strip_of(Text(cut(text, width, tier), spans=spans, no_wrap=True, end=""))


def wide(pieces: Iterable[Piece]) -> int:
    """Count the columns of pieces."""
    return sum(len(words) for words, _ in pieces)


def fitting(width: int, *ways: list[Piece]) -> list[Piece]:
    """Give the first of some ways to say it that has room; the last, if none has."""
    return next((pieces for pieces in ways if wide(pieces) <= width), ways[-1])


def apart(left: list[Piece], right: list[Piece], width: int, tier: Tier) -> Strip:
    """Put some pieces at the left edge and others at the right; the left ones give way."""
    room = max(0, width - wide(right) - 1)
    if wide(left) > room:
        kept: list[Piece] = []
        for words, style in left:
            kept.append((cut(words, room - wide(kept), tier), style))
        left = kept
    gap = " " * max(1, width - wide(left) - wide(right))
    return line([*left, (gap, Style.null()), *right], width, tier)


def strip_of(line: Text) -> Strip:
    """Make a strip of a text whose styles are no names."""
    # a text without spans is rendered without its own style, too, by Rich
    base, length = line.style if line.spans and isinstance(line.style, Style) else BARE, len(line)
    begins: dict[int, list[tuple[int, int, Style]]] = {}
    edges = {0, length}
    for order, span in enumerate(line.spans):
        if isinstance(span.style, Style) and span.start < min(span.end, length):
            begins.setdefault(span.start, []).append((order, span.end, span.style))
            edges |= {span.start, min(span.end, length)}
    segments, over = list[Segment](), list[tuple[int, int, Style]]()
    for start, end in pairwise(sorted(edges)):
        over = sorted(s for s in (*over, *begins.get(start, ())) if s[1] > start)
        style = Style.combine([base, *(own for _, _, own in over)])
        segments.append(Segment(line.plain[start:end], style))
    return Strip(segments)


def centred(strip: Strip, width: int) -> Strip:
    """Put a strip in the middle of a line."""
    spare = width - strip.cell_length
    if not spare:
        return strip
    left = Strip([Segment(" " * max(0, spare // 2), BARE)])
    return Strip.join([left, strip]).adjust_cell_length(width, BARE)
