"""A table of half blocks, and the canvas that cards and words are put on."""

from collections.abc import Iterable

import pytest
from rich.style import Style
from textual.geometry import Region
from textual.strip import Strip

from tests.helpers.parameter_ids import labelled
from tui_casino.cards.card import Card
from tui_casino.tui.draw.canvas import Canvas
from tui_casino.tui.draw.card_art import CardSize, CardState, card_strips
from tui_casino.tui.draw.felt import draw_table, felt_lines, superellipse_pixels
from tui_casino.tui.draw.look import Look, style_of
from tui_casino.tui.terminal.detection import GlyphSet
from tui_casino.tui.theme import FELT, NONE, SIXTEEN

SIZES = [(42, 10), (58, 20), (30, 7), (2, 1), (1, 1)]
TRUE = Look(FELT, soft=True)


def texts(strips: Iterable[Strip]) -> list[str]:
    return [strip.text for strip in strips]


@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize("exponent", [3.0, 4.0], ids=labelled("exponent {}"))
def test_table_rim_is_closed_and_symmetric(width: int, height: int, exponent: float) -> None:
    rows = superellipse_pixels(width, 2 * height, exponent)
    assert [row[::-1] for row in rows] == [*rows]
    assert rows[::-1] == rows
    for y, row in enumerate(rows):
        for x, pixel in enumerate(row):
            if pixel == "-":  # on all sides the felt goes on, or the rim is there
                assert {rows[y - 1][x], rows[y + 1][x], row[x - 1], row[x + 1]} <= {"-", "#"}


def test_table_rim_is_one_pixel_wide() -> None:
    rows = superellipse_pixels(42, 20, 4.0)
    assert rows[10] == "#" + "-" * 40 + "#"
    assert all(row[21] == "-" for row in rows[1:-1])


@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize("tier", [*GlyphSet])
def test_drawn_table_fills_its_box_symmetrically(width: int, height: int, tier: GlyphSet) -> None:
    rows = felt_lines(width, height, 4.0, Look(FELT, tier))
    assert len(rows) == height
    ends = [(row[0][0], row[-1][0] + len(row[-1][1])) for row in rows]
    assert min(start for start, _ in ends) == 0
    assert max(end for _, end in ends) == width
    assert all(start == width - end for start, end in ends), "in the middle"


def test_table_drawn_without_half_blocks_is_a_box_of_lines() -> None:
    canvas = Canvas(8, 4, Look(NONE, GlyphSet.ASCII))
    draw_table(canvas, Region(1, 0, 6, 4))
    assert texts(canvas.strips()) == [" .----. ", " |    | ", " |    | ", " '----' "]


@pytest.mark.parametrize("palette", [FELT, SIXTEEN, NONE], ids=lambda palette: palette.name)
def test_text_on_the_table_canvas_keeps_the_background_it_covers(palette: object) -> None:
    look = Look(palette)  # type: ignore[arg-type]
    canvas = Canvas(20, 6, look)
    draw_table(canvas, Region(4, 0, 12, 6))
    canvas.write(6, 3, "POT", Style(bold=True))
    (word,) = [piece for piece in canvas.strips()[3] if "POT" in piece.text]
    assert word.style is not None
    assert word.style.bold
    assert word.style.bgcolor == style_of("ansi_default", look.palette.panel).bgcolor


def test_rounded_edge_of_a_drawn_card_shows_the_felt_behind_it() -> None:
    canvas = Canvas(20, 8, TRUE)
    draw_table(canvas, Region(0, 0, 20, 8))
    canvas.put(7, 2, card_strips(Card.parse("KS"), CardSize.TINY, CardState.NORMAL, TRUE))
    above = next(piece for piece in canvas.strips()[2] if "▄▄▄▄▄" in piece.text)
    assert above.style is not None
    assert above.style.color == style_of(FELT.face).color
    assert above.style.bgcolor == style_of("ansi_default", FELT.panel).bgcolor


def test_text_beyond_the_edges_of_the_table_canvas_is_cut_off() -> None:
    canvas = Canvas(4, 2, TRUE)
    canvas.write(-2, 0, "abcd", Style())
    canvas.write(2, 1, "abcd", Style())
    canvas.write(0, 2, "below", Style())
    canvas.write(0, -1, "above", Style())
    assert texts(canvas.strips()) == ["cd  ", "  ab"]


def test_text_on_the_table_canvas_can_be_centred_on_a_column() -> None:
    canvas = Canvas(9, 1, TRUE)
    canvas.centre(4, 0, ("POT ", Style()), ("60", Style(bold=True)))
    assert texts(canvas.strips()) == [" POT 60  "]


def test_suit_signs_on_the_table_canvas_are_letters_in_ascii() -> None:
    canvas = Canvas(6, 1, Look(NONE, GlyphSet.ASCII))
    assert canvas.write(0, 0, "8♣ 3♦", Style()) == 5
    assert texts(canvas.strips()) == ["8c 3d "]
