"""The colours of each theme; no other module defines colours.

Text and suits have a contrast of at least 4.5 to 1 (WCAG 2) to their background; a test computes
it. ``sixteen`` and ``none`` leave the colours themselves to the terminal.
"""

from __future__ import annotations

from functools import lru_cache

from msgspec import Struct

from ...cards.card import Suit
from ...structs import replace


class Palette(Struct, frozen=True):
    """Colours as ``#rrggbb``, or as names of the terminal's own colours, such as ``ansi_red``.

    ``bg``, ``surface`` and ``panel`` are backgrounds for ``text``, ``muted`` and ``gold``. A card
    has a ``face`` with an ``edge`` and suits, a frame when ``held`` or winning (``win``), a
    ``gilt`` face after a large win, and a ``back`` with a pattern in ``ink``. ``good`` and ``bad``
    are money won and lost; ``red`` and ``blue`` are the two sides of a game, such as banker and
    player. ``faint`` is for unavailable actions (contrast at least 3 to 1), ``lit`` is the
    background of a highlighted row or column, and ``rim`` is the edge of a table.
    """

    name: str
    dark: bool
    bg: str
    surface: str
    panel: str
    text: str
    muted: str
    gold: str
    face: str
    gilt: str
    edge: str
    spades: str
    hearts: str
    diamonds: str
    clubs: str
    held: str
    win: str
    back: str
    ink: str
    good: str
    bad: str
    red: str
    blue: str
    faint: str
    lit: str
    rim: str

    def suit(self, suit: Suit, four_colour: bool) -> str:
        """Return a suit's colour; in a two-colour deck, suits of the same colour look alike."""
        two = {Suit.DIAMONDS: self.hearts, Suit.CLUBS: self.spades}
        four = {
            Suit.SPADES: self.spades,
            Suit.HEARTS: self.hearts,
            Suit.DIAMONDS: self.diamonds,
            Suit.CLUBS: self.clubs,
        }
        return four[suit] if four_colour else two.get(suit, four[suit])


@lru_cache(128)
def mix_colours(colour: str, ground: str, share: float) -> str:
    """Mix a share (0 to 1) of the background into a colour; the terminal's own colours stay."""
    if not colour.startswith("#"):
        return colour
    pairs = zip(bytes.fromhex(colour[1:]), bytes.fromhex(ground[1:]), strict=True)
    return "#" + "".join(f"{int(a + (b - a) * share):02x}" for a, b in pairs)


FELT = Palette(
    name="felt",
    dark=True,
    bg="#0b1f18",
    surface="#10291f",
    panel="#17382b",
    text="#e9e4d4",
    muted="#9db3a4",
    gold="#f2c14e",
    face="#f6f1e4",
    gilt="#f6dd9c",
    edge="#8a8270",
    spades="#16181d",
    hearts="#c0152f",
    diamonds="#0b57c4",
    clubs="#00682c",
    held="#9a5b00",
    win="#00682c",
    back="#7a1f2b",
    ink="#d9a441",
    good="#5fd38d",
    bad="#ff8a75",
    red="#ff8678",
    blue="#74b9ff",
    faint="#6b8576",
    lit="#1d4535",
    rim="#6a5526",
)

FELT_256 = Palette(
    name="felt-256",
    dark=True,
    bg="#121212",
    surface="#1c1c1c",
    panel="#303030",
    text="#eeeeee",
    muted="#b2b2b2",
    gold="#ffd75f",
    face="#ffffd7",
    gilt="#ffffaf",
    edge="#878787",
    spades="#121212",
    hearts="#af0000",
    diamonds="#005fd7",
    clubs="#005f00",
    held="#875f00",
    win="#005f00",
    back="#870000",
    ink="#d7af5f",
    good="#5fd787",
    bad="#ff8787",
    red="#ff8787",
    blue="#5fafff",
    faint="#808080",
    lit="#3a3a3a",
    rim="#875f00",
)

MIDNIGHT = Palette(
    name="midnight",
    dark=True,
    bg="#0d1117",
    surface="#131a24",
    panel="#1c2635",
    text="#d7dde6",
    muted="#8b98a9",
    gold="#f2c14e",
    face="#1d2328",
    gilt="#3f3415",
    edge="#7f8b96",
    spades="#eceff4",
    hearts="#ff7b72",
    diamonds="#79c0ff",
    clubs="#7ee787",
    held="#f2c14e",
    win="#7ee787",
    back="#1b2a4a",
    ink="#6c8bd0",
    good="#7ee787",
    bad="#ff7b72",
    red="#ff7b72",
    blue="#79c0ff",
    faint="#6e7b8c",
    lit="#272c34",
    rim="#5a4a2a",
)

SIXTEEN = Palette(
    name="sixteen",
    dark=True,
    bg="ansi_default",
    surface="ansi_default",
    panel="ansi_default",
    text="ansi_default",
    muted="ansi_default",
    gold="ansi_bright_yellow",
    face="ansi_default",
    gilt="ansi_default",
    edge="ansi_default",
    spades="ansi_default",
    hearts="ansi_bright_red",
    diamonds="ansi_bright_cyan",
    clubs="ansi_bright_green",
    held="ansi_bright_yellow",
    win="ansi_bright_green",
    back="ansi_default",
    ink="ansi_bright_magenta",
    good="ansi_bright_green",
    bad="ansi_bright_red",
    red="ansi_bright_red",
    blue="ansi_bright_cyan",
    faint="ansi_default",
    lit="ansi_default",
    rim="ansi_bright_yellow",
)

NONE = replace(
    SIXTEEN,
    name="none",
    gold="ansi_default",
    hearts="ansi_default",
    diamonds="ansi_default",
    clubs="ansi_default",
    held="ansi_default",
    win="ansi_default",
    ink="ansi_default",
    good="ansi_default",
    bad="ansi_default",
    red="ansi_default",
    blue="ansi_default",
    rim="ansi_default",
)

PALETTES: dict[str, Palette] = {
    palette.name: palette for palette in (FELT, FELT_256, MIDNIGHT, SIXTEEN, NONE)
}
