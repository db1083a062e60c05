"""The themes: each palette as a Textual theme, and the choice of a theme for a terminal.

Register ``THEMES`` with the App; each theme has the name of its palette.
"""

from __future__ import annotations

from typing import Any

from textual.theme import Theme

from ..terminal.detection import ColourDepth, TerminalCapabilities
from .colours import FELT, FELT_256, NONE, PALETTES, SIXTEEN, Palette, mix_colours

_OWN = {
    ColourDepth.TRUE: FELT,
    ColourDepth.MANY: FELT_256,
    ColourDepth.FEW: SIXTEEN,
    ColourDepth.NONE: NONE,
}


def theme_for(terminal: TerminalCapabilities, chosen: str | None) -> Palette:
    """Return the palette of the chosen theme, or a default that the terminal can show.

    A theme that defines its colours needs at least 256 of them. The felt theme needs true colour;
    there is a separate felt theme for 256 colours. Raises ``KeyError`` for an unknown name.
    """
    own = _OWN[terminal.colours]
    palette = PALETTES[chosen] if chosen else own
    can_show = {
        ColourDepth.TRUE: True,
        ColourDepth.MANY: palette is not FELT,
        ColourDepth.FEW: _leaves_colours(palette),
        ColourDepth.NONE: False,
    }
    return palette if can_show[terminal.colours] else own


def _theme(palette: Palette) -> Theme:
    base: dict[str, Any] = {
        "primary": palette.gold,
        "secondary": palette.muted,
        "accent": palette.gold,
        "warning": palette.gold,
        "error": palette.bad,
        "success": palette.good,
        "foreground": palette.text,
        "background": palette.bg,
        "surface": palette.surface,
        "panel": palette.panel,
    }
    native = _leaves_colours(palette)
    widgets = _native_widgets(palette) if native else _widgets(palette)
    return Theme(
        name=palette.name,
        dark=palette.dark,
        ansi=native,
        # Defined as variables they are exact; Textual's conversion through Lab turns 255 into 254.
        variables=base | _house(palette) | widgets,
        **base,
    )


_GOLD_FELT = 0.5
"""Share of gold in the felt after a royal flush."""


def _house(palette: Palette) -> dict[str, str]:
    """Return the program's own stylesheet variables, for money, sides, cards and their states."""
    return {
        "gold": palette.gold,
        "gold-felt": mix_colours(palette.bg, palette.gold, _GOLD_FELT),
        "muted": palette.muted,
        "good": palette.good,
        "bad": palette.bad,
        "side-red": palette.red,
        "side-blue": palette.blue,
        "card-face": palette.face,
        "card-edge": palette.edge,
        "card-held": palette.held,
        "card-win": palette.win,
        "card-back": palette.back,
        "card-ink": palette.ink,
        "text-muted": palette.muted,
        "footer-key-foreground": palette.gold,
        "scrollbar": palette.edge,
        "scrollbar-hover": palette.gold,
        "scrollbar-active": palette.gold,
    }


def _widgets(palette: Palette) -> dict[str, str]:
    """Return variables for Textual's own widgets whose derived values would be unsuitable."""
    bar = dict.fromkeys(
        (
            "scrollbar-background",
            "scrollbar-background-hover",
            "scrollbar-background-active",
            "scrollbar-corner-color",
        ),
        palette.surface,
    )
    return bar | {
        "text": palette.text,
        "text-primary": palette.gold,
        "text-secondary": palette.muted,
        "text-accent": palette.gold,
        "text-warning": palette.gold,
        "text-error": palette.bad,
        "text-success": palette.good,
        "block-cursor-background": palette.gold,
        "block-cursor-foreground": palette.bg,
        "block-cursor-blurred-background": palette.panel,
        "block-cursor-blurred-foreground": palette.text,
        "block-hover-background": palette.panel,
        "border-blurred": palette.edge,
        "button-color-foreground": palette.bg,
        "button-focus-text-style": "bold",
        "footer-background": palette.panel,
        "input-cursor-background": palette.gold,
        "input-cursor-foreground": palette.bg,
        "input-selection-background": palette.gold,
        "input-selection-foreground": palette.bg,
        "screen-selection-background": palette.gold,
        "screen-selection-foreground": palette.bg,
    }


def _native_widgets(palette: Palette) -> dict[str, str]:
    """Return the same variables for the terminal's own colours: the selected row is black on gold.

    Without colours it is underlined. Textual loses a ``reverse`` in the styles of a widget's parts.
    """
    coloured = palette.gold != palette.bg
    on_gold = "ansi_black" if coloured else palette.text
    return {
        "ansi-background": palette.bg,  # Textual's stylesheets use both without defining them
        "ansi-foreground": palette.text,
        "block-cursor-background": palette.gold,
        "block-cursor-foreground": on_gold,
        "block-cursor-text-style": "bold" if coloured else "bold underline",
        "block-cursor-blurred-text-style": "bold",
        "border": palette.gold,
        "border-blurred": palette.edge,
        "input-selection-background": palette.gold,
        "input-selection-foreground": on_gold,
        "screen-selection-background": palette.gold,
        "screen-selection-foreground": on_gold,
    }


def _leaves_colours(palette: Palette) -> bool:
    """Return whether a palette leaves its colours to the terminal."""
    return palette.bg.startswith("ansi_")


THEMES = {palette.name: _theme(palette) for palette in PALETTES.values()}
