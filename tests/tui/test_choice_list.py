"""The trainer's list of choices, drawn in areas of all sizes."""

from __future__ import annotations

from itertools import pairwise

import pytest
from textual.geometry import Size

from tests.helpers.parameter_ids import labelled
from tui_casino.structs import replace
from tui_casino.tui.draw.choice_list import (
    BEST,
    EITHER,
    FEW,
    SPACE,
    YOURS,
    ChoiceList,
    ChoiceRow,
    choice_at,
    choice_lines,
    list_widths,
    rows_wanted,
)
from tui_casino.tui.draw.look import Look
from tui_casino.tui.table.listed_view import ChoiceRanking, RankedChoice
from tui_casino.tui.terminal.detection import GlyphSet
from tui_casino.tui.theme import FELT, NONE

LOOK, PLAIN = Look(FELT), Look(NONE, GlyphSet.ASCII)


def ranking(count: int, key: str = "") -> ChoiceRanking[int]:
    """Return choices 0, 1, 2, ..., each 1.25 worse than the one before."""
    choices = (
        RankedChoice((n,), f"hold {n}♠ {n}♥", 2.5 - 1.25 * n, f"{n}♠{n}♥", (f"{n}%",), key)
        for n in range(count)
    )
    return ChoiceRanking("holds", tuple(choices), "in credits", ("pays",))


def choice_texts(choices: ChoiceList, width: int, height: int, look: Look = LOOK) -> list[str]:
    return [strip.text for strip in choice_lines(choices, Size(width, height), look)]


def test_choice_list_shows_signed_evs_and_costs_from_rounded_evs() -> None:
    choices = (
        RankedChoice(("a",), "a", 2.006),
        RankedChoice(("b",), "b", 2.004),
        RankedChoice(("c",), "c", 2.006),
        RankedChoice(("d",), "d", 1.999, ties_best=True),
        RankedChoice(("e",), "e", -0.001),
        RankedChoice(("f",), "f", -1234.5),
    )
    rows = ChoiceRanking("choices", choices).as_list(()).rows
    assert [(row.ev, row.cost) for row in rows] == [
        ("+2.01", BEST),
        ("+2.00", "0.01"),
        ("+2.01", BEST),
        ("+2.00", EITHER),
        ("0.00", "2.01"),
        ("−1,234", "1,237"),
    ]
    assert [row.is_best for row in rows] == [True, False, True, True, False, False]
    assert rows[-1].share == 1


def test_choice_list_shows_chances_in_percent() -> None:
    choices = RankedChoice(("a",), "a", 0.5), RankedChoice(("b",), "b", 0.25)
    rows = ChoiceRanking("discards", choices, in_percent=True).as_list(()).rows
    assert [(row.ev, row.cost) for row in rows] == [("50%", BEST), ("25%", "25%")]


def test_choice_list_labels_the_choice_of_space_or_of_the_player() -> None:
    listed = ranking(4).as_list((1, 3))
    assert [row.label for row in listed.rows] == ["", "", "", SPACE], "the last action counts"
    chosen = replace(ranking(4), chosen=(YOURS, (2,))).as_list((1,))
    assert chosen.lit is chosen.rows[2]
    assert chosen.rows[2].label == YOURS
    shared = RankedChoice((1, 2, 3), "any ace", 1.0)
    assert ChoiceRanking("discards", (shared,)).as_list((3,)).lit is not None
    assert ranking(4).as_list(()).lit is None


@pytest.mark.parametrize("look", [LOOK, PLAIN], ids=["unicode", "ascii"])
@pytest.mark.parametrize("count", [1, 3, 15, 32], ids=labelled("{} choices"))
def test_choice_list_fits_any_area_and_shows_best_and_labelled_choice(
    count: int, look: Look
) -> None:
    listed = ranking(count).as_list((count - 1,))
    cursor = ">" if look is PLAIN else "▌"
    for width in range(22, 130):
        for height in range(2, 36):
            lines = choice_texts(listed, width, height, look)
            assert len(lines) <= height
            assert all(len(line) == width for line in lines)
            text = "\n".join(lines)
            assert "+2.50" in text or count == 1 or height == 2, "the best"
            (lit,) = (line for line in lines if cursor in line)
            evs = [row.ev.replace("−", "-") if look is PLAIN else row.ev for row in listed.rows]
            assert evs[-1] in lit
            shown = sum(ev in text for ev in evs)
            assert shown == count or "BEST" in text or "EV in credits" in text


def test_figures_in_a_choice_list_are_separated_by_spaces() -> None:
    listed = ranking(32).as_list((5,))
    for width in range(24, 100):
        for line in choice_texts(listed, width, 34)[1:]:
            words = line.replace("▌", " ").replace("▄", " ").split()
            if words and words[0] != "o":
                assert any(word in {row.ev for row in listed.rows} for word in words), line


def test_wide_choice_list_has_figures_label_and_bars() -> None:
    head, *rows = choice_texts(ranking(3).as_list((2,)), 70, 5)
    assert head.split() == ["HOLDS", "in", "credits", "pays", "EV", "cost"]
    assert rows[0].split() == ["1", "hold", "0♠", "0♥", "0%", "+2.50", "best"]
    assert rows[2].split()[:8] == ["▌", "3", "hold", "2♠", "2♥", "space", "2%", "0.00"]
    bars = [row.count("▄") for row in rows]
    assert bars == [0, 10, 20], "costs 0, 1.25 and 2.50"


def test_narrow_choice_list_leaves_out_bars_then_figures_then_costs() -> None:
    listed = ranking(3).as_list((2,))
    assert "pays" not in choice_texts(listed, 22, 5)[0]
    assert "best" in choice_texts(listed, 22, 5)[1]
    assert "best" not in choice_texts(listed, 14, 5)[1]
    assert "0♠0♥" in choice_texts(listed, 14, 5)[1], "the short name"
    with_label, without, without_costs = list_widths(listed)
    assert with_label - without == len(" space")
    assert "best" in choice_texts(listed, without, 4)[1]
    assert "best" not in choice_texts(listed, without_costs, 4)[1]


def test_shortened_choice_list_names_the_unit_and_the_key_for_all() -> None:
    head, *rows, foot = choice_texts(ranking(32).as_list((31,)), 30, 8)
    assert head.startswith("BEST HOLDS")
    assert foot.split() == ["o", "all", "32", "in", "credits"]
    assert "31♠" in rows[-1], "the choice of Space instead of the sixth"
    assert choice_texts(ranking(FEW + 1).as_list(()), 70, 9)[0].startswith("ALL HOLDS in credits")


def test_choice_list_in_columns_reads_down_and_has_heads_if_they_fit() -> None:
    listed = replace(ranking(15).as_list((0,)), details=((("a detail", ""),),))
    title, heads, *rows, foot = choice_texts(listed, 80, 11)
    assert title.split("  ")[:2] == ["ALL HOLDS", "EV in credits, then the cost"]
    assert heads.split() == ["pays", "EV", "cost"] * 2
    assert rows[1].index("1♠") < rows[1].index("9♠")
    assert foot.strip() == "a detail"
    assert rows_wanted(listed, 80, 11) == 11
    assert rows_wanted(listed, 80, 7) == 7
    assert rows_wanted(listed, 80, 40) == 18 - 1, "one column"


def test_choice_list_leaves_out_details_that_do_not_fit() -> None:
    details = ((("first", ""),), ((", a second part that is long", ""),), ((", third", ""),))
    listed = replace(ranking(2).as_list(()), details=details, note="")
    assert choice_texts(listed, 24, 4)[-1].strip() == "first, third"


def test_choice_list_gives_a_reason_for_an_impossible_choice_if_it_fits() -> None:
    split = ChoiceRow("Split", key="p", reason="you can split only a pair")
    listed = replace(ranking(2, "h"), impossible=(split,)).as_list(())
    assert "you can split only a pair" in choice_texts(listed, 60, 4)[-1]
    assert choice_texts(listed, 26, 4)[-1].strip().startswith("p Split")
    assert [choice_at(listed, Size(60, 4), 5, y) for y in range(5)] == [None, 0, 1, 2, None]


def test_single_row_choice_list_has_the_unit_only_if_all_choices_fit() -> None:
    listed = ranking(3).as_list((1,))
    (line,) = choice_texts(listed, 90, 1)
    assert line.split()[:7] == ["EV", "in", "credits", "hold", "0♠", "0♥", "+2.50"]
    assert "0.00 2.50" in line
    (line,) = choice_texts(listed, 60, 1)
    assert line.split()[:5] == ["EV", "hold", "0♠", "0♥", "+2.50"]


def test_bar_moves_back_and_forth_while_a_choice_list_is_calculated() -> None:
    assert choice_texts(ChoiceList("choices"), 40, 5) == [], "nothing at first"
    frames = [choice_texts(ChoiceList("choices", frame=frame), 40, 5) for frame in range(1, 50)]
    assert {head for head, _ in frames} == {frames[0][0]}
    assert frames[0][0].strip() == "CHOICES"
    places = [line.index("▄") for _, line in frames]
    assert all(abs(after - before) == 1 for before, after in pairwise(places))
    assert all(line.startswith("calculating  ") for _, line in frames)
    (line,) = choice_texts(ChoiceList("choices", frame=3), 40, 1)
    assert line.startswith("calculating")
