"""Five-card draw played as a player plays it: by keys, by typed commands, with the mouse."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from fractions import Fraction
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from textual.pilot import Pilot

from tests.contract.test_typed_lines import PACES, Typist, everything
from tests.games.five_card_draw.test_game import THREE, TWO
from tests.helpers.arcade_pilot import (
    PATIENCE,
    arcade,
    at_table,
    check_books,
    hint_text,
    hints,
    leave,
    message_after,
    message_text,
    notes,
    practice,
    press,
    press_until,
    resize,
    run_app,
    screen_after,
    settle,
    state,
    strike,
    strike_until,
    table,
    text,
    text_after,
    type_line,
    until,
    with_purse,
)
from tests.helpers.narrow import not_none
from tests.helpers.parameter_ids import labelled, size_id
from tests.helpers.screen_walks import key_of
from tui_casino.cards.card import PACK, Card, Hand, card_symbols, parse_hand
from tui_casino.engine.chance import SeededSource, SourceSpec
from tui_casino.engine.croupier import CroupierSpec, FixedShoe, ShuffledShoe
from tui_casino.engine.game import Seat
from tui_casino.engine.table import Table
from tui_casino.gamekit.number_formats import rounded_cost
from tui_casino.gamekit.registry import DEFINITIONS
from tui_casino.gamekit.table_catalog import TableSetup
from tui_casino.games.five_card_draw import DEFINITION
from tui_casino.games.five_card_draw.brains import adviser, players
from tui_casino.games.five_card_draw.brains.gto_chart import GROUPS
from tui_casino.games.five_card_draw.brains.levels import seats_of
from tui_casino.games.five_card_draw.brains.mistakes import group_of
from tui_casino.games.five_card_draw.face.advice import signed_ev
from tui_casino.games.five_card_draw.face.table_view import FiveCardDrawView
from tui_casino.games.five_card_draw.face.widgets.poker_table import SeatBet
from tui_casino.games.five_card_draw.machine import game
from tui_casino.games.five_card_draw.machine.state import (
    Acted,
    Action,
    Bet,
    Call,
    Discard,
    DrawAsked,
    Fold,
    Options,
    Phase,
    Play,
    Stakes,
    State,
)
from tui_casino.structs import replace
from tui_casino.tui.draw.card_art import CardState as Art
from tui_casino.tui.menu.screen import Menu
from tui_casino.tui.modals import ChoiceDialog, ConfirmationDialog, OddsWindow, TextPage
from tui_casino.tui.table.action_text import describe_command
from tui_casino.tui.table.live import LiveTable
from tui_casino.tui.table.snapshot import TableInfo
from tui_casino.tui.table.statistics_screen import StatisticsScreen
from tui_casino.tui.table.view import ViewChanged
from tui_casino.tui.widgets.cards import CardRow

ANTE = Options(opponents=1, stakes=Stakes.ANTE, credit=100)
ACE_RULE = "Since you have an Ace you can keep the Ace and discard the other four cards."


@asynccontextmanager
async def dealt(
    folder: Path,
    options: Options = ANTE,
    cards: tuple[Card, ...] = TWO,
    level: str = "algorithm",
    size: tuple[int, int] = (80, 24),
) -> AsyncIterator[Pilot[None]]:
    """Sit down at a table with known cards: the human gets a pair of aces."""
    players = seats_of(options.opponents, level)
    seating = TableSetup(options, FixedShoe(cards), players, practice=True)
    app = arcade(practice(folder), game="five-card-draw", seating=seating)
    async with run_app(app, *size) as pilot:
        yield pilot


def labels(pilot: Pilot[None]) -> list[str]:
    return [view.label for view in pilot.app.screen.query_one(CardRow).views]


def arts(pilot: Pilot[None]) -> list[Art]:
    return [view.state for view in pilot.app.screen.query_one(CardRow).views]


def logged_actions(folder: Path) -> list[list[Any]]:
    (path,) = folder.rglob("*.jsonl")
    steps = [json.loads(line) for line in path.read_text().splitlines()[1:]]
    return [[*step["do"].values()] for step in steps if step.get("by") == 0]


async def test_keys_at_the_draw_table_deal_mark_and_discard_cards(tmp_path: Path) -> None:
    async with dealt(tmp_path) as pilot:
        assert message_text(pilot.app) == "Deal the first hand?"
        assert hints(pilot.app) == ["space Deal", "(1-5 Discard)"]
        await press(pilot, "a")
        await until(pilot, lambda: hint_text(pilot.app).startswith("refused a not available now."))
        assert message_text(pilot.app) == "Deal the first hand?"  # the analysis is over
        await press(pilot, "space")
        assert message_text(pilot.app) == "You have a pair of aces. Discard which cards?"
        assert hints(pilot.app) == ["space Stand pat", "1-5 Discard"]
        assert "[1]" in await text_after(pilot, "3", "4", "5", "1", "1")
        assert labels(pilot).count("discard") == 3
        assert hints(pilot.app)[0] == "space Draw 3"
        await press(pilot, "space")
        view = state(pilot)
        assert view.phase is Phase.REST
        assert len(view.hands[0]) == 5
        assert view.drawn[0] == 3
        assert "You win 10 with a full house, queens over aces." in message_text(pilot.app)
        shown = text(pilot.app)
        assert "a pair of jacks" in shown
        assert "drew 3" in shown
        assert "discards 6" in shown
        assert "8♦ 4♣ 2♠" in shown
        await press(pilot, "escape")
    assert logged_actions(tmp_path) == [["Play"], ["Discard", [3, 4, 5]]]


async def test_typed_commands_at_the_draw_table_discard_or_are_refused(tmp_path: Path) -> None:
    async with dealt(tmp_path) as pilot:
        await press(pilot, "d")
        await type_line(pilot, "x 2 9")
        right = "up to 3 different numbers from 1 to 5, or 4 to keep only an ace"
        assert hint_text(pilot.app) == f"refused x {right}"
        await type_line(pilot, "x 1 2 3 4")
        assert state(pilot).phase is Phase.DRAW  # the card that would be kept is not an ace
        await press(pilot, "dollar_sign")
        assert message_text(pilot.app) == "Your credit is 995, 5 more in the pot of 10"
        assert (await message_after(pilot, "a")).startswith("Discard 8♦ 4♣ 2♠: you win ")
        await type_line(pilot, "x 2 3 4 5")
        assert state(pilot).drawn[0] == 4
        assert isinstance(await screen_after(pilot, "s"), StatisticsScreen)
        await press(pilot, "escape")
    assert logged_actions(tmp_path) == [["Play"], ["Discard", [2, 3, 4, 5]]]


async def test_held_and_drawn_cards_are_marked_after_the_draw(tmp_path: Path) -> None:
    async with dealt(tmp_path, Options(opponents=1)) as pilot:
        await press(pilot, "space", "k")
        while state(pilot).phase is Phase.OPENING:
            await press(pilot, "c")
        assert not {"kept", " new "} & {*labels(pilot)}
        await press(pilot, "4", "5", "space")
        assert state(pilot).phase is Phase.CLOSING
        new = {place for place, label in enumerate(labels(pilot)) if label == " new "}
        assert {state(pilot).hands[0][place] for place in new} == {*parse_hand("QC QD")}
        assert labels(pilot).count("kept") == 3


async def test_mouse_clicks_mark_and_unmark_cards_to_discard(tmp_path: Path) -> None:
    async with dealt(tmp_path) as pilot:
        await press(pilot, "space")
        views = pilot.app.screen.query_one(CardRow).views
        for place in (2, 4, 2):
            await pilot.click(views[place], offset=(3, 3))
            await settle(pilot)
        assert labels(pilot).count("discard") == 1
        await press(pilot, "space")
        assert state(pilot).drawn[0] == 1
    assert logged_actions(tmp_path)[-1] == ["Discard", [5]]


async def test_opponents_cards_are_hidden_until_the_showdown(tmp_path: Path) -> None:
    options = Options(opponents=2, stakes=Stakes.ANTE, credit=100)
    async with dealt(tmp_path, options, THREE) as pilot:
        shown = await text_after(pilot, "space")
        assert "Ada algorithm" in shown
        assert "Blaise algorithm" in shown
        assert "Q♦" not in shown
        shown = await text_after(pilot, "3", "4", "5", "space")
        assert "You win 15 with a full house, aces over kings." in message_text(pilot.app)
        assert "WIN" in shown
        assert "Q♦" in shown  # Ada's cards are face up now
        assert set(arts(pilot)) == {Art.WINNING}


async def test_hints_show_only_keys_of_possible_bets(tmp_path: Path) -> None:
    options = Options(opponents=2, credit=100)
    async with dealt(tmp_path, options, THREE) as pilot:
        assert await message_after(pilot, "space") == "Check or bet?"
        every = ["space Check", "(r Raise)", "(f Fold)", "b Bet 10", "(1-5 Discard)"]
        assert hints(pilot.app) == every
        for key in ("r", "f"):
            await press(pilot, key)
            assert hint_text(pilot.app) == f"refused {key} nobody has bet yet."
            await press(pilot, "escape")
        await press(pilot, "3")
        assert hint_text(pilot.app) == "refused 3 you can discard only at the draw."
        await press(pilot, "b")
        assert state(pilot).put_in[0] == 15
        while state(pilot).phase is Phase.OPENING:  # somebody raised
            await press(pilot, "c")
        assert state(pilot).phase is Phase.DRAW
        await press(pilot, "b")
        assert hint_text(pilot.app) == "refused b bets are made before the draw and after it."
        await press(pilot, "escape")
        await type_line(pilot, "x 3 4 5")
        await press(pilot, "f")
        if state(pilot).phase is Phase.CLOSING:
            await press(pilot, "escape", "k")
        acts = [kind for kind, *_ in logged_actions(tmp_path)]
        assert acts[:2] == ["Play", "Bet"]
        await leave(pilot)


async def test_standing_pat_directly_after_a_refused_letter_asks_once(tmp_path: Path) -> None:
    async with dealt(tmp_path) as pilot:
        await press(pilot, "space", "z")
        assert hint_text(pilot.app).startswith("refused")
        table(pilot.app).line._stray.replace("", 0)  # as after a pause
        await press(pilot, "space")
        assert state(pilot).phase is Phase.DRAW
        assert message_text(pilot.app).endswith("Stand pat? Again: do it")
        await press(pilot, "space")
        assert state(pilot).phase is Phase.REST


async def test_prompt_of_a_folded_player_says_so(tmp_path: Path) -> None:
    """A refused key may ask for the next choice while the others still draw."""
    async with dealt(tmp_path, Options(opponents=2, credit=100), THREE) as pilot:
        view = table(pilot.app).view
        hands = ((), *view.seen.hands[1:])
        gone = replace(view.seen, hands=hands, folded=(0,))
        for phase in (Phase.OPENING, Phase.DRAW, Phase.CLOSING):
            assert view.prompt(replace(gone, phase=phase)) == "You have folded."


async def test_bets_before_the_draw_are_removed_from_the_table_at_the_draw(tmp_path: Path) -> None:
    async with dealt(tmp_path, Options(opponents=2, credit=100), THREE) as pilot:
        view = table(pilot.app).view
        view.apply_event(Acted(1, "call", 10))
        view.apply_event(Acted(2, "bet", 10))
        assert view.bets == {1: SeatBet("calls", 10), 2: SeatBet("bets", 10)}
        view.apply_event(Acted(1, "raise", 20))
        assert view.bets[1] == SeatBet("raises to", 30)
        view.apply_event(DrawAsked(1, ()))
        assert view.bets == {}


RAISED = parse_hand("KD AC 9H AD 7S AS 5C 8D 3D 2S QC QD QH QS JC JD JH JS")
"""Cards that give Ada three of a kind, with which she raises."""


async def test_raise_is_offered_until_the_limit_of_raises(tmp_path: Path) -> None:
    async with dealt(tmp_path, Options(opponents=1), RAISED) as pilot:
        assert await message_after(pilot, "space", "b") == "Call 10 into 40: you need 20%"
        assert hints(pilot.app)[:3] == ["space Call 10", "r Raise to 30", "f Fold"]
        assert "raises to 20" in text(pilot.app)
        await press(pilot, "k")
        assert hint_text(pilot.app) == "refused k there is already a bet of 20."
        await press(pilot, "escape", "r")
        assert message_text(pilot.app) == "Call 10 into 80: you need 11%", "she has raised again"
        assert "(r Raise)" in hints(pilot.app)
        await press(pilot, "r")
        assert hint_text(pilot.app) == "refused r there can be only three raises."
        await press(pilot, "escape", "space")
        assert state(pilot).put_in == (45, 45)


@pytest.mark.parametrize("pace", PACES)
async def test_invalid_typed_bet_never_calls_the_bet_to_match(pace: str, tmp_path: Path) -> None:
    """``b 5`` is refused completely if a bet has to be called; Escape only clears the refusal."""
    async with dealt(tmp_path, Options(opponents=1), RAISED) as pilot:
        await press(pilot, "space", "b")
        assert hints(pilot.app)[0] == "space Call 10"
        typist, line = Typist(pilot), table(pilot.app).line
        before = everything(typist)
        await typist.type("b 5", PACES[pace])
        assert (line.value, everything(typist)) == ("", before)
        assert hint_text(pilot.app).startswith("refused b")
        await press(pilot, "enter", "enter")
        assert everything(typist) == before
        assert hint_text(pilot.app).startswith("refused b")
        await press(pilot, "escape")
        assert everything(typist) == before
        assert line.current_message is None


async def test_draw_player_with_less_than_the_bet_can_go_all_in(tmp_path: Path) -> None:
    async with dealt(tmp_path, Options(opponents=1), RAISED) as pilot:
        await press(pilot, "space", "b")
        view = table(pilot.app).view
        view.seen = replace(view.seen, stacks=(3, 375))
        view.present(view.seen)
        view.show_prompt(view.seen)
        view.request(ViewChanged())
        pilot.app.screen.refresh_bindings()
        await settle(pilot)
        assert message_text(pilot.app) == "All-in 3 into 33: you need 8%"  # 3 of 18 from each
        assert hints(pilot.app)[:2] == ["space All-in 3", "(r Raise)"]
        assert "TO CALL 3" in text(pilot.app)


async def test_draw_table_without_bets_has_no_bet_keys(tmp_path: Path) -> None:
    async with dealt(tmp_path) as pilot:
        assert not any("Raise" in hint for hint in hints(pilot.app))
        await press(pilot, "f")
        assert "refused f" in hint_text(pilot.app)
        assert "TO CALL" not in text(pilot.app)
    async with dealt(tmp_path / "limit", Options(opponents=1)) as pilot:
        assert "(r Raise)" in hints(pilot.app)
        assert "TO CALL 0" in text(pilot.app)


# ---- the trainer ---------------------------------------------------------------------------------


async def test_draw_trainer_shows_winning_chance_and_ev_of_actions(tmp_path: Path) -> None:
    async with dealt(tmp_path, Options(opponents=1), RAISED) as pilot:
        assert "in credits" not in await text_after(pilot, "space", "b")
        await press(pilot, "t")
        await settle(pilot)
        advice = not_none(table(pilot.app).view.trainer_data)
        coach = not_none(advice.limit_advice)
        wins = f"you win {100 * coach.win_chance:.0f}%"
        told = f"Call 10 into 40: you need 20%, {wins}"
        assert message_text(pilot.app) == f"{told}  Best, but close: you bet"
        assert "in credits" in text(pilot.app)
        for choice in coach.choices:
            assert f"{abs(choice.value):.2f}" in text(pilot.app)
        assert await message_after(pilot, "t") == "Call 10 into 40: you need 20%"
        assert "in credits" not in text(pilot.app)


async def test_trainer_shows_the_ev_of_a_call_after_its_price(tmp_path: Path) -> None:
    async with dealt(tmp_path, Options(opponents=1), RAISED, size=(132, 43)) as pilot:
        await press(pilot, "space", "b", "t")
        await settle(pilot)
        coach = table(pilot.app).view.trainer_data.limit_advice
        call = coach.choice_for(Call())
        assert coach.best.action == Fold(), "else it could be the worth of the best choice"
        assert hints(pilot.app)[:2] == ["f Fold", "space Call 10"]
        assert coach.best.value != call.value
        ev = signed_ev(Fraction(call.value))
        assert message_text(pilot.app).endswith(f"  EV {ev} credits  Best, but close: you bet")


@pytest.mark.parametrize("size", [(40, 15), (60, 20)], ids=size_id)
async def test_small_draw_window_names_the_best_choice_in_the_message(
    size: tuple[int, int], tmp_path: Path
) -> None:
    async with dealt(tmp_path, Options(opponents=1), RAISED, size=size) as pilot:
        await press(pilot, "space", "b", "t")
        await settle(pilot)
        coach = table(pilot.app).view.trainer_data.limit_advice
        ev = signed_ev(Fraction(coach.best.value))
        assert message_text(pilot.app).partition("  ")[0] == f"Best: fold, EV {ev}"
        await press_until(pilot, lambda: table(pilot.app).evaluator.warned, "c")
        await press_until(pilot, lambda: message_text(pilot.app).startswith("Best: discard"), "c")
        coach = table(pilot.app).view.trainer_data.limit_advice
        worst = coach.choices[-1]
        await press(pilot, *map(str, worst.action.positions))
        cost = rounded_cost(coach.best.value, worst.value)
        assert message_text(pilot.app).endswith(f"; yours costs {cost:.2f}")


async def test_trainer_list_contains_the_choice_of_the_space_key(tmp_path: Path) -> None:
    async with dealt(tmp_path, Options(opponents=1), RAISED) as pilot:
        await press_until(pilot, lambda: " pat " in text(pilot.app), "space", "b", "c", "t")
        coach = table(pilot.app).view.trainer_data.limit_advice
        assert hints(pilot.app)[0] == "space Stand pat"
        pat = signed_ev(Fraction(coach.choice_for(Discard(())).value))
        assert re.search(rf"\bpat +{re.escape(pat)}", text(pilot.app))


async def test_trainer_list_stays_with_your_choice_until_the_next_hand(tmp_path: Path) -> None:
    async with dealt(tmp_path, ANTE, size=(132, 43)) as pilot:
        await press_until(pilot, lambda: "BEST DISCARDS" in text(pilot.app), "t", "space")
        first = card_symbols(state(pilot).hands[0][:1])
        await press(pilot, "1", "space", "space")  # the first time warns
        await settle(pilot)
        assert state(pilot).phase is Phase.REST
        choices = table(pilot.app).view.choice_list
        assert (choices.lit.name, choices.lit.label) == (first, "yours")
        assert f"{first} yours" in text(pilot.app)
        assert "BEST DISCARDS" not in await text_after(pilot, "t")


async def test_gto_chart_opens_only_with_the_trainer_and_shows_the_cards(
    tmp_path: Path,
) -> None:
    async with dealt(tmp_path, Options(opponents=1), RAISED) as pilot:
        await press(pilot, "space", "b", "C")
        off = "refused C the trainer is off: t switches it on."
        assert hint_text(pilot.app) == off
        await press(pilot, "enter")
        assert state(pilot).put_in == (15, 25), "the letter did not begin a typed call"
        await press_until(pilot, lambda: isinstance(pilot.app.screen, OddsWindow), "t", "C")
        window, shown = pilot.app.screen.query_one(".window"), text(pilot.app)
        assert "Before the draw, facing a raise" in shown
        (marked,) = (line for line in shown.split("\n") if "│ > " in line)
        assert f"> {group_of(state(pilot).hands[0], before=True)} " in marked
        assert "%]" in marked
        assert not window.region.overlaps(table(pilot.app).view.card_row.region)
        assert all(group in shown for group in GROUPS), "no group needs scrolling"
        await press(pilot, "C")
        assert pilot.app.screen is table(pilot.app), "its key also closes it"
        await press_until(pilot, lambda: isinstance(pilot.app.screen, OddsWindow), "C")
        await press_until(pilot, lambda: isinstance(pilot.app.screen, LiveTable), "c")
        await until(pilot, lambda: table(pilot.app).evaluator.warned)
        await press_until(pilot, lambda: state(pilot).phase is Phase.DRAW, "c")


async def test_draw_panel_shows_the_gto_chart_only_with_the_trainer(tmp_path: Path) -> None:
    async with dealt(tmp_path, Options(opponents=1), RAISED, size=(132, 43)) as pilot:
        await press(pilot, "space", "b")
        await settle(pilot)
        assert "GTO CHART" not in text(pilot.app)
        await press_until(pilot, lambda: "GTO CHART" in text(pilot.app), "t")
        shown = text(pilot.app)
        assert "fold  call raise" in shown
        assert "AA or KK" in shown


async def test_draw_table_without_betting_has_no_gto_chart(tmp_path: Path) -> None:
    async with dealt(tmp_path) as pilot:
        await press(pilot, "t", "space", "C")
        reason = "refused C this table has no betting, so it has no GTO chart."
        await until(pilot, lambda: hint_text(pilot.app) == reason)


async def test_draw_odds_page_has_gto_charts_only_at_tables_with_bets(tmp_path: Path) -> None:
    for folder, options in (("ante", ANTE), ("limit", Options(opponents=2))):
        async with dealt(tmp_path / folder, options, THREE, size=(80, 60)) as pilot:
            await press_until(pilot, lambda: isinstance(pilot.app.screen, TextPage), "O")
            await settle(pilot)
            shown = text(pilot.app)
            at_limit = folder == "limit"
            assert ("The GTO level before the draw, two players" in shown) == at_limit
            assert ("Against 2 opponents this is only roughly right." in shown) == at_limit
            assert ("After a draw by the classic algorithm" in shown) == (not at_limit)


async def test_trainer_lists_the_best_discards_and_the_marked_one(tmp_path: Path) -> None:
    async with dealt(tmp_path) as pilot:
        await press(pilot, "t", "space")
        await settle(pilot)
        shown, hand = text(pilot.app), state(pilot).hands[0]
        assert "DRAW" in shown
        assert card_symbols(hand[2:]) in shown
        marked = card_symbols((hand[0], hand[2]))
        assert marked not in shown
        assert marked in await text_after(pilot, "1", "3"), "the marked one, too"
        assert message_text(pilot.app) == "You have a pair of aces. Discard which cards?"


async def test_update_of_the_price_of_a_call_keeps_other_messages(tmp_path: Path) -> None:
    """The price is updated when the chance is known, but other messages are not overwritten."""
    async with dealt(tmp_path, Options(opponents=1), RAISED) as pilot:
        await press(pilot, "space", "b")
        view = table(pilot.app).view
        await strike(pilot, "t")
        view.say("Your stack is 5")
        await settle(pilot)
        assert view.trainer_data is not None
        assert message_text(pilot.app) == "Your stack is 5  Best, but close: you bet"


async def test_o_at_a_draw_table_without_panel_opens_an_odds_page(tmp_path: Path) -> None:
    async with dealt(tmp_path) as pilot:
        await press(pilot, "o")
        await until(pilot, lambda: message_text(pilot.app) == "There is no hand to analyse now.")
        await press_until(pilot, lambda: isinstance(pilot.app.screen, TextPage), "space", "2", "o")
        await settle(pilot)
        shown = text(pilot.app)
        assert "You win" in shown
        assert "Best: discard 8♦ 4♣ 2♠" in shown
        await press(pilot, "escape")
        assert message_text(pilot.app) == "You have a pair of aces. Discard which cards?"


async def test_escape_cancels_slow_draw_advice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Escape asks for no bet here; that is left for the next time."""
    asked, decided = Event(), Event()

    def slow(view: State, seat: int) -> None:
        asked.set()
        decided.wait(PATIENCE)

    async with dealt(tmp_path) as pilot:
        await press(pilot, "space")
        monkeypatch.setattr(adviser, "advise", slow)
        for key in ("o", "a"):
            asked.clear()
            decided.clear()
            await strike_until(pilot, key, asked.is_set)
            assert message_text(pilot.app) == "Your hand is being analysed"
            await strike(pilot, "escape")
            assert message_text(pilot.app) == "You have a pair of aces. Discard which cards?"
            assert not isinstance(pilot.app.screen, ConfirmationDialog)
            decided.set()
            await settle(pilot)
            assert message_text(pilot.app) == "You have a pair of aces. Discard which cards?", (
                "nobody waits"
            )
        assert isinstance(await screen_after(pilot, "escape"), ConfirmationDialog)


@pytest.mark.parametrize("size", [(80, 24), (132, 43), (60, 20), (46, 16)], ids=size_id)
async def test_draw_table_names_all_opponents_at_every_size(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    options = Options(opponents=3, stakes=Stakes.LIMIT, credit=100)

    async with dealt(tmp_path, options, PACK, size=size) as pilot:
        shown = await text_after(pilot, "space")
        for name in ("Ada", "Blaise", "Carl"):
            assert name in shown
        assert ("YOUR HAND" in shown) == (size[0] >= 80)
        if size == (132, 43):
            assert "THIS HAND" in shown
            assert "THIS HAND" in shown
            await press(pilot, "t")
            await settle(pilot)
            assert "wins against all" in text(pilot.app)


async def test_money_of_a_five_card_draw_session_adds_up_in_the_ledger(tmp_path: Path) -> None:
    house = with_purse(tmp_path)
    async with at_table(house, game="3") as pilot:
        for _ in range(3):
            await press(pilot, "space", "space")
        assert state(pilot).played == 3
        await press(pilot, "escape")
        assert "this session" in str(pilot.app.screen.query_one(".window").border_title)
        assert isinstance(await screen_after(pilot, "escape"), Menu)
    check_books(house)


async def test_f4_changes_the_draw_table_and_asks_how_opponents_play(tmp_path: Path) -> None:
    house = with_purse(tmp_path)
    async with at_table(house, game="3") as pilot:
        await press(pilot, "f4", "home", "down", "down", "down", "enter")
        assert "How they play" in text(pilot.app)
        await press(pilot, "down", "down", "enter")
        assert state(pilot).options.stakes is Stakes.LIMIT
        assert state(pilot).options.opponents == 1
        assert "Ada tight" in text(pilot.app)
        assert re.search(r"limit 10 and 20, 1 opponent +current", await text_after(pilot, "f4"))
        await press(pilot, "enter")
        assert re.search(r"Tight: .* current", text(pilot.app)), "that is how they play"
        await press(pilot, "escape", "escape")
    check_books(house)


async def test_classic_table_asks_for_the_opponents_each_time(tmp_path: Path) -> None:
    """All opponents play the course's algorithm, and each shown hand has the course's name."""
    seating = TableSetup(
        Options(opponents=3, stakes=Stakes.NOTHING),
        FixedShoe(TWO),
        practice=True,
        variants_of="course",
    )
    app = arcade(with_purse(tmp_path), game="five-card-draw", seating=seating)
    async with run_app(app, 80, 24) as pilot:
        await until(pilot, lambda: isinstance(app.screen, ChoiceDialog))
        assert "How many opponents?" in text(app)
        assert "here" not in text(app), "nobody sits anywhere yet"
        assert "1 2 3 choose, Esc closes" in await text_after(pilot, "4")
        await press_until(pilot, lambda: isinstance(app.screen, LiveTable), "1")
        assert {*table(app).view.info.players.values()} == {None, "algorithm"}
        await press(pilot, "space")
        assert message_text(app) == ACE_RULE
        await press(pilot, "3", "4", "5", "space")
        assert "You win with Full House, queens over aces." in message_text(app)
        for words in ("One Pair, jacks", "Full House,", "queens over"):
            assert words in text(app)
        assert "How many opponents?" in await text_after(pilot, "f4", "end", "enter")
        await press(pilot, "2")
        assert len(state(pilot).options.seats) == 3
        await press_until(pilot, lambda: isinstance(app.screen, Menu), "escape")
        assert "How many opponents?" in await text_after(pilot, key_of("five-card-draw"))
        assert isinstance(await screen_after(pilot, "escape"), Menu)


async def said_at(
    folder: Path, monkeypatch: pytest.MonkeyPatch, stakes: Stakes, opponents: int
) -> tuple[list[str], list[str]]:
    """Return the messages of a hand without a discard, and the notices on leaving."""
    heard: list[str] = []
    say = FiveCardDrawView.say

    def listen(view: FiveCardDrawView, text: str, kind: str = "", shorter: Any = ()) -> None:
        say(view, text, kind, shorter)
        heard.append(text)

    monkeypatch.setattr(FiveCardDrawView, "say", listen)
    options = Options(opponents=opponents, stakes=stakes, credit=100)
    async with dealt(folder, options, PACK) as pilot:
        await press(pilot, "space", "space")
        assert state(pilot).phase is Phase.REST
        await leave(pilot)
        return heard, notes(pilot.app)


@pytest.mark.parametrize("opponents", [1, 2, 3], ids=labelled("{} opponents"))
async def test_classic_table_says_the_messages_of_the_course_on_the_screen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, opponents: int
) -> None:
    heard, last = await said_at(tmp_path, monkeypatch, Stakes.NOTHING, opponents)
    dealing = f"The cards are being dealt to {opponents + 1} players."
    assert f"The deck is being shuffled. {dealing}" in heard
    questions = [text for text in heard if "Discard which cards?" in text]
    assert questions
    assert all(text.startswith(ACE_RULE) for text in questions)
    for number in range(1, opponents + 1):
        pattern = rf"Computer Player {number} has discarded (no|\d) cards?\."
        assert any(re.fullmatch(pattern, text) for text in heard), number
    assert "Thank you for playing five-card draw." in last[-1]


async def test_table_with_stakes_keeps_its_names_and_short_messages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard, last = await said_at(tmp_path, monkeypatch, Stakes.ANTE, 3)
    assert any(text.startswith("Ada ") for text in heard)
    for words in ("Computer Player", "shuffled", ACE_RULE, "Thank you"):
        assert words not in "\n".join((*heard, *last))


@pytest.mark.parametrize("size", [(80, 24), (132, 43), (200, 50), (60, 20), (46, 16)], ids=size_id)
async def test_classic_table_names_computer_players_apart_at_every_size(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    async with dealt(
        tmp_path, Options(opponents=3, stakes=Stakes.NOTHING), size=size, cards=PACK
    ) as pilot:
        shown = await text_after(pilot, "space")
        for number in range(1, 4):
            assert re.search(rf"(Computer Player|Player|…) {number}\b", shown), number


async def test_draw_screen_is_restored_after_the_window_was_small(tmp_path: Path) -> None:
    async with dealt(tmp_path) as pilot:
        seen = await text_after(pilot, "space")
        await resize(pilot, 60, 20)
        await settle(pilot)
        await resize(pilot, 80, 24)
        await settle(pilot)
        assert text(pilot.app) == seen


async def test_cards_cannot_be_marked_while_an_opponent_thinks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    thinks, decided = Event(), Event()

    def slow(hand: Hand) -> tuple[int, ...]:
        thinks.set()
        decided.wait(PATIENCE)
        return ()

    monkeypatch.setattr(players, "ALGORITHM", replace(players.ALGORITHM, discards=slow))
    async with dealt(tmp_path) as pilot:
        await press(pilot, "space")
        await strike_until(pilot, "space", thinks.is_set)
        try:
            await settle(pilot, workers=False)
            assert "[1]" not in text(pilot.app)
            await strike(pilot, "1")
            await strike(pilot, "space")
            assert not table(pilot.app).view.selection
        finally:
            decided.set()
        await settle(pilot)
        assert state(pilot).phase is Phase.REST
        await press(pilot, "escape")
    assert logged_actions(tmp_path) == [["Play"], ["Discard", []]]


def test_prompt_of_a_practice_position_asks_for_the_action() -> None:
    players = {Seat(seat): None for seat in range(2)}
    options = Options(opponents=1, stakes=Stakes.LIMIT)
    at = Table(game, options, ShuffledShoe(), SeededSource(3), players)
    at.run()
    at.submit(Seat(0), Play())
    at.run()
    first, second = (Seat(seat) for seat in at.state.alive)
    source, shoe = SourceSpec("committed", "0" * 64), CroupierSpec("shuffled")
    asks: tuple[tuple[Seat, str, Action], ...] = (
        (first, "Check or bet?", Bet()),
        (second, "Call 10, raise to 20 or fold? The pot is 20: you need 33%", Call()),
    )
    for seat, asked, action in asks:
        info = TableInfo(DEFINITION, options, seat, {}, source, shoe)
        view = FiveCardDrawView(info, at.view(seat), DEFINITION.tally(seat))
        view.guesses = True
        assert view.prompt(view.seen) == asked
        at.submit(seat, action)
        at.run()


def test_windows_call_a_discard_of_no_cards_what_the_table_calls_it() -> None:
    named = {
        ("five-card-draw", "x"): "stand pat",
        ("five-card-draw", "x 9D 7H"): "discard 9♦ 7♥",
        ("video-poker", "h"): "hold nothing",
        ("video-poker", "h AS"): "hold A♠",
    }
    for (slug, command), words in named.items():
        assert describe_command(DEFINITIONS[slug], command) == words
