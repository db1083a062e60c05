"""The look of a screen: palette, glyphs, and the styles of lines, figures and graphs."""

from __future__ import annotations

from functools import lru_cache

from msgspec import Struct
from rich.style import Style

from ..terminal.detection import GlyphSet
from ..theme import Palette, mix_colours

_SOFTENED = 0.4
"""The share of the table's colour in a softened colour."""


class Look(Struct, frozen=True):
    """How the screen looks: colours, glyphs, and the player's settings.

    ``soft`` draws rounded cards with half blocks in the colour of the card instead of a box.
    """

    palette: Palette
    tier: GlyphSet = GlyphSet.UNICODE
    soft: bool = False
    four_colour: bool = False

    @property
    def solid(self) -> bool:
        """Whether cards are drawn with rounded edges, which needs full Unicode and true colour."""
        return self.soft and self.tier is GlyphSet.UNICODE and self.palette.face.startswith("#")


@lru_cache(512)
def style_of(ink: str, ground: str = "ansi_default") -> Style:
    """Return the style for these text and background colours."""
    return Style(color=_rich(ink), bgcolor=_rich(ground))


def _rich(colour: str) -> str | None:
    """Return Rich's name for a colour; ``None`` is the terminal's own."""
    return None if colour == "ansi_default" else colour.removeprefix("ansi_")


class LineStyles(Struct, frozen=True):
    """The styles of a palette for lines of keys and figures."""

    text: Style
    strong: Style
    muted: Style
    faint: Style
    gold: Style
    block: Style
    good: Style
    best: Style
    bad: Style
    """The dark red used for bars."""
    blue: Style

    def style(self, tone: str) -> Style:
        """Return the style of a tone; an empty tone is plain text."""
        style: Style = getattr(self, tone or "text")
        return style


@lru_cache(16)
def line_styles_of(palette: Palette) -> LineStyles:
    """Return a palette's styles, with dim and reverse if the terminal defines the colours."""
    named = not palette.gold.startswith("#")
    bold = Style(bold=True)
    gold = style_of(palette.gold) + bold
    faint = Style(dim=True) if named else style_of(palette.faint)
    return LineStyles(
        text=style_of(palette.text),
        strong=style_of(palette.text) + bold,
        muted=style_of(palette.muted),
        faint=faint,
        gold=gold,
        block=gold + Style(reverse=True) if named else style_of(palette.bg, palette.gold) + bold,
        good=style_of(palette.good),
        best=style_of(palette.good) + bold,
        bad=style_of(palette.bad),
        blue=style_of(palette.blue),
    )


def graph_style(colour: str, palette: Palette, *, lit: bool) -> Style:
    """Return the style for a graph: a softer colour, mixed with the background.

    Colours stay as they are in a highlighted row, where a softer one would have too little
    contrast, and if the terminal defines them.
    """
    return style_of(colour if lit else mix_colours(colour, palette.bg, _SOFTENED))


def rule_style(palette: Palette) -> Style:
    """Return the style of the lines between sections, which need little contrast."""
    named = not palette.lit.startswith("#")
    return Style(dim=True) if named else style_of(palette.lit)


def result_tone(amount: float, even: str = "muted") -> str:
    """Return the tone of an amount won or lost; ``even`` is that of 0."""
    return "good" if amount > 0 else "bad" if amount < 0 else even


def result_colour(cents: int, palette: Palette) -> str:
    """Return the colour for an amount won or lost."""
    colour: str = getattr(palette, result_tone(cents))
    return colour
