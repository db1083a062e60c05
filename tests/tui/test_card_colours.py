import pytest
from rich.color import Color

from tui_casino.cards.card import PACK, SUITS
from tui_casino.tui.draw.card_art import CardSize, CardState, draw_card
from tui_casino.tui.draw.look import Look
from tui_casino.tui.theme import FELT, FELT_256, MIDNIGHT, Palette

palettes = pytest.mark.parametrize(
    "palette", [FELT, FELT_256, MIDNIGHT], ids=lambda palette: palette.name
)
decks = pytest.mark.parametrize("four_colour", [False, True], ids=["two", "four"])
READABLE = 4.5


def luminance(colour: Color) -> float:
    """Relative luminance of WCAG 2."""
    parts = [part / 255 for part in colour.get_truecolor()]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: Color, other: Color) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def test_colour_contrast_equals_the_wcag_formula() -> None:
    assert contrast(Color.parse("#000000"), Color.parse("#ffffff")) == pytest.approx(21)
    assert contrast(Color.parse("#777777"), Color.parse("#ffffff")) == pytest.approx(4.48, abs=0.01)


@palettes
@pytest.mark.parametrize("ink", ["text", "muted", "gold"])
@pytest.mark.parametrize("ground", ["bg", "surface", "panel"])
def test_text_colours_are_readable_on_every_background(
    palette: Palette, ink: str, ground: str
) -> None:
    colours = (Color.parse(getattr(palette, name)) for name in (ink, ground))
    assert contrast(*colours) >= READABLE


@palettes
@decks
def test_suit_colours_are_readable_on_the_card_face(palette: Palette, four_colour: bool) -> None:
    for suit in SUITS:
        sign = Color.parse(palette.suit(suit, four_colour))
        assert contrast(sign, Color.parse(palette.face)) >= READABLE


@palettes
@decks
@pytest.mark.parametrize("state", list(CardState))
def test_suits_are_readable_on_drawn_cards(
    palette: Palette, four_colour: bool, state: CardState
) -> None:
    look = Look(palette, four_colour=four_colour)
    for card in PACK:
        corner = draw_card(card, CardSize.NORMAL, state, look)[1].spans[-1].style
        assert not isinstance(corner, str)
        assert corner.color is not None
        assert corner.bgcolor is not None
        assert contrast(corner.color, corner.bgcolor) >= READABLE


@palettes
@pytest.mark.parametrize("frame", ["held", "win"])
def test_card_frames_are_visible_on_the_card_face(palette: Palette, frame: str) -> None:
    assert contrast(Color.parse(getattr(palette, frame)), Color.parse(palette.face)) >= READABLE


def test_deck_has_two_or_four_suit_colours() -> None:
    assert len({FELT.suit(suit, four_colour=False) for suit in SUITS}) == 2
    assert len({FELT.suit(suit, four_colour=True) for suit in SUITS}) == 4
