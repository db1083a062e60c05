"""Video poker's trainer, statistics and pay tables on the screen."""

from __future__ import annotations

import csv
import json
import re
from fractions import Fraction
from pathlib import Path

import pytest
from textual.containers import VerticalScroll
from textual.widgets import Static

from tests.helpers.arcade_pilot import (
    ME,
    arcade,
    at_table,
    click_key,
    leave,
    message_after,
    message_text,
    practice,
    press,
    run_app,
    state,
    table,
    text,
    text_after,
    type_line,
    with_purse,
)
from tests.helpers.parameter_ids import size_id
from tui_casino.gamekit.number_formats import rounded_cost
from tui_casino.gamekit.table_catalog import TableSetup
from tui_casino.games.video_poker.brains.odds import odds_of
from tui_casino.games.video_poker.brains.strategy import advise
from tui_casino.games.video_poker.face.tally import row_in_words
from tui_casino.games.video_poker.machine.game import Options, Phase
from tui_casino.games.video_poker.machine.paytables import load
from tui_casino.house.sitting import House
from tui_casino.tui.draw.text import capitalize
from tui_casino.tui.modals import TextPage
from tui_casino.tui.widgets.command_line import CommandLine
from tui_casino.tui.widgets.key_bar import KeyBar

LOSING = 1
"""The seed of a shuffle whose first rounds lose if all is exchanged."""


# ---- the trainer --------------------------------------------------------------------------------


async def test_why_command_and_advice_key_explain_the_last_hold(house: House) -> None:
    """By the command, and by the key for advice when there is nothing to choose."""
    async with at_table(house) as pilot:
        await type_line(pilot, "why")
        assert "you have made no choice yet that can be explained" in message_text(pilot.app)
        await press(pilot, "t", "space")
        hand = state(pilot).hand
        await type_line(pilot, "h 1 2 3 4 5")
        await type_line(pilot, "h 1 2 3 4 5")  # the second try carries it out
        for keys in (["w", "h", "y", "enter"], ["a"]):
            await press(pilot, *keys)
            page = pilot.app.screen
            assert isinstance(page, TextPage)
            shown = str(page.query_one(Static).content)
            assert all(card.symbol in shown for card in hand)
            assert "; that cost " in shown
            assert "Best: " in shown
            assert "34-line" in shown
            await press(pilot, "escape")
        await leave(pilot)


async def test_mistake_count_and_cost_continue_when_a_hand_is_resumed(tmp_path: Path) -> None:
    async with run_app(arcade(with_purse(tmp_path))) as pilot:
        await press(pilot, "1", "t", "space")
        for _ in range(2):  # the first time it warns
            await type_line(pilot, "h 1 2 3 4 5")
        before = table(pilot.app).view.totals
        assert before.mistakes == 1
        await press(pilot, "space", "escape", "y", "1")
        after = table(pilot.app).view.totals
        assert (after.mistakes, after.cost) == (1, before.cost)


async def test_video_poker_trainer_counts_mistakes_and_their_cost(house: House) -> None:
    """It warns once, lets the same hold pass the second time, and counts each mistake once."""
    mistakes, cost, expected = 0, Fraction(0), Fraction(0)
    async with at_table(house) as pilot:
        view = table(pilot.app).view
        assert "trainer" in (await text_after(pilot, "t")).splitlines()[0]
        for bad in ("1", "1 2 3 4 5", None):
            await press(pilot, "space")
            hand = state(pilot).hand
            values = {
                v.positions: v.credits
                for v in odds_of(state(pilot).options.paytable, 5).holds(hand)
            }
            best = max(values.values())
            held = advise(hand).positions if bad is None else tuple(map(int, bad.split()))
            if values[held] < best:
                before = state(pilot)
                await type_line(pilot, f"h {' '.join(map(str, held))}")
                assert f"That costs {rounded_cost(best, values[held]):.2f}" in message_text(
                    pilot.app
                )
                assert state(pilot) == before, "not drawn yet"
                mistakes, cost = mistakes + 1, cost + best - values[held]
            assert view.totals.mistakes == mistakes - (values[held] < best)
            await type_line(pilot, f"h {' '.join(map(str, held))}")
            expected += values[held]
            assert state(pilot).phase is Phase.BET
            assert (view.totals.mistakes, view.totals.cost) == (mistakes, cost)
            assert view.totals.worth == expected
        assert mistakes == 2
        assert "trainer" not in (await text_after(pilot, "t")).splitlines()[0]
        await press(pilot, "space", "space")
        assert state(pilot).phase is Phase.BET, "it warns no more"
        await leave(pilot)


async def test_changing_a_costly_hold_gets_a_new_warning(house: House) -> None:
    async with at_table(house) as pilot:
        await press(pilot, "t", "space")
        good = {*advise(state(pilot).hand).positions}
        wrong = [str(place) for place in range(1, 6) if {place} != good][:2]
        first = await message_after(pilot, wrong[0], "space")
        second = await message_after(pilot, wrong[0], wrong[1], "space")
        assert "That costs" in first
        assert "That costs" in second
        assert state(pilot).phase is Phase.HOLD
        assert "hold" in await message_after(pilot, "escape"), "the choice is open again"
        assert await message_after(pilot, "space") == second
        await press(pilot, "space")
        assert state(pilot).phase is Phase.BET
        await leave(pilot)


async def test_space_carries_out_the_typed_hold_after_a_warning(house: House) -> None:
    async with at_table(house) as pilot:
        await press(pilot, "t", "space")
        good = {*advise(state(pilot).hand).positions}
        place = next(place for place in range(1, 6) if {place} != good)
        held = state(pilot).hand[place - 1]
        await type_line(pilot, f"h {place}")
        assert "That costs" in message_text(pilot.app)
        assert state(pilot).phase is Phase.HOLD
        await press(pilot, "space")
        assert (state(pilot).phase, state(pilot).held) == (Phase.BET, (place,))
        assert state(pilot).hand[place - 1] == held
        await leave(pilot)


async def test_trainer_shows_the_ev_of_the_marked_cards(house: House) -> None:
    """While cards are marked: the exact figures, with the session next to them."""
    async with at_table(house, width=132, height=43) as pilot:
        await press(pilot, "t", "space")
        odds = odds_of(state(pilot).options.paytable, 5)
        for key, held in (("1", (1,)), ("3", (1, 3)), ("1", (3,))):
            await press(pilot, key)
            worth = float(odds.outcomes(state(pilot).hand, held).credits)
            assert f"EV {worth:.2f} credits" in message_text(pilot.app), held
        best = odds.holds(state(pilot).hand)[0]
        assert f", EV {float(best.credits):.2f}" in message_text(pilot.app)
        assert "rounds            1" in await text_after(pilot, "space", "space")
        await leave(pilot)


@pytest.mark.parametrize("size", [(80, 24), (111, 30), (112, 30), (132, 43)], ids=size_id)
async def test_list_of_holds_has_a_margin_and_larger_windows_keep_its_figures(
    house: House, size: tuple[int, int]
) -> None:
    width, height = size
    async with at_table(house, width=width, height=height) as pilot:
        shown = await text_after(pilot, "t", "space")
        (heading,) = (line for line in shown.split("\n") if "BEST HOLDS" in line)
        assert size == (111, 30) or re.search(r"pays +EV +cost$", heading)
        assert len(heading) < width
        await leave(pilot)


async def test_small_window_names_the_best_hold_next_to_the_marked_one(house: House) -> None:
    """At 60x20 there is no list that would show it."""
    async with at_table(house, width=60, height=20) as pilot:
        await press(pilot, "t", "space")
        hand = state(pilot).hand
        exact = odds_of(state(pilot).options.paytable, 5)
        best = exact.holds(hand)[0]
        worse = next(place for place in range(1, 6) if (place,) != best.positions)
        await press(pilot, str(worse))
        message = message_text(pilot.app)
        assert "BEST HOLDS" not in text(pilot.app)
        assert f"best {' '.join(hand[place - 1].symbol for place in best.positions)}" in message
        assert f"{float(best.credits):.2f}" in message
        await leave(pilot)


async def test_hold_can_be_undone_only_in_free_play(house: House, tmp_path: Path) -> None:
    app = arcade(practice(tmp_path / "practice"), game="video-poker", seed=LOSING)
    async with run_app(app) as pilot:
        await press(pilot, "5", "space", "1", "space")
        held = state(pilot)
        await press(pilot, "u")
        assert state(pilot).phase is Phase.HOLD
        await press(pilot, "2", "space")
        other = state(pilot)
        assert other.hand[1] != held.hand[1]  # the second card was held this time
        page = await text_after(pilot, "U")
        assert "1  hold 5♥  " in page
        assert "2  hold J♠  " in page
        assert page.count("player's hand") == 2
        await press(pilot, "escape")
    async with at_table(house, LOSING) as pilot:
        await press(pilot, "space", "space")
        before = state(pilot)
        await press(pilot, "u")
        assert state(pilot) == before
        await leave(pilot)


# ---- statistics ---------------------------------------------------------------------------------


async def test_video_poker_statistics_page_and_exports_equal_the_tally(
    house: House, tmp_path: Path
) -> None:
    async with at_table(house) as pilot:
        await press(pilot, *["space"] * 6, "b", "space", "2", "enter", "d")
        tally = table(pilot.app).dialogue.tally
        assert tally.rounds == 3, "the round in play does not count"
        credit = state(pilot).credit
        assert credit + 2 == 1000 - tally.wagered + tally.won
        await press(pilot, "f2")
        shown = str(pilot.app.screen.query_one("#counts", Static).content).splitlines()
        net = tally.won - tally.wagered
        sign = "−" if net < 0 else "+" if net else ""
        assert [line.rsplit(maxsplit=1) for line in shown] == [
            ["Rounds", "3"],
            ["Credits bet", f"{tally.wagered}"],
            ["Credits paid", f"{tally.won}"],
            ["Net", f"{sign}{abs(net)}"],
            ["Return", f"{100 * tally.won / tally.wagered:.2f}%"],
            ["Credit", f"{credit}"],
        ]
        shares = str(pilot.app.screen.query_one("#shares", Static).content)
        counted = {
            line[:20].strip().upper(): int(line[20:28])
            for line in shares.split("\n")[2:]
            if line[20:28].strip().isdigit()
        }
        assert {row: count for row, count in counted.items() if count} == {
            row.upper(): count for row, count in tally.hands
        }
        await press(pilot, "e", "escape")
        await leave(pilot)
    table_file, report_file = (
        tmp_path / f"video-poker-statistics.{ending}" for ending in ("csv", "json")
    )
    report = json.loads(report_file.read_text())
    assert report == {**tally.report(), "unit": "credits"}
    rows = dict(csv.reader(table_file.read_text().splitlines()))
    assert rows["rounds"] == "3"
    assert rows["won"] == str(tally.won)


# ---- other pay tables ---------------------------------------------------------------------------


async def test_video_poker_statistics_fit_a_large_window(house: House) -> None:
    async with at_table(house, width=132, height=43) as pilot:
        await press(pilot, "space", "space", "f2")
        window = pilot.app.screen.query_one(VerticalScroll)
        assert (window.max_scroll_x, window.max_scroll_y) == (0, 0)
        shown = text(pilot.app)
        for words in ("Jacks or better  ", "Expected: perfect play", "Bankroll"):
            assert shown.count(words) == 1, "each row has one spelling"
        plot = str(pilot.app.screen.query_one("#plot", Static).content).splitlines()
        assert len(plot[-1]) == pilot.app.screen.query_one("#figures").size.width
        await press(pilot, "escape")
        await leave(pilot)


async def test_hints_for_hold_keys_are_shown_only_with_cards(house: House) -> None:
    async with at_table(house) as pilot:
        await type_line(pilot, "b 5")
        line, bar = pilot.app.screen.query_one(CommandLine), pilot.app.screen.query_one(KeyBar)
        assert "Hold" not in [hint.words for hint in line.hints], "no card is dealt yet"
        await click_key(pilot, "f1")
        assert isinstance(pilot.app.screen, TextPage)
        await press(pilot, "escape", "colon")
        assert "Advice" not in text(pilot.app).splitlines()[-1], "a letter would be typed"
        await press(pilot, "escape", "space")
        assert all(entry.enabled for _, entry in bar.placed())
        await leave(pilot)


async def test_new_pay_table_begins_a_new_session_with_the_same_credit(house: House) -> None:
    async with at_table(house) as pilot:
        await press(pilot, "space")
        assert "F4  finish this hand first." in await text_after(pilot, "f4")
        await press(pilot, "space", "space")  # it asks once, because it follows a refused key
        credit = state(pilot).credit
        await press(pilot, "f4", "escape")
        assert state(pilot).options.paytable.name == "double-bonus-10-7", "Escape chooses none"
        await press(pilot, "f4", "end", "enter")
        assert state(pilot).options.paytable == load("jacks-or-better-9-6")
        assert state(pilot).credit == credit
        assert "FOUR OF A KIND" in text(pilot.app)
        assert len([*house.logs.glob("*.jsonl")]) == 2
        await press(pilot, "space", "space")
        credit = state(pilot).credit
        await leave(pilot)
    assert house.ledger is not None
    assert house.ledger.balance(ME) == 100 * credit


KICKERS = """\
title = "Double Double Bonus 9/6"

[pays]
"ROYAL FLUSH" = [250, 500, 750, 1000, 4000]
"STRAIGHT FLUSH" = 50
"FOUR ACES WITH 2-4" = 400
"FOUR ACES" = 160
"FOUR 2-4 WITH ACES" = 160
"FOUR 2-4 WITH 2-4" = 160
"FOUR 2-4" = 80
"FOUR 5-K" = 50
"FULL HOUSE" = 9
"FLUSH" = 6
"STRAIGHT" = 4
"THREE OF A KIND" = 3
"TWO PAIR" = 1
"JACKS OR BETTER" = 1
"""


async def test_pay_table_from_a_file_can_be_played(tmp_path: Path) -> None:
    """It is longer than those that ship: the cards are smaller then, and all else is there."""
    file = tmp_path / "kickers.toml"
    file.write_text(KICKERS)
    paytable = load(str(file), tmp_path)
    seating = TableSetup(Options(paytable=paytable), practice=True)
    app = arcade(practice(tmp_path), game="video-poker", seating=seating, seed=LOSING)
    async with run_app(app) as pilot:
        first, *rest = (await text_after(pilot, "space", "2")).splitlines()
        assert "Double Double Bonus 9/6" in first
        for row, line in zip(paytable.rows, rest, strict=False):
            assert line.split()[:-1] == [*row.name.split(), *(f"{pay:,}" for pay in row.pays)]
        assert re.search(r"CREDIT 995 +BET 5 +LAST ROUND –", text(pilot.app))
        assert re.search(r"\[1\] +HELD +\[3\] +\[4\] +\[5\]", text(pilot.app))
        await press(pilot, "o")
        worth = odds_of(paytable, 5).outcomes(state(pilot).hand, (2,)).credits
        assert f"{float(worth):.4f}" in text(pilot.app)
        await press(pilot, "escape", "space", "f2")
        shares = str(pilot.app.screen.query_one("#shares", Static).content)
        for row in paytable.rows:
            assert capitalize(row_in_words(row.name)) in shares
        await press(pilot, "escape")
        await leave(pilot)
