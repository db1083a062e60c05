"""The kit that draws: lines of pieces, rows of a canvas, rows in tones, bars and figures."""

from __future__ import annotations

from fractions import Fraction

import pytest
from rich.style import Style

from tui_casino.gamekit.number_formats import (
    percent,
    signed_count,
    signed_money,
    with_minus_signs,
    with_sign,
)
from tui_casino.tui.draw.canvas import Canvas, TableRow, write_rows
from tui_casino.tui.draw.look import Look, line_styles_of
from tui_casino.tui.draw.plots import bar, draw_bar
from tui_casino.tui.draw.segments import LineBuilder, join_pieces, justify
from tui_casino.tui.terminal.detection import GlyphSet
from tui_casino.tui.theme import FELT, NONE, mix_colours

RED, BOLD, GROUND = Style(color="red"), Style(bold=True), Style(bgcolor="blue")
PLAIN = Look(NONE, GlyphSet.ASCII)


# ---- lines of pieces ---------------------------------------------------------------------------


def test_each_piece_of_a_built_line_keeps_its_style() -> None:
    strip = (
        LineBuilder(GlyphSet.UNICODE).add("ab", RED).put(4, "cd", BOLD).put_before(9, "e").strip()
    )
    assert strip.text == "ab  cd  e"
    assert [(text, style) for text, style, _ in strip if text.strip()] == [
        ("ab", RED),
        ("cd", BOLD),
        ("  e", Style.null()),
    ]


def test_neighbouring_texts_of_one_style_become_one_segment() -> None:
    (segment,) = LineBuilder(GlyphSet.UNICODE).add("a", RED).add("b", RED).strip()
    assert segment.text == "ab"


def test_background_of_a_line_is_applied_to_text_and_blanks() -> None:
    strip = (
        LineBuilder(GlyphSet.UNICODE, GROUND)
        .add("a", RED)
        .pad_to(3)
        .join(join_pieces([("b", BOLD)], 9, GlyphSet.UNICODE))
        .strip(6)
    )
    assert strip.text == "a  b  "
    assert all(style and style.bgcolor == GROUND.bgcolor for _, style, _ in strip)


def test_drawn_text_has_only_printable_glyphs_of_the_terminal() -> None:
    assert LineBuilder(GlyphSet.ASCII).add("−5\x1b♠").strip().text == "-5s"


@pytest.mark.parametrize(
    ("width", "at_word", "text"),
    [(20, False, "one two three"), (9, False, "one two …"), (9, True, "one two…"), (0, False, "")],
    ids=["long enough", "cut anywhere", "cut at a word", "no columns"],
)
def test_too_long_built_line_is_cut_with_an_ellipsis(width: int, at_word: bool, text: str) -> None:
    segments = LineBuilder(GlyphSet.UNICODE).add("one ", RED).add("two three", BOLD)
    assert segments.cut(width, at_word=at_word).strip().text == text
    assert segments.width == len(text)


def test_built_line_with_a_width_is_cropped_or_filled() -> None:
    assert LineBuilder(GlyphSet.UNICODE).add("abc", RED).strip(2).text == "ab"
    assert LineBuilder(GlyphSet.UNICODE).add("abc", RED).strip(5).text == "abc  "


def test_left_text_of_a_line_is_cut_before_its_right_text() -> None:
    strip = justify([("a long name", RED)], [("12.00", BOLD)], 12, GlyphSet.ASCII)
    assert strip.text == "a lon. 12.00"


# ---- a canvas ----------------------------------------------------------------------------------


def test_canvas_row_cuts_text_that_does_not_fit() -> None:
    canvas = Canvas(10, 2, PLAIN)
    first, second = canvas.rows()
    assert first.put(2, "abcdef", RED, 6) == 6
    assert second.put_before(9, "xyz", RED) == 6
    assert [strip.text for strip in canvas.strips()] == ["  abc.    ", "      xyz "]
    assert canvas.is_blank(0, 6, 1)
    assert not canvas.is_blank(0, 7, 1)


def test_text_outside_a_canvas_is_left_out() -> None:
    canvas = Canvas(4, 1, PLAIN)
    canvas.write(-2, 0, "abcd", RED)
    canvas.write(3, 0, "xy", RED)
    canvas.write(9, 0, "zz", RED)
    canvas.write(0, 1, "below", RED)
    assert [strip.text for strip in canvas.strips()] == ["cd x"]


def test_drawn_table_rows_return_the_click_areas_of_their_keys() -> None:
    canvas = Canvas(12, 2, Look(FELT))
    rows = (
        TableRow((("h", "gold"), (" Hit", "")), (("1.5", "good"),), "h"),
        TableRow((("a long…", "bad"),), (("7", "bad"),)),
    )
    ((region, key),) = write_rows(canvas, 1, 0, 8, rows)
    assert (key, region.x, region.y, region.width) == ("h", 1, 0, 8)
    assert [strip.text for strip in canvas.strips()] == [" h Hit1.5   ", " a long…7   "]
    inks = line_styles_of(FELT)
    assert [inks.style(tone) for tone in ("", "bad")] == [inks.text, inks.bad]


@pytest.mark.parametrize(("tier", "drawn"), [(GlyphSet.UNICODE, "██  "), (GlyphSet.ASCII, "##  ")])
def test_bar_is_drawn_on_its_track(tier: GlyphSet, drawn: str) -> None:
    canvas = Canvas(4, 1, Look(FELT, tier))
    draw_bar(canvas, 0, 0, 2, 4, RED)
    (strip,) = canvas.strips()
    assert strip.text == drawn == bar(0.5, 4, tier)
    assert len({style.bgcolor for _, style, _ in strip if style}) == 1


# ---- figures and colours -----------------------------------------------------------------------


def test_percentages_have_the_given_number_of_decimals() -> None:
    assert percent(0.125) == "12.50%"
    assert percent(Fraction(1, 3), 0) == "33%"
    assert percent(1, 1, of=8) == "12.5%"


def test_negative_amounts_are_written_with_the_minus_sign_of_the_screen() -> None:
    assert [signed_money(cents) for cents in (120_000, -5, 0)] == ["+1,200.00", "−0.05", "0.00"]
    assert [signed_count(amount) for amount in (1200, -5, 0)] == ["+1,200", "−5", "0"]
    assert with_sign(-0.4, "0.4 points") == "−0.4 points"
    assert with_minus_signs("-1.0") == "−1.0"


def test_rgb_colours_are_mixed_but_terminal_colours_are_not() -> None:
    assert mix_colours("#ff0000", "#000000", 0.4) == "#990000"
    assert mix_colours("ansi_red", "#000000", 0.4) == "ansi_red"
