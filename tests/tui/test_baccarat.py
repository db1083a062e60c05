"""Baccarat played as a player plays it: by keys, by typed commands, with the mouse."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from textual.geometry import Region, Size
from textual.pilot import Pilot

from tests.helpers.arcade_pilot import (
    arcade,
    at_table,
    hint_text,
    hints,
    leave,
    logged_actions,
    message_text,
    practice,
    press,
    resize,
    run_app,
    screen_after,
    settle,
    state,
    stopped_after,
    strike,
    strike_until,
    text,
    text_after,
    type_line,
    until,
    with_purse,
)
from tests.helpers.parameter_ids import labelled, size_id
from tui_casino.engine.croupier import FixedShoe
from tui_casino.engine.money import dollars
from tui_casino.gamekit.table_catalog import TableSetup
from tui_casino.games.baccarat.face.table_catalog import TABLES
from tui_casino.games.baccarat.face.table_view import BaccaratView
from tui_casino.games.baccarat.face.widgets.roads import RoadsPage
from tui_casino.games.baccarat.face.widgets.table import BaccaratScene, BaccaratTable, layout_for
from tui_casino.games.baccarat.machine.rules import (
    KNOWN_SHOE,
    NO_BETS,
    CoupOutcome,
    Options,
    value_of,
)
from tui_casino.games.baccarat.machine.state import Phase
from tui_casino.house.settings import Settings
from tui_casino.house.sitting import House
from tui_casino.structs import replace
from tui_casino.tui.draw.look import Look
from tui_casino.tui.menu.screen import Menu
from tui_casino.tui.modals import ConfirmationDialog, TextPage
from tui_casino.tui.table import pacing
from tui_casino.tui.table.statistics_screen import StatisticsScreen
from tui_casino.tui.theme import NONE
from tui_casino.tui.window import free_rows

SLOW = 1.0
"""Seconds between two cards, so that a key comes between."""


@asynccontextmanager
async def at_baccarat(house: House, seed: int = 1, **more: Any) -> AsyncIterator[Pilot[None]]:
    async with at_table(house, seed, game="2", **more) as pilot:
        yield pilot


async def test_keys_at_the_baccarat_table_place_repeat_and_clear_bets_and_deal(
    house: House,
) -> None:
    async with at_baccarat(house) as pilot:
        assert "CREDIT 1,000.00   BET 0   CHIP 5" in text(pilot.app)
        await press(pilot, "plus", "1", "2", "minus", "minus", "3")
        assert state(pilot).bets == (25, 25, 1, 0, 0)
        assert "CREDIT 949.00   BET 51   CHIP 1" in text(pilot.app)
        assert hints(pilot.app)[:3] == ["space Deal for 51", "1-5 Bet a chip of 1", "(r Repeat)"]
        await press(pilot, "space")
        view = state(pilot)
        assert view.phase is Phase.BET
        assert len(view.coups) == 1
        repeats = ["space Repeat 51 and deal", "1-5 Bet a chip of 1", "r Repeat 51"]
        assert hints(pilot.app)[:3] == repeats
        assert view.bets == NO_BETS
        await press(pilot, "space")
        assert len(state(pilot).coups) == 2
        assert state(pilot).last == (25, 25, 1, 0, 0)
        assert hints(pilot.app)[:3] == repeats
        await press(pilot, "r")
        assert state(pilot).bets == (25, 25, 1, 0, 0)
        await press(pilot, "c", "minus")
        assert hint_text(pilot.app) == "refused - 1 is the smallest chip."
        await press(pilot, *["plus"] * 5)
        assert hint_text(pilot.app) == "refused + 500 is the largest chip."
        await leave(pilot)
    assert logged_actions(house) == [
        ["Bet", 25, "p"],
        ["Bet", 25, "b"],
        ["Bet", 1, "t"],
        ["Play"],
        ["Repeat"],
        ["Play"],
        ["Repeat"],
        ["Clear"],
    ]


async def test_space_at_baccarat_repeats_no_bets_beyond_the_credit(tmp_path: Path) -> None:
    async with at_baccarat(with_purse(tmp_path, 9_00)) as pilot:
        await press(pilot, "1", "space")
        assert state(pilot).credit == 4_00, "the bet is lost"
        assert hints(pilot.app)[:3] == ["1-5 Bet a chip of 5", "(space Deal)", "(r Repeat)"]
        await press(pilot, "space")
        assert hint_text(pilot.app).startswith("refused space bet with 1-5;")


async def test_typed_commands_at_the_baccarat_table_place_bets_and_deal(house: House) -> None:
    async with at_baccarat(house) as pilot:
        await type_line(pilot, "b 25 p")
        await type_line(pilot, "b 5 pp")
        assert state(pilot).bets == (25, 0, 0, 5, 0)
        await press(pilot, "dollar_sign")
        assert message_text(pilot.app) == "Your credit is 970.00, and your bets are 30"
        await press(pilot, "d")
        assert len(state(pilot).coups) == 1
        assert isinstance(await screen_after(pilot, "a"), TextPage)
        assert "The last coup:" in text(pilot.app)
        assert isinstance(await screen_after(pilot, "escape", "s"), StatisticsScreen)
        await press(pilot, "escape")
        await type_line(pilot, "b 4 p")
        limits = "bet 5 to 500 on Player or Banker, 1 to 100 on Tie or a pair"
        assert hint_text(pilot.app) == f"refused b {limits}"
        await press(pilot, "t")
        assert "there is no trainer for baccarat" in hint_text(pilot.app)
        await leave(pilot)
    assert logged_actions(house) == [["Bet", 25, "p"], ["Bet", 5, "pp"], ["Play"]]


BET = BaccaratScene(bets=(0, 0, 0, 0, 25))
LOST = BaccaratScene(last=(0, 0, 0, 0, 25), nets=(0, 0, 0, 0, -2500))


@pytest.mark.parametrize(
    ("columns", "bet", "last"),
    [
        (90, " 5 B PAIR (25)", " 5 BP last −25.00"),
        (70, " 5 B PAIR (25)", " 5 BP −25.00"),
        (60, " 5 BP (25)", " 5 BP −25.00"),
        (40, "5BP(25)", "5BP −25"),
    ],
)
def test_last_result_of_a_bet_spot_is_worded_differently_from_a_bet(
    columns: int, bet: str, last: str
) -> None:
    """The words differ, because a terminal may have no colours."""
    for scene, shown in ((BET, bet), (LOST, last)):
        line = painted(scene, columns, 7)[-1]
        assert line[columns // 5 * 4 :].rstrip() == shown


def test_result_of_a_bet_keeps_the_name_of_its_spot_if_only_the_space_has_no_room() -> None:
    won = BaccaratScene(last=(5, 5, 0, 0, 0), nets=(-500, 475, 0, 0, 0))
    assert painted(won, 40, 7)[-1].split() == ["1P", "−5", "2B+4.75", "3T", "4PP", "5BP"]


def painted(scene: BaccaratScene, columns: int, rows: int) -> list[str]:
    felt = BaccaratTable(Options())
    felt.show(scene)
    return [strip.text for strip in felt._draw(Look(NONE), Size(columns, rows))]


def test_low_baccarat_felt_shows_the_pay_bet_or_last_result_of_a_spot() -> None:
    for scene, below in (
        (BaccaratScene(), "11:1"),
        (BET, "● 25"),
        (LOST, "last −25.00"),
        (replace(LOST, nets=(0, 0, 0, 0, 110_000)), "+1,100.00"),
    ):
        lines = painted(scene, 80, 9)
        assert [line[66:78].strip() for line in lines[4:6]] == ["5 B pair", below]


def test_high_baccarat_felt_shows_pay_bet_and_last_result_of_a_spot() -> None:
    region = layout_for(98, 22).spots[4]  # type: ignore[union-attr]
    scene = replace(LOST, bets=(0, 0, 0, 0, 25))
    rows = painted(scene, 98, 22)[region.y : region.bottom]
    assert [row[region.x : region.right] for row in rows] == [
        "╭─ 5 B pair ──╮",
        "│ pays   11:1 │",
        "│ bet      25 │",
        "│ last −25.00 │",
        "╰─────────────╯",
    ]


@pytest.mark.parametrize("width", [*range(78, 221, 13), 98, 166], ids=labelled("{} columns"))
@pytest.mark.parametrize("height", [*range(9, 66, 4), 22, 38], ids=labelled("{} rows"))
def test_cards_and_spots_do_not_overlap_on_the_felt(width: int, height: int) -> None:
    layout = layout_for(width, height)
    assert layout is not None
    hands = [
        Region(x, y, 3 * (layout.card.width + 1) - 1, layout.card.height)
        for x, y in layout.cards.values()
    ]
    places = [*hands, *layout.spots]
    assert all(layout.felt.contains_region(place) for place in places)
    assert not any(one.overlaps(other) for one, other in combinations(places, 2))
    rows = [spot.y for spot in layout.spots]
    assert rows == rows[::-1], "the same on both sides"
    assert rows[0] < rows[1] <= rows[2], "an arc"


async def test_baccarat_bets_can_be_placed_with_the_mouse(house: House) -> None:
    async with at_baccarat(house) as pilot:
        felt = pilot.app.screen.query_one(BaccaratTable)
        for region in felt.spot_regions:
            await pilot.click(felt, offset=region.offset)
            await settle(pilot)
        assert state(pilot).bets == (5, 5, 5, 5, 5)
        await press(pilot, "c")
        await type_line(pilot, "b 99999")
        assert "an amount and a spot" in text(pilot.app)
        await pilot.click(felt, offset=felt.spot_regions[0].offset)
        await settle(pilot)
        assert "an amount and a spot" not in text(pilot.app), "what was refused is over"
        await press(pilot, "c")
        await leave(pilot)


@pytest.mark.parametrize("seed", range(1, 7), ids=labelled("seed {}"))
async def test_result_of_a_coup_is_shown_in_the_message_and_on_the_felt(
    house: House, seed: int
) -> None:
    async with at_baccarat(house, seed) as pilot:
        await press(pilot, "2", "space")
        view = state(pilot)
        coup = view.coups[-1]
        line, drawn = message_text(pilot.app), "( after a draw)?"
        if coup.outcome is CoupOutcome.TIE:
            told = f"Tie {coup.value} to {coup.value}{drawn}. You come out even"
            assert re.search(told, line)
        elif coup.outcome is CoupOutcome.BANKER:
            told = f"Banker wins {coup.value} to {value_of(view.player)}{drawn}. You win 4.75"
            assert re.search(told, line)
            assert re.search(rf"BANKER +{coup.value}", text(pilot.app))
            assert "★ WINS" in text(pilot.app)
        else:
            told = f"Player wins {coup.value} to {value_of(view.banker)}{drawn}. You lose 5.00"
            assert re.search(told, line)
        assert (" after a draw" in line) is not coup.natural
        assert ("NATURAL" in text(pilot.app)) == coup.natural
        assert f"CREDIT {dollars(view.credit)}" in text(pilot.app)
        await leave(pilot)


@pytest.mark.parametrize("cards", [1, 2, 3, 4], ids=labelled("{} cards"))
async def test_baccarat_cards_are_dealt_on_the_screen_one_at_a_time(
    house: House, cards: int
) -> None:
    async with at_baccarat(house) as pilot:
        with stopped_after(cards) as stopped:
            await strike_until(pilot, "d", stopped)
            view = state(pilot)
            assert len(view.player) + len(view.banker) == cards
            assert "WINS" not in text(pilot.app)
            await leave(pilot)


async def test_baccarat_screen_refuses_bets_beyond_limit_or_credit(house: House) -> None:
    async with at_baccarat(house) as pilot:
        await type_line(pilot, "b 500 p")
        await type_line(pilot, "b 500 b")
        await type_line(pilot, "b 5 b")
        assert hint_text(pilot.app) == "refused b the limit on Banker is 500"
        await type_line(pilot, "b 5 t")
        assert hint_text(pilot.app) == "refused b beyond your credit"
        await press(pilot, "3")
        assert hint_text(pilot.app).startswith("refused 3 Bet: not available now.")
        assert state(pilot).bets == (500, 500, 0, 0, 0)
        await press(pilot, "c")
        await leave(pilot)


async def test_v_at_the_baccarat_table_opens_all_five_roads(house: House) -> None:
    async with at_baccarat(house) as pilot:
        assert isinstance(await screen_after(pilot, *["d"] * 12, "v"), RoadsPage)
        shown = text(pilot.app)
        for name in ("BEAD PLATE", "BIG ROAD", "EYE", "SMALL", "ROACH"):
            assert name in shown
        await press(pilot, "v")
        await leave(pilot)


async def test_baccarat_odds_window_leaves_the_hands_visible(house: House) -> None:
    """Where there is no room beside them they lie below, and under the new place of the hands."""
    async with at_baccarat(house) as pilot:
        hands = pilot.app.screen.query_one(BaccaratTable)
        await press(pilot, "2", "space", "o")
        for size in ((80, 24), (60, 20), (100, 40)):
            await resize(pilot, *size)
            (window,) = pilot.app.screen.query(".window")
            assert not window.region.overlaps(hands.region)
            assert window.region.height >= 9
        await press(pilot, "escape")
        await leave(pilot)


@pytest.mark.parametrize(
    ("cards", "wanted", "rows"),
    [
        (Region(0, 2, 80, 7), 10, range(9, 21)),
        (Region(0, 13, 80, 8), 10, range(13)),
        (Region(0, 13, 80, 8), 40, range(13)),
        (Region(0, 8, 80, 8), 40, None),
        (Region(0, 8, 80, 8), 5, range(16, 21)),
    ],
    ids=[
        "below, 10 wanted",
        "above, 10 wanted",
        "above, 40 wanted",
        "too few rows",
        "below, 5 wanted",
    ],
)
def test_free_rows_for_a_window_are_below_or_above_the_cards(
    cards: Region, wanted: int, rows: range | None
) -> None:
    assert free_rows(cards, 21, wanted) == rows


async def test_f4_changes_the_baccarat_table(house: House) -> None:
    async with at_baccarat(house) as pilot:
        await press(pilot, "f4", *["down"] * (len(TABLES.choices) - 1), "enter")
        options = state(pilot).options
        assert (options.decks, options.commission) == (1, False)
        assert "1 deck · no commission" in text(pilot.app)
        assert options.credit == 100_000
        await leave(pilot)


async def test_interrupted_baccarat_coup_is_resumed_on_the_screen(house: House) -> None:
    async with at_baccarat(house) as pilot:
        await press(pilot, "1")
        with stopped_after(2) as stopped:
            await strike_until(pilot, "space", stopped)
            dealt = state(pilot).player, state(pilot).banker
            await strike(pilot, "escape")
            await until(pilot, lambda: isinstance(pilot.app.screen, ConfirmationDialog))
            await strike_until(pilot, "y", lambda: isinstance(pilot.app.screen, Menu))
        await press(pilot, "2")
        view = state(pilot)
        assert (view.player.cards[0], view.banker.cards[0]) == (dealt[0].get(0), dealt[1].get(0))
        assert len(view.coups) == 1
        await leave(pilot)


async def test_space_begins_the_next_shoe_after_a_finished_shoe(house: House) -> None:
    async with at_baccarat(house) as pilot:
        await press(pilot, "f4", *["down"] * (len(TABLES.choices) - 1), "enter")
        for _ in range(12):
            if state(pilot).finished:
                break
            await press(pilot, "d")
        assert state(pilot).finished
        assert "The shoe is finished" in message_text(pilot.app)
        await type_line(pilot, "b 5 p")
        assert hint_text(pilot.app) == "refused b the shoe is finished; d begins the next"
        assert hints(pilot.app)[0] == "space Begin the next shoe"
        await press(pilot, "space")
        assert state(pilot).coups == ()
        assert "Burn card" in message_text(pilot.app)
        await leave(pilot)


async def test_messages_of_the_course_table_appear_in_the_order_of_a_coup(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the known shoe: a natural on either side, and a coup with third cards."""
    heard: list[str] = []
    say = BaccaratView.say

    def listen(view: BaccaratView, text: str, kind: str = "", shorter: Any = ()) -> None:
        say(view, text, kind, shorter)
        if text and text not in heard[-1:]:
            heard.append(text)

    monkeypatch.setattr(BaccaratView, "say", listen)
    seating = TableSetup(Options(decks=0), FixedShoe(KNOWN_SHOE), practice=True)
    app = arcade(practice(tmp_path), game="baccarat", seating=seating)
    async with run_app(app, 80, 24) as pilot:
        await press(pilot, "d", "d", "d")
    assert heard == [
        "Place your bets",
        "Initial Deal",
        "Winner: Banker 8 to 5",
        "Initial Deal",
        "Winner: Player 9 to 0",
        "Initial Deal",
        "After Draw",
        "Winner: Tie 9 to 9 after a draw",
    ]


async def test_baccarat_panel_shows_odds_and_reason_of_the_last_coup(house: House) -> None:
    async with at_baccarat(house, width=132, height=43) as pilot:
        assert "Banker pair" in text(pilot.app)
        shown = await text_after(pilot, "1", "space")
        for title in ("NEXT COUP", "LAST COUP", "SESSION", "BANKROLL"):
            assert title in shown
        assert "The player" in shown or "The banker" in shown
        await leave(pilot)


async def test_known_shoe_ends_the_baccarat_game_with_its_last_result(tmp_path: Path) -> None:
    seating = TableSetup(Options(decks=0), FixedShoe(KNOWN_SHOE), practice=True)
    app = arcade(practice(tmp_path), game="baccarat", seating=seating)
    async with run_app(app, 132, 43) as pilot:
        shown = await text_after(pilot, "1", "space", *["d"] * 8)
        assert (
            message_text(pilot.app)
            == "! Winner: Player 2 to 0 after a draw. Over: the known shoe is finished."
        )
        assert hints(pilot.app)[0] == "space New session"
        assert "the known shoe · 5% commission · 9 coups, 0 cards left · finished" in shown
        assert "too few cards for another coup" in shown
        assert re.search(r"coups +9", shown)


async def test_deal_pauses_while_the_player_confirms_leaving(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else the bet might be won or lost behind the question whether to leave it."""
    monkeypatch.setattr(pacing, "WATCHED", SLOW)
    async with at_baccarat(house, settings=Settings(animation=True)) as pilot:
        await press(pilot, "1")
        await strike(pilot, "space")
        await until(pilot, lambda: state(pilot).player)  # a busy machine deals several at once
        await strike(pilot, "escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, ConfirmationDialog))
        dealt = state(pilot)
        await asyncio.sleep(2 * SLOW)
        assert state(pilot) == dealt
        assert dealt.phase is not Phase.BET
        monkeypatch.setattr(pacing, "WATCHED", 0.01)
        await strike_until(pilot, "n", lambda: state(pilot).phase is Phase.BET)
        await leave(pilot)


@pytest.mark.parametrize(
    "size", [(80, 24), (100, 30), (112, 30), (132, 43), (200, 60)], ids=size_id
)
async def test_names_of_both_pairs_are_short_together(
    size: tuple[int, int], tmp_path: Path
) -> None:
    width, height = size
    async with run_app(arcade(practice(tmp_path), game="baccarat"), width, height) as pilot:
        shown = text(pilot.app)
        for short, long in (("4 P pair", "4 Player pair"), ("5 B pair", "5 Banker pair")):
            assert (short in shown) != (long in shown)
        assert ("4 Player pair" in shown) == ("5 Banker pair" in shown)
