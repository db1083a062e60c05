"""Video poker played as a player plays it: by keys, by typed commands, with the mouse."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from tests.helpers.arcade_pilot import (
    ME,
    PATIENCE,
    arcade,
    at_table,
    clear_notices,
    click,
    click_key,
    leave,
    lines,
    logged_actions,
    message_after,
    message_text,
    notes,
    press,
    run_app,
    screen_after,
    settle,
    shuffles,
    state,
    stopped_after,
    strike,
    strike_until,
    table,
    text,
    text_after,
    type_line,
    typing,
    until,
    with_purse,
)
from tests.helpers.parameter_ids import value_id
from tui_casino.cards.card import parse_hand
from tui_casino.games.video_poker.brains.odds import odds_of
from tui_casino.games.video_poker.brains.strategy import advise
from tui_casino.games.video_poker.face.widgets.pay_table import PayTableView
from tui_casino.games.video_poker.machine.game import Phase
from tui_casino.games.video_poker.machine.rules import winning_places
from tui_casino.house.settings import Settings
from tui_casino.house.sitting import House
from tui_casino.records.ledger import LOAN_CENTS
from tui_casino.records.session_log import LogWriteError, LogWriter
from tui_casino.structs import replace
from tui_casino.tui.menu.screen import Menu
from tui_casino.tui.modals import ConfirmationDialog, TextPage
from tui_casino.tui.table import pacing
from tui_casino.tui.table.live import LiveTable
from tui_casino.tui.table.statistics_screen import StatisticsScreen
from tui_casino.tui.widgets.cards import CardRow

LOSING = 1
"""The seed of a shuffle whose first rounds lose if all is exchanged."""


def hint(pilot: Pilot[None]) -> str:
    """Give what the hint line says."""
    return lines(pilot.app)[-2].strip()


# ---- whole rounds -------------------------------------------------------------------------------


async def test_keys_at_the_video_poker_table_bet_deal_hold_and_draw(house: House) -> None:
    async with at_table(house) as pilot:
        assert "CREDIT 1,000   BET 5   LAST ROUND –" in text(pilot.app)
        await press(pilot, "space")
        dealt = state(pilot).hand
        assert "CREDIT 995   BET 5" in text(pilot.app)
        await press(pilot, "1", "2", "4", "2")
        assert re.search(r"HELD +\[2\] +\[3\] +HELD +\[5\]", text(pilot.app))
        await press(pilot, "space")
        hand = state(pilot).hand
        assert (hand[0], hand[3]) == (dealt[0], dealt[3])
        assert len({*hand, *dealt}) == 8
        assert state(pilot).phase is Phase.BET
        await leave(pilot)
    assert logged_actions(house) == [["Bet", 5], ["Draw"], ["Hold", [1, 4]]]


async def test_typed_commands_at_the_video_poker_table_bet_deal_hold_and_draw(house: House) -> None:
    """As the rules of the house have it: typed one after the other they do what they say."""
    async with at_table(house) as pilot:
        await type_line(pilot, "b 5")
        assert state(pilot).phase is Phase.DEAL
        await press(pilot, "d")
        assert state(pilot).phase is Phase.HOLD
        await press(pilot, "a")
        best = advise(state(pilot).hand).positions
        assert " ".join(map(str, best)) in message_text(pilot.app)
        assert await message_after(pilot, "dollar_sign") == "player's credit is 995"
        await type_line(pilot, "h 1 2")
        assert state(pilot).phase is Phase.BET
        assert isinstance(await screen_after(pilot, "s"), StatisticsScreen)
        await press(pilot, "escape")
        await leave(pilot)
    assert logged_actions(house) == [["Bet", 5], ["Draw"], ["Hold", [1, 2]]]


async def test_clicks_at_the_video_poker_table_bet_deal_hold_and_draw(house: House) -> None:
    async with at_table(house) as pilot:
        screen = table(pilot.app)
        pays = screen.query_one(PayTableView)
        flush = lines(pilot.app)[pays.region.y + 1]  # its pays for 1 to 5 coins
        columns = [pay.end() - 1 - pays.region.x for pay in re.finditer(r"\d+", flush)]
        assert len(columns) == 5
        for coins in (1, 3):
            await click(pilot, pays, columns[coins - 1])
            assert f"BET {coins} " in text(pilot.app)
        await click_key(pilot, "space")
        cards = screen.query_one(CardRow).views
        for view in (cards[1], cards[4], cards[1]):
            await click(pilot, view, 4, 3)
        assert screen.view.selection == (5,)
        await click_key(pilot, "space")
        assert state(pilot).phase is Phase.BET
        await leave(pilot)
    assert logged_actions(house) == [["Bet", 3], ["Draw"], ["Hold", [5]]]


async def test_space_and_digits_play_a_video_poker_round(house: House) -> None:
    """A draft counts, and none exchanges all; Enter on an empty line does nothing."""
    async with at_table(house) as pilot:
        await press(pilot, "enter", "space", "enter", "3", "enter", "space", "space", "space")
        await leave(pilot)
    assert logged_actions(house) == [
        ["Bet", 5],
        ["Draw"],
        ["Hold", [3]],
        ["Bet", 5],
        ["Draw"],
        ["Hold", []],
    ]


async def test_video_poker_commands_can_be_typed_after_a_colon(house: House) -> None:
    async with at_table(house) as pilot:
        for line in (":b", ":d", ":$"):
            await type_line(pilot, line)
        assert message_text(pilot.app) == "player's credit is 995"
        await type_line(pilot, ":?")
        assert isinstance(pilot.app.screen, TextPage)
        await press(pilot, "escape")
        await type_line(pilot, ":h 2 1")
        await type_line(pilot, ":q")
        assert isinstance(pilot.app.screen, Menu)
    assert logged_actions(house) == [["Bet", 5], ["Draw"], ["Hold", [1, 2]]]


@pytest.mark.parametrize(
    ("cards", "places"),
    [
        ("7C 9D 7H KS 9C", (1, 2, 3, 5)),
        ("JC JD 7H KS 9C", (1, 2)),
        ("2C 2D 2H 2S 9C", (1, 2, 3, 4)),
        ("3C 2D 2H 2S 9C", (2, 3, 4)),
        ("3C 3D 2H 2S 2C", (1, 2, 3, 4, 5)),
        ("3C 5C 2C 9C KC", (1, 2, 3, 4, 5)),
        ("3C 5D 2H 4C 6C", (1, 2, 3, 4, 5)),
    ],
    ids=value_id,
)
def test_winning_cards_of_a_video_poker_hand_are_marked(
    cards: str, places: tuple[int, ...]
) -> None:
    """A kicker wins nothing."""
    assert winning_places(parse_hand(cards)) == places


async def test_video_poker_command_needs_no_space_before_its_number(house: House) -> None:
    async with at_table(house) as pilot:
        await type_line(pilot, "b3")
        assert state(pilot).coins == 3
        await press(pilot, "space")
        await type_line(pilot, "h1 2")
        assert state(pilot).held == (1, 2)


# ---- the command line ---------------------------------------------------------------------------


async def test_escape_clears_the_command_line_and_arrows_recall_commands(house: House) -> None:
    async with at_table(house) as pilot:
        app = pilot.app
        for line in (":$", "b 9", "b 2"):
            await type_line(pilot, line)
        await press(pilot, "up")
        assert typing(app) == "b 2"
        await press(pilot, "up", "up", "up")
        assert typing(app) == "$"
        await press(pilot, "down")
        assert typing(app) == "b 9"
        await press(pilot, "escape")
        assert typing(app) == ""
        assert isinstance(app.screen, LiveTable), "Escape only cleared the line"
        await press(pilot, "q", "space", "left", "3", "backspace")
        assert typing(app) == "q "
        assert isinstance(await screen_after(pilot, "escape", "escape"), ConfirmationDialog)
        assert isinstance(await screen_after(pilot, "n"), LiveTable)


FIRST = "bet first, for example b 5; then d deals"
REFUSED = {
    "between rounds": {
        **dict.fromkeys(
            ("b 0", "b 6", "b -1", "b 99999999999999999999"), "bet from 1 to 5 credits"
        ),
        "b x": "'x' is not a whole number",
        "b 1 2": "'2' is not expected here",
        **dict.fromkeys((":d", "h 1", "h 9"), f"there is no bet yet: {FIRST}"),
    },
    "after the bet": dict.fromkeys(("b 1", "h 1", ":a"), "the bet is placed: d deals the cards"),
    "with cards": {
        "h 1,2": "no commas, please: h 1 2 holds these cards",
        "h x": "'x' is not a whole number",
        "h 1 1": "type each position once: h 1 holds these cards",
        **dict.fromkeys(("h 0", "h 6"), "give different positions from 1 to 5"),
        **dict.fromkeys(
            (":b 5", ":d"), "finish this hand first: h holds cards and draws, like h 1 2"
        ),
        ":d 1": "'1' is not expected here",
        ":a 1": "type nothing after a",
        ":xyz": "there is no such command (? shows help)",
    },
}
"""The typed lines, and why they are illegal."""


async def test_refused_video_poker_lines_do_not_change_the_game(house: House) -> None:
    async with at_table(house) as pilot:
        for moment, step in zip(REFUSED, ("b 2", ":d", ":h 5"), strict=True):
            before = state(pilot)
            for line, reason in REFUSED[moment].items():
                await type_line(pilot, line)
                assert hint(pilot) == f"! {line.lstrip(':')}  {reason}", line
                assert state(pilot) == before, line
            await type_line(pilot, step)
        await leave(pilot)
    assert logged_actions(house) == [["Bet", 2], ["Draw"], ["Hold", [5]]]


async def test_keys_without_a_meaning_do_not_change_the_video_poker_game(house: House) -> None:
    async with at_table(house) as pilot:
        before = lines(pilot.app)
        for key in ("0", "9", "comma", "tab", "pagedown", "f9", "left", "up", "backspace"):
            await press(pilot, key)
            assert hint(pilot).startswith("! ") or key[1:], f"{key} is not silent"
        after = lines(pilot.app)
        assert [*after[:-2], after[-1]] == [*before[:-2], before[-1]]
        assert not typing(pilot.app)


# ---- bets and credit ----------------------------------------------------------------------------


async def test_video_poker_bet_can_be_changed_between_rounds(house: House) -> None:
    async with at_table(house) as pilot:
        for key, coins in (("2", 2), ("plus", 3), ("minus", 2), ("minus", 1), ("minus", 1)):
            assert f"BET {coins} " in await text_after(pilot, key), key
        assert hint(pilot) == "! -  bet 1 to 5 credits."
        assert "BET 5 " in await text_after(pilot, "5", "plus"), "it does not begin again"
        await press(pilot, "2")
        assert hint(pilot).startswith("›  space  Deal for 2   1-5 Bet")
        assert state(pilot).credit == 1000, "nothing is bet yet"
        await press(pilot, "space", "plus", "space", "space", "space")
        await leave(pilot)
    assert [bet for bet in logged_actions(house) if bet[0] == "Bet"] == [["Bet", 2], ["Bet", 2]]


async def test_video_poker_bet_is_limited_to_the_credit_and_a_loan_follows(tmp_path: Path) -> None:
    house = with_purse(tmp_path, 350)
    assert house.ledger is not None
    async with at_table(house, LOSING) as pilot:
        assert "CREDIT 3 " in text(pilot.app)
        for line in ("4", "b 4", ":b 5"):
            await (press(pilot, line) if len(line) == 1 else type_line(pilot, line))
            assert hint(pilot).startswith(f"! {line.lstrip(':')}  "), line
            assert "3" in hint(pilot), line
            assert "BET 3 " in text(pilot.app), "no more than there is"
        await press(pilot, "space")
        assert state(pilot).coins == 3, "what is left is bet"
        assert "out of credit" in await message_after(pilot, "space")
        assert hint(pilot).startswith(f"›  space  Borrow {LOAN_CENTS // 100:,}.00")
        assert "BET 0 " in text(pilot.app)
        await press(pilot, "1", "plus", "d")
        assert (state(pilot).phase, state(pilot).credit) == (Phase.SHUFFLE, 0)
        await leave(pilot)
        assert house.ledger.balance(ME) == 50
        assert "Your balance of 0.50 is below" in await text_after(pilot, "1")
        await press(pilot, "n")
        assert (house.ledger.balance(ME), house.ledger.debt(ME)) == (50, 0), "never unasked"
        await press(pilot, "1", "y")
        assert f"The house lends you {LOAN_CENTS // 100:,}.00." in notes(pilot.app)
        assert "CREDIT 1,000" in text(pilot.app)
        await leave(pilot)
    assert house.ledger.balance(ME) == 50 + LOAN_CENTS
    assert house.ledger.debt(ME) == LOAN_CENTS


# ---- motion -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("key", "held"), [("1", (1,)), ("d", ()), ("space", ())], ids=value_id)
async def test_any_key_finishes_the_animated_deal(
    house: House, monkeypatch: pytest.MonkeyPatch, key: str, held: tuple[int, ...]
) -> None:
    """A digit holds its card, too; the others do nothing else: nothing is drawn by them."""
    monkeypatch.setattr(pacing, "PACE", 10 * PATIENCE)
    async with at_table(house, settings=Settings()) as pilot:
        await strike_until(pilot, "space", lambda: state(pilot).hand)
        assert state(pilot).waiting, "so slow that a key comes between"
        await strike_until(pilot, key, lambda: not state(pilot).waiting)
        await settle(pilot)
        assert state(pilot).phase is Phase.HOLD
        assert table(pilot.app).view.selection == held
        await leave(pilot)


async def test_typed_commands_wait_for_the_end_of_the_deal(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Typed while cards are on their way, they end the motion and are then carried out."""
    monkeypatch.setattr(pacing, "PACE", 0.4)
    async with at_table(house, settings=Settings()) as pilot:
        await strike_until(pilot, "space", lambda: state(pilot).hand)
        for key in ("h", "space", "2", "enter", "b", "space", "3", "enter"):
            await strike(pilot, key)
        await until(pilot, lambda: state(pilot).phase is Phase.DEAL)
        assert not typing(pilot.app)
        await settle(pilot)
        await press(pilot, "d")
        await until(pilot, lambda: state(pilot).phase is Phase.HOLD)
        await leave(pilot)
    assert logged_actions(house) == [["Bet", 5], ["Draw"], ["Hold", [2]], ["Bet", 3], ["Draw"]]


async def test_interrupted_video_poker_deal_is_resumed(house: House) -> None:
    async with at_table(house, settings=Settings()) as pilot:
        with stopped_after(2) as stopped:
            await strike_until(pilot, "space", stopped)
            assert "deals" not in message_text(pilot.app), "what was said before holds no more"
            await strike(pilot, "escape")
            await until(pilot, lambda: isinstance(pilot.app.screen, ConfirmationDialog))
            await strike_until(pilot, "y", lambda: isinstance(pilot.app.screen, Menu))
        assert "waiting:" in text(pilot.app)
        await press(pilot, "1")
        assert len(state(pilot).hand) == 5, "the deal goes on"
        await press(pilot, "space", time=1e9)  # when the question can have been read
        await leave(pilot)
    assert logged_actions(house) == [["Bet", 5], ["Draw"], ["Hold", []]]


# ---- leaving and coming back --------------------------------------------------------------------


async def test_unfinished_video_poker_hand_is_resumed_from_the_menu(house: House) -> None:
    async with at_table(house) as pilot:
        await press(pilot, "space", "2")
        hand = state(pilot).hand
        assert "A bet is at stake" in await text_after(pilot, "escape")
        await press(pilot, "escape")
        assert isinstance(pilot.app.screen, LiveTable), "Escape stays"
        await leave(pilot)
        assert "waiting:" in text(pilot.app)
        assert notes(pilot.app)[-1] == "Your bet stays on the table."
        await press(pilot, "1")
        assert (state(pilot).hand, state(pilot).phase) == (hand, Phase.HOLD)
        await leave(pilot)
    async with run_app(arcade(house)) as pilot:  # another day
        assert "waiting:" in text(pilot.app)
        await press(pilot, "enter")
        assert state(pilot).hand == hand
        await press(pilot, "space")
        await leave(pilot)
        assert "waits:" not in text(pilot.app)
        assert "You cash out" in notes(pilot.app)[-1]
    assert len([*house.logs.glob("*.jsonl")]) == 1


async def test_balance_after_two_video_poker_sessions_is_the_last_credit(house: House) -> None:
    async with run_app(arcade(house, fresh=shuffles(1, 2))) as pilot:
        for _ in range(2):
            await press(pilot, "1", "space", "space")
            credit = state(pilot).credit
            await leave(pilot)
            await clear_notices(pilot)
            assert f"balance {credit:,}.00" in text(pilot.app)
    assert len([*house.logs.glob("*.jsonl")]) == 2


# ---- a log that cannot be written ---------------------------------------------------------------


@pytest.fixture
def room(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Give what says whether the disk has room for a step."""
    whole, room = LogWriter.step, [True]

    def step(self: LogWriter, by: Any, action: object, events: tuple[object, ...]) -> None:
        if not room[0]:
            raise LogWriteError(28, "No space left on device")
        whole(self, by, action, events)

    monkeypatch.setattr(LogWriter, "step", step)
    return room


async def test_remote_player_continues_once_the_full_disk_has_space(
    house: House, room: list[bool]
) -> None:
    reason = "Log not written: No space left on device. Play continues automatically."
    async with at_table(replace(house, remote=True)) as pilot:
        room[0] = False
        await strike_until(pilot, "space", lambda: message_text(pilot.app).endswith(reason))
        room[0] = True
        await until(pilot, lambda: state(pilot).phase is Phase.DEAL)  # the bet that was refused
        await press(pilot, "space")
        assert state(pilot).phase is Phase.HOLD


async def test_full_disk_pauses_the_video_poker_table(house: House, room: list[bool]) -> None:
    """At the bet, in the middle of the deal and at the draw; nothing is shown that is not kept."""
    async with at_table(house) as pilot:
        room[0] = False
        for keys in (("space",), ("b", "space", "2", "enter")):
            await press(pilot, *keys)
            assert message_text(pilot.app).startswith("! The log cannot be written: No space left")
            assert state(pilot).credit == 1000
        room[0] = True
        await press(pilot, "space")
        assert state(pilot).phase is Phase.HOLD
        room[0] = False
        assert "cannot be written" in await message_after(pilot, "1", "space")
        assert state(pilot).phase is Phase.HOLD
        room[0] = True
        await press(pilot, "space")
        assert state(pilot).phase is Phase.BET
        with stopped_after(2) as stopped:
            await strike_until(pilot, "space", stopped)
            room[0] = False
        table(pilot.app).run_table()
        await settle(pilot)
        assert "cannot be written" in message_text(pilot.app)
        assert len(state(pilot).hand) == 2
        room[0] = True
        await press(pilot, "space")
        assert len(state(pilot).hand) == 5
        await press(pilot, "space")
        await leave(pilot)
    assert logged_actions(house)[:3] == [["Bet", 2], ["Draw"], ["Hold", [1]]]


async def test_hold_repeated_after_a_failed_write_is_counted_once(
    house: House, room: list[bool]
) -> None:
    async with at_table(house) as pilot:
        await press(pilot, "t", "space")
        best = odds_of(state(pilot).options.paytable, 5).holds(state(pilot).hand)[0].positions
        room[0] = False
        await press(pilot, *map(str, best), "space")
        assert state(pilot).phase is Phase.HOLD
        room[0] = True
        await press(pilot, "space")
        assert state(pilot).phase is Phase.BET
        assert table(pilot.app).view.totals.choices == 1
        await leave(pilot)


# ---- help ---------------------------------------------------------------------------------------


async def test_video_poker_help_lists_all_commands_and_the_commitment(house: House) -> None:
    async with at_table(house, width=132, height=60) as pilot:
        shown = await text_after(pilot, "f1")
        screen = table(pilot.app)
        for word in (*screen.definition.words.verbs, *screen.definition.words.questions):
            assert f"  {word}" in shown
        await press(pilot, "end")
        page = str(pilot.app.screen.query_one(Static).content)
        assert screen.table.source.spec.value in page.replace("\n", "")
        await press(pilot, "f1", "question_mark", "f2")
        assert page in str(pilot.app.screen.query_one(Static).content), "the page stays open"
        assert isinstance(await screen_after(pilot, "q"), LiveTable)
        await leave(pilot)
