"""Names with wide, combining and right-to-left letters take the columns that a terminal gives."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from rich.style import Style
from textual.strip import Strip

from tests.helpers.parameter_ids import labelled
from tests.helpers.pty_terminal import casino
from tui_casino.tui.draw.canvas import Canvas
from tui_casino.tui.draw.look import Look
from tui_casino.tui.draw.segments import (
    LineBuilder,
    fitting_start,
    split_cells,
    text_width,
    truncate,
)
from tui_casino.tui.terminal.detection import GlyphSet
from tui_casino.tui.theme import FELT

WIDTHS = {
    "Ann": 3,
    "王小明": 6,
    "김철수": 6,
    "たなか": 6,
    "Zoe\N{COMBINING DIAERESIS}": 3,
    "שרה": 3,
    "😀 Bo": 5,
}
PLAIN = Style.null()


def text_of(strips: Sequence[Strip]) -> str:
    (strip,) = strips
    return strip.text


@pytest.mark.parametrize(("name", "width"), WIDTHS.items())
def test_width_of_a_wide_name_is_counted_in_columns(name: str, width: int) -> None:
    assert text_width(name) == width
    assert len([*split_cells(name)]) == width
    assert "".join(split_cells(name)) == name
    assert LineBuilder(GlyphSet.UNICODE).add(name).width == width


@pytest.mark.parametrize("name", WIDTHS)
@pytest.mark.parametrize("room", range(8), ids=labelled("{} columns"))
def test_name_with_wide_letters_is_cut_to_fit_its_columns(name: str, room: int) -> None:
    assert text_width(fitting_start(name, room)) <= room
    assert text_width(truncate(name, room, GlyphSet.UNICODE)) <= room
    assert LineBuilder(GlyphSet.UNICODE).add(name).strip(room).cell_length == room


@pytest.mark.parametrize(("name", "width"), WIDTHS.items())
def test_text_after_a_wide_name_begins_where_the_name_ends(name: str, width: int) -> None:
    canvas = Canvas(20, 1, Look(palette=FELT))
    assert canvas.write(2, 0, name, PLAIN) == 2 + width
    canvas.write(2 + width, 0, "|", PLAIN)
    text = text_of(canvas.strips())
    assert text.strip() == f"{name}|"
    assert text_width(text) == 20


@pytest.mark.parametrize("column", range(8), ids=labelled("column {}"))
def test_row_keeps_its_width_if_a_wide_letter_is_overwritten(
    column: int,
) -> None:
    canvas = Canvas(8, 1, Look(palette=FELT))
    canvas.write(1, 0, "王小明", PLAIN)
    canvas.write(column, 0, "x", PLAIN)
    assert text_width(text_of(canvas.strips())) == 8
    canvas = Canvas(8, 1, Look(palette=FELT))
    canvas.write(column, 0, "王小明", PLAIN)
    assert text_width(text_of(canvas.strips())) == 8
    canvas.write(-column, 0, "王小明", PLAIN)
    assert text_width(text_of(canvas.strips())) == 8


@pytest.mark.parametrize("name", ["王小明", "김철수", "Zoë"])
def test_balance_next_to_a_wide_name_is_complete(name: str, tmp_path: Path) -> None:
    with casino(tmp_path, "--player", name) as terminal:
        terminal.wait_for("balance 1,000.00")
