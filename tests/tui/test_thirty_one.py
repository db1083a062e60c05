"""Hit me played as a player plays it: by keys, by typed commands, with the mouse."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from tests.tui.houses import (
    arcade,
    at_table,
    done,
    leave,
    opened,
    practice,
    press,
    said,
    settle,
    stopped_after,
    strike,
    table,
    text,
    typed,
    until,
    with_purse,
)
from tui_casino.cards.card import hand
from tui_casino.engine.croupier import CardFile
from tui_casino.gamekit.seating import Seating
from tui_casino.games.thirty_one.face.tables import TABLES
from tui_casino.games.thirty_one.face.widgets.table_top import TableTop
from tui_casino.games.thirty_one.machine.rules import Odds, Rules
from tui_casino.games.thirty_one.machine.state import Options, Phase, State
from tui_casino.house.sitting import House
from tui_casino.tui.menu import Menu
from tui_casino.tui.modals import Confirmation, Line, Page
from tui_casino.tui.table.statistics import StatisticsScreen
from tui_casino.tui.table.view import Acts

ENOUGH = " 2C" * 30


@asynccontextmanager
async def at_31(house: House, seed: int = 1, **more: Any) -> AsyncIterator[Pilot[None]]:
    async with at_table(house, seed, game="4", **more) as pilot:
        yield pilot


@asynccontextmanager
async def dealt(
    folder: Path, cards: str, rules: Rules | None = None, width: int = 80, height: int = 24
) -> AsyncIterator[Pilot[None]]:
    """Sit down where these cards come: the player's first, then the dealer's."""
    options = Options(rules or Rules())
    seating = Seating(options, CardFile(hand(cards + ENOUGH)), practice=True)
    app = arcade(practice(folder), game="thirty-one", seating=seating)
    async with opened(app, width, height) as pilot:
        yield pilot


def state(pilot: Pilot[None]) -> State:
    view: State = table(pilot.app).view.seen
    return view


async def play_out(pilot: Pilot[None]) -> None:
    """Stand until the round is over, without insurance."""
    while state(pilot).phase is not Phase.BET:
        await press(pilot, "n" if state(pilot).phase is Phase.INSURANCE else "s")


async def test_a_round_by_keys(house: House) -> None:
    async with at_31(house) as pilot:
        assert "CREDIT 1,000.00   BET 20.00   LAST ROUND 0" in text(pilot.app)
        await press(pilot, "2", "right", "plus", "left")
        assert "BET 60.00" in text(pilot.app)
        await press(pilot, "space")
        assert "CREDIT 940.00   BET 60.00" in text(pilot.app)
        await play_out(pilot)
        assert ("you win 60.00" in said(pilot.app)) != ("you lose 60.00" in said(pilot.app))
        await leave(pilot)
    assert done(house)[0] == ["Bet", 60]
    assert done(house)[-1] == ["Stand"]


async def test_a_round_by_typed_commands(house: House) -> None:
    async with at_31(house) as pilot:
        await typed(pilot, "b 20.5")
        assert refused(pilot) == ("b", "bet whole dollars from 20 to 200, like b 50")
        await typed(pilot, "b 50")
        await press(pilot, "dollar_sign")
        assert said(pilot.app) == "Your purse is 950.00, and 50.00 are at stake"
        await typed(pilot, ":h")
        await play_out(pilot)
        await typed(pilot, ":stats")
        assert isinstance(pilot.app.screen, StatisticsScreen)
        await press(pilot, "escape", "f2")
        assert isinstance(pilot.app.screen, StatisticsScreen)
        await press(pilot, "escape")
        await typed(pilot, "b")
        assert state(pilot).staked == 5_000
        await play_out(pilot)
        await leave(pilot)
    assert [act for act in done(house) if act[0] == "Bet"] == [["Bet", 50], ["Bet", 50]]


async def click_on(pilot: Pilot[None], words: str) -> None:
    """Click on a choice by its words."""
    choices = pilot.app.screen.query_one(Choices)
    at = choices.render().plain.index(words)
    await pilot.click(choices, offset=(at + 1, 1))
    await settle(pilot)


async def test_bets_and_moves_with_the_mouse(tmp_path: Path) -> None:
    async with dealt(tmp_path, "8C AD 8H 2S 3S KD TD TS") as pilot:
        await click_on(pilot, "3 100")
        assert "BET 100.00" in text(pilot.app)
        await press(pilot, "space")
        await click_on(pilot, "i Insure")
        assert state(pilot).insurance == 10_000
        await click_on(pilot, "h Hit")
        await click_on(pilot, "p Split")
        assert len(state(pilot).hands) == 2
        await click_on(pilot, "d Double")
        assert state(pilot).hands[0].bet == 20_000
        await click_on(pilot, "p Split")  # greyed: it does nothing
        assert len(state(pilot).hands) == 2
        await click_on(pilot, "s Stand")
        assert state(pilot).phase is Phase.BET


@pytest.mark.parametrize("width", [80, 40])
async def test_the_14_offer_is_framed_and_says_what_it_does(tmp_path: Path, width: int) -> None:
    async with dealt(tmp_path, "9C TD 2H 3S KD TS", width=width) as pilot:
        await press(pilot, "space", "h")
        frame = pilot.app.screen.query_one(Choices)
        assert not frame.has_class("-asking")
        await press(pilot, "h")  # 9, 2 and 3
        assert frame.has_class("-asking")
        offer = {
            80: "Stand on 14: only a dealer's 31 beats it",
            40: "14: only his 31 beats it",
        }[width]
        assert offer in text(pilot.app)
        assert "Stand on 14" in text(pilot.app)
        assert "14! Space stands, h hits on" in said(pilot.app)
        await press(pilot, "space")
        assert "Your 14 stands, he missed 31" in said(pilot.app)
        assert "wins 20.00" in text(pilot.app)
        assert not frame.has_class("-asking")


async def test_hitting_on_takes_the_frame_away(tmp_path: Path) -> None:
    async with dealt(tmp_path, "9C TD 5H 3S") as pilot:
        await press(pilot, "space", "h", "h")
        assert not pilot.app.screen.query_one(Choices).has_class("-asking")
        assert "YOU  hard 17" in text(pilot.app)


async def test_insurance_is_asked_at_the_right_moment(tmp_path: Path) -> None:
    async with dealt(tmp_path, "9C AD TS KD", Rules(insurance=Odds(43, 10))) as pilot:
        await press(pilot, "2", "space")
        assert "Insurance: 50.00 on his 31, 43:10" in text(pilot.app)
        assert said(pilot.app).startswith("Insurance pays 43:10; fair is 4.3:1, or 2.2:1")
        await press(pilot, "h")
        assert state(pilot).phase is Phase.INSURANCE
        await press(pilot, "i")
        assert "DEALER  soft 11  insured for 50.00" in text(pilot.app)
        await press(pilot, "s")
        expected = "9 against 31: you lose 50.00; insurance: you win 215.00"
        assert said(pilot.app) == f"★ {expected} ★"


async def test_split_hands_lie_side_by_side_the_resting_one_as_chips(tmp_path: Path) -> None:
    async with dealt(tmp_path, "8C TD 8H 2S 3S KD 9D 7D") as pilot:
        await press(pilot, "space", "h", "p")
        shown = [view for view in pilot.app.screen.query(HandView) if view.display]
        assert [view.has_class("-resting") for view in shown] == [False, False, True]
        assert "HAND 1" in text(pilot.app)
        assert "Hand 1: Hit or stand?" in said(pilot.app)
        await press(pilot, "h", "s")
        assert [view.has_class("-resting") for view in shown] == [False, True, False]
        await press(pilot, "s")
        assert not any(view.has_class("-resting") for view in shown)
        # 20 and 11 against 28
        assert "HAND 1  20 to 28  loses 20.00" in text(pilot.app)
        assert said(pilot.app) == "Together you lose 40.00"


async def test_between_rounds_it_is_plain_what_was_won(tmp_path: Path) -> None:
    rounds = {
        "9C TD KH TS 5C": ("hhh", "Bust with 34: you lose 20.00", "34, bust  loses 20.00"),
        "9C TD 4D": ("s", "The dealer has 14: you lose 20.00", "hard 9  loses 20.00"),
        "9C TD KH TS KD 9S": ("hhs", "29 each: a push", "hard 29  push"),
        "9H TD KD 6S 6D": ("s", "★ The dealer is bust with 32: you win 20.00 ★", "★ wins 20.00"),
    }
    async with dealt(tmp_path, " ".join(rounds)) as pilot:
        for keys, result, title in rounds.values():
            await press(pilot, "space")
            assert said(pilot.app) == "Hit or stand? Space hits"
            await press(pilot, *keys)
            assert said(pilot.app) == result
            assert title in text(pilot.app)
            assert "1 20" in text(pilot.app)


async def test_the_last_bet_above_the_purse_is_said(tmp_path: Path) -> None:
    cards = "9C TD KH 7S " * 5
    async with dealt(tmp_path, cards) as pilot:
        await press(pilot, "5", *["space", "s"] * 4)
        await typed(pilot, "b 150")
        await press(pilot, "s")
        assert state(pilot).credit == 5_000
        await press(pilot, "space")
        assert said(pilot.app) == "! b: your purse is 50.00"
        await press(pilot, "3")  # greyed: more than the purse
        assert "BET 50.00" in text(pilot.app)


async def test_the_odds_on_a_page_and_advice(tmp_path: Path) -> None:
    async with dealt(tmp_path, "9C TD 5H") as pilot:
        await press(pilot, "o")
        await until(pilot, lambda: said(pilot.app) == "There is no hand to weigh now.")
        await press(pilot, "a")
        assert said(pilot.app) == "! a: first bet, like b 50"
        await press(pilot, "space", "h", "o")
        await until(pilot, lambda: isinstance(pilot.app.screen, Page))
        await settle(pilot)
        shown = text(pilot.app)
        assert "Best: stand." in shown
        assert "What the dealer ends on" in shown
        await press(pilot, "escape", "a")
        assert isinstance(pilot.app.screen, Page)
        assert "Best: stand." in text(pilot.app)


async def test_the_panel_has_odds_and_the_value_of_each_choice(tmp_path: Path) -> None:
    async with dealt(tmp_path, "9C TD 5H KD TS", width=132, height=43) as pilot:
        for title in ("YOUR CHOICES", "THE DEALER ENDS ON", "LAST ROUND", "SESSION", "BANKROLL"):
            assert title in text(pilot.app)
        assert "after the bet" in text(pilot.app)
        await press(pilot, "space", "h")
        await until(pilot, lambda: "Best: stand." in text(pilot.app))
        assert "bust" in text(pilot.app)
        await press(pilot, "s")
        await until(pilot, lambda: "after the bet" in text(pilot.app))
        assert "you win 20.00" in text(pilot.app)


async def test_a_click_on_a_chip_in_the_deal_only_ends_it(tmp_path: Path) -> None:
    async with dealt(tmp_path, "9C TD") as pilot:
        with stopped_after(1) as stopped:
            await strike(pilot, "space")
            await until(pilot, stopped)
            wishes: list[object] = []
            table(pilot.app).view.wish = wishes.append
            choices = pilot.app.screen.query_one(Choices)
            await pilot.click(choices, offset=(choices.render().plain.index("3 100"), 1))
            await until(pilot, lambda: wishes)
            assert wishes == [Acts(())]
            assert "BET 20.00" in text(pilot.app)


async def test_another_house(house: House) -> None:
    async with at_31(house) as pilot:
        await press(pilot, "f4", "down", "enter")
        assert state(pilot).options == Options(Rules(dealer_hits_soft=True))
        assert "The dealer draws to a soft 27" in text(pilot.app)
        await press(pilot, "space", "f4")
        assert said(pilot.app) == "! First finish this round."
        await play_out(pilot)
        await leave(pilot)


async def test_a_house_of_its_own(tmp_path: Path) -> None:
    rules = Rules(dealer_hits_soft=True, most_hands=3, insurance=Odds(3))
    async with dealt(tmp_path, "9C AD TS KD", rules) as pilot:
        assert "A house of its own · known cards, for practice" in text(pilot.app)
        places = [view.place for view in pilot.app.screen.query(HandView)]
        assert places == [DEALER, 0, 1, 2]
        await press(pilot, "space")
        assert "Insurance: 20.00 on his 31, 3:1" in text(pilot.app)


async def choose_deck(pilot: Pilot[None], path: str) -> None:
    await press(pilot, "f4", *["down"] * (len(TABLES.choices) - 1), "enter")
    assert isinstance(pilot.app.screen, Line)
    pilot.app.screen.query_one(Input).value = path
    await press(pilot, "enter")


async def test_known_cards_from_a_file_never_touch_the_purse(tmp_path: Path) -> None:
    house = with_purse(tmp_path)
    deck = tmp_path / "deck.txt"
    deck.write_text("10 9 10 11 2 13 12 3 3 3")
    async with at_31(house) as pilot:
        await choose_deck(pilot, str(deck))
        assert "known cards, for practice" in text(pilot.app)
        assert house.ledger is not None
        assert house.ledger.purse(house.player) == 100_000
        await press(pilot, "5", "space", "h", "h")  # 10, 10 and a jack
        assert [str(card) for card in state(pilot).hands[0].cards] == ["TC", "TH", "JS"]
        await press(pilot, "s")
        assert state(pilot).credit != 100_000
        await leave(pilot)
        assert house.ledger.purse(house.player) == 100_000


async def test_a_bad_deck_file_is_refused_at_the_table(house: House, tmp_path: Path) -> None:
    deck = tmp_path / "deck.txt"
    deck.write_text("10 9\n14")
    async with at_31(house) as pilot:
        await choose_deck(pilot, str(deck))
        assert "deck.txt:2:1: '14' is no card" in said(pilot.app)
        await choose_deck(pilot, "deck.txt")
        assert said(pilot.app).startswith("! deck.txt:2:1: '14' is no card")
        await press(pilot, "f4", "escape")
        await choose_deck(pilot, "")
        assert "104 cards left" in text(pilot.app)
        await leave(pilot)


async def test_a_deck_file_is_found_from_the_player_s_own_folder(tmp_path: Path) -> None:
    """Of two players in one process, whatever folder that is in, each has the cards of his own."""
    for name, cards in (("ann", "10 9 2"), ("bob", "3 3 3")):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "deck.txt").write_text(cards)
        async with at_31(practice(folder)) as pilot:
            await choose_deck(pilot, "deck.txt")
            croupier = table(pilot.app).table.croupier
            assert isinstance(croupier, CardFile)
            ranks = [card.rank for card in croupier.kind.cards]
            assert ranks == [int(rank) for rank in cards.split()]


async def test_who_has_no_folder_gives_no_file(house: House, tmp_path: Path) -> None:
    (tmp_path / "deck.txt").write_text("10 9 2")
    async with at_31(replace(house, here=None)) as pilot:
        await press(pilot, "f4", *["down"] * (len(TABLES.choices) - 1), "enter")
        assert not isinstance(pilot.app.screen, Line)
        assert said(pilot.app) == "! no folder is known to read a file from"
        await press(pilot, "f4", "down", "enter")
        assert "The dealer draws to a soft 27" in text(pilot.app)


async def test_known_cards_that_end_in_mid_round(tmp_path: Path) -> None:
    seating = Seating(Options(), CardFile(hand("9C TD 5H")), practice=True)
    async with opened(arcade(practice(tmp_path), game="thirty-one", seating=seating)) as pilot:
        await press(pilot, "space", "h", "h")
        assert said(pilot.app) == (
            "! The game is over: the cards are used up, and the round is void. Esc cashes out."
        )
        assert "PURSE 1,000.00" in text(pilot.app)


async def test_a_bet_in_play_waits_and_the_round_goes_on(house: House) -> None:
    async with at_31(house) as pilot:
        with stopped_after(1) as stopped:
            await strike(pilot, "space")
            await until(pilot, stopped)
            (first,) = state(pilot).hands[0].cards
            await strike(pilot, "escape")
            await until(pilot, lambda: isinstance(pilot.app.screen, Confirmation))
            await strike(pilot, "y")
            await until(pilot, lambda: isinstance(pilot.app.screen, Menu))
        await press(pilot, "4")
        assert state(pilot).hands[0].cards == (first,)
        assert len(state(pilot).dealer) == 1
        await play_out(pilot)
        await leave(pilot)


@pytest.mark.parametrize("size", [(40, 15), (80, 24)])
async def test_four_hands_have_room_at_every_size(tmp_path: Path, size: tuple[int, int]) -> None:
    cards = "8C TD 8H 8S 8D 8C 8H 8S 8D"
    async with dealt(tmp_path, cards, Rules(most_hands=4), *size) as pilot:
        await press(pilot, "space", "h", "p", "p", "p")
        assert len(state(pilot).hands) == 4
        for view in pilot.app.screen.query(HandView):
            region = view.region
            assert region.right <= size[0]
            assert min(region.width, region.height) > 0
        await press(pilot, "s", "s", "s", "s")
        result = said(pilot.app)
        assert result.endswith("you lose 80.00")
        assert len(result) <= size[0]


async def test_a_mistake_is_told_with_its_cost_and_added_up(tmp_path: Path) -> None:
    async with dealt(tmp_path, "KS 9D", width=132, height=43) as pilot:
        await press(pilot, "t", "1", "space", "s")  # standing on 10 against 9
        assert re.search(r"\((hitting|doubling) was \d+\.\d\d better\)", said(pilot.app))
        assert re.search(r"mistakes +1\b", text(pilot.app))
        assert re.search(r"cost +\d+\.\d\d", text(pilot.app))


async def test_a_step_back_and_another_choice(tmp_path: Path) -> None:
    async with dealt(tmp_path, "7C 9D 7H KS 9C 5D") as pilot:
        await press(pilot, "1", "space", "h")
        assert state(pilot).offers_14
        await press(pilot, "h")
        assert not state(pilot).offers_14
        await press(pilot, "u")
        assert state(pilot).offers_14
        await press(pilot, "s")
        assert "Your 14 stands" in said(pilot.app)
