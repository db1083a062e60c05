"""The shortened output to the terminal shows the same as the full output."""

from __future__ import annotations

from typing import Any

import pyte
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tui_casino.tui.terminal.output import AnsiOptimiser

WIDTH, HEIGHT = 12, 80  # so high that nothing scrolls, as Textual never lets it
CODES = (
    *("0", "", "1", "2", "3", "4", "7", "9", "22", "23", "24", "27", "29", "39", "49", "31", "42"),
    *("97", "100", "38;5;9", "48;5;200", "38;2;1;2;3", "48;2;200;100;0", "0;1;38;2;9;9;9"),
)
styles = st.lists(st.sampled_from(CODES), min_size=1, max_size=3).map(
    lambda codes: f"\x1b[{';'.join(codes)}m"
)
moves = st.tuples(st.integers(1, 4), st.integers(1, WIDTH)).map(lambda at: f"\x1b[{at[0]};{at[1]}H")
texts = st.sampled_from(
    ["A♠", " ", "   ", "─", "x y", "\n\x1b[2;2H", "\x1b[K", "\x1b[2J", "\x1b[?25l"]
)
outputs = st.lists(
    st.lists(st.one_of(styles, styles, moves, texts), max_size=12).map("".join), max_size=4
)


def cells(written: list[str]) -> list[Any]:
    """Give what a terminal shows: where cells are blank, their ground, or all if it is seen."""
    emulator: Any = pyte
    screen = emulator.Screen(WIDTH, HEIGHT)
    stream = emulator.Stream(screen)
    for output in written:
        stream.feed(output)
    match = []
    for y in range(HEIGHT):
        for x in range(WIDTH):
            cell = screen.buffer[y][x]
            seen = cell.reverse or cell.underscore or cell.strikethrough
            blank = cell.data == " " and not seen
            match.append(("", cell.bg) if blank else cell)
    return [match, (screen.cursor.y, screen.cursor.x), screen.cursor.attrs]


@given(outputs)
def test_optimised_ansi_output_shows_the_same_cells(written: list[str]) -> None:
    pen = AnsiOptimiser()
    assert cells([pen.optimise(output) for output in written]) == cells(written)


FACE, EDGE = "38;2;22;24;29;48;2;246;241;228", "38;2;0;104;44;48;2;246;241;228"


@pytest.mark.parametrize(
    ("output", "lean"),
    [
        ("plain", "plain"),
        ("\x1b[1mA\x1b[0m\x1b[1mB\x1b[0m", "\x1b[1mAB\x1b[m"),
        ("\x1b[0m", ""),
        (f"\x1b[{FACE}mA\x1b[0m\x1b[{EDGE}m▐\x1b[0m", f"\x1b[{FACE}mA\x1b[38;2;0;104;44m▐\x1b[m"),
        (f"\x1b[1;{FACE}mA\x1b[0m\x1b[{FACE}m \x1b[0m", f"\x1b[{FACE};1mA \x1b[m"),
        (f"\x1b[1;{FACE}mA\x1b[0m\x1b[{FACE}mb\x1b[0m", f"\x1b[{FACE};1mA\x1b[22mb\x1b[m"),
        ("\x1b[4mA\x1b[0m \x1b[4mB\x1b[0m", "\x1b[4mA\x1b[m \x1b[4mB\x1b[m"),
        ("\x1b[31mA\x1b[0m\n\x1b[2;1H\x1b[31mB\x1b[0m", "\x1b[31mA\x1b[2;1HB\x1b[m"),
    ],
)
def test_ansi_optimiser_writes_only_changes_of_style(output: str, lean: str) -> None:
    assert AnsiOptimiser().optimise(output) == lean


def test_ansi_optimiser_remembers_the_style_between_outputs() -> None:
    pen = AnsiOptimiser()
    assert [pen.optimise("\x1b[31mA"), pen.optimise("\x1b[31mB"), pen.optimise("\x1b[0mC")] == [
        "\x1b[31mA",
        "B",
        "\x1b[mC",
    ]
