"""The roads, compared with drawings made by hand and with a rule that looks at cells."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby, islice
from typing import TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tui_casino.games.baccarat.face.roads import (
    ROWS,
    Road,
    RoadCell,
    RoadColour,
    RoadEntry,
    RoadForecast,
    bead_plate,
    big_eye_boy,
    big_road,
    cockroach_pig,
    describe_roads,
    last_columns,
    road_forecast,
    small_road,
)
from tui_casino.games.baccarat.machine.rules import Coup, CoupOutcome

M = TypeVar("M")
Derived = Callable[[Sequence[Coup]], Road[RoadColour]]

DERIVED: tuple[Derived, ...] = (big_eye_boy, small_road, cockroach_pig)
BY_LETTER = {outcome.value[0]: outcome for outcome in CoupOutcome}
SIDES = (CoupOutcome.PLAYER, CoupOutcome.BANKER)
RED, BLUE = RoadColour.RED, RoadColour.BLUE


def coups_of(letters: str) -> tuple[Coup, ...]:
    return tuple(Coup(BY_LETTER[letter], 7) for letter in letters.replace(" ", ""))


def road_text(road: Road[M], sign: Callable[[M], str]) -> str:
    """Draw a road with one character per cell, down to the last used row."""
    signs = {(cell.column, cell.row): sign(cell.mark) for cell in road}
    width = 1 + max((column for column, _ in signs), default=-1)
    height = 1 + max((row for _, row in signs), default=-1)
    return "\n".join(
        "".join(signs.get((column, row), ".") for column in range(width)) for row in range(height)
    )


def picture(text: str) -> str:
    return "\n".join(text.split())


def side(entry: RoadEntry) -> str:
    return entry.coup.outcome.value[0] if entry.coup else "?"


def ties(entry: RoadEntry) -> str:
    return str(entry.ties)


def letter(colour: RoadColour) -> str:
    return colour.value[0].upper()


def bead(coup: Coup) -> str:
    return coup.outcome.value[0]


# ---- bead plate --------------------------------------------------------------------------------


def test_the_bead_plate_fills_columns_of_six_with_every_coup() -> None:
    plate = bead_plate(coups_of("BBPTPBTTPPBBP"))

    assert road_text(plate, bead) == picture("""
        BTP
        BT.
        PP.
        TP.
        PB.
        BB.
        """)


def test_bead_plate_cell_contains_the_complete_coup() -> None:
    coup = Coup(CoupOutcome.TIE, 8, natural=True, player_pair=True, banker_pair=True)

    assert bead_plate([coup]) == (RoadCell(0, 0, coup),)


# ---- big road ----------------------------------------------------------------------------------


def test_each_run_of_equal_outcomes_has_a_column_of_the_big_road() -> None:
    assert road_text(big_road(coups_of("BB PPP B P BB")), side) == picture("""
        BPBPB
        BP..B
        .P...
        """)


def test_run_of_more_than_six_turns_right_along_the_last_row() -> None:
    assert road_text(big_road(coups_of("BBBBBBBB PP")), side) == picture("""
        BP.
        BP.
        B..
        B..
        B..
        BBB
        """)


def test_run_above_a_dragon_tail_turns_right_early() -> None:
    """The second tail has room below in its last column, but continues to the right."""
    assert road_text(big_road(coups_of("BBBBBBBB PPPPPPPP B")), side) == picture("""
        BPB..
        BP...
        BP...
        BP...
        BPPPP
        BBB..
        """)


def test_run_to_the_right_of_all_dragon_tails_reaches_the_last_row() -> None:
    assert road_text(big_road(coups_of("BBBBBBB P BBBBBBB")), side) == picture("""
        BPB.
        B.B.
        B.B.
        B.B.
        B.B.
        BBBB
        """)


def test_after_a_tail_along_the_top_row_the_next_run_starts_beyond_it() -> None:
    stairs = "BBBBBBB PPPPPP BBBBB PPPP BBB PPP BB P"

    assert road_text(big_road(coups_of(stairs)), side) == picture("""
        BPBPBPPPBP
        BPBPBB..B.
        BPBPP.....
        BPBB......
        BPP.......
        BB........
        """)


def test_big_road_counts_ties_on_its_last_cell() -> None:
    road = big_road(coups_of("BTT BPT PTTT B"))

    assert road_text(road, side) == picture("""
        BPB
        BP.
        """)
    assert road_text(road, ties) == picture("""
        210
        03.
        """)


def test_ties_before_the_first_decision_are_counted_on_the_first_cell() -> None:
    road = big_road(coups_of("TTB PT"))

    assert road_text(road, side) == "BP"
    assert road_text(road, ties) == "21"
    assert road_text(big_road(coups_of("TTBT")), ties) == "3"


def test_ties_without_a_decision_are_counted_on_one_cell() -> None:
    assert big_road(coups_of("TTT")) == (RoadCell(0, 0, RoadEntry(None, 3)),)


def test_big_road_shows_pairs_and_naturals_of_decisions_only() -> None:
    won = Coup(CoupOutcome.PLAYER, 9, natural=True, banker_pair=True)
    tied = Coup(CoupOutcome.TIE, 6, player_pair=True)

    assert big_road([tied, won, tied]) == (RoadCell(0, 0, RoadEntry(won, 2)),)


@pytest.mark.parametrize("draw", [bead_plate, big_road, *DERIVED])
def test_road_of_a_shoe_without_coups_is_empty(
    draw: Callable[[Sequence[Coup]], Road[object]],
) -> None:
    assert draw(()) == ()


# ---- derived roads -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("draw", "before", "entry", "mark"),
    [
        # in the second row of the second column: is there a cell to the left, as above?
        (big_eye_boy, "BB P", "P", RED),
        (big_eye_boy, "B P", "P", BLUE),
        # else at the top of the third: are the first and the second equally long?
        (big_eye_boy, "B P", "B", RED),
        (big_eye_boy, "BB P", "B", BLUE),
        (small_road, "BB P B", "B", RED),
        (small_road, "B PP B", "B", BLUE),
        (small_road, "B PP B", "P", RED),
        (small_road, "BB PP B", "P", BLUE),
        (cockroach_pig, "BB P B P", "P", RED),
        (cockroach_pig, "B PP BB P", "P", BLUE),
        (cockroach_pig, "B PP BB P", "B", RED),
        (cockroach_pig, "BB PP BB P", "B", BLUE),
    ],
)
def test_first_mark_of_a_derived_road_has_the_prescribed_place_and_colour(
    draw: Derived, before: str, entry: str, mark: RoadColour
) -> None:
    assert draw(coups_of(before)) == ()
    assert draw(coups_of(before + entry)) == (RoadCell(0, 0, mark),)


WORKED = coups_of("BBB PP BTBBB P TB PP BBT PPPPP")
"""Runs of 3, 2, 4, 1, 1, 2, 2 and 5, with ties that no derived road shows.

BPBPBPBP
BPB..PBP
B.B....P
..B....P
.......P

For big eye boy, from the second row of the second column on, by columns: (2) both cells to the
left: red. (3) 2 and 3 differ: blue; both: red; only the upper: blue; none: red. (4) 4 and 2:
blue. (5) 1 and 4: blue. (6) 1 and 1: red; only the upper: blue. (7) 2 and 1: blue; both: red.
(8) 2 and 2: red; both: red; only the upper: blue; none: red; none: red.

For the small road, from the second row of the third: (3) both: red; both: red; only the upper:
blue. (4) 4 and 3: blue. (5) 1 and 2: blue. (6) 1 and 4: blue; only the upper: blue. (7) 2 and 1:
blue; only the upper: blue. (8) 2 and 1: blue; both: red; only the upper: blue; none: red; red.

For the cockroach pig the fourth column has no second row: (5) 1 and 3: blue. (6) 1 and 2: blue;
both: red. (7) 2 and 4: blue; only the upper: blue. (8) 2 and 1: blue; only the upper: blue;
none: red; red; red.
"""


def test_big_eye_boy_equals_the_worked_example() -> None:
    assert road_text(big_eye_boy(WORKED), letter) == picture("""
        RBRBRBRBRBR
        .....B.BR.R
        ........R..
        """)


def test_small_road_equals_the_worked_example() -> None:
    assert road_text(small_road(WORKED), letter) == picture("""
        RBRBR
        RB..R
        .B...
        .B...
        .B...
        .BBB.
        """)


def test_cockroach_pig_equals_the_worked_example() -> None:
    assert road_text(cockroach_pig(WORKED), letter) == picture("""
        BRBR
        B.BR
        ..BR
        ..B.
        """)


def test_road_forecast_equals_the_worked_example() -> None:
    assert road_forecast(WORKED, CoupOutcome.PLAYER) == RoadForecast(RED, RED, RED)
    assert road_forecast(WORKED, CoupOutcome.BANKER) == RoadForecast(BLUE, BLUE, BLUE)
    assert road_forecast(WORKED, CoupOutcome.TIE) == RoadForecast(None, None, None)


def test_roads_are_described_in_one_sentence_each() -> None:
    assert [*describe_roads(WORKED)] == [
        "Bead plate, 23 coups, the last 6: Tie, Player, Player, Player, Player, Player.",
        "Big road, 8 runs, the last 6: 4 Banker with 1 tie, 1 Player with 1 tie, 1 Banker, "
        "2 Player, 2 Banker with 1 tie, 5 Player.",
        "Big eye boy, 11 runs, the last 6: 2 blue, 1 red, 2 blue, 3 red, 1 blue, 2 red.",
        "Small road, 5 runs: 2 red, 8 blue, 1 red, 1 blue, 2 red.",
        "Cockroach pig, 4 runs: 2 blue, 1 red, 4 blue, 3 red.",
        "If Player wins next: Big eye boy red, Small road red, Cockroach pig red; "
        "if Banker wins, the other colours.",
    ]
    assert [*describe_roads(coups_of("T"))] == [
        "Bead plate, 1 coup: Tie.",
        "Big road, 1 run: 1 tie.",
        *(f"{name}: no marks yet." for name in ("Big eye boy", "Small road", "Cockroach pig")),
    ]
    (empty,) = describe_roads(())
    assert empty == "The roads are empty: no coup of this shoe has been played."


@pytest.mark.parametrize("shoe", ["BP" * 20, "BBPP" * 10, "BBBPPP" * 7])
def test_a_shoe_that_repeats_itself_is_red_on_every_derived_road(shoe: str) -> None:
    for draw in DERIVED:
        assert {cell.mark for cell in draw(coups_of(shoe))} == {RED}


def test_derived_road_follows_the_run_and_not_its_dragon_tail() -> None:
    """Runs of 8 and 9 are cut by the grid in rows 6 and 5; the ninth entry is the break."""
    marks = [cell.mark for cell in big_eye_boy(coups_of("BBBBBBBB PPPPPPPPP"))]

    assert marks == [RED] * 7 + [BLUE]


# ---- the last columns --------------------------------------------------------------------------


def test_last_columns_are_numbered_from_0() -> None:
    road = big_road(coups_of("BB PPP B P BB"))

    assert road_text(last_columns(road, 3), side) == picture("""
        BPB
        ..B
        """)
    assert last_columns(road, 5) == last_columns(road, 80) == road
    assert last_columns((), 5) == last_columns(road, 0) == ()


def test_a_long_tail_does_not_push_the_newest_cell_out_of_the_last_columns() -> None:
    road = big_road(coups_of("B" * 16 + "PP"))

    assert road_text(last_columns(road, 4), side) == picture("""
        P...
        P...
        ....
        ....
        ....
        BBBB
        """)


# ---- in general --------------------------------------------------------------------------------

ANY_COUP = st.builds(
    Coup,
    st.sampled_from(CoupOutcome),
    st.integers(0, 9),
    natural=st.booleans(),
    player_pair=st.booleans(),
    banker_pair=st.booleans(),
)


@st.composite
def shoes(draw: st.DrawFn) -> tuple[Coup, ...]:
    """Draw random coups that alternate or repeat, so that there are dragon tails."""
    repeated = st.tuples(ANY_COUP, st.integers(1, 12) | st.just(1))
    return tuple(coup for coup, times in draw(st.lists(repeated)) for _ in range(times))


def columns_of(coups: Sequence[Coup]) -> list[list[Coup]]:
    decisions = (coup for coup in coups if coup.outcome is not CoupOutcome.TIE)
    return [list(run) for _, run in groupby(decisions, lambda coup: coup.outcome)]


def marks_by_cells(coups: Sequence[Coup], back: int) -> Iterator[RoadColour]:
    """Compute the marks from the cells of a grid without a lowest row."""
    columns = columns_of(coups)
    grid = {(c, r) for c, column in enumerate(columns) for r in range(len(column))}
    for c, column in enumerate(columns):
        for r in range(len(column)):
            if r > 0 and c - back >= 0:
                yield RED if ((c - back, r) in grid) == ((c - back, r - 1) in grid) else BLUE
            if r == 0 and c - 1 - back >= 0:
                left, other = (
                    {row for of, row in grid if of == which} for which in (c - 1, c - 1 - back)
                )
                yield RED if left == other else BLUE


@pytest.mark.parametrize(("draw", "back"), [(big_eye_boy, 1), (small_road, 2), (cockroach_pig, 3)])
@given(coups=shoes())
def test_derived_road_equals_marks_computed_from_big_road_cells(
    draw: Derived, back: int, coups: tuple[Coup, ...]
) -> None:
    assert [cell.mark for cell in draw(coups)] == list(marks_by_cells(coups, back))


@given(coups=shoes())
def test_no_road_marks_a_cell_twice_or_beyond_its_rows(coups: tuple[Coup, ...]) -> None:
    roads: list[Road[object]] = [bead_plate(coups), big_road(coups)]
    roads += [draw(coups) for draw in DERIVED]
    for road in roads:
        assert len({(cell.column, cell.row) for cell in road}) == len(road)
        assert all(0 <= cell.row < ROWS and cell.column >= 0 for cell in road)


@given(coups=shoes())
def test_bead_plate_has_a_cell_for_every_coup_in_order(coups: tuple[Coup, ...]) -> None:
    plate = bead_plate(coups)

    assert tuple(cell.mark for cell in plate) == coups
    assert list(plate) == sorted(plate, key=lambda cell: (cell.column, cell.row))


@given(coups=shoes())
def test_the_big_road_has_a_cell_for_every_decision_and_counts_every_tie(
    coups: tuple[Coup, ...],
) -> None:
    entries = [cell.mark for cell in big_road(coups)]
    decisions = [coup for coup in coups if coup.outcome is not CoupOutcome.TIE]

    assert [entry.coup for entry in entries if entry.coup] == decisions
    assert sum(entry.ties for entry in entries) == len(coups) - len(decisions)


@given(coups=shoes())
def test_run_continues_down_and_then_to_the_right(coups: tuple[Coup, ...]) -> None:
    cells = iter(big_road(coups))
    taken: set[tuple[int, int]] = set()
    last_start = -1
    for run in columns_of(coups):
        places = [(cell.column, cell.row) for cell in islice(cells, len(run))]
        start = places[0][0]
        depth = sum(column == start for column, _ in places)
        tail = [(start + step, depth - 1) for step in range(1, len(run) - depth + 1)]

        assert places == [(start, row) for row in range(depth)] + tail
        assert start > last_start
        assert all((column, 0) in taken for column in range(last_start + 1, start))
        assert not tail or depth == ROWS or (start, depth) in taken

        taken |= set(places)
        last_start = start


@given(coups=shoes(), coup=ANY_COUP)
def test_added_coup_does_not_change_earlier_marks_of_any_road(
    coups: tuple[Coup, ...], coup: Coup
) -> None:
    more = (*coups, coup)
    for draw in (bead_plate, *DERIVED):
        before: Road[object] = draw(coups)
        assert draw(more)[: len(before)] == before

    old, new = big_road(coups), big_road(more)
    assert new[: len(old) - 1] == old[:-1]
    if old:
        last, now = old[-1], new[len(old) - 1]
        assert (now.column, now.row) == (last.column, last.row)
        assert now.mark.coup == last.mark.coup or last.mark.coup is None
        assert now.mark.ties == last.mark.ties + (coup.outcome is CoupOutcome.TIE)


@given(coups=shoes(), coup=ANY_COUP)
def test_road_forecast_equals_the_marks_of_the_next_coup(
    coups: tuple[Coup, ...], coup: Coup
) -> None:
    said = road_forecast(coups, coup.outcome)
    for draw, colour in zip(
        DERIVED, (said.big_eye_boy, said.small_road, said.cockroach_pig), strict=True
    ):
        new = draw((*coups, coup))[len(draw(coups)) :]
        assert [cell.mark for cell in new] == ([] if colour is None else [colour])


@given(coups=shoes())
def test_forecasts_for_player_and_banker_have_opposite_colours(coups: tuple[Coup, ...]) -> None:
    """The first mark of a run is the opposite of the mark that the last run would have got next."""
    player, banker = (road_forecast(coups, outcome) for outcome in SIDES)
    for name in ("big_eye_boy", "small_road", "cockroach_pig"):
        colours = {getattr(player, name), getattr(banker, name)}
        assert colours in ({RED, BLUE}, {None})


@given(coups=shoes(), width=st.integers(1, 40))
def test_last_columns_fit_the_width_and_contain_the_newest_cell(
    coups: tuple[Coup, ...], width: int
) -> None:
    for road in (bead_plate(coups), big_road(coups), big_eye_boy(coups)):
        shown: Road[object] = last_columns(road, width)
        assert all(0 <= cell.column < width for cell in shown)
        assert not road or shown[-1].mark is road[-1].mark
