"""Measure and cut text in columns, and build lines from pieces, each with its own style."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Self, TypeAlias

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from ..terminal.detection import GlyphSet
from .text import transliterate

Piece: TypeAlias = tuple[str, Style]
BARE = Style.null()
EMPTY_LINE = Strip([], 0)


def text_width(text: str) -> int:
    """Return the number of columns that a text takes; names may have wide or combining letters."""
    return len(text) if text.isascii() else cell_len(text)


def split_cells(text: str) -> Iterator[str]:
    """Yield the content of each column; the second column of a wide letter is empty."""
    cell = ""
    for letter in text:
        wide = cell_len(letter)
        if wide and cell:
            yield cell
            cell = ""
        cell += letter
        if wide > 1:
            yield cell
            yield from [""] * (wide - 1)
            cell = ""
    if cell:
        yield cell


def fitting_start(text: str, width: int) -> str:
    """Return as much of the start of a text as fits into some columns."""
    if text_width(text) == len(text):
        return text[:width]
    room = 0
    for end, letter in enumerate(text):
        room += cell_len(letter)
        if room > width:
            return text[:end]
    return text


def truncate_at_word(text: str, width: int, tier: GlyphSet) -> str:
    """Cut a sentence that is too long after a word, and add an ellipsis.

    If a word takes more than half of the width, cut within the word, but never within a figure.
    """
    if text_width(text) <= width:
        return text
    room = len(fitting_start(text, max(0, width - 1)))
    end = text.rfind(" ", 0, room + 1)
    shortened = text[:end] if 2 * end > room else _start(text, room)
    return shortened + transliterate("…", tier) * (width > 0)


def truncate(text: str, width: int, tier: GlyphSet) -> str:
    """Cut a text that is too long, never within a figure, and add an ellipsis."""
    if text_width(text) <= width:
        return text
    room = len(fitting_start(text, max(0, width - 1)))
    return _start(text, room) + transliterate("…", tier) * (width > 0)


def _start(text: str, end: int) -> str:
    """Return the text before ``end``, without the part of a figure that continues there."""
    begin = text.rfind(" ", 0, end) + 1
    word = text[begin:].partition(" ")[0]
    is_figure = any(map(str.isdigit, word)) and not any(map(str.isalpha, word))
    return text[:begin] if is_figure and begin + len(word) > end else text[:end]


def drop_trailing_parts(text: str, width: int, tier: GlyphSet) -> str:
    """Leave out the last parts of a text, which are separated by dots, until the text fits."""
    dot = transliterate(" · ", tier)
    while text_width(text) > width and dot in text:
        text = text[: text.rindex(dot)]
    return truncate(text, width, tier)


class LineBuilder:
    """A line that grows to the right, piece by piece.

    Pieces are written in the glyphs of the terminal, without unprintable characters. ``ground`` is
    a background style for all pieces and blanks.
    """

    def __init__(self, tier: GlyphSet, ground: Style = BARE) -> None:
        self._tier, self._ground = tier, ground
        self._pieces: list[Piece] = []
        self.width = 0

    def add(self, text: str, style: Style = BARE) -> Self:
        text = transliterate(text, self._tier)
        if not text.isprintable():
            text = "".join(filter(str.isprintable, text))
        return self._add(text, style)

    def _add(self, text: str, style: Style) -> Self:
        if not text:
            return self
        if self._ground is not BARE:
            style = self._ground + style
        self.width += text_width(text)
        if self._pieces and self._pieces[-1][1] is style:  # fewer segments mean less work
            text = self._pieces.pop()[0] + text
        self._pieces.append((text, style))
        return self

    def pad_to(self, column: int) -> Self:
        """Fill the line with blanks up to this column."""
        return self._add(" " * (column - self.width), BARE)

    def put(self, column: int, text: str, style: Style = BARE) -> Self:
        """Add a piece at a column, or after the last piece if that ends further right."""
        return self.pad_to(column).add(text, style)

    def put_before(self, column: int, text: str, style: Style = BARE) -> Self:
        """Add a piece that ends before a column."""
        return self.put(column - text_width(text), text, style)

    def join(self, strip: Strip) -> Self:
        """Add a finished piece."""
        for text, style, _ in strip:
            self._add(text, style or BARE)
        return self

    def cut(self, width: int, *, at_word: bool = False) -> Self:
        """Cut a line that is too long, after a word if asked, and add an ellipsis."""
        if self.width > width:
            self._keep((truncate_at_word if at_word else truncate)(self._text, width, self._tier))
        return self

    @property
    def _text(self) -> str:
        return "".join(text for text, _ in self._pieces)

    def _keep(self, text: str) -> None:
        """Replace the text with one of at most the same length, and keep each column's style."""
        start, pieces = 0, list[Piece]()
        for old, style in self._pieces:
            if part := text[start : start + len(old)]:
                pieces.append((part, style))
            start += len(old)
        self._pieces, self.width = pieces, text_width(text)

    def strip(self, width: int | None = None) -> Strip:
        """Return the line, cropped or filled with blanks to ``width`` if that is given."""
        if width is not None and self.width > width:
            self._keep(fitting_start(self._text, width))
        if width is not None:
            self.pad_to(width)
        return Strip([Segment(*piece) for piece in self._pieces])


# ---- lines from pieces -------------------------------------------------------------------------


def join_pieces(pieces: Iterable[Piece], width: int, tier: GlyphSet) -> Strip:
    """Join pieces one after the other; cut the line if it does not fit, and add an ellipsis."""
    segments = LineBuilder(tier)
    for text, style in pieces:
        segments.add(text, style)
    return segments.cut(width).strip()


def pieces_width(pieces: Iterable[Piece]) -> int:
    """Return the total width of pieces in columns."""
    return sum(text_width(text) for text, _ in pieces)


def first_fitting(width: int, *choices: list[Piece]) -> list[Piece]:
    """Return the first of these lists of pieces that fits, or the last if none fits."""
    return next((pieces for pieces in choices if pieces_width(pieces) <= width), choices[-1])


def justify(left: list[Piece], right: list[Piece], width: int, tier: GlyphSet) -> Strip:
    """Put some pieces at the left edge and others at the right; cut the left ones if necessary."""
    room = max(0, width - pieces_width(right) - 1)
    if pieces_width(left) > room:
        fitted: list[Piece] = []
        for text, style in left:
            fitted.append((truncate(text, room - pieces_width(fitted), tier), style))
        left = fitted
    gap = " " * max(1, width - pieces_width(left) - pieces_width(right))
    return join_pieces([*left, (gap, BARE), *right], width, tier)


# ---- finished lines ----------------------------------------------------------------------------


def centre_strip(strip: Strip, width: int) -> Strip:
    """Centre a strip in a line of ``width`` columns."""
    spare = width - strip.cell_length
    if not spare:
        return strip
    left = Strip([Segment(" " * max(0, spare // 2), BARE)])
    return Strip.join([left, strip]).adjust_cell_length(width, BARE)


def side_by_side(width: int, *blocks: tuple[int, Sequence[Strip]]) -> list[Strip]:
    """Put blocks of lines side by side, each at its column, from left to right.

    A block that would cover the previous one, or reach beyond the width, is left out.
    """
    height = max((len(lines) for _, lines in blocks), default=0)
    rows: list[list[Strip]] = [[] for _ in range(height)]
    end = 0
    for column, lines in blocks:
        across = max((line.cell_length for line in lines), default=0)
        if not across or column < end or column + across > width:
            continue
        for place, row in enumerate(rows):
            row.append(Strip.blank(column - end, BARE))
            line = lines[place] if place < len(lines) else EMPTY_LINE
            row.append(line.adjust_cell_length(across, BARE))
        end = column + across
    return [Strip.join(row) for row in rows]


def pad_lines(lines: Iterable[Strip], height: int) -> list[Strip]:
    """Return exactly ``height`` lines; add blank lines at the end, or cut lines off."""
    fitted = [*lines][:height]
    return fitted + [EMPTY_LINE] * (height - len(fitted))
