"""The look of a screen: palette, glyphs, and the styles of lines, figures and pictures."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from rich.style import Style

from ..terminal.detection import GlyphSet
from ..theme.colours import Palette, mix_colours

_SOFTENED = 0.4
"""Share of the table in a softened colour."""


@dataclass(frozen=True, slots=True)
class Look:
    """How cards look: colours, glyphs, and the player's taste.

    ``soft`` rounds a card off with half blocks in the colour of its face instead of a box.
    """

    palette: Palette
    tier: GlyphSet = GlyphSet.UNICODE
    soft: bool = False
    four_colour: bool = False

    @property
    def solid(self) -> bool:
        """Whether cards are soft indeed, for which all of Unicode and true colours are needed."""
        return self.soft and self.tier is GlyphSet.UNICODE and self.palette.face.startswith("#")


@lru_cache(512)
def style_of(ink: str, ground: str = "ansi_default") -> Style:
    """Give the style of two of a palette's colours."""
    return Style(color=_rich(ink), bgcolor=_rich(ground))


def _rich(colour: str) -> str | None:
    """Name a colour as Rich does; none at all leaves the terminal's own."""
    return None if colour == "ansi_default" else colour.removeprefix("ansi_")


@dataclass(frozen=True, slots=True)
class LineStyles:
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
    deep: Style
    """The dark red of bars."""
    blue: Style

    def style(self, tone: str) -> Style:
        """Return the style that a tone names; plain text for none."""
        style: Style = getattr(self, tone or "text")
        return style


@lru_cache(16)
def line_styles_of(palette: Palette) -> LineStyles:
    """Give a palette's styles: where it leaves the colours to the terminal, by other means."""
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
        deep=soften_colour(palette.bad, palette),
        blue=style_of(palette.blue),
    )


def soften_colour(colour: str, palette: Palette) -> Style:
    """Give a colour for pictures, near the table's; one of the terminal's own is left to it."""
    return style_of(mix_colours(colour, palette.bg, _SOFTENED))


def rule_style(palette: Palette) -> Style:
    """Give the style of lines between parts, which nobody has to read."""
    named = not palette.lit.startswith("#")
    return Style(dim=True) if named else style_of(palette.lit)


def result_colour(cents: int, palette: Palette) -> str:
    """Give the colour of what was won or lost."""
    return palette.good if cents > 0 else palette.bad if cents < 0 else palette.muted
