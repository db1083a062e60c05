"""Cribbage in a large window: larger cards, a longer list, nothing shown twice."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

from tests.helpers.arcade_pilot import (
    lines,
    message_text,
    press,
    settle,
    state,
    text,
    type_line,
    until,
)
from tests.tui.test_cribbage import GREEDY, at_cribbage
from tests.tui.test_cribbage_end import view as current_view
from tui_casino.engine.game import Seat
from tui_casino.games.cribbage.face.table_catalog import CribbageSetup
from tui_casino.games.cribbage.face.widgets.board import BoardPegs, PegLane, board_lines
from tui_casino.games.cribbage.face.widgets.own_hand import lay_out_hand
from tui_casino.games.cribbage.machine.state import TRAINING, Options, Phase
from tui_casino.records.log_header import HUMAN
from tui_casino.tui.draw.card_art import CardSize
from tui_casino.tui.draw.look import Look
from tui_casino.tui.terminal.detection import GlyphSet
from tui_casino.tui.theme import FELT


@pytest.mark.parametrize(
    ("window", "size"),
    [((132, 43), CardSize.LARGE), ((153, 43), CardSize.HUGE), ((200, 60), CardSize.GIANT)],
    ids=str,
)
async def test_large_cribbage_window_has_large_cards_and_each_message_once(
    window: tuple[int, int], size: CardSize, tmp_path: Path
) -> None:
    async with at_cribbage(tmp_path, CribbageSetup(TRAINING, java=55510), window) as pilot:
        view = current_view(pilot)
        assert view.own.hand_layout.size is size
        seen = lines(pilot.app)
        assert sum("You get A♦" in line for line in seen) == 1
        assert any(" crib " in line for line in seen[-14:])
        assert "The crib is yours" in text(pilot.app)
        await press(pilot, "t")
        assert "TWO CARDS" not in text(pilot.app), "the list comes, or that it is being made"
        await until(pilot, lambda: "best" in text(pilot.app))
        await press(pilot, "5", "6", "space", "space")
        assert state(pilot).phase is Phase.PLAY
        assert view.own.hand_layout.size is size, "four cards are no larger than six"
        assert view.own.content.starter == state(pilot).starter


@pytest.mark.parametrize("window", [(80, 24), (80, 30), (132, 43), (153, 43), (200, 60)], ids=str)
@pytest.mark.parametrize("human", [0, 1], ids=["you are Player 0", "you are Player 1"])
async def test_pack_and_crib_are_next_to_the_hand_of_the_dealer(
    window: tuple[int, int], human: int, tmp_path: Path
) -> None:
    """Player 1 deals, as in the course's text; the human is always at the bottom."""
    players = ("random", HUMAN)
    setup = CribbageSetup(TRAINING, players if human else players[::-1], java=55510)
    async with at_cribbage(tmp_path, setup, window) as pilot:
        view = current_view(pilot)

        def rows_with(pattern: str) -> list[int]:
            rows = enumerate(line[: view.own.size.width] for line in lines(pilot.app))
            return [row for row, line in rows if re.search(pattern, line)]

        (pack,) = rows_with(r"\b(pack|starter|start)\b")
        assert (pack >= view.own.region.y) == bool(human)
        await type_line(pilot, "x 1 2")
        (crib,) = rows_with(r"\bcrib\b(?!$)")[1:] or rows_with(r"\bcrib\b")
        assert (crib >= view.own.region.y) == bool(human)
        dealer, other = (view.own.content, view.other.content)[:: 1 if human else -1]
        assert dealer.starter == state(pilot).starter
        assert dealer.crib == state(pilot).crib
        assert (other.starter, other.crib) == (None, ())


def test_cribbage_cards_are_larger_without_starter_and_crib() -> None:
    assert lay_out_hand(98, 9, 6, 0).size is CardSize.NORMAL
    assert lay_out_hand(98, 9, 6, 0, alone=True).size is CardSize.LARGE
    assert lay_out_hand(80, 5, 6, 0, alone=True).size is CardSize.SMALL
    giant = lay_out_hand(166, 16, 6, 0, alone=True)
    assert giant.size is CardSize.GIANT
    assert (giant.hand[0], giant.hand[-1] + 21) == (17, 166 - 18)


async def test_cost_of_a_cribbage_choice_is_not_shown_in_the_next_deal(tmp_path: Path) -> None:
    async with at_cribbage(tmp_path, CribbageSetup(Options(), GREEDY, java=55510)) as pilot:
        await press(pilot, "t", "1", "4", "space", "space")
        await until(pilot, lambda: "−6.54. Best: " in message_text(pilot.app))
        while current_view(pilot).seen.phase is not Phase.DISCARD:
            able = state(pilot).playable(Seat(1)) if state(pilot).phase is Phase.PLAY else ()
            places = [state(pilot).hands[1].index(card) + 1 for card in able]
            await press(pilot, str(min(places)) if places else "space")
        await settle(pilot)
        assert "6.54. Best" not in message_text(pilot.app)
        assert current_view(pilot).totals.mistakes, "it is counted still"


async def test_remaining_cards_have_no_crib_mark_after_a_discard(tmp_path: Path) -> None:
    async with at_cribbage(tmp_path, CribbageSetup(Options(), GREEDY, java=55510)) as pilot:
        view = current_view(pilot)
        view.selection, view.awaited = (1, 2), False
        view.show(view.seen)
        assert not any(" CRIB " in label for label in view.own.content.labels)


def holes_with(glyphs: str, numbers: str, lane: str) -> list[int]:
    """Read the holes with these glyphs in a lane: every fifth hole ends a group and has a number.

    A group that the edge of the board cuts may have no number.
    """
    labels = {one.end() - 1: int(one[0]) for one in re.finditer(r"\d+", numbers)}
    found = []
    for column in (place for place, glyph in enumerate(lane) if glyph in glyphs):
        end = next((end for end in labels if column <= end), max(labels))
        wall = (end - column >= 5) - (column > end)  # a blank between two groups
        found.append(labels[end] - (end - column) + wall)
    return found


def random_lane(dice: Random, name: str) -> PegLane:
    points = dice.randrange(121)
    return PegLane(
        name, name[:3].upper(), points, max(0, points - dice.choice((1, 2, 8, 12, 24, 29)))
    )


@pytest.mark.parametrize("width", [60, 80, 132])
@pytest.mark.parametrize("height", [5, 8])
def test_all_four_pegs_are_on_the_board_however_far_apart(width: int, height: int) -> None:
    dice, look, apart = Random(width * height), Look(FELT, GlyphSet.UNICODE), 0
    pairs = [
        (PegLane("You", "YOU", 39, 30), PegLane("Expert", "EXP", 64, 55)),
        (PegLane("You", "YOU", 0, 0), PegLane("Expert", "EXP", 120, 91)),
        *((random_lane(dice, "You"), random_lane(dice, "Expert")) for _ in range(200)),
    ]
    for lanes in pairs:
        drawn = board_lines(BoardPegs(lanes, 121, 90), width, height, look)
        title, *rows = [line.text for line in drawn if "╰" not in line.text]
        assert len(drawn) <= height
        assert all(f"{lane.name.upper()} {lane.points}" in title for lane in lanes)
        other_numbers = rows.pop() if len(rows) % 3 else ""
        apart += bool(other_numbers)
        own, other = list[int](), list[int]()
        for numbers, upper, lower in zip(rows[::3], rows[1::3], rows[2::3], strict=True):
            own += holes_with("○●", numbers[6:], upper[6:])
            other += holes_with("○●", (other_numbers or numbers)[6:], lower[6:])
        found = own, other
        for lane, holes in zip(lanes, found, strict=True):
            assert holes == sorted({lane.back_peg, lane.points} - {0}), (lanes, title)
    assert bool(apart) == (width == 60 or height == 5)


def test_board_names_the_street_of_thirty_holes_of_your_front_peg() -> None:
    """The rules of the American Cribbage Congress divide the 120 holes into four streets."""
    look = Look(FELT, GlyphSet.UNICODE)
    for points, street in (
        (0, "first"),
        (30, "first"),
        (31, "second"),
        (61, "third"),
        (120, "fourth"),
    ):
        lanes = PegLane("You", "YOU", points, 0), PegLane("Expert", "EXP", 5, 0)
        assert (
            f"{street} street, to 121"
            in board_lines(BoardPegs(lanes, 121, 90), 80, 5, look)[0].text
        )
