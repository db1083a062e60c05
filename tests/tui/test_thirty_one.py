"""Hit Me played as a player plays it: by keys, by typed commands, with the mouse."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from textual.events import Key
from textual.pilot import Pilot
from textual.widgets import Input

from tests.helpers.arcade_pilot import (
    arcade,
    at_table,
    clear_notices,
    leave,
    lines,
    logged_actions,
    message_after,
    message_text,
    practice,
    press,
    press_until,
    run_app,
    screen_after,
    settle,
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
from tests.helpers.narrow import instance_of, not_none
from tests.helpers.parameter_ids import labelled, size_id, value_id
from tui_casino.cards.card import parse_hand
from tui_casino.engine.croupier import FixedShoe
from tui_casino.gamekit.table_catalog import TableSetup
from tui_casino.games.thirty_one.brains.dealer_simulation import run_battle
from tui_casino.games.thirty_one.face.battle_screen import BattleScreen
from tui_casino.games.thirty_one.face.lab_screen import LabScreen
from tui_casino.games.thirty_one.face.odds_report import battle_figures, battle_report
from tui_casino.games.thirty_one.face.table_catalog import TABLES
from tui_casino.games.thirty_one.machine.rules import Odds, Rules
from tui_casino.games.thirty_one.machine.state import Options, Phase
from tui_casino.house.sitting import House
from tui_casino.records.codec import encode
from tui_casino.structs import replace
from tui_casino.tui.menu.screen import Menu
from tui_casino.tui.modals import ConfirmationDialog, InputDialog, TextPage
from tui_casino.tui.table.statistics_screen import StatisticsScreen
from tui_casino.tui.widgets.hint_line import HintMessage

ENOUGH = " 2C" * 30


@asynccontextmanager
async def at_31(house: House, seed: int = 1, **more: Any) -> AsyncIterator[Pilot[None]]:
    async with at_table(house, seed, game="4", **more) as pilot:
        yield pilot


@asynccontextmanager
async def dealt(
    folder: Path, cards: str, rules: Rules | None = None, width: int = 80, height: int = 24
) -> AsyncIterator[Pilot[None]]:
    """Sit down at a table with these cards: the player's first, then the dealer's."""
    options = Options(rules or Rules())
    seating = TableSetup(options, FixedShoe(parse_hand(cards + ENOUGH)), practice=True)
    app = arcade(practice(folder), game="thirty-one", seating=seating)
    async with run_app(app, width, height) as pilot:
        yield pilot


async def play_out(pilot: Pilot[None]) -> None:
    """Stand until the round is over, without insurance."""
    while state(pilot).phase is not Phase.BET:
        await press(pilot, "n" if state(pilot).phase is Phase.INSURANCE else "s")


async def test_keys_at_the_hit_me_table_set_the_bet_and_play_the_round_to_its_end(
    house: House,
) -> None:
    async with at_31(house) as pilot:
        assert "CREDIT 1,000.00   BET 20.00   LAST ROUND –" in text(pilot.app)
        assert "BET 70.00" in await text_after(pilot, "2", "right", "plus")
        assert "BET 60.00" in await text_after(pilot, "left")
        assert "CREDIT 940.00   BET 60.00" in await text_after(pilot, "space")
        await play_out(pilot)
        assert ("you win 60.00" in message_text(pilot.app)) != (
            "you lose 60.00" in message_text(pilot.app)
        )
        await leave(pilot)
    assert logged_actions(house)[0] == ["Bet", 60]
    assert logged_actions(house)[-1] == ["Stand"]


async def test_typed_commands_at_the_hit_me_table_play_rounds_to_their_end(house: House) -> None:
    async with at_31(house) as pilot:
        await type_line(pilot, "b 20.5")
        assert refused(pilot) == ("b", "bet whole dollars from 20 to 200, such as b 50")
        await type_line(pilot, "b 50")
        assert await message_after(pilot, "dollar_sign") == "Your credit is 950.00, 50.00 at stake"
        await type_line(pilot, ":h")
        await play_out(pilot)
        await type_line(pilot, ":stats")
        assert isinstance(pilot.app.screen, StatisticsScreen)
        assert isinstance(await screen_after(pilot, "escape", "f2"), StatisticsScreen)
        await press(pilot, "escape")
        await type_line(pilot, "b")
        assert state(pilot).staked == 5_000
        await play_out(pilot)
        await leave(pilot)
    assert [act for act in logged_actions(house) if act[0] == "Bet"] == [["Bet", 50], ["Bet", 50]]


def place_of(pilot: Pilot[None], words: str) -> tuple[int, int]:
    """Find words on the screen; return the column and the row where they begin."""
    for y, line in enumerate(lines(pilot.app)):
        if words in line:
            return line.index(words), y
    raise AssertionError(f"{words} stands nowhere")


async def click_on(pilot: Pilot[None], words: str) -> None:
    """Click on some words."""
    await pilot.click(offset=place_of(pilot, words))
    await settle(pilot)


def refused(pilot: Pilot[None]) -> tuple[str, str]:
    """Return what the hint line refuses, and the reason."""
    line = table(pilot.app).line
    message = not_none(line.meaning if line.value else line.current_message)
    assert message.mark == "refused"
    return message.word, message.text


def hint_message(pilot: Pilot[None]) -> tuple[str, str]:
    """Return what the hint line reports about a completed action."""
    what = not_none(table(pilot.app).line.current_message)
    assert what.mark == "told"
    return what.word, what.text


def hint(pilot: Pilot[None]) -> str:
    """Return the first hint of the hint line."""
    first = table(pilot.app).line.hints[0]
    return f"{first.display} {first.words}"


async def test_clicks_at_the_hit_me_table_bet_insure_hit_split_and_stand(tmp_path: Path) -> None:
    async with dealt(tmp_path, "8C AD 8H 2S 3S KD TD TS") as pilot:
        await click_on(pilot, "3  100")
        assert "BET 100.00" in text(pilot.app)
        await press(pilot, "space")
        await click_on(pilot, "Insure for 100.00")
        assert state(pilot).insurance == 10_000
        await click_on(pilot, "Hit   ")
        await click_on(pilot, "Split for")
        assert len(state(pilot).hands) == 2
        await click_on(pilot, "Double for")
        assert state(pilot).hands[0].bet == 20_000
        await click_on(pilot, "p Split")  # greyed out, so it only gives the reason
        assert refused(pilot) == ("p", "you can have at most 2 hands")
        assert not typing(pilot.app)
        assert len(state(pilot).hands) == 2
        await press(pilot, "t")
        for _ in range(2):  # the first click warns
            await click_on(pilot, "s Stand")
        assert state(pilot).phase is Phase.BET


@pytest.mark.parametrize("width", [80, 40], ids=labelled("{} columns"))
async def test_hit_me_offer_to_stand_on_14_is_shown_with_its_meaning(
    tmp_path: Path, width: int
) -> None:
    async with dealt(tmp_path, "9C TD 2H 3S KD TS", width=width) as pilot:
        assert "STAND ON 14" not in await text_after(pilot, "space", "h")
        assert hint(pilot) == "space Hit"
        await press(pilot, "h")  # 9, 2 and 3
        assert "STAND ON 14" in text(pilot.app)
        assert "only a 31 beats it" in text(pilot.app)
        assert message_text(pilot.app) == "14! Stand, or hit?"
        assert hint(pilot) == "space Stand on 14"
        assert await message_after(pilot, "space") == "★ Your 14 wins: you win 20.00 ★"
        assert "STAND ON 14" not in text(pilot.app)


async def test_hit_me_offer_to_stand_on_14_ends_after_another_hit(tmp_path: Path) -> None:
    async with dealt(tmp_path, "9C TD 5H 3S") as pilot:
        assert "STAND ON 14" not in await text_after(pilot, "space", "h", "h")
        assert "YOU  hard 17" in text(pilot.app)
        assert hint(pilot) == "space Hit"


async def test_hit_me_insurance_is_asked_before_the_first_move(tmp_path: Path) -> None:
    async with dealt(tmp_path, "9C AD TS KD", Rules(insurance=Odds(43, 10))) as pilot:
        await press(pilot, "2", "space")
        assert message_text(pilot.app) == "Insurance? It pays 43:10; fair odds 4.3:1"
        hints = table(pilot.app).line.hints
        assert [(h.display, h.words) for h in hints[:2]] == [
            ("space", "No insurance"),
            ("i", "Insure for 50.00"),
        ]
        assert hint(pilot) == "space No insurance", "the key in gold is never the costly answer"
        await press(pilot, "h")
        assert refused(pilot) == ("h", "answer the insurance first: i for yes, n for no")
        await press(pilot, "escape")
        assert state(pilot).phase is Phase.INSURANCE
        assert "DEALER  soft 11  insured 50.00" in await text_after(pilot, "i")
        assert await message_after(pilot, "s") == "★ In total you win 165.00 ★"


async def test_space_declines_insurance(tmp_path: Path) -> None:
    async with dealt(tmp_path, "9C AD TS KD", Rules(insurance=Odds(43, 10))) as pilot:
        await press(pilot, "2", "space", "space")
        assert state(pilot).phase is not Phase.INSURANCE
        assert not state(pilot).insurance


@pytest.mark.parametrize(
    ("odds", "leads"),
    [(Odds(4), "space No insurance"), (Odds(6), "i Insure for 20.00")],
    ids=value_id,
)
async def test_trainer_puts_insurance_first_only_if_it_pays(
    tmp_path: Path, odds: Odds, leads: str
) -> None:
    """The fair odds are 4.3:1."""
    async with dealt(tmp_path, "9C AD TS KD", Rules(insurance=odds)) as pilot:
        await trained(pilot, "t", "space")
        assert state(pilot).phase is Phase.INSURANCE
        assert hint(pilot) == leads


@pytest.mark.parametrize("size", [(80, 24), (132, 43)], ids=size_id)
@pytest.mark.parametrize("up_cards", ["9C AD", "TC AS", "4H AC"], ids=value_id)
async def test_fair_odds_of_insurance_agree_with_the_chance_of_31_beside_them(
    tmp_path: Path, up_cards: str, size: tuple[int, int]
) -> None:
    """Odds of n:1 are fair if the dealer ends on 31 once in n + 1 rounds."""
    async with dealt(tmp_path, f"{up_cards} TS KD", None, *size) as pilot:
        await trained(pilot, "t", "space")
        assert message_text(pilot.app) == "Insurance? It pays 1:1"
        match = re.search(r" fair +(\d\.\d):1", text(pilot.app))
        fair = float(not_none(match)[1])
        finals = not_none(table(pilot.app).view.trainer_data).dealer_finals
        shown = not_none(re.search(r" 31 +(\d+\.\d)%", text(pilot.app)))
        assert shown[1] == f"{100 * finals[31]:.1f}"
        low, high = (100 / (1 + fair + half) for half in (0.05, -0.05))
        assert low - 0.05 <= float(shown[1]) <= high + 0.05
        await press(pilot, "t")
        assert "fair odds 4.3:1" in message_text(pilot.app), "of an infinite shoe"


async def test_wide_hit_me_window_states_the_insurance_result_separately(tmp_path: Path) -> None:
    async with dealt(tmp_path, "9C AD TS KD", Rules(insurance=Odds(43, 10)), 132, 43) as pilot:
        await press(pilot, "2", "space", "i", "s")
        expected = "9 against 31: you lose 50.00; insurance: you win 215.00"
        assert message_text(pilot.app) == f"★ {expected} ★"


async def test_inactive_hit_me_split_hand_is_shown_on_one_line(tmp_path: Path) -> None:
    async with dealt(tmp_path, "8C TD 8H 2S 3S KD 9D 7D") as pilot:
        assert "HAND 1  hard 10   bet 20.00" in await text_after(pilot, "space", "h", "p")
        assert re.search(r"HAND 2 ┊8♥  ┊3♠ +11 20.00", text(pilot.app))
        assert message_text(pilot.app) == "Hand 1: hard 10 against 10?"
        await press(pilot, "h", "s")
        assert re.search(r"HAND 1 ┊8♣  ┊2♠  ┊K♦ +20 stands 20.00", text(pilot.app))
        assert "HAND 2  hard 11   bet 20.00" in text(pilot.app)
        assert re.search("20 to 28 −20.00 +11 to 28 −20.00", await text_after(pilot, "s"))
        assert message_text(pilot.app) == "All hands together: you lose 40.00"


async def test_hit_me_message_and_hand_title_show_the_result_of_a_round(tmp_path: Path) -> None:
    rounds = {
        "9C TD KH TS 5C": ("hhh", "Bust with 34: you lose 20.00", "34, bust  loses 20.00"),
        "9C TD 4D": ("s", "The dealer has 14: you lose 20.00", "hard 9  loses 20.00"),
        "9C TD KH TS KD 9S": ("hhs", "29 each: a push", "hard 29  push"),
        "9H TD KD 6S 6D": ("s", "★ Dealer is bust: you win 20.00 ★", "★ wins 20.00"),
    }
    async with dealt(tmp_path, " ".join(rounds)) as pilot:
        for keys, result, title in rounds.values():
            assert await message_after(pilot, "space") == "Hard 9 against 10: hit, stand or double?"
            assert await message_after(pilot, *keys) == result
            assert title in text(pilot.app)
            assert "1   20" in text(pilot.app)


async def test_repeating_a_hit_me_bet_above_the_credit_is_refused(tmp_path: Path) -> None:
    cards = "9C TD KH 7S " * 5
    async with dealt(tmp_path, cards) as pilot:
        await press(pilot, "5", *["space", "s"] * 4)
        await type_line(pilot, "b 150")
        await press(pilot, "s")
        assert state(pilot).credit == 5_000
        assert hint(pilot) == "1-5 Bet"
        await press(pilot, "space")
        assert refused(pilot) == ("space", "your credit is 50.00.")
        await press(pilot, "3")
        assert hint_message(pilot) == ("Bet 50.00:", "your credit does not cover more.")
        assert "BET 50.00" in text(pilot.app)
        assert hint(pilot) == "space Bet 50.00"


async def test_hit_me_refuses_bets_beyond_the_limits_and_moves_before_a_bet(tmp_path: Path) -> None:
    async with dealt(tmp_path, "9C TD 5H") as pilot:
        await press(pilot, "5", "right")
        assert hint_message(pilot) == ("Bet 200.00:", "the maximum bet is 200.")
        await press(pilot, "1", "left")
        assert hint_message(pilot) == ("Bet 20.00:", "the minimum bet is 20.")
        await press(pilot, "s")
        assert refused(pilot) == ("s", "place a bet first.")


async def test_burst_of_keys_at_the_hit_me_table_acts_in_order(tmp_path: Path) -> None:
    async with dealt(tmp_path, "9C TD 5H") as pilot:
        for key in ("5", "space"):
            pilot.app.post_message(Key(key, key if len(key) == 1 else None))
        await until(pilot, lambda: state(pilot).staked)
        assert state(pilot).staked == 20_000


async def test_credit_is_shown_completely_next_to_the_hit_me_chart(tmp_path: Path) -> None:
    async with dealt(tmp_path, "9C TD 5H") as pilot:
        await press(pilot, "t", "space")
        await type_line(pilot, ":$")
        assert "Your credit is 980.00, 20.00 at stake " in text(pilot.app)


async def test_o_and_a_at_the_hit_me_table_open_odds_and_advice_pages(tmp_path: Path) -> None:
    async with dealt(tmp_path, "9C TD 5H") as pilot:
        await press(pilot, "o")
        await until(pilot, lambda: message_text(pilot.app) == "There is no hand to analyse now.")
        await press(pilot, "a")
        assert refused(pilot) == ("a", "place a bet first, such as b 50")
        await press(pilot, "escape", "space", "h", "o")
        await until(pilot, lambda: isinstance(pilot.app.screen, TextPage), workers=True)
        shown = text(pilot.app)
        assert "Best: stand." in shown
        assert "The dealer's final total" in shown
        assert isinstance(await screen_after(pilot, "escape", "a"), TextPage)
        assert "Best: stand." in text(pilot.app)
        await press(pilot, "escape")


async def test_f4_changes_the_hit_me_rules_between_rounds_only(house: House) -> None:
    async with at_31(house) as pilot:
        await press(pilot, "f4", "down", "enter")
        assert state(pilot).options == Options(Rules(dealer_hits_soft=True))
        assert "The dealer hits a soft 27" in text(pilot.app)
        await press(pilot, "space", "f4")
        assert refused(pilot) == ("F4", "finish this round first.")
        await play_out(pilot)
        await leave(pilot)


async def test_custom_hit_me_rules_are_named_on_the_table(tmp_path: Path) -> None:
    rules = Rules(dealer_hits_soft=True, most_hands=3, insurance=Odds(3))
    async with dealt(tmp_path, "9C AD TS KD", rules) as pilot:
        assert "The dealer hits a soft 27, split to 3 hands" in text(pilot.app)
        assert "dealer draws to 27 and soft 27," in text(pilot.app)
        assert text(pilot.app).count("split to 3 hands") == 2
        assert await message_after(pilot, "space") == "Insurance? It pays 3:1; fair odds 3.9:1"


async def choose_deck(pilot: Pilot[None], path: str) -> None:
    await press(pilot, "f4", *["down"] * (len(TABLES.choices) - 1), "enter")
    assert isinstance(pilot.app.screen, InputDialog)
    pilot.app.screen.query_one(Input).value = path
    await press(pilot, "enter")


async def test_known_cards_from_a_file_do_not_change_the_balance(tmp_path: Path) -> None:
    house = with_purse(tmp_path)
    deck = tmp_path / "deck.txt"
    deck.write_text("10 9 10 11 2 13 12 3 3 3")
    async with at_31(house) as pilot:
        await choose_deck(pilot, str(deck))
        assert "known cards, free play" in text(pilot.app)
        assert house.ledger is not None
        assert house.ledger.balance(house.player) == 100_000
        await press(pilot, "5", "space", "h", "h")  # 10, 10 and a jack
        assert [str(card) for card in state(pilot).hands[0].cards] == ["TC", "TH", "JS"]
        await press(pilot, "s")
        assert state(pilot).credit != 100_000
        await leave(pilot)
        assert house.ledger.balance(house.player) == 100_000


async def test_bad_deck_file_is_refused_at_the_hit_me_table(house: House, tmp_path: Path) -> None:
    deck = tmp_path / "deck.txt"
    deck.write_text("10 9\n14")
    async with at_31(house) as pilot:
        await choose_deck(pilot, str(deck))
        assert "deck.txt:2:1: '14' is not a card" in message_text(pilot.app)
        await choose_deck(pilot, "deck.txt")
        assert message_text(pilot.app).startswith("! deck.txt:2:1: '14' is not a card")
        await press(pilot, "f4", "escape")
        await choose_deck(pilot, "")
        assert "104 cards left" in text(pilot.app)
        await leave(pilot)


async def test_deck_file_is_read_from_the_players_folder(tmp_path: Path) -> None:
    """Two players in one process have different decks, whatever folder the process runs in."""
    for name, cards in (("ann", "10 9 2"), ("bob", "3 3 3")):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "deck.txt").write_text(cards)
        async with at_31(practice(folder)) as pilot:
            await choose_deck(pilot, "deck.txt")
            croupier = instance_of(FixedShoe, table(pilot.app).table.croupier)
            ranks = [card.rank for card in croupier.kind.cards]
            assert ranks == [int(rank) for rank in cards.split()]


async def test_deck_file_is_refused_without_a_folder(house: House, tmp_path: Path) -> None:
    (tmp_path / "deck.txt").write_text("10 9 2")
    async with at_31(replace(house, folder=None)) as pilot:
        await press(pilot, "f4", *["down"] * (len(TABLES.choices) - 1), "enter")
        assert not isinstance(pilot.app.screen, InputDialog)
        assert message_text(pilot.app) == "! there is no folder to read a file from"
        assert "The dealer hits a soft 27" in await text_after(pilot, "f4", "down", "enter")


async def test_hit_me_round_is_void_if_the_known_cards_run_out(tmp_path: Path) -> None:
    seating = TableSetup(Options(), FixedShoe(parse_hand("9C TD 5H")), practice=True)
    async with run_app(arcade(practice(tmp_path), game="thirty-one", seating=seating)) as pilot:
        await press(pilot, "space", "h", "h")
        assert message_text(pilot.app) == "! Over: the cards are used up, and the round is void."
        assert "CREDIT 1,000.00" in text(pilot.app)


async def test_interrupted_hit_me_deal_is_resumed(house: House) -> None:
    async with at_31(house) as pilot:
        with stopped_after(1) as stopped:
            await strike_until(pilot, "space", stopped)
            (first,) = state(pilot).hands[0].cards
            await strike(pilot, "escape")
            await until(pilot, lambda: isinstance(pilot.app.screen, ConfirmationDialog))
            await strike_until(pilot, "y", lambda: isinstance(pilot.app.screen, Menu))
        await press(pilot, "4")
        assert state(pilot).hands[0].cards == (first,)
        assert len(state(pilot).dealer) == 1
        await play_out(pilot)
        await leave(pilot)


@pytest.mark.parametrize("size", [(40, 15), (80, 24)], ids=size_id)
async def test_four_split_hands_fit_at_every_window_size(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    cards = "8C TD 8H 8S 8D 8C 8H 8S 8D"
    async with dealt(tmp_path, cards, Rules(most_hands=4), *size) as pilot:
        await press(pilot, "space", "h", "p", "p", "p")
        assert len(state(pilot).hands) == 4
        for number in range(2, 5):
            assert f"HAND {number}" in text(pilot.app)
        assert all(len(line) == size[0] for line in lines(pilot.app))
        result = await message_after(pilot, "s", "s", "s", "s")
        assert result.endswith("you lose 80.00")
        assert len(result) <= size[0]


async def test_undone_hit_me_mistake_is_not_counted(tmp_path: Path) -> None:
    async with dealt(tmp_path, "7C 9D 7H KS 9C 5D") as pilot:
        await press(pilot, "t", "1", "space", "h")
        assert state(pilot).offers_14
        await press(pilot, "h", "h")
        assert not state(pilot).offers_14
        await until(pilot, lambda: table(pilot.app).view.totals.mistakes == 1)
        await press(pilot, "u")
        assert state(pilot).offers_14
        totals = table(pilot.app).view.totals
        assert (totals.choices, totals.mistakes, totals.cost, totals.costliest) == (1, 0, 0, ())
        assert "Your 14 wins" in await message_after(pilot, "s")
        await until(pilot, lambda: table(pilot.app).view.totals.choices == 2)
        assert table(pilot.app).view.totals.mistakes == 0


# ---- the trainer -----------------------------------------------------------------------------


async def trained(pilot: Pilot[None], *keys: str) -> None:
    """Press keys with the trainer on, and wait for its data."""
    await press_until(pilot, lambda: table(pilot.app).view.analysis.data is not None, *keys)
    await settle(pilot)


def lit(pilot: Pilot[None], words: str) -> str:
    """Return the cell with the gold background in the row of these words."""
    y = place_of(pilot, words)[1]
    gold = table(pilot.app).app.look.palette.gold
    strip = pilot.app.screen._compositor.render_strips()[y]
    cell = [
        text for text, style, _ in strip if style and style.bgcolor and style.bgcolor.name == gold
    ]
    return "".join(cell).strip()


async def test_hit_me_trainer_shows_the_chart_and_the_ev_of_each_choice(tmp_path: Path) -> None:
    async with dealt(tmp_path, "TC 5D 7D 3S") as pilot:
        assert "THE RULES" in await text_after(pilot, "space", "h")
        assert "in credits" not in text(pilot.app)
        await trained(pilot, "t", "h")  # a hard 20 against a five
        shown = text(pilot.app)
        assert "THE RULES" not in shown
        assert re.search(r"in credits +(EV +)?cost", shown)
        assert re.search(r"d Double +\+1.58 +best", shown)  # of 20.00: see the adviser's tests
        assert re.search(r"h Hit +\+0.87 +0.71", shown)
        assert re.search(r"s Stand +−7.98 +9.56", shown)
        assert re.search(r"dealer ends on\s", shown)
        assert lit(pilot, "21  ") == ""
        assert lit(pilot, " 20  ") == "D"
        assert "tens left" not in shown  # there is no room for it and for the lab
        assert hint(pilot) == "d Double for 20.00", "the key in gold is never a mistake"
        await press(pilot, "g")
        assert hint(pilot) == "space Hit", "the player guesses"
        await press(pilot, "g")
        assert hint(pilot) == "d Double for 20.00"
        await press(pilot, "t")
        assert hint(pilot) == "space Hit"
        assert "in credits" not in text(pilot.app)


async def test_c_key_turns_the_hit_me_chart_to_the_pairs(tmp_path: Path) -> None:
    async with dealt(tmp_path, "8C 6D 8D 3S") as pilot:
        await trained(pilot, "t", "space")
        assert lit(pilot, "first card") == "H"
        assert "8-8, 9-9" not in text(pilot.app)
        assert "8-8, 9-9" in await text_after(pilot, "c")
        assert "first card" not in text(pilot.app)
        await press(pilot, "c")
        await trained(pilot, "h")  # a pair: the page of the position
        assert lit(pilot, "8-8, 9-9") == "P"
        assert "first card" in await text_after(pilot, "c")


async def test_guess_first_at_hit_me_hides_the_best_choice_until_the_action(tmp_path: Path) -> None:
    async with dealt(tmp_path, "TC 9D KS KD 8C 8D") as pilot:
        await press(pilot, "g")
        assert refused(pilot) == ("g", "the trainer is off: t switches it on.")
        await press(pilot, "escape")
        await trained(pilot, "t", "g", "space")
        shown = text(pilot.app)
        assert "in credits" not in shown
        assert "dealer ends on" not in shown
        assert "first card     ? ? ? ? ? ? ? ?  ? ?" in shown, "its neighbours tell it"
        assert re.search(r"hard \d+ .* ([HSD] ){7}\?  [HSD] [HSD]", shown)
        await press(pilot, "s")  # on 10 against 9
        assert "first card     H H H H H H H H  H H" in text(pilot.app)
        assert re.search(r"! (You stood: )?−\d+\.\d\d\. Best: hit", message_text(pilot.app))
        await press(pilot, "g", "space")
        await trained(pilot)
        assert "in credits" in text(pilot.app)


async def test_right_guess_at_hit_me_is_confirmed_by_a_message(tmp_path: Path) -> None:
    async with dealt(tmp_path, "TC 9D KS", width=132, height=43) as pilot:
        await trained(pilot, "t", "g", "space")
        assert (await message_after(pilot, "h")).endswith("  Right: you hit")


async def test_hit_me_mistake_is_shown_with_its_cost_and_counted(tmp_path: Path) -> None:
    async with dealt(tmp_path, "KS 9D KD 7C") as pilot:
        await press(pilot, "t", "1", "space", "s", "s")  # standing on 10 against 9
        message = re.search(r" (\S.*)  ! −(\d+\.\d\d)\. Best: hit", message_text(pilot.app))
        assert message is not None
        assert f"MISTAKES 1 cost {message[2]}" in text(pilot.app)
        assert "lose" in message[1]  # the result is shown without another key


async def test_large_hit_me_window_shows_chart_lab_and_shoe(tmp_path: Path) -> None:
    async with dealt(tmp_path, "8C 6D 8D 3S", width=132, height=43) as pilot:
        await trained(pilot, "t", "space", "h")
        await until(pilot, lambda: "now 6.75%" in text(pilot.app), workers=True)
        shown = text(pilot.app)
        for words in ("PERFECT PLAY", "first card", "A-A", "RULES LAB", "this shoe", "pushes"):
            assert words in shown
        assert "cards left   101" in shown
        assert "tens left     32" in shown
        assert "count       +0.5" in shown  # one small card is gone
        assert lit(pilot, "8-8, 9-9") == "P"


async def test_clicks_on_the_hit_me_chart_and_lab_act(tmp_path: Path) -> None:
    async with dealt(tmp_path, "8C 6D 8D 3S", width=132, height=43) as pilot:
        await trained(pilot, "t", "space")
        shown: Any = table(pilot.app).view
        await click_on(pilot, "g guess first")
        assert shown.guesses_first
        usual = shown.bench.lab.rules
        await click_on(pilot, "the dealer hits a soft 27")
        assert shown.bench.lab.rules == replace(usual, dealer_hits_soft=True)


# ---- the lab and the battle ------------------------------------------------------------------


@pytest.mark.prove
async def test_rules_chosen_in_the_lab_can_be_played(house: House) -> None:
    async with at_31(house) as pilot:
        assert isinstance(await screen_after(pilot, "l"), LabScreen)
        await until(pilot, lambda: "house edge 6.75% now 6.75%" in text(pilot.app))
        await press_until(pilot, lambda: "now 7.61%" in text(pilot.app), "space", "down", "space")
        await until(pilot, lambda: "+0.38" in text(pilot.app))  # together more than each by itself
        assert "■ the dealer hits a soft 27" in text(pilot.app)
        assert state(pilot).options.rules == Rules()
        await click_on(pilot, "double only on two cards")
        await until(pilot, lambda: "now 7.23%" in text(pilot.app))
        await press(pilot, "f4")
        assert state(pilot).options.rules == Rules(dealer_hits_soft=True)
        assert "The dealer hits a soft 27" in text(pilot.app)
        await leave(pilot)


async def test_lab_rules_cannot_be_played_during_a_round(tmp_path: Path) -> None:
    async with dealt(tmp_path, "9C TD 5H") as pilot:
        await press(pilot, "space", "l", "space", "f4")
        assert refused(pilot) == ("F4", "finish this round first.")
        assert state(pilot).options.rules == Rules()


async def test_simulation_on_the_screen_equals_that_of_the_command(
    house: House, tmp_path: Path
) -> None:
    async with at_31(house) as pilot:
        await press(pilot, "space", "f6")  # while a bet is at stake
        screen = instance_of(BattleScreen, pilot.app.screen)
        assert "run a simulation first." in await text_after(pilot, "e")
        await press(pilot, "escape", "1", "s", "7", "7", "enter", "space")
        await until(pilot, lambda: screen.last_battle is not None, workers=True)
        expected = run_battle(Rules(), 10_000, seed=77)
        assert screen.last_battle == expected
        shown = text(pilot.app)
        for figure in battle_figures(expected, Rules()):
            assert re.search(f"{re.escape(figure.label)} .*{100 * abs(figure.share):.4f}%", shown)
        assert "10,000 rounds: house edge" in shown
        assert "seed 77" in shown
        await press(pilot, "e")
        report = json.loads((tmp_path / "thirty-one-battle.json").read_text())
        assert report == json.loads(encode(battle_report(expected)))
        await press(pilot, "escape")
        assert state(pilot).staked == 2_000
        await play_out(pilot)
        await leave(pilot)


async def test_stopped_hit_me_simulation_keeps_its_results(tmp_path: Path) -> None:
    async with dealt(tmp_path, "9C TD 5H") as pilot:
        await press(pilot, "f6", "5")
        screen = instance_of(BattleScreen, pilot.app.screen)
        await strike_until(pilot, "space", lambda: "the player wins" in text(pilot.app))
        await strike_until(pilot, "escape", lambda: screen.last_battle is not None)
        await settle(pilot)
        assert screen.last_battle is not None
        assert 0 < screen.last_battle.rounds < 100_000_000
        assert "Stopped: " in text(pilot.app)
        await press(pilot, "escape")
        assert not isinstance(pilot.app.screen, BattleScreen)


async def test_loan_at_the_hit_me_table_needs_a_confirmation(tmp_path: Path) -> None:
    async with at_31(with_purse(tmp_path, 2_000), width=100) as pilot:
        await press(pilot, "space")
        for _ in range(40):
            if table(pilot.app).labels.is_over:
                break
            await play_out(pilot)
            if not table(pilot.app).labels.is_over:
                await press(pilot, "5", "space")
        assert hint(pilot) == "space Borrow 1,000.00"
        assert message_text(pilot.app).endswith("your credit is below 20.")
        await press(pilot, "s")
        refused = HintMessage(
            "refused", "s", "the game is over", "space: Borrow 1,000.00, Esc: Leave"
        )
        assert table(pilot.app).line.current_message == refused
        assert isinstance(await screen_after(pilot, "escape", "space", "n"), Menu)
        assert "debt" not in text(pilot.app).splitlines()[0], "nothing is lent without a yes"
        await press(pilot, "4", "y")
        await clear_notices(pilot)
        assert "debt 1,000.00" in text(pilot.app)
        assert state(pilot).credit >= 100_000


async def test_table_title_shows_the_rest_of_the_balance(tmp_path: Path) -> None:
    async with at_31(with_purse(tmp_path, 150_000)) as pilot:
        assert text(pilot.app).splitlines()[0].endswith("balance 500.00")
    async with at_31(practice(tmp_path / "practice")) as pilot:
        assert "balance" not in text(pilot.app)


async def test_meaning_of_a_typed_hit_me_bet_is_shown_before_enter(tmp_path: Path) -> None:
    async with dealt(tmp_path, "9C TD 5H") as pilot:
        await press(pilot, "b", "space", "5", "0")
        assert re.search(r": b 50 +bet 50.00 +Enter runs it", text(pilot.app))
