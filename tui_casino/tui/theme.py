"""The appearance of the screen: the themes, their colours, and the stylesheets.

No other module defines colours. Text and suits have a contrast of at least 4.5 to 1 (WCAG 2) to
their background; a test computes it. ``sixteen`` and ``none`` leave the colours themselves to the
terminal. Each palette is also a Textual theme with its name, in ``THEMES``.

The app's own stylesheet is loaded at startup, the others with their screens: a screen's stylesheet
is neither read nor matched against widgets before that screen opens. A screen lists its stylesheets
in ``CSS_PATH``, as usual in Textual.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar

from msgspec import Struct
from textual.app import App
from textual.screen import Screen
from textual.scrollbar import ScrollBar, ScrollBarRender
from textual.theme import Theme

from ..cards.card import Suit
from ..house.paths import game_stylesheet, styles_folder
from ..structs import replace
from .terminal.detection import ColourDepth, TerminalCapabilities


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


ORDER = ("app", "windows", "tables", "records", "practice", "settings")
"""The stylesheets; later ones take precedence, and those of the games come last."""


@lru_cache(64)
def sheet(name: str) -> Path:
    """Return the path of a stylesheet."""
    return styles_folder() / f"{name}.tcss"


def sheets_of(game: str) -> list[Path]:
    """Return the paths of a game's stylesheets, by its slug: the shared one and its own."""
    own = game_stylesheet(game)
    return [sheet("tables"), *([own] if own.exists() else [])]


class HasSheets(App[None]):
    """An app that loads stylesheets when a screen needs them; all windows share one stylesheet."""

    CSS_PATH = [sheet("app")]  # noqa: RUF012 - as Textual has it

    def push_screen(self, screen: Any, *args: Any, **options: Any) -> Any:
        """Read the stylesheets of a screen before it is styled.

        Textual would read them later, parse all stylesheets again and style everything again.
        """
        if isinstance(screen, Screen):
            self.load_sheets(*([sheet("windows")] if screen.is_modal else []), *screen.css_path)
        return super().push_screen(screen, *args, **options)

    def load_sheets(self, *paths: Path) -> None:
        """Load stylesheets that are not loaded yet; the order of loading does not matter."""
        for path in paths:
            if not self.stylesheet.has_source(str(path)):
                rank = ORDER.index(path.stem) if path.stem in ORDER else len(ORDER)
                text = path.read_text(encoding="utf-8")
                self.stylesheet.add_source(text, (str(path), ""), tie_breaker=rank)


class _WholeCellScrollBar(ScrollBarRender):
    """A scroll bar without parts of a cell, whose glyphs not every terminal has."""

    VERTICAL_BARS: ClassVar[list[str]] = [ScrollBarRender.BLANK_GLYPH]
    HORIZONTAL_BARS: ClassVar[list[str]] = [ScrollBarRender.BLANK_GLYPH]


ScrollBar.renderer = _WholeCellScrollBar
