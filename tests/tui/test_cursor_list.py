"""Lists with a cursor: which rows are in view, and where keys and clicks move the cursor."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tui_casino.tui.widgets.lists import FAR, CursorList, list_bindings


class Rows(CursorList[int]):
    """A list of numbers; it counts how often its cursor moved."""

    def __init__(self, rows: Sequence[int]) -> None:
        super().__init__()
        self.rows, self.moves = rows, 0

    def show_cursor(self, before: int) -> None:
        self.moves += 1


@pytest.mark.parametrize("count", range(1, 9))
@pytest.mark.parametrize("room", range(1, 10))
def test_row_at_the_cursor_is_in_view_and_no_line_stays_empty(count: int, room: int) -> None:
    rows = Rows(range(count))
    for place in range(count):
        rows.go_to(place)
        in_view = rows.visible_rows(room)
        assert place in in_view
        assert len(in_view) == min(room, count)
        assert in_view[0] >= 0
        assert in_view[-1] < count


def test_cursor_stays_within_the_list_and_reports_only_real_moves() -> None:
    rows = Rows(range(25))
    rows.action_go(-1)
    assert (rows.at, rows.moves) == (0, 0)
    rows.action_page(1)
    rows.action_page(1)
    rows.action_page(1)
    assert (rows.pointed, rows.moves) == (24, 3)
    rows.action_go(-FAR)
    assert rows.pointed == 0
    empty = Rows(())
    empty.action_go(1)
    assert (empty.pointed, empty.at) == (None, 0)


def test_keys_of_a_list_have_ids_of_its_room() -> None:
    names = ["up", "down", "page-up", "page-down", "first", "last"]
    assert [one.id for one in list_bindings("leaks")] == [f"leaks.{name}" for name in names]
    assert [one.id for one in list_bindings("daily", pages=False, ends=False)] == [
        "daily.up",
        "daily.down",
    ]
    assert not any(one.show for one in list_bindings("leaks"))
