import unicodedata

import pytest
from rich.cells import cell_len

from tui_casino.cards.card import BACK, PACK, Card, Rank, Suit
from tui_casino.tui.draw.card_art import (
    CardSize,
    CardState,
    corner_index,
    draw_caption,
    draw_card,
    fan_offset,
)
from tui_casino.tui.draw.look import Look
from tui_casino.tui.terminal.detection import GlyphSet
from tui_casino.tui.theme import FELT, FELT_256, MIDNIGHT, NONE, SIXTEEN

SOFT = Look(FELT, soft=True)
BOXED = Look(FELT_256)
CONSOLE = Look(SIXTEEN, GlyphSet.CP437)
ASCII = Look(NONE, GlyphSet.ASCII)

looks = pytest.mark.parametrize(
    "look", [SOFT, BOXED, CONSOLE, ASCII], ids=["soft", "boxed", "cp437", "ascii"]
)
sizes = pytest.mark.parametrize("size", list(CardSize), ids=lambda size: size.name.lower())


def plain(
    card: Card | None, size: CardSize, state: CardState, look: Look, over: bool = False
) -> str:
    return "\n".join(line.plain for line in draw_card(card, size, state, look, over))


def everything(size: CardSize, look: Look) -> list[str]:
    return [
        plain(card, size, state, look, over)
        for card in (*PACK, BACK, None)
        for state in CardState
        for over in (False, True)
    ]


def belongs(glyph: str, tier: GlyphSet) -> bool:
    match tier:
        case GlyphSet.UNICODE:  # box drawing and block elements
            return glyph.isascii() or glyph in "♠♥♦♣" or "\u2500" <= glyph <= "\u259f"
        case GlyphSet.CP437:  # Python takes the suits, 3 to 6, for control characters
            return glyph in "♠♥♦♣" or bool(glyph.encode("cp437"))
        case GlyphSet.ASCII:
            return glyph.isascii()


@looks
@sizes
def test_drawn_card_has_its_size_and_only_one_cell_wide_glyphs(size: CardSize, look: Look) -> None:
    for drawing in everything(size, look):
        lines = drawing.split("\n")
        assert [len(line) for line in lines] == [size.width] * size.height
        assert [cell_len(line) for line in lines] == [size.width] * size.height
        for glyph in "".join(lines):
            assert unicodedata.east_asian_width(glyph) not in "WF"
            assert not unicodedata.combining(glyph)


@looks
@sizes
def test_drawn_card_uses_only_glyphs_of_its_set(size: CardSize, look: Look) -> None:
    glyphs = set("".join(everything(size, look))) - {"\n"}
    assert [glyph for glyph in glyphs if not belongs(glyph, look.tier)] == []
    assert all(glyph.isprintable() for glyph in glyphs)


@looks
@sizes
def test_drawn_card_has_a_different_shape_in_each_state(size: CardSize, look: Look) -> None:
    for card in (*PACK, BACK):
        assert len({plain(card, size, state, look) for state in CardState}) == len(CardState)


@looks
@sizes
def test_drawings_of_any_two_cards_differ(size: CardSize, look: Look) -> None:
    for state in CardState:
        assert len({plain(card, size, state, look) for card in (*PACK, BACK, None)}) == 54


@looks
@sizes
def test_drawn_card_shows_rank_and_suit_top_left_and_bottom_right(
    size: CardSize, look: Look
) -> None:
    for card in PACK:
        corner = corner_index(card, look.tier)
        for state in CardState:
            lines = plain(card, size, state, look).split("\n")
            if size is CardSize.CHIP:
                assert lines[0][1:].rstrip() == corner
            else:
                assert lines[1][1:].startswith(corner)
                assert lines[-2][:-1].endswith(corner[-1] + card.rank.pip)


@looks
@pytest.mark.parametrize("size", [CardSize.LARGE, CardSize.NORMAL])
def test_number_of_pips_on_a_drawn_card_equals_its_rank(size: CardSize, look: Look) -> None:
    for card in PACK:
        if Rank.TWO <= card.rank <= Rank.TEN:
            sign = corner_index(card, look.tier)[-1]
            signs = plain(card, size, CardState.NORMAL, look).count(sign)
            shared = card.rank >= Rank.FOUR  # the corner pips are those of the indices
            assert signs == card.rank + (0 if shared else 2)


def inside(card: Card, look: Look) -> list[str]:
    """Give what stands in a giant card's frame, without its indices."""
    drawn = [
        line.plain[1:-1] for line in draw_card(card, CardSize.GIANT, CardState.NORMAL, look)[1:-1]
    ]
    corner = len(corner_index(card, look.tier))
    drawn[0] = " " * corner + drawn[0][corner:]
    drawn[-1] = drawn[-1][:-corner] + " " * corner
    return drawn


@looks
def test_number_of_giant_pips_equals_the_rank(look: Look) -> None:
    """Every pip of a suit takes as much ink, and the indices cover none of it."""
    for suit in (Suit.CLUBS, Suit.DIAMONDS, Suit.HEARTS, Suit.SPADES):
        inked = {
            rank: sum(INK.get(glyph, 1) for glyph in "".join(inside(Card(rank, suit), look)))
            for rank in RANKS_WITH_PIPS
        }
        assert inked == {rank: rank * inked[Rank.TWO] // 2 for rank in RANKS_WITH_PIPS}


INK = {" ": 0, "▀": 1, "▄": 1, "█": 2}
"""Pixels of a block; a sign of ASCII is one."""
RANKS_WITH_PIPS = [rank for rank in Rank if Rank.TWO <= rank <= Rank.TEN]


@pytest.mark.parametrize("rank", [Rank.ACE, Rank.FOUR, Rank.SEVEN, Rank.TEN])
def test_giant_pips_are_the_same_left_and_right(rank: Rank) -> None:
    """In a ten, the long indices push the nearest pips inwards."""
    pushed = 3 * (rank is Rank.TEN)
    for suit in (Suit.CLUBS, Suit.DIAMONDS, Suit.HEARTS, Suit.SPADES):
        rows = inside(Card(rank, suit), BOXED)
        for row in rows[pushed : len(rows) - pushed]:
            assert row == row[::-1]


@looks
@pytest.mark.parametrize("size", [CardSize.GIANT, CardSize.LARGE, CardSize.NORMAL])
def test_drawn_court_cards_differ_without_their_letters(size: CardSize, look: Look) -> None:
    figures = {
        plain(Card(rank, Suit.SPADES), size, CardState.NORMAL, look).translate(
            str.maketrans("JQK", "   ")
        )
        for rank in (Rank.JACK, Rank.QUEEN, Rank.KING)
    }
    assert len(figures) == 3


@looks
@pytest.mark.parametrize("size", [CardSize.GIANT, CardSize.LARGE, CardSize.NORMAL])
def test_drawn_aces_differ_without_their_suit_signs(size: CardSize, look: Look) -> None:
    aces = {
        plain(card, size, CardState.NORMAL, look).translate(str.maketrans("♠♥♦♣shdc", " " * 8))
        for card in PACK
        if card.rank is Rank.ACE
    }
    assert len(aces) == 4


@pytest.mark.parametrize(
    ("text", "size", "state", "drawing"),
    [
        (
            "KS",
            CardSize.NORMAL,
            CardState.HELD,
            r"""
#=======#
#Ks     #
# |\^/| #
# (o o) #
#  \#/  #
#   # sK#
#=======#
""",
        ),
        (
            "TC",
            CardSize.LARGE,
            CardState.NORMAL,
            """
.---------.
|10c   c  |
|    c    |
|  c   c  |
|         |
|  c   c  |
|    c    |
|  c   c10|
'---------'
""",
        ),
        (
            "7D",
            CardSize.NORMAL,
            CardState.WINNING,
            """
*********
*7d   d *
*   d   *
* d   d *
*       *
* d   d7*
*********
""",
        ),
        (
            "2H",
            CardSize.SMALL,
            CardState.DIMMED,
            """
.......
:2h   x
:  h  :
:   h2:
'''''''
""",
        ),
    ],
)
def test_card_drawn_in_ascii_equals_its_picture(
    text: str, size: CardSize, state: CardState, drawing: str
) -> None:
    assert plain(Card.parse(text), size, state, ASCII) == drawing.strip("\n")


def test_largest_card_size_that_fits_a_space_is_chosen() -> None:
    assert CardSize.fitting(21, 16) is CardSize.GIANT
    assert CardSize.fitting(80, 15) is CardSize.HUGE
    assert CardSize.fitting(20, 60) is CardSize.HUGE
    assert CardSize.fitting(14, 60) is CardSize.LARGE
    assert CardSize.fitting(11, 8) is CardSize.NORMAL
    assert CardSize.fitting(8, 7) is CardSize.SMALL
    assert CardSize.fitting(5, 4) is CardSize.TINY
    assert CardSize.fitting(40, 1) is CardSize.CHIP
    assert CardSize.fitting(0, 0) is CardSize.CHIP


@sizes
def test_covered_card_in_a_fan_shows_its_index(size: CardSize) -> None:
    for card in PACK:
        shown = "".join(
            line[: fan_offset(card, size)]
            for line in plain(card, size, CardState.NORMAL, BOXED).split("\n")
        )
        assert card.symbol in shown


def test_soft_card_overlapping_another_card_has_an_edge() -> None:
    card = Card.parse("7D")
    assert plain(card, CardSize.TINY, CardState.NORMAL, SOFT).split("\n")[1] == " 7♦  "
    assert plain(card, CardSize.TINY, CardState.NORMAL, SOFT, over=True).split("\n")[1] == "▏7♦  "
    assert plain(card, CardSize.TINY, CardState.HELD, SOFT, over=True).split("\n")[1] == "▌7♦ ▐"


def test_soft_cards_need_all_of_unicode_and_true_colours() -> None:
    assert Look(MIDNIGHT, soft=True).solid
    assert not Look(NONE, soft=True).solid
    assert not Look(FELT, GlyphSet.CP437, soft=True).solid


@sizes
def test_cards_drawn_without_colours_have_no_colour_in_any_style(size: CardSize) -> None:
    for card in (*PACK, BACK, None):
        for state in CardState:
            lines = (
                *draw_card(card, size, state, Look(NONE)),
                draw_caption("x", 5, state, Look(NONE)),
            )
            styles = [span.style for line in lines for span in line.spans]
            assert all(not isinstance(style, str) for style in styles)
            assert not any(getattr(style, "color", None) for style in styles)
            assert not any(getattr(style, "bgcolor", None) for style in styles)


def test_caption_of_a_card_is_as_wide_as_the_card() -> None:
    assert draw_caption("[3]", 9, CardState.NORMAL, SOFT).plain == "   [3]   "
    assert draw_caption(" HELD ", 9, CardState.HELD, SOFT).plain == "  HELD   "
    assert draw_caption(" HELD ", 4, CardState.HELD, SOFT).plain == " HEL"
