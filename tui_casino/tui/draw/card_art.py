"""Draw playing cards in colours, as texts and as strips.

>>> from ..theme import NONE
>>> for line in draw_card(Card.parse("KS"), CardSize.TINY, CardState.HELD, Look(NONE)):
...     print(line)
┏━━━┓
┃K♠ ┃
┃ ♠K┃
┗━━━┛
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from msgspec import Struct
from rich.segment import Segment
from rich.style import Style
from rich.text import Span, Text
from textual.strip import Strip

from ...cards.card import BACK, Card, Rank, Suit
from ...cards.text_art import FRAMES, CardFrame, card_as_text
from ...cards.text_art import CardSize as CardSize
from ...cards.text_art import CardState as CardState
from ...cards.text_art import corner_index as corner_index
from ...cards.text_art import fan_offset as fan_offset
from ..terminal.detection import GlyphSet
from ..theme import mix_colours
from .look import Look, style_of
from .segments import BARE


@lru_cache(maxsize=2048)
def draw_card(
    card: Card | None,
    size: CardSize,
    state: CardState,
    look: Look,
    over: bool = False,
    covered: bool = False,
) -> tuple[Text, ...]:
    """Draw a card, a card back, or an empty place for ``None``.

    Return ``size.height`` lines of ``size.width`` cells, which are shared and must not be
    changed. A card ``over`` another one also gets the edge that it would otherwise lack. On a
    card ``covered`` by another one, no part of a picture or a large ace is drawn, because the
    visible strip would look like a smear.
    """
    paint = _paint(card and card.suit, state, look)
    if size is CardSize.CHIP:
        return (_chip(card, state, look, paint),)
    frame = _frame(card, state, look)
    if over and card and frame[1][0] == " ":
        above, first, other, below = frame
        frame = above, "▏" + first[1:], "▏" + other[1:], below
    above, first, *rows, last, below = card_as_text(card, size, frame, look.tier)
    if covered and card and (card.rank is Rank.ACE or card.rank >= Rank.JACK):
        signs = f"{first[:1]}{corner_index(card, look.tier)}"
        first = signs.ljust(size.width - 1) + first[-1]
        rows = [row[0] + " " * (size.width - 2) + row[-1] for row in rows]
        last = last[0] + " " * (size.width - 2) + last[-1]
    length, end = len(corner_index(card, look.tier)) if card else 0, size.width - 1
    return (
        _edge(above, paint),
        _row(first, paint, Span(1, 1 + length, paint.corner)),
        *(_row(row, paint) for row in rows),
        _row(last, paint, Span(end - length, end, paint.corner)),
        _edge(below, paint),
    )


def draw_caption(words: str, width: int, state: CardState, look: Look) -> Text:
    """Draw a centred caption; it is in reverse video if the card is held or words have margins."""
    palette = look.palette
    words = words[:width]
    if state is CardState.HELD or words != words.strip():
        style = style_of(palette.gold) + Style(bold=True, reverse=True)
    elif state is CardState.WINNING:
        style = style_of(palette.good) + Style(bold=True)
    elif state in GILDED:
        style = style_of(palette.gold) + Style(bold=True)
    else:
        style = style_of(palette.muted)
    start = (width - len(words)) // 2
    return _line(f"{words:^{width}}", Span(start, start + len(words), style))


def _line(text: str, *spans: Span) -> Text:
    return Text(text, spans=list(spans), no_wrap=True, end="")


def _row(line: str, paint: _Paint, *corner: Span) -> Text:
    # A blank side is part of the body, because fewer styles need fewer bytes.
    start, end = int(line[0] != " "), len(line) - int(line[-1] != " ")
    left, body = Span(0, start, paint.side), Span(start, end, paint.body)
    return _line(line, left, body, Span(end, len(line), paint.side), *corner)


def _edge(line: str, paint: _Paint) -> Text:
    return _line(line, Span(0, len(line), paint.edge))


def _chip(card: Card | None, state: CardState, look: Look, paint: _Paint) -> Text:
    if card is None:
        outline = " ╌╌ " if look.tier is GlyphSet.UNICODE else " -- "
        return _line(outline, Span(0, 4, paint.edge))
    mark = " " if state is CardState.NORMAL else FRAMES[look.tier][state][1][0]
    back = "/\\" if look.tier is GlyphSet.ASCII else "▒▒"
    text = mark + f"{back if card is BACK else corner_index(card, look.tier):3}"
    return _line(text, Span(0, 1, paint.side), Span(1, 4, paint.corner))


_SHADE = 0.18
"""The share of the table's colour in a dimmed card: the largest with a contrast of 4.5 to 1."""
GILDED = (CardState.GOLD_FRAME, CardState.GOLD)
"""The states of the cards of a large win."""


class _Paint(Struct, frozen=True):
    edge: Style  # the frame's lines above and below the card
    side: Style
    body: Style
    corner: Style


@lru_cache(maxsize=256)
def _paint(suit: Suit | None, state: CardState, look: Look) -> _Paint:
    palette = look.palette
    if suit is None:
        faint = style_of(palette.edge) + _dim(palette.edge)
        return _Paint(faint, faint, faint, faint)
    if suit is Suit.BACK:
        face, ink, frame = palette.back, palette.ink, palette.ink
    else:
        face, ink, frame = palette.face, palette.suit(suit, look.four_colour), palette.edge
    frames = {CardState.HELD: palette.held, CardState.WINNING: palette.win}
    frame = palette.gold if state in GILDED else frames.get(state, frame)
    if state is CardState.GOLD:
        face = palette.gilt
    dim = Style.null()
    if state is CardState.DIMMED:
        dim, frame = _dim(face), ink  # the mark is part of the frame and must be legible
        face, ink, frame = (
            mix_colours(colour, palette.bg, _SHADE) for colour in (face, ink, frame)
        )
    side = edge = style_of(frame, face) + dim
    if look.solid and state not in (
        CardState.WINNING,
        *GILDED,
    ):  # half a cell of card, half a cell of table
        edge = style_of(frame if state is CardState.HELD else face)
    body = style_of(ink, face) + dim
    return _Paint(edge, side, body, body + Style(bold=True))


def _dim(colour: str) -> Style:
    """Return a style that dims a colour of the terminal; other colours are dimmed by mixing."""
    return Style(dim=True) if _is_named(colour) else Style.null()


def _is_named(colour: str) -> bool:
    return not colour.startswith("#")


_SOFT: dict[CardState, CardFrame] = {
    CardState.NORMAL: ("▄▄▄", "   ", "   ", "▀▀▀"),
    CardState.HELD: ("▄▄▄", "▌ ▐", "▌ ▐", "▀▀▀"),
    CardState.WINNING: ("▛▀▜", "▌ ▐", "▌ ▐", "▙▄▟"),
    CardState.DIMMED: ("▄▄▄", "  ╳", "   ", "▀▀▀"),
    CardState.GOLD_FRAME: ("█▀█", "█ █", "█ █", "█▄█"),
    CardState.GOLD: ("█▀█", "▌ ▐", "▌ ▐", "█▄█"),
}


def _frame(card: Card | None, state: CardState, look: Look) -> CardFrame:
    if card is None:  # an empty place shows only the corners
        top, _, _, bottom = FRAMES[look.tier][CardState.NORMAL]
        return f"{top[0]} {top[2]}", "   ", "   ", f"{bottom[0]} {bottom[2]}"
    return _SOFT[state] if look.solid else FRAMES[look.tier][state]


# ---- strips ---------------------------------------------------------------------------------


@lru_cache(256)
def card_strips(
    card: Card | None,
    size: CardSize,
    state: CardState,
    look: Look,
    over: bool = False,
    covered: bool = False,
) -> tuple[Strip, ...]:
    """Draw a card as :func:`draw_card` does, but in strips, which cache their rendering.

    The strips are shared; the cache has room for a whole pack in every state.
    """
    return tuple(map(text_to_strip, draw_card(card, size, state, look, over, covered)))


def fan_strips(
    cards: Sequence[Card | None],
    size: CardSize,
    states: Sequence[CardState],
    look: Look,
    *,
    pictures: bool = False,
) -> tuple[Strip, ...]:
    """Draw overlapping cards, the first one at the bottom, in shared strips.

    With ``pictures``, a covered card also shows the visible part of its picture.
    """
    return _fan_strips(tuple(cards), size, tuple(states), look, pictures)


@lru_cache(32)
def _fan_strips(
    cards: tuple[Card | None, ...],
    size: CardSize,
    states: tuple[CardState, ...],
    look: Look,
    pictures: bool,
) -> tuple[Strip, ...]:
    rows: list[list[Strip]] = [[] for _ in range(size.height)]
    for place, (card, state) in enumerate(zip(cards, states, strict=True)):
        covered = place < len(cards) - 1
        drawn = card_strips(card, size, state, look, place > 0, covered and not pictures)
        for row, strip in zip(rows, drawn, strict=True):
            row.append(strip.adjust_cell_length(fan_offset(card, size), BARE) if covered else strip)
    return tuple(map(Strip.join, rows))


@lru_cache(64)
def caption_strip(words: str, width: int, state: CardState, look: Look) -> Strip:
    """Draw a card's caption as a strip."""
    return text_to_strip(draw_caption(words, width, state, look))


def fan_width(cards: Sequence[Card | None], size: CardSize) -> int:
    """Return the width of a fan of these cards in columns."""
    return sum(fan_offset(card, size) for card in cards[:-1]) + size.width * bool(cards)


def fan_size(cards: Sequence[Card | None], width: int, height: int) -> CardSize:
    """Return the largest size in which a fan of these cards fits a box; a chip if none fits."""
    for size in CardSize:
        if fan_width(cards, size) <= width and size.height <= height:
            return size
    return CardSize.CHIP


def text_to_strip(line: Text) -> Strip:
    """Convert a text, whose styles must not be names, into a strip."""
    # Rich also ignores the style of a text that has no spans
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
