r"""Playing cards as lines of plain characters, in every size, state and glyph set.

>>> from tui_casino.cards.card import parse_hand
>>> for line in fan_as_text(parse_hand("TS 4H KS"), CardSize.SMALL, GlyphSet.ASCII):
...     print(line)
.---.--.-----.
|10s|4h|Ks   |
|  s|  ||\^/||
|  s|  |   sK|
'---'--'-----'
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from functools import lru_cache
from typing import TypeAlias

from . import large_text_art
from .card import BACK, Card, Rank
from .large_text_art import split_sprites


class GlyphSet(Enum):
    """The characters that a terminal can show: Unicode, the set of console fonts, or only ASCII."""

    UNICODE = "unicode"
    CP437 = "cp437"
    ASCII = "ascii"


class CardSize(Enum):
    """The sizes of drawn cards, largest first; each is ``(width, height)`` in cells."""

    GIANT = (21, 16)
    HUGE = (15, 12)
    LARGE = (11, 9)
    NORMAL = (9, 7)
    SMALL = (7, 5)
    TINY = (5, 4)
    CHIP = (4, 1)

    @property
    def width(self) -> int:
        """The width in columns."""
        return self.value[0]

    @property
    def height(self) -> int:
        """The height in rows."""
        return self.value[1]

    @staticmethod
    def fitting(width: int, height: int) -> CardSize:
        """Return the largest size that fits a box, or ``CHIP`` if none fits."""
        fitting = (size for size in CardSize if size.width <= width and size.height <= height)
        return next(fitting, CardSize.CHIP)


class CardState(Enum):
    """The state of a card; each state has a different frame."""

    NORMAL = "normal"
    HELD = "held"
    WINNING = "winning"
    DIMMED = "dimmed"
    GOLD_FRAME = "gold frame"
    GOLD = "gold"


def corner_index(card: Card, tier: GlyphSet) -> str:
    """Return rank and suit as shown in a card's corner: ``10♠``, or ``10s`` in ASCII."""
    return card.rank.pip + (
        card.suit.letter.lower() if tier is GlyphSet.ASCII else card.suit.symbol
    )


def fan_offset(card: Card | None, size: CardSize) -> int:
    """Return the distance to the next card of a fan, in columns; this card's index stays visible.

    Chips do not overlap; there is an empty column between them.
    """
    if size is CardSize.CHIP:
        return size.width + 1
    return 4 if card is not None and card.rank is Rank.TEN else 3


def card_as_text(
    card: Card | None, size: CardSize, frame: CardFrame, tier: GlyphSet
) -> tuple[str, ...]:
    """Draw a card, a back or (for ``None``) an empty place as framed lines.

    Any size is possible except ``CHIP``, which has no frame.
    """
    above, first, other, below = frame
    inside = _inside(card, size, tier)
    return (
        above[0] + above[1] * (size.width - 2) + above[2],
        first[0] + inside[0] + first[2],
        *(other[0] + row + other[2] for row in inside[1:]),
        below[0] + below[1] * (size.width - 2) + below[2],
    )


def fan_as_text(cards: Sequence[Card], size: CardSize, tier: GlyphSet) -> tuple[str, ...]:
    """Draw overlapping cards; only the last card is fully visible."""
    drawn = [card_as_text(card, size, FRAMES[tier][CardState.NORMAL], tier) for card in cards]
    shown = [fan_offset(card, size) for card in cards[:-1]] + [size.width]
    return tuple(
        "".join(line[:columns] for line, columns in zip(row, shown, strict=True))
        for row in zip(*drawn, strict=True)
    )


@lru_cache(maxsize=512)
def _inside(card: Card | None, size: CardSize, tier: GlyphSet) -> tuple[str, ...]:
    width, height = size.width - 2, size.height - 2
    if card is None:
        return (" " * width,) * height
    if card is BACK:
        weave = {
            GlyphSet.UNICODE: ("╱╲", "╲╱"),
            GlyphSet.CP437: ("▒▒", "▒▒"),
            GlyphSet.ASCII: ("/\\", "\\/"),
        }
        return tuple((weave[tier][y % 2] * width)[:width] for y in range(height))
    corner, rows = corner_index(card, tier), _picture(card, size, tier)
    upside = corner[-1] + card.rank.pip
    return corner + rows[0][len(corner) :], *rows[1:-1], rows[-1][: -len(upside)] + upside


def _picture(card: Card, size: CardSize, tier: GlyphSet) -> tuple[str, ...]:
    """Return a card's pips, the figure of a face card, or the large suit symbol of an ace."""
    if size is CardSize.GIANT:
        return (
            large_text_art.draw_in_ascii(card)
            if tier is GlyphSet.ASCII
            else large_text_art.draw_in_blocks(card)
        )
    sign = corner_index(card, tier)[-1]
    name = card.suit.letter if card.rank is Rank.ACE else card.rank.pip
    if pips := _PIPS.get(size, {}).get(name):
        return tuple(row.replace("o", sign) for row in pips)
    if size is CardSize.HUGE:
        if tier is not GlyphSet.ASCII:
            return large_text_art.draw_figure_in_blocks(card)
        rows = [row.center(13) for row in _FIGURES[tier][CardSize.LARGE][name]]
        return " " * 13, *rows, " " * 13, " " * 13
    if figure := _FIGURES[tier].get(size, {}).get(name):
        return figure
    if size is CardSize.SMALL:
        return "     ", f"  {sign}  ", "     "
    return "   ", "   "


CardFrame: TypeAlias = tuple[str, str, str, str]
"""The characters (left, middle, right) of the top edge, first line, other lines and bottom edge."""

FRAMES: dict[GlyphSet, dict[CardState, CardFrame]] = {
    GlyphSet.UNICODE: {
        CardState.NORMAL: ("╭─╮", "│ │", "│ │", "╰─╯"),
        CardState.HELD: ("┏━┓", "┃ ┃", "┃ ┃", "┗━┛"),
        CardState.WINNING: ("╔═╗", "║ ║", "║ ║", "╚═╝"),
        CardState.DIMMED: ("╭╌╮", "┊ ╳", "┊ ┊", "╰╌╯"),
        CardState.GOLD_FRAME: ("╬═╬", "╠ ╣", "╠ ╣", "╬═╬"),
        CardState.GOLD: ("▛▀▜", "▌ ▐", "▌ ▐", "▙▄▟"),
    },
    GlyphSet.CP437: {
        CardState.NORMAL: ("┌─┐", "│ │", "│ │", "└─┘"),
        CardState.HELD: ("▄▄▄", "▌ ▐", "▌ ▐", "▀▀▀"),
        CardState.WINNING: ("╔═╗", "║ ║", "║ ║", "╚═╝"),
        CardState.DIMMED: ("···", "· x", "· ·", "···"),
        CardState.GOLD_FRAME: ("╬═╬", "╠ ╣", "╠ ╣", "╬═╬"),
        CardState.GOLD: ("█▀█", "█ █", "█ █", "█▄█"),
    },
    GlyphSet.ASCII: {
        CardState.NORMAL: (".-.", "| |", "| |", "'-'"),
        CardState.HELD: ("#=#", "# #", "# #", "#=#"),
        CardState.WINNING: ("***", "* *", "* *", "***"),
        CardState.DIMMED: ("...", ": x", ": :", "'''"),
        CardState.GOLD_FRAME: ("+=+", "+ +", "+ +", "+=+"),
        CardState.GOLD: ("$$$", "$ $", "$ $", "$$$"),
    },
}
# The drawings, side by side. The indices cover the corners, so for ranks from four up, the suits of
# the two indices replace the outermost pips.


def _figures(
    large: str, normal: str, small: str = ""
) -> dict[CardSize, Mapping[str, tuple[str, ...]]]:
    """Return the drawings of each face card and each ace; of aces there are no ``small`` ones.

    Without small drawings, small cards have one suit symbol: blocks of this size look like stubs.
    """
    return {
        CardSize.LARGE: split_sprites("J Q K C D H S", large),
        CardSize.NORMAL: split_sprites("J Q K C D H S", normal),
        CardSize.SMALL: split_sprites("J Q K", small) if small else {},
    }


_NUMBERS = "2 3 4 5 6 7 8 9 10"
_PIPS = {
    CardSize.HUGE: {
        **split_sprites(
            "2 3 4 5 6",
            """
¦             ¦             ¦             ¦             ¦             ¦
¦             ¦      o      ¦   o     o   ¦   o     o   ¦   o     o   ¦
¦      o      ¦             ¦             ¦             ¦             ¦
¦             ¦             ¦             ¦             ¦             ¦
¦             ¦      o      ¦             ¦      o      ¦   o     o   ¦
¦             ¦             ¦             ¦             ¦             ¦
¦             ¦             ¦             ¦             ¦             ¦
¦      o      ¦             ¦             ¦             ¦             ¦
¦             ¦      o      ¦   o     o   ¦   o     o   ¦   o     o   ¦
¦             ¦             ¦             ¦             ¦             ¦
""",
        ),
        **split_sprites(
            "7 8 9 10",
            """
¦             ¦             ¦             ¦             ¦
¦   o     o   ¦   o     o   ¦   o     o   ¦   o     o   ¦
¦             ¦             ¦             ¦      o      ¦
¦      o      ¦      o      ¦   o     o   ¦   o     o   ¦
¦   o     o   ¦   o     o   ¦      o      ¦             ¦
¦             ¦             ¦             ¦             ¦
¦             ¦      o      ¦   o     o   ¦   o     o   ¦
¦             ¦             ¦             ¦      o      ¦
¦   o     o   ¦   o     o   ¦   o     o   ¦   o     o   ¦
¦             ¦             ¦             ¦             ¦
""",
        ),
    },
    CardSize.LARGE: split_sprites(
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
    CardSize.NORMAL: split_sprites(
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
    GlyphSet.UNICODE: _figures(
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
    ),
    GlyphSet.CP437: _figures(
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
    ),
    GlyphSet.ASCII: _figures(
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
