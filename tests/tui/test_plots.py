"""Small pictures of numbers."""

from __future__ import annotations

import pytest

from tui_casino.tui.draw.plots import plot


@pytest.mark.parametrize("ascii_only", [False, True], ids=["unicode", "ascii"])
@pytest.mark.parametrize(
    "values",
    [[5], [1, 9], [3, 1, 2], [*range(1000)], [7] * 30],
    ids=["one value", "two values", "three values", "1000 values", "equal values"],
)
def test_plot_fills_its_box_exactly(values: list[int], ascii_only: bool) -> None:
    drawn = plot(values, 40, 6, ascii_only)
    assert len(drawn) == 6
    assert {len(row) for row in drawn} == {40}
    for column in range(len(f"{max(values):,}") + 1, 40):
        assert any(row[column] != " " for row in drawn), "a hole in the line"


def test_steep_plotted_line_has_no_gaps() -> None:
    drawn = plot([0, 100, 0], 10, 5, ascii_only=True)
    assert all("*" in row for row in drawn)
    assert drawn[0].startswith("100 ")


def test_plot_of_many_values_shows_every_peak() -> None:
    values = [0] * 1000
    values[617] = 100
    drawn = plot(values, 40, 6, ascii_only=True)
    assert all("*" in row for row in drawn)
    assert plot([], 40, 6) == []


def test_plot_of_two_values_is_a_line_over_the_whole_width() -> None:
    assert plot([0, 3], 6, 4, ascii_only=True) == ["3    *", "    * ", "   *  ", "0 *   "]


def test_plot_labels_of_negative_values_have_a_minus_sign() -> None:
    assert plot([0, -20], 12, 2)[-1].startswith("−20 ")
    assert plot([0, -20], 12, 2, ascii_only=True)[-1].startswith("-20 ")


def test_reference_lines_of_a_plot_are_dotted_and_share_its_scale() -> None:
    assert plot([0, 4], 8, 5, True, figures=False, references=[[4, 4, 4], [0, 0]])[0] == ".......*"
    drawn = plot([1, 1], 6, 1, figures=False, references=[[0, 0]])
    assert len(drawn[0]) == 6
    assert set(drawn[0]) == {chr(0x2800 + 0x01 + 0x08 + 0x40)}, "the line, and a dot below"
