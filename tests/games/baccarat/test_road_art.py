"""The roads as text: all marks differ from each other, with and without colours."""

from __future__ import annotations

from itertools import product

import pytest
from textual.strip import Strip

from tests.helpers.parameter_ids import labelled
from tests.helpers.quick_cases import first_of
from tui_casino.games.baccarat.face.roads import RoadColour, RoadEntry
from tui_casino.games.baccarat.face.widgets.roads import (
    FULL,
    ROAD_HEIGHT,
    WITH_STRIP,
    RoadArt,
    draw_roads,
)
from tui_casino.games.baccarat.machine.rules import Coup, CoupOutcome
from tui_casino.tui.draw.look import Look
from tui_casino.tui.terminal.detection import GlyphSet
from tui_casino.tui.theme import FELT, NONE, PALETTES

PLAIN = Look(NONE)
ASCII = Look(NONE, GlyphSet.ASCII)
LOOKS = [Look(palette, tier) for palette in PALETTES.values() for tier in GlyphSet]


def coups(letters: str) -> tuple[Coup, ...]:
    outcomes = {outcome.value[0]: outcome for outcome in CoupOutcome}
    return tuple(Coup(outcomes[letter], 7) for letter in letters)


def road_lines(letters: str, width: int, height: int, look: Look) -> list[str]:
    return [line.text.rstrip() for line in draw_roads(coups(letters), width, height, look)]


def test_bead_plate_and_big_road_equal_a_drawing_by_hand() -> None:
    assert road_lines("PPBTBBBBBBP", 28, ROAD_HEIGHT, ASCII) == [
        "BEAD      BIG ROAD",
        "P B       o x1o",
        "P B       o x",
        "B B         x",
        "T B         x",
        "B P         x",
        "B           x x",
    ]


def test_key_v_is_named_next_to_the_big_road_if_roads_are_hidden() -> None:
    for height, named in ((ROAD_HEIGHT, True), (WITH_STRIP, False), (ROAD_HEIGHT - 1, False)):
        lines = draw_roads(coups("PB"), 58, height, PLAIN, "v all roads")
        assert lines[0].text.endswith("BIG ROAD                   v all roads") is named


def test_large_window_shows_the_usual_bead_plate_and_big_road_marks() -> None:
    shown = road_lines("PPBTBP", 164, FULL + 10, PLAIN)
    assert [line[28:36].rstrip() for line in shown[1:4]] == ["○ ●1○ ·", "○ ● · ·", "· · · ·"]
    assert [line[:4] for line in shown[1:7]] == ["P · ", "P · ", "B · ", "T · ", "B · ", "P · "]


def test_all_five_roads_are_drawn_in_ascii_without_colours() -> None:
    lines = road_lines("BPBPPBBPPPBBT", 78, WITH_STRIP, ASCII)
    assert lines[0].split() == ["BEAD", "PLATE", "BIG", "ROAD", "EYE", "SMALL", "ROACH"]
    assert lines[1].split()[:3] == ["B", "B", "T"]  # the first, the seventh, the thirteenth
    assert "next marks" in lines[ROAD_HEIGHT]
    assert "x banker o player" in lines[ROAD_HEIGHT + 1]


@pytest.mark.parametrize("look", LOOKS, ids=lambda look: f"{look.palette.name}-{look.tier.name}")
@pytest.mark.parametrize(
    "height", first_of([1, ROAD_HEIGHT, FULL, WITH_STRIP, FULL + 5], 3), ids=labelled("{} rows")
)
def test_baccarat_roads_fit_their_box(look: Look, height: int) -> None:
    for width in (20, 40, 58, 78, 98, 130, 164):
        for letters in ("", "TT", "B" * 40, "PPBBTPBBPPPBTBBPBPB" * 4):
            lines = draw_roads(coups(letters), width, height, look)
            assert len(lines) == height
            assert {line.cell_length for line in lines} == {width}


@pytest.mark.parametrize("look", LOOKS, ids=lambda look: f"{look.palette.name}-{look.tier.name}")
def test_different_road_marks_have_different_texts_in_every_look(look: Look) -> None:
    art = RoadArt(look)
    beads = [
        art.bead(Coup(outcome, 8, player_pair=ours, banker_pair=theirs))[0]
        for outcome, ours, theirs in product(CoupOutcome, (False, True), (False, True))
    ]
    assert len(set(beads)) == len(beads)
    entries = [
        art.entry(RoadEntry(Coup(outcome, 8, player_pair=pair), ties))[0]
        for outcome in (CoupOutcome.PLAYER, CoupOutcome.BANKER)
        for pair, ties in ((False, 0), (True, 0), (False, 1), (False, 9), (False, 12))
    ]
    assert len(set(entries)) == len(entries)
    assert art.derived_mark(RoadColour.RED)[0] != art.derived_mark(RoadColour.BLUE)[0]
    assert art.entry(RoadEntry(None, 3))[0] == "-3"


def underlined(line: Strip) -> str:
    return "".join(text for text, style, _ in line if style is not None and style.underline)


def test_naturals_are_underlined_on_the_bead_plate() -> None:
    natural = (Coup(CoupOutcome.BANKER, 9, natural=True), Coup(CoupOutcome.PLAYER, 7))
    bead, _ = draw_roads(natural, 28, ROAD_HEIGHT, PLAIN)[1:3]
    assert underlined(bead) == "B●"


def test_derived_roads_are_drawn_in_red_and_blue() -> None:
    letters = "BPBPPBBPPPBBTBBBPBPPB"
    coloured = draw_roads(coups(letters), 78, WITH_STRIP, Look(FELT))
    inks = {
        str(style.color.name)
        for line in coloured[ROAD_HEIGHT:]
        for _, style, _ in line
        if style is not None and style.color is not None
    }
    assert {FELT.red, FELT.blue} <= inks


def test_roads_too_long_for_the_box_show_their_newest_columns() -> None:
    letters = "BP" * 60
    shown = road_lines(letters, 78, WITH_STRIP, ASCII)
    assert shown[1].split()[-14:] == ["x", "o"] * 7
    beads = shown[6][:20].split()  # the last row of the bead plate
    assert beads[-1] == "P"
