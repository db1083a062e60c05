"""The layout of the table: everything inside it, nothing overlapping, nothing cut off."""

from __future__ import annotations

import re
from itertools import combinations

import pytest
from textual.geometry import Region

from tests.helpers.narrow import not_none
from tests.helpers.parameter_ids import labelled
from tui_casino.cards.card import BACK, parse_hand
from tui_casino.games.five_card_draw.face.widgets.poker_table import (
    OpponentSeat,
    PokerTable,
    PokerTableScene,
    SeatBet,
    TableLayout,
    TableSide,
    layout_for,
)
from tui_casino.structs import replace
from tui_casino.tui.draw.canvas import Canvas
from tui_casino.tui.draw.felt import superellipse_pixels
from tui_casino.tui.draw.look import Look
from tui_casino.tui.terminal.detection import GlyphSet
from tui_casino.tui.theme import FELT

ROOMS = [(80, 11), (80, 20), (98, 26), (104, 33), (166, 43)]
BACKS = (BACK,) * 5
ADA = OpponentSeat(
    "Ada", "algorithm", BACKS, money="970", draw_text="drew 1", bet=SeatBet("raises to", 40)
)
BLAISE = OpponentSeat(
    "Blaise", "tight", BACKS, money="1,015", draw_text="drew 3", bet=SeatBet("raises to", 80)
)
CARL = OpponentSeat(
    "Carl", "exact", BACKS, money="995", draw_text="drew 2", bet=SeatBet("raises to", 60)
)
FULL = PokerTableScene((ADA, BLAISE, CARL), 480, 125, 14, parse_hand("TC TD 8C 3D"), is_dealer=True)


def painted(
    scene: PokerTableScene, width: int, height: int, tier: GlyphSet = GlyphSet.UNICODE
) -> list[str]:
    table, canvas = PokerTable(), Canvas(width, height, Look(FELT, tier))
    table.content = scene
    table._paint(canvas)
    return [strip.text for strip in canvas.strips()]


def pieces(plan: TableLayout) -> dict[str, Region]:
    """Yield everything that can be on the felt at one time, each with the most room it takes."""
    left, top, right = (
        plan.spots[side] for side in (TableSide.LEFT, TableSide.TOP, TableSide.RIGHT)
    )
    raises, card = len("● raises to 40"), plan.card
    fan = 4 * 3 + card.width
    pot = Region(plan.pot.x - 7, plan.pot.y - 1, 15, 4) if plan.framed else None
    return {
        "pot": pot or Region(plan.pot.x - 3, plan.pot.y, 7, 1),
        "mine": Region(plan.player_bet.x - 7, plan.player_bet.y, 14, 1),
        "my disc": Region(*plan.button, 3, 1),
        "pile": Region(*plan.discard_pile, card.width, card.height),
        "number": Region(plan.discard_count.x - 9, plan.discard_count.y, 9, 1),
        "yours": Region(
            plan.player_discards.x, plan.player_discards.y, 19 if plan.framed else 13, 2
        ),
        "left bet": Region(*left.bet, raises, 1),
        "top bet": Region(*top.bet, raises, 1),
        "right bet": Region(right.bet.x - raises, right.bet.y, raises, 1),
        "left disc": Region(*left.button, 3, 1),
        "top disc": Region(*top.button, 3, 1),
        "right disc": Region(*right.button, 3, 1),
        "top cards": Region(top.middle - (fan + 1) // 2, top.cards, fan, card.height),
        "top money": Region(top.middle - 7, top.money, 13, 1),
    }


@pytest.mark.parametrize(("width", "height"), ROOMS)
def test_draw_table_shows_hand_and_winnings_of_a_single_opponent(width: int, height: int) -> None:
    shown = replace(
        ADA,
        hand=parse_hand("JC JS 7H 7D 5H"),
        hand_name="two pair, jacks and sevens",
        bet=SeatBet("wins", 10),
        is_winner=True,
    )
    rows = painted(PokerTableScene((shown,), 0, 0, 3, is_dealer=True), width, height)
    assert any("● 10 wins" in row for row in rows)
    words = " ".join(" ".join(rows).split())
    assert "two pair, jacks" in words
    assert any(row.strip("▄█▀ ").split("  ")[0] for row in rows if "sevens" in row)
    assert not any("10 wins" in row and ("pair" in row or "sevens" in row) for row in rows)


@pytest.mark.parametrize(("width", "height"), ROOMS)
def test_parts_of_the_table_do_not_overlap(width: int, height: int) -> None:
    plan = not_none(layout_for(width, height))
    for (name, region), (other, its) in combinations(pieces(plan).items(), 2):
        assert not region.overlaps(its), f"{name} lies on {other}"


@pytest.mark.parametrize(("width", "height"), ROOMS)
def test_parts_of_the_table_are_inside_its_rim(width: int, height: int) -> None:
    plan = not_none(layout_for(width, height))
    rows = superellipse_pixels(plan.table.width, 2 * plan.table.height, plan.exponent)
    for name, region in pieces(plan).items():
        if name == "top cards":
            continue  # these are on the rim
        for y in region.line_range:
            for x in (region.x, region.right - 1):
                column, row = x - plan.table.x, 2 * (y - plan.table.y)
                assert rows[row][column] == rows[row + 1][column] == "-", f"{name} at {x}, {y}"


@pytest.mark.parametrize(("width", "height"), ROOMS)
@pytest.mark.parametrize("raised", [40, 140, 1_040, 11_040])
def test_pot_and_a_long_bet_in_its_row_are_two_columns_apart(
    width: int, height: int, raised: int
) -> None:
    rich = replace(CARL, bet=SeatBet("raises to", raised))
    rows = painted(PokerTableScene((ADA, BLAISE, rich), 3 * raised), width, height)
    assert not any(re.search(r"POT [\d,]+ ?●", row) for row in rows)
    shown = " ".join(" ".join(rows).split())
    assert f"raises to {raised:,}" in shown
    assert f"{3 * raised:,}" in shown


@pytest.mark.parametrize(("width", "height"), ROOMS)
@pytest.mark.parametrize("tier", [*GlyphSet])
def test_draw_table_with_all_seats_shows_every_text(
    width: int, height: int, tier: GlyphSet
) -> None:
    shown = "\n".join(painted(FULL, width, height, tier))
    for who in FULL.opponents:
        assert f"{who.name} {who.style}" in shown
        assert f"{who.money}  {who.draw_text}" in shown
        assert who.bet is not None
        assert f"raises to {who.bet.chips}" in shown
    for said in ("POT", "480", "you put in 125", "discards 14", "yours", " D "):
        assert said in shown
    sign = {GlyphSet.ASCII: "c"}.get(tier, "♣")
    assert f"10{sign}" in shown


@pytest.mark.parametrize("count", [1, 2, 3], ids=labelled("{} opponents"))
@pytest.mark.parametrize(("width", "height"), [*ROOMS, (60, 7), (60, 9), (46, 6), (40, 4)])
def test_draw_table_has_a_seat_for_each_of_1_to_3_opponents(
    count: int, width: int, height: int
) -> None:
    shown = "\n".join(painted(replace(FULL, opponents=FULL.opponents[:count]), width, height))
    for who in FULL.opponents:
        assert (who.name in shown) == (who in FULL.opponents[:count])
        assert (who.money in shown) == (who in FULL.opponents[:count])


def test_folded_opponent_has_no_cards_at_the_draw_table() -> None:
    folded = OpponentSeat("Carl", "exact", money="995", folded=True)
    shown = painted(PokerTableScene((folded,)), 80, 11)
    assert any("folded" in line for line in shown)
    assert not any("╱" in line for line in shown)


@pytest.mark.parametrize(
    ("width", "height"), [(80, 11), (98, 26), (60, 7)], ids=lambda size: str(size)
)
def test_hand_shown_at_the_draw_table_has_its_full_name(width: int, height: int) -> None:
    words = "three of a kind, queens"
    seat = OpponentSeat("Ada", "tight", parse_hand("QS QH QD TS TH"), money="400", hand_name=words)
    for count in (1, 2, 3):
        shown = painted(PokerTableScene((seat,) * count), width, height)
        assert sum(line.count("queens") for line in shown) == count
        assert sum(line.count("three of") for line in shown) == count


def test_cards_at_the_edge_stay_on_the_canvas() -> None:
    """Tens take one column more."""
    seat = OpponentSeat("Carl", "exact", parse_hand("TS TH TD TC AH"), money="400")
    shown = painted(PokerTableScene((seat,) * 3), 80, 11)
    assert sum(line.count("♥A") for line in shown) == 3


def test_shown_hand_is_written_as_text_if_there_is_no_room_for_cards() -> None:
    seat = OpponentSeat(
        "Ada", "tight", parse_hand("QS QH 9D 8S TH"), money="400", hand_name="a pair of queens"
    )
    shown = painted(PokerTableScene((seat,) * 3), 40, 4)
    assert shown[1].count("Q♠Q♥9♦8♠10♥") == 3
