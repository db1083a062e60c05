"""The themes: which one a terminal gets, what can be read in it, and that all of it is there."""

from __future__ import annotations

from itertools import pairwise, product

import pytest
from rich.color import Color, ColorSystem
from rich.segment import Segment
from rich.style import Style
from textual.app import App, ComposeResult
from textual.color import Color as TextualColor
from textual.theme import Theme
from textual.widgets import Button, Footer, Input, OptionList, Static

from tui_casino.house import settings
from tui_casino.tui.draw.look import graph_style
from tui_casino.tui.terminal.detection import ColourDepth, GlyphSet, TerminalCapabilities
from tui_casino.tui.terminal.output import BLACK_BACKGROUND_FILTER
from tui_casino.tui.theme import (
    FELT,
    FELT_256,
    MIDNIGHT,
    NONE,
    PALETTES,
    SIXTEEN,
    THEMES,
    Palette,
    theme_for,
)


def name_of(value: object) -> str | None:
    """Return the id of a parameter: the name of a palette, or the colours of a terminal."""
    if isinstance(value, TerminalCapabilities):
        return value.colours.name.lower()
    return value.name if isinstance(value, Palette) else None


TRUE, MANY, FEW, NO = (TerminalCapabilities(colours, GlyphSet.UNICODE) for colours in ColourDepth)


@pytest.mark.parametrize(
    ("terminal", "chosen", "palette"),
    [
        (TRUE, None, FELT),
        (MANY, None, FELT_256),
        (FEW, None, SIXTEEN),
        (NO, None, NONE),
        (TRUE, "midnight", MIDNIGHT),
        (TRUE, "felt-256", FELT_256),
        (TRUE, "sixteen", SIXTEEN),
        (TRUE, "none", NONE),
        (MANY, "midnight", MIDNIGHT),
        (MANY, "felt", FELT_256),
        (MANY, "sixteen", SIXTEEN),
        (FEW, "midnight", SIXTEEN),
        (FEW, "felt-256", SIXTEEN),
        (FEW, "none", NONE),
        (NO, "felt", NONE),
        (NO, "sixteen", NONE),
    ],
    ids=name_of,
)
def test_default_theme_is_chosen_for_the_colours_of_the_terminal(
    terminal: TerminalCapabilities, chosen: str | None, palette: Palette
) -> None:
    assert theme_for(terminal, chosen) is palette


def test_unknown_theme_name_raises_a_key_error() -> None:
    with pytest.raises(KeyError):
        theme_for(TRUE, "tartan")


def luminance(colour: str, system: ColorSystem) -> float:
    """Give the relative luminance (WCAG 2) of a colour, as far as a terminal can show it."""
    shown = Color.parse(colour).downgrade(system).get_truecolor()
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in shown.normalized
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str, system: ColorSystem = ColorSystem.TRUECOLOR) -> float:
    """Give the contrast ratio (WCAG 2), from 1 to 21."""
    light, dark = sorted((luminance(one, system), luminance(other, system)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_computed_contrast_of_known_colours_is_correct() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


def variables(theme: Theme) -> dict[str, str]:
    """Give what stylesheets can name, as App.get_css_variables does."""
    return theme.to_color_system().generate() | theme.variables


SHOWN_IN = [
    (FELT, ColorSystem.TRUECOLOR),
    (FELT_256, ColorSystem.TRUECOLOR),
    (FELT_256, ColorSystem.EIGHT_BIT),
    (MIDNIGHT, ColorSystem.TRUECOLOR),
    (MIDNIGHT, ColorSystem.EIGHT_BIT),
]


@pytest.mark.parametrize(("palette", "system"), SHOWN_IN, ids=name_of)
def test_all_text_colours_of_every_theme_are_readable(
    palette: Palette, system: ColorSystem
) -> None:
    for ink, ground in product(
        (
            palette.text,
            palette.muted,
            palette.gold,
            palette.good,
            palette.bad,
            palette.red,
            palette.blue,
        ),
        (palette.bg, palette.surface, palette.panel, palette.lit),
    ):
        assert contrast(ink, ground, system) >= 4.5, (ink, ground)
    for ink, (lit, ground) in product(
        (palette.good, palette.bad, palette.muted),
        ((True, palette.lit), (True, palette.panel), (False, palette.bg)),
    ):
        graph = graph_style(ink, palette, lit=lit).color
        assert graph is not None
        least = 4.5 if lit else 3
        assert contrast(graph.get_truecolor().hex, ground, system) >= least, (ink, ground)
    for ink in (palette.spades, palette.hearts, palette.diamonds, palette.clubs):
        assert contrast(ink, palette.face, system) >= 4.5, ink
    assert contrast(palette.bg, palette.gold, system) >= 4.5


def test_default_terminal_colours_are_painted_as_white_on_black() -> None:
    """And what is of a colour, or reversed, stays so."""
    gold, reverse = Style(color="bright_yellow", bold=True), Style(reverse=True)
    line = [
        Segment("A"),
        Segment("B", gold),
        Segment("C", reverse),
        Segment("D", Style(bgcolor="red")),
    ]
    after = BLACK_BACKGROUND_FILTER.apply(line, TextualColor(0, 0, 0, ansi=-1))
    assert [segment.text for segment in after] == ["A", "B", "C", "D"]
    styles = [Style.parse("bright_white on black")] * 3 + [Style.parse("bright_white on red")]
    styles[1] = Style.parse("bold bright_yellow on black")
    styles[2] = Style.parse("reverse bright_white on black")
    assert [segment.style for segment in after] == styles


@pytest.mark.parametrize(("palette", "system"), SHOWN_IN, ids=name_of)
def test_disabled_text_is_grey_and_visible_in_every_theme(
    palette: Palette, system: ColorSystem
) -> None:
    for ground in (palette.bg, palette.surface, palette.panel):
        assert contrast(palette.faint, ground, system) >= 3, ground
        assert contrast(palette.faint, ground, system) < contrast(palette.muted, ground, system)


@pytest.mark.parametrize(("palette", "system"), SHOWN_IN, ids=name_of)
def test_selected_row_and_table_rim_differ_from_their_background(
    palette: Palette, system: ColorSystem
) -> None:
    """By at least a fifth more or less light than what lies beside it."""
    for ground in (palette.bg, palette.surface):
        assert contrast(palette.lit, ground, system) >= 1.2, ground
    assert contrast(palette.rim, palette.bg, system) >= 1.2


@pytest.mark.parametrize(("palette", "system"), SHOWN_IN, ids=name_of)
def test_colours_of_textual_widgets_are_readable(palette: Palette, system: ColorSystem) -> None:
    """What Textual's own widgets write, each colour on what it stands on."""
    colours = variables(THEMES[palette.name])
    for ink, ground in [
        ("text", "background"),
        ("text-muted", "panel"),
        ("foreground", "surface"),
        ("block-cursor-foreground", "block-cursor-background"),
        ("block-cursor-blurred-foreground", "block-cursor-blurred-background"),
        ("button-color-foreground", "primary"),
        ("button-color-foreground", "error"),
        ("button-color-foreground", "success"),
        ("footer-key-foreground", "footer-background"),
        ("footer-description-foreground", "footer-background"),
        ("input-cursor-foreground", "input-cursor-background"),
        ("input-selection-foreground", "input-selection-background"),
        ("screen-selection-foreground", "screen-selection-background"),
    ]:
        assert contrast(colours[ink], colours[ground], system) >= 4.5, (ink, ground)


def test_every_palette_is_a_theme_with_the_house_colour_variables() -> None:
    assert list(THEMES) == list(PALETTES) == list(settings.THEMES)
    known = [set(variables(theme)) for theme in THEMES.values()]
    house = {"gold", "muted", "good", "bad", "card-face", "card-edge", "card-held", "card-win"}
    assert all(house <= names for names in known)
    assert known[0] == known[1] == known[2]
    assert known[3] == known[4]


@pytest.mark.parametrize("palette", PALETTES.values(), ids=lambda palette: palette.name)
def test_house_colours_of_a_theme_come_from_its_palette(palette: Palette) -> None:
    theme = THEMES[palette.name]
    colours = variables(theme)
    assert (colours["gold"], colours["muted"]) == (palette.gold, palette.muted)
    assert TextualColor.parse(colours["error"]) == TextualColor.parse(palette.bad)
    assert theme.ansi == (palette in (SIXTEEN, NONE))


def test_theme_without_colours_uses_no_colour() -> None:
    """Also on a terminal that has colours, because a player can choose this theme."""
    own = THEMES["none"].variables
    assert {value for value in own.values() if value.startswith("ansi_")} == {"ansi_default"}


class Widgets(App[None]):
    CSS = """
    Static { color: $gold; background: $card-face; border: round $card-edge; }
    """

    def __init__(self) -> None:
        super().__init__()
        for theme in THEMES.values():
            self.register_theme(theme)
        self.theme = "felt"

    def compose(self) -> ComposeResult:
        yield Static("A♠")
        yield Input("3")
        yield OptionList("Video Poker", "31")
        yield Button("Deal", variant="primary")
        yield Footer()


async def test_changing_the_theme_recolours_the_running_app() -> None:
    app = Widgets()
    async with app.run_test() as pilot:
        app.query_one(OptionList).focus()
        for before, name in pairwise(["felt", *THEMES, "felt"]):
            app.theme = name
            await pilot.pause()
            palette = PALETTES[name]
            card = app.query_one(Static)
            assert card.styles.color == TextualColor.parse(palette.gold), (before, name)
            assert card.styles.background == TextualColor.parse(palette.face)
            assert app.screen.styles.background == TextualColor.parse(palette.bg)
            assert app.native_ansi_color == (palette in (SIXTEEN, NONE))
