"""Playing cards as lines of text in every size, state and set of glyphs; pure, on Rich alone.

>>> from ..palette import NONE
>>> for line in draw(Card.parse("KS"), Size.TINY, State.HELD, Look(NONE)):
...     print(line)
┏━━━┓
┃K♠ ┃
┃ ♠K┃
┗━━━┛
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import NamedTuple

from rich.color import Color, blend_rgb
from rich.style import Style
from rich.text import Span, Text

from ...cards import BACK, Card, Rank, Suit
from ..palette import Palette
from ..terminal import Tier


class Size(Enum):
    """The sizes a card is drawn in, largest first; each is ``(width, height)`` in cells."""

    LARGE = (11, 9)
    NORMAL = (9, 7)
    SMALL = (7, 5)
    TINY = (5, 4)
    CHIP = (4, 1)

    @property
    def width(self) -> int:
        """Columns."""
        return self.value[0]

    @property
    def height(self) -> int:
        """Rows."""
        return self.value[1]

    @staticmethod
    def fitting(width: int, height: int) -> Size:
        """Give the largest size that fits a box; a chip where even that does not fit."""
        fitting = (size for size in Size if size.width <= width and size.height <= height)
        return next(fitting, Size.CHIP)


class State(Enum):
    """What a card is in just now; each has a frame of its own shape."""

    NORMAL = "normal"
    HELD = "held"
    WINNING = "winning"
    DIMMED = "dimmed"


@dataclass(frozen=True, slots=True)
class Look:
    """How cards look: colours, glyphs, and the player's taste.

    ``soft`` rounds a card off with half blocks in the colour of its face instead of a box.
    """

    palette: Palette
    tier: Tier = Tier.UNICODE
    soft: bool = False
    four_colour: bool = False

    @property
    def solid(self) -> bool:
        """Whether cards are soft indeed, for which all of Unicode and true colours are needed."""
        return self.soft and self.tier is Tier.UNICODE and self.palette.face.startswith("#")


def index(card: Card, tier: Tier) -> str:
    """Rank and suit as they stand in a card's corner: ``10♠``, or ``10s`` in ASCII."""
    return card.rank.pip + (card.suit.letter.lower() if tier is Tier.ASCII else card.suit.symbol)


def overlap(card: Card | None, size: Size) -> int:
    """How far the next card of a fan is put to the right, so that the index can be read.

    Chips do not overlap: a column lies between them.
    """
    if size is Size.CHIP:
        return size.width + 1
    return 4 if card is not None and card.rank is Rank.TEN else 3


@lru_cache(maxsize=2048)
def draw(
    card: Card | None, size: Size, state: State, look: Look, over: bool = False
) -> tuple[Text, ...]:
    """Draw a card, a back, or for ``None`` the place where a card may come to lie.

    Gives ``size.height`` lines of ``size.width`` cells, which are shared: do not change them.
    ``over`` is for a card that lies on another one: it gets an edge where it would have none.
    """
    paint = _paint(card and card.suit, state, look)
    if size is Size.CHIP:
        return (_chip(card, state, look, paint),)
    above, first, other, below = _frame(card, state, look)
    inside = _inside(card, size, look.tier)
    left = "▏" if over and card and first[0] == " " else first[0]
    rows = [left + row + other[2] for row in inside]
    rows[0] = left + inside[0] + first[2]
    length, end = len(index(card, look.tier)) if card else 0, size.width - 1
    return (
        _edge(above, size, paint),
        _row(rows[0], paint, Span(1, 1 + length, paint.corner)),
        *(_row(row, paint) for row in rows[1:-1]),
        _row(rows[-1], paint, Span(end - length, end, paint.corner)),
        _edge(below, size, paint),
    )


def caption(words: str, width: int, state: State, look: Look) -> Text:
    """Draw what stands under a card, centred: reversed when it is held."""
    palette = look.palette
    style = {
        State.HELD: style_of(palette.gold) + Style(bold=True, reverse=True),
        State.WINNING: style_of(palette.good) + Style(bold=True),
    }.get(state, style_of(palette.muted))
    words = words[:width]
    start = (width - len(words)) // 2
    return _line(f"{words:^{width}}", Span(start, start + len(words), style))


def _line(text: str, *spans: Span) -> Text:
    return Text(text, spans=list(spans), no_wrap=True, end="")


def _row(line: str, paint: _Paint, *corner: Span) -> Text:
    # A blank side is one with the body: the fewer the styles, the fewer the bytes.
    start, end = int(line[0] != " "), len(line) - int(line[-1] != " ")
    left, body = Span(0, start, paint.side), Span(start, end, paint.body)
    return _line(line, left, body, Span(end, len(line), paint.side), *corner)


def _edge(drawing: str, size: Size, paint: _Paint) -> Text:
    text = drawing[0] + drawing[1] * (size.width - 2) + drawing[2]
    return _line(text, Span(0, size.width, paint.edge))


def _chip(card: Card | None, state: State, look: Look, paint: _Paint) -> Text:
    if card is None:
        outline = " ╌╌ " if look.tier is Tier.UNICODE else " -- "
        return _line(outline, Span(0, 4, paint.edge))
    mark = " " if state is State.NORMAL else _FRAMES[look.tier][state][1][0]
    back = "/\\" if look.tier is Tier.ASCII else "▒▒"
    text = mark + f"{back if card is BACK else index(card, look.tier):3}"
    return _line(text, Span(0, 1, paint.side), Span(1, 4, paint.corner))


@lru_cache(maxsize=512)
def _inside(card: Card | None, size: Size, tier: Tier) -> tuple[str, ...]:
    width, height = size.width - 2, size.height - 2
    if card is None:
        return (" " * width,) * height
    if card is BACK:
        weave = {Tier.UNICODE: ("╱╲", "╲╱"), Tier.CP437: ("▒▒", "▒▒"), Tier.ASCII: ("/\\", "\\/")}
        return tuple((weave[tier][y % 2] * width)[:width] for y in range(height))
    corner, rows = index(card, tier), _picture(card, size, tier)
    upside = corner[-1] + card.rank.pip
    return corner + rows[0][len(corner) :], *rows[1:-1], rows[-1][: -len(upside)] + upside


def _picture(card: Card, size: Size, tier: Tier) -> tuple[str, ...]:
    """Give the pips, the figure of a court card, or the big sign of an ace."""
    sign = index(card, tier)[-1]
    name = card.suit.letter if card.rank is Rank.ACE else card.rank.pip
    if pips := _PIPS.get(size, {}).get(name):
        return tuple(row.replace("o", sign) for row in pips)
    if figure := _FIGURES[tier].get(size, {}).get(name):
        return figure
    if size is Size.SMALL:
        return "     ", f"  {sign}  ", "     "
    return "   ", "   "


class _Paint(NamedTuple):
    edge: Style  # the lines above and below
    side: Style
    body: Style
    corner: Style


@lru_cache(maxsize=256)
def _paint(suit: Suit | None, state: State, look: Look) -> _Paint:
    palette = look.palette
    if suit is None:
        faint = style_of(palette.edge) + _dim(palette.edge)
        return _Paint(faint, faint, faint, faint)
    if suit is Suit.BACK:
        face, ink, frame = palette.back, palette.ink, palette.ink
    else:
        face, ink, frame = palette.face, palette.suit(suit, look.four_colour), palette.edge
    frame = {State.HELD: palette.held, State.WINNING: palette.win}.get(state, frame)
    dim = Style.null()
    if state is State.DIMMED:
        dim, frame = _dim(face), ink  # its mark stands in the frame, and shall be read
        face, ink, frame = (_shaded(colour, palette) for colour in (face, ink, frame))
    side = edge = style_of(frame, face) + dim
    if look.solid and state is not State.WINNING:  # half a cell of card, half a cell of table
        edge = style_of(frame if state is State.HELD else face)
    body = style_of(ink, face) + dim
    return _Paint(edge, side, body, body + Style(bold=True))


def _dim(colour: str) -> Style:
    """Leave it to the terminal to dim a colour of its own; :func:`_shaded` does the others."""
    return Style(dim=True) if _is_named(colour) else Style.null()


def style_of(ink: str, ground: str = "ansi_default") -> Style:
    """Give the style of two of a palette's colours."""
    return Style(color=_rich(ink), bgcolor=_rich(ground))


def _rich(colour: str) -> str | None:
    """Name a colour as Rich does; none at all leaves the terminal's own."""
    return None if colour == "ansi_default" else colour.removeprefix("ansi_")


def _is_named(colour: str) -> bool:
    return not colour.startswith("#")


def _shaded(colour: str, palette: Palette) -> str:
    """Let a little of the table shine through: of all suits, the most that keeps 4.5 to 1."""
    if _is_named(colour):
        return colour
    table, card = Color.parse(palette.bg), Color.parse(colour)
    return blend_rgb(card.get_truecolor(), table.get_truecolor(), 0.18).hex


# The frames: the line above, the first line, the other lines, the line below.

_Frame = tuple[str, str, str, str]

_FRAMES: dict[Tier, dict[State, _Frame]] = {
    Tier.UNICODE: {
        State.NORMAL: ("╭─╮", "│ │", "│ │", "╰─╯"),
        State.HELD: ("┏━┓", "┃ ┃", "┃ ┃", "┗━┛"),
        State.WINNING: ("╔═╗", "║ ║", "║ ║", "╚═╝"),
        State.DIMMED: ("╭╌╮", "┊ ╳", "┊ ┊", "╰╌╯"),
    },
    Tier.CP437: {
        State.NORMAL: ("┌─┐", "│ │", "│ │", "└─┘"),
        State.HELD: ("▄▄▄", "▌ ▐", "▌ ▐", "▀▀▀"),
        State.WINNING: ("╔═╗", "║ ║", "║ ║", "╚═╝"),
        State.DIMMED: ("···", "· x", "· ·", "···"),
    },
    Tier.ASCII: {
        State.NORMAL: (".-.", "| |", "| |", "'-'"),
        State.HELD: ("#=#", "# #", "# #", "#=#"),
        State.WINNING: ("***", "* *", "* *", "***"),
        State.DIMMED: ("...", ": x", ": :", "'''"),
    },
}
_SOFT: dict[State, _Frame] = {
    State.NORMAL: ("▄▄▄", "   ", "   ", "▀▀▀"),
    State.HELD: ("▄▄▄", "▌ ▐", "▌ ▐", "▀▀▀"),
    State.WINNING: ("▛▀▜", "▌ ▐", "▌ ▐", "▙▄▟"),
    State.DIMMED: ("▄▄▄", "  ╳", "   ", "▀▀▀"),
}


def _frame(card: Card | None, state: State, look: Look) -> _Frame:
    if card is None:  # the corners alone
        top, _, _, bottom = _FRAMES[look.tier][State.NORMAL]
        return f"{top[0]} {top[2]}", "   ", "   ", f"{bottom[0]} {bottom[2]}"
    return _SOFT[state] if look.solid else _FRAMES[look.tier][state]


# The drawings, side by side. The indices are put over the corners: the outermost pips of four
# and more are the suits of the two indices.


def _sheet(names: str, drawings: str) -> dict[str, tuple[str, ...]]:
    lines = drawings.strip().splitlines()
    columns = zip(*(line.strip("¦").split("¦") for line in lines), strict=True)
    return dict(zip(names.split(), columns, strict=True))


def _figures(large: str, normal: str, small: str) -> dict[Size, dict[str, tuple[str, ...]]]:
    """Name court cards by rank and aces by suit; a small ace has no sign of its own."""
    return {
        Size.LARGE: _sheet("J Q K C D H S", large),
        Size.NORMAL: _sheet("J Q K C D H S", normal),
        Size.SMALL: _sheet("J Q K", small),
    }


_NUMBERS = "2 3 4 5 6 7 8 9 10"
_PIPS = {
    Size.LARGE: _sheet(
        _NUMBERS,
        """
¦         ¦         ¦ o     o ¦ o     o ¦ o     o ¦ o     o ¦ o     o ¦ o     o ¦  o   o  ¦
¦    o    ¦    o    ¦         ¦         ¦         ¦    o    ¦    o    ¦         ¦    o    ¦
¦         ¦         ¦         ¦         ¦         ¦         ¦         ¦ o     o ¦  o   o  ¦
¦         ¦    o    ¦         ¦    o    ¦ o     o ¦ o     o ¦ o     o ¦    o    ¦         ¦
¦         ¦         ¦         ¦         ¦         ¦         ¦         ¦ o     o ¦  o   o  ¦
¦    o    ¦    o    ¦         ¦         ¦         ¦         ¦    o    ¦         ¦    o    ¦
¦         ¦         ¦ o     o ¦ o     o ¦ o     o ¦ o     o ¦ o     o ¦ o     o ¦  o   o  ¦
""",
    ),
    Size.NORMAL: _sheet(
        _NUMBERS,
        """
¦       ¦       ¦ o   o ¦ o   o ¦ o   o ¦ o   o ¦ o   o ¦ o   o ¦  o o  ¦
¦   o   ¦   o   ¦       ¦       ¦       ¦   o   ¦   o   ¦ o   o ¦  o o  ¦
¦       ¦   o   ¦       ¦   o   ¦ o   o ¦ o   o ¦ o   o ¦   o   ¦  o o  ¦
¦   o   ¦   o   ¦       ¦       ¦       ¦       ¦   o   ¦ o   o ¦  o o  ¦
¦       ¦       ¦ o   o ¦ o   o ¦ o   o ¦ o   o ¦ o   o ¦ o   o ¦  o o  ¦
""",
    ),
}

_FIGURES = {
    Tier.UNICODE: _figures(
        """
¦      ▟▌ ¦    ▄    ¦  ▗ ▄ ▖  ¦   ▗▄▖   ¦    ▄    ¦         ¦    ▄    ¦
¦ ▗████▙  ¦  ▐▄█▄▌  ¦  ▐▙█▟▌  ¦   ███   ¦   ▟█▙   ¦ ▟█▙ ▟█▙ ¦   ▟█▙   ¦
¦ ▝▛▀▀▀▚  ¦ ▐▛   ▜▌ ¦  ▛▀▀▀▜  ¦ ▗▄▞█▚▄▖ ¦ ▗▟███▙▖ ¦ ███████ ¦ ▗█████▖ ¦
¦  ▌▝ ▘▐  ¦ ▐▌▝ ▘▐▌ ¦  ▌▝ ▘▐  ¦ ███████ ¦ ███████ ¦ ▜█████▛ ¦ ███████ ¦
¦  ▝▄▀▄▘  ¦ ▐█▖▀▗█▌ ¦  ▜▟▀▙▛  ¦ ▜█▛█▜█▛ ¦ ▝▜███▛▘ ¦  ▀███▀  ¦ ▜█▛█▜█▛ ¦
¦ ▄█▟▀▙█▄ ¦ ██▜▄▛██ ¦ ▟▟▜█▛▙▙ ¦   ▗█▖   ¦   ▜█▛   ¦   ▝█▘   ¦   ▗█▖   ¦
¦  █▙▀▟█  ¦  █▙█▟█  ¦  █▙▀▟█  ¦         ¦    ▀    ¦         ¦         ¦
""",
        """
¦  ▗▄▟▘ ¦  ▗█▖  ¦  ▖█▗  ¦  ▗▄▖  ¦   ▄   ¦       ¦  ▗█▖  ¦
¦ ▐▀▀▀▌ ¦ ▟▘ ▝▙ ¦ ▐▀▀▀▌ ¦ ▄▞█▚▄ ¦  ▟█▙  ¦ ▟█▄█▙ ¦ ▄███▄ ¦
¦ ▐▝ ▘▌ ¦ █▝ ▘█ ¦ ▐▝ ▘▌ ¦▐█████▌¦ █████ ¦ █████ ¦▐█████▌¦
¦ ▄█ █▄ ¦▗█▙▀▟█▖¦▗▟█ █▙▖¦ ▀▘█▝▀ ¦  ▜█▛  ¦ ▝▜█▛▘ ¦ ▀▘█▝▀ ¦
¦  ▐█▌  ¦  ▐█▌  ¦  ▐█▌  ¦  ▝▀▘  ¦   ▀   ¦   ▀   ¦  ▝▀▘  ¦
""",
        """
¦   ▟▘¦  ▄  ¦  ▄  ¦
¦▟███▄¦▟█▄█▙¦▙▟█▙▟¦
¦     ¦     ¦     ¦
""",
    ),
    Tier.CP437: _figures(
        """
¦      ▄▀ ¦    ▄    ¦    ▄    ¦         ¦    ▄    ¦         ¦         ¦
¦  ▄███▀  ¦  ▐▄█▄▌  ¦  █▄█▄█  ¦   ▐█▌   ¦   ▄█▄   ¦ ▄█▄ ▄█▄ ¦    █    ¦
¦  █▀▀▀█  ¦ ▐▀   ▀▌ ¦  █▀▀▀█  ¦   ▀█▀   ¦  ▄███▄  ¦ ███████ ¦  ▄███▄  ¦
¦  ▌▀ ▀▐  ¦ ▐▌▀ ▀▐▌ ¦  ▌▀ ▀▐  ¦ ▄█▄█▄█▄ ¦ ▐█████▌ ¦ ▀█████▀ ¦ ▐█████▌ ¦
¦  ▀▄▄▄▀  ¦ ▐█ ▄ █▌ ¦  █▄▄▄█  ¦ ▀█▀█▀█▀ ¦  ▀███▀  ¦  ▀███▀  ¦ ▐█▀█▀█▌ ¦
¦ ▄█▀▄▀█▄ ¦ ██▀▄▀██ ¦ ▄█▀█▀█▄ ¦   ▄█▄   ¦   ▀█▀   ¦    ▀    ¦   ▄█▄   ¦
¦  ██▄██  ¦  █▄█▄█  ¦  ██▄██  ¦         ¦    ▀    ¦         ¦         ¦
""",
        """
¦   ▄▄▀ ¦  ▄█▄  ¦  █▄█  ¦       ¦   ▄   ¦       ¦   ▄   ¦
¦ █▀▀▀▀ ¦ ▄▀▀▀▄ ¦ █▀▀▀█ ¦  ▐█▌  ¦  ▄█▄  ¦ ██▄██ ¦ ▄███▄ ¦
¦ ▌▀ ▀▐ ¦▐▌▀ ▀▐▌¦ ▌▀ ▀▐ ¦▐█▄█▄█▌¦ █████ ¦ █████ ¦▐█████▌¦
¦  ▀▄▀  ¦▐█ ▄ █▌¦ █▄▄▄█ ¦▐█▀█▀█▌¦  ▀█▀  ¦  ▀█▀  ¦ ▀▀█▀▀ ¦
¦  ███  ¦  ███  ¦  ███  ¦  ▄█▄  ¦   ▀   ¦       ¦  ▀▀▀  ¦
""",
        """
¦   ▄▀¦  ▄  ¦  ▄  ¦
¦▄███▄¦▄█▄█▄¦█▄█▄█¦
¦     ¦     ¦     ¦
""",
    ),
    Tier.ASCII: _figures(
        r"""
¦      /  ¦    o    ¦         ¦         ¦         ¦         ¦         ¦
¦  ___//  ¦   /^\   ¦  |\^/|  ¦   .-.   ¦    ^    ¦  _   _  ¦    ^    ¦
¦  /___\  ¦ _/---\_ ¦  |---|  ¦ .-'-'-. ¦   / \   ¦ / \_/ \ ¦   / \   ¦
¦  |o o|  ¦ {|o o|} ¦  (o o)  ¦ '-.|.-' ¦  <   >  ¦ \     / ¦  /   \  ¦
¦   \-/   ¦ {{\-/}} ¦  /###\  ¦    |    ¦   \ /   ¦  \   /  ¦ (__.__) ¦
¦  /|:|\  ¦ {/   \} ¦ /|###|\ ¦   ---   ¦    v    ¦   \ /   ¦    |    ¦
¦  ||_||  ¦  /___\  ¦  |_#_|  ¦         ¦         ¦    v    ¦   ---   ¦
""",
        r"""
¦     / ¦   o   ¦       ¦       ¦       ¦       ¦       ¦
¦ /__/  ¦  /^\  ¦ |\^/| ¦   _   ¦   ^   ¦ .-v-. ¦   ^   ¦
¦ |o o| ¦ {o o} ¦ (o o) ¦ _(_)_ ¦  / \  ¦ \   / ¦  / \  ¦
¦  \-/  ¦ {\-/} ¦  \#/  ¦(_)|(_)¦  \ /  ¦  \ /  ¦ (_._) ¦
¦  | |  ¦  / \  ¦   #   ¦   ^   ¦   v   ¦   v   ¦   |   ¦
""",
        r"""
¦   _/¦     ¦     ¦
¦ /_\ ¦ /^\ ¦|\^/|¦
¦     ¦     ¦     ¦
""",
    ),
}
