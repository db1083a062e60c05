"""The holds that the trainer of video poker shows: next to the cards, and in a large window."""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction
from typing import Any
from unittest.mock import patch

import pytest
from textual.geometry import Region, Size
from textual.pilot import Pilot
from textual.widget import Widget

from tests.helpers.arcade_pilot import (
    at_table,
    hint_text,
    leave,
    lines,
    message_after,
    message_text,
    press,
    resize,
    screen_after,
    state,
    table,
    text,
    text_after,
)
from tests.helpers.narrow import not_none
from tests.helpers.parameter_ids import labelled
from tests.helpers.quick_cases import first_of
from tui_casino.cards.card import parse_hand
from tui_casino.gamekit.number_formats import rounded_cost
from tui_casino.games.video_poker.brains import adviser
from tui_casino.games.video_poker.brains.odds import odds_of
from tui_casino.games.video_poker.face import table_view as face
from tui_casino.games.video_poker.face.hold_advice import (
    hold_choices,
    hold_in_words,
    hold_value_text,
)
from tui_casino.games.video_poker.face.table_catalog import RETURNS, TABLES, return_of
from tui_casino.games.video_poker.face.widgets.pay_table import hold_frequencies, per_cent
from tui_casino.games.video_poker.face.widgets.sitting_panel import HoldListView, hold_name
from tui_casino.games.video_poker.machine.game import Hold, Phase
from tui_casino.games.video_poker.machine.paytables import load, names
from tui_casino.house.sitting import House
from tui_casino.structs import replace
from tui_casino.tui.draw.choice_list import choice_lines
from tui_casino.tui.draw.look import Look
from tui_casino.tui.modals import SafeOptionList, TextPage
from tui_casino.tui.theme import FELT
from tui_casino.tui.widgets.text_blocks import LargeDigits, Panel
from tui_casino.tui.widgets.title_bar import MessageLine

TABLE = load("double-bonus-10-7")
JACKS = parse_hand("JS JD QS 9S 4S")
"""A high pair, and four to a flush, which is worth a little less."""


def places(pilot: Pilot[None]) -> dict[Widget, Region]:
    """Give where everything lies, but for the texts of the side panel."""
    return {
        widget: widget.region
        for widget in table(pilot.app).view.walk_children(Widget)
        if not isinstance(widget.parent, Panel)
    }


def beside(pilot: Pilot[None]) -> list[str]:
    """Return the text next to the cards at 80x24."""
    return [line[51:].rstrip() for line in lines(pilot.app)[13:21]]


# ---- as it is worked out ------------------------------------------------------------------------


def test_ranking_of_holds_has_the_evs_and_costs_of_the_odds() -> None:
    ranking = not_none(adviser.rank_holds(TABLE, JACKS, 5))
    odds = odds_of(TABLE, 5)
    assert [hold.positions for hold in ranking.holds] == [v.positions for v in odds.holds(JACKS)]
    for hold in ranking.holds:
        assert hold.outcomes == odds.outcomes(JACKS, hold.positions)
        assert hold.ev == hold.outcomes.credits
        assert hold.cost == odds.cost(JACKS, hold.positions)
    assert (ranking.best.positions, ranking.list_play.positions) == ((1, 2), (1, 2))


def test_hand_with_repeated_cards_has_no_ranking_of_holds() -> None:
    assert adviser.rank_holds(TABLE, parse_hand("JS JS QS 9S 4S"), 5) is None


def test_chances_of_a_flush_draw_equal_a_hand_calculation() -> None:
    """Nine of 47 cards make the flush; three jacks and queens each, but for the spades, a pair."""
    ranking = not_none(adviser.rank_holds(TABLE, JACKS, 5))
    cells = hold_frequencies(ranking.hold_at((1, 3, 4, 5))).cells
    cells_by_row = {row.name: cell for row, cell in zip(TABLE.rows, cells, strict=True) if cell}
    assert {name: cell.figure for name, cell in cells_by_row.items()} == {
        "FLUSH": "19.1%",
        "JACKS OR BETTER": "10.6%",
    }
    assert [round(9 * 35 / 47, 2), round(5 * 5 / 47, 2)] == [
        float(c.adds) for c in cells_by_row.values()
    ]
    shares = [cell.part for cell in cells_by_row.values()]
    assert shares == pytest.approx([9 / 47, 5 / 47]), "a full bar is certainty in every hand"


def test_rare_chances_are_written_as_1_in_n_and_others_in_percent() -> None:
    ranking = not_none(adviser.rank_holds(TABLE, JACKS, 5))
    shares = (ranking.best.outcomes.share_paid, ranking.hold_at(()).outcomes.share_paid / 1000)
    assert [per_cent(share) for share in shares] == ["100%", "0.018%"]
    rare = [Fraction(1, every) for every in (1_217_234, 383_484, 200_001, 199_999)]
    assert [per_cent(share) for share in rare] == ["1 in 1.2M", "1 in 383k", "1 in 200k", "0.001%"]


def test_message_on_a_hold_names_cards_ev_and_best_ev_as_they_fit() -> None:
    ranking = not_none(adviser.rank_holds(TABLE, JACKS, 5))
    flush = "You hold J♠ Q♠ 9♠ 4♠   EV 7.23 credits   best J♠ J♦, EV 7.28"
    assert hold_value_text(ranking, (1, 3, 4, 5), 80) == flush
    assert hold_value_text(ranking, (1, 3, 4, 5), 42) == "J♠ Q♠ 9♠ 4♠  EV 7.23, best J♠ J♦ 7.28"
    assert hold_value_text(ranking, (1, 3, 4, 5), 34) == "J♠Q♠9♠4♠ 7.23, best J♠J♦ 7.28"
    assert hold_value_text(ranking, (1, 2), 80) == "You hold J♠ J♦   EV 7.28 credits, the best hold"
    assert hold_in_words(JACKS, ()) == "nothing"
    tens = parse_hand("TS TD TC TH 4S")
    assert hold_name(tens, (1, 2, 3, 4), 13) == "10♠10♦10♣10♥"
    assert (hold_name(tens, ()), hold_name(tens, (1, 2, 3, 4, 5))) == ("none", "all five")


# ---- as it is shown -----------------------------------------------------------------------------


async def test_best_holds_are_listed_next_to_the_cards(house: House) -> None:
    async with at_table(house) as pilot:
        await press(pilot, "t", "space")
        ranking = not_none(adviser.rank_holds(TABLE, state(pilot).hand, 5))
        await press(pilot, *map(str, ranking.holds[1].positions))
        head, *rows, foot = beside(pilot)
        assert head.split() == ["BEST", "HOLDS", "pays", "EV", "cost"]
        assert foot.split() == ["o", "all", "32", "in", "credits"]
        for hold, row in zip(ranking.holds[:6], rows, strict=True):
            cost = f"{rounded_cost(ranking.best.ev, hold.ev):.2f}" if hold.cost else "best"
            assert row.split()[-2:] == [f"+{float(hold.ev):.2f}", cost]
            names = [hold_name(ranking.hand, hold.positions, room) for room in (0, 13)]
            assert row.strip("▌ ").startswith(tuple(names))
        assert message_text(pilot.app) == hold_value_text(ranking, ranking.holds[1].positions, 80)
        await leave(pilot)


def fault(pilot: Pilot[None], ranking: adviser.HoldRanking) -> str:
    """Say what is cut or lost, or touches something else, at the present size; else nothing."""
    view, width = table(pilot.app).view, pilot.app.size.width
    shown = lines(pilot.app)
    hands = ranking.holds[-1]
    if message_text(pilot.app) != hold_value_text(
        ranking, hands.positions, view.message.size.width
    ):
        return f"the message is {message_text(pilot.app)!r}"
    pays = [line for line in shown if "JACKS OR BETTER" in line]
    chance = r"(—|\d+(\.\d+)?%)" if width >= 70 else ""
    if not re.search(rf"JACKS OR BETTER +1 +2 +3 +4 +5 +{chance}", pays[0]):
        return f"the row of the pay table is {pays[0]!r}"
    if width >= 70 and not any("chance" in line for line in shown):
        return "the chances have no head"
    lists = [each for each in view.query(HoldListView) if each.region]
    if len(lists) != (width >= 80):
        return f"{len(lists)} lists of holds"
    for each in lists:
        x, y, right, bottom = each.region.corners
        if right > width or not view.query_one(".floor").region.contains_region(each.region):
            return f"the list reaches to {each.region}"
        head, *rows = [line[x:right].strip() for line in shown[y:bottom]]
        if not re.fullmatch(
            r"(BEST|ALL) HOLDS( in credits)? +(pays +EV +|EV in credits, then the )cost", head
        ):
            return f"the head of the list is {head!r}"
        worth = f"{float(hands.ev):.2f} .* ?{rounded_cost(hands.ev + hands.cost, hands.ev):.2f}"
        if not any(re.search(worth, row) for row in rows):
            return f"no row of the list has{worth!r}: {rows}"
        for row in filter(None, rows):
            if not re.search(
                r"[♠♥♦♣e] .*\d +(best|\d+\.\d\d)( ▄+)?$|^o  all 32( +in credits)?$", row
            ):
                return f"a row of the list is {row!r}"
    return ""


async def faults(house: House, widths: Iterable[int]) -> dict[tuple[int, int], str]:
    """Lay the table out at many sizes with the trainer on, the worst hold being made."""
    match = {}
    async with at_table(house, width=40, height=15) as pilot:
        await press(pilot, "t", "space")
        ranking = not_none(adviser.rank_holds(TABLE, state(pilot).hand, 5))
        await press(pilot, *map(str, ranking.holds[-1].positions))
        for width in widths:
            for height in (24, 34, 43):
                await resize(pilot, width, height)
                if reason := fault(pilot, ranking):
                    match[width, height] = reason
        await leave(pilot)
    return match


@pytest.mark.parametrize("widths", first_of([(80, 104, 120), range(60, 201)]), ids=["some", "all"])
async def test_video_poker_trainer_cuts_no_text_at_any_width(
    house: House, widths: Iterable[int]
) -> None:
    """The first size is so small that the message is short there; it must not stay so."""
    assert not await faults(house, widths)


@pytest.mark.parametrize("width", range(29, 63), ids=labelled("{} columns"))
def test_figures_in_the_list_of_holds_are_separated_by_spaces(width: int) -> None:
    """At a dealt royal flush both worth and cost are as long as they can be."""
    ranking = not_none(adviser.rank_holds(TABLE, parse_hand("TS JS QS KS AS"), 5))
    choices = hold_choices(ranking).as_list((Hold((1,)),))
    _, *rows = [strip.text for strip in choice_lines(choices, Size(width, 33), Look(FELT))]
    for choice, row in zip(choices.rows, rows, strict=False):
        assert f" {choice.ev} " in row
        assert f" {choice.cost}" in row.rstrip(" ▄")
    assert "all five" in rows[0]
    assert choices.rows[0].ev == "+4,000"


async def test_marked_hold_is_shown_with_its_cost_in_the_last_row(house: House) -> None:
    async with at_table(house) as pilot:
        await press(pilot, "t", "space")
        ranking = not_none(adviser.rank_holds(TABLE, state(pilot).hand, 5))
        worst = ranking.holds[-1]
        await press(pilot, *map(str, worst.positions))
        last = beside(pilot)[-2]
        names = [hold_name(ranking.hand, worst.positions, room) for room in (0, 13)]
        assert last.strip("▌ ").startswith(tuple(names))
        assert last.split()[-1] == f"{rounded_cost(worst.ev + worst.cost, worst.ev):.2f}"
        await leave(pilot)


@pytest.mark.parametrize(
    ("width", "height"),
    [
        (80, 24),
        *(
            pytest.param(*size, marks=pytest.mark.prove)
            for size in ((60, 20), (132, 43), (200, 60))
        ),
    ],
)
async def test_cards_and_buttons_stay_in_place_when_the_trainer_is_switched(
    house: House, width: int, height: int
) -> None:
    async with at_table(house, width=width, height=height) as pilot:
        await press(pilot, "space", "1")
        before = places(pilot)
        assert "EV " in await message_after(pilot, "t")
        assert places(pilot) == before
        assert "EV " not in await text_after(pilot, "t")
        await leave(pilot)


async def test_no_win_chances_are_shown_without_the_trainer(house: House) -> None:
    """Hands and rows that have come are told, no chances."""
    async with at_table(house) as pilot:
        shown = await text_after(pilot, "space", "space", "space")
        assert "LAST HANDS" in shown
        assert "hits" in shown
        assert not re.search("EV|cost|chance|best", shown)
        await leave(pilot)


async def test_holds_are_ranked_once_per_hand(house: House) -> None:
    ranked: list[Any] = []

    def rank(*hand: Any) -> Any:
        ranked.append(hand)
        return adviser.rank_holds(*hand)

    with patch.object(face, "rank_holds", rank):
        async with at_table(house) as pilot:
            await press(pilot, "space", "1")
            assert ranked == [], "the trainer is off"
            await press(pilot, "t", "2", "3", "1", "t", "t", "2")
            assert len(ranked) == 1
            await press(pilot, "space")
            if state(pilot).phase is Phase.HOLD:  # it was warned of
                await press(pilot, "space")
            await press(pilot, "space")
            assert len(ranked) == 2
            await leave(pilot)


async def test_list_of_holds_is_empty_until_they_are_ranked(house: House) -> None:
    with patch.object(face, "rank_holds", lambda *hand: None):
        async with at_table(house) as pilot:
            assert await message_after(pilot, "t", "space", "1") == "Which cards do you hold?"
            assert beside(pilot)[:2] == [" LAST HANDS", " none yet"]
            assert re.search(r"\[2\] +\[3\]", text(pilot.app)), "and one plays on"
            await press(pilot, "space", "space")  # it is warned of, and then drawn
            assert state(pilot).phase is Phase.BET
            await leave(pilot)


async def test_win_and_cost_of_a_hold_have_different_colours(house: House) -> None:
    async with at_table(house) as pilot:
        await press(pilot, "t")
        for _ in range(60):
            await press(pilot, "space")
            ranking = not_none(adviser.rank_holds(TABLE, state(pilot).hand, 5))
            pat = next(hold for hold in ranking.holds if len(hold.positions) == 5)
            if pat.ev > 0 and pat.cost > 0:  # it is paid as it is, and would be worth more
                break
            await press(pilot, *map(str, ranking.best.positions), "space")
        assert ranking is not None
        await press(pilot, "1", "2", "3", "4", "5", "space", "space")
        message = table(pilot.app).query_one(MessageLine)
        praise, _, blame = message.content.partition("  ! ")
        assert re.fullmatch(r"★ .* pays \d+ credits ★", praise)
        cost = rounded_cost(pat.ev + pat.cost, pat.ev)
        assert re.fullmatch(rf"(You held .+: )?−{cost:.2f}\. Best: hold .+", blame)
        (strip,) = message._draw(Look(FELT), Size(80, 1))
        colours = {
            segment.text: segment.style.color.name
            for segment in strip
            if segment.text.strip() and segment.style and segment.style.color
        }
        assert colours == {praise: FELT.good, f"! {blame}": FELT.bad}
        assert not hint_text(pilot.app)
        await leave(pilot)


async def test_trainer_verdict_on_a_hold_follows_the_result(house: House) -> None:
    async with at_table(house) as pilot:
        await press(pilot, "t", "space")
        ranking = not_none(adviser.rank_holds(TABLE, state(pilot).hand, 5))
        await press(pilot, *map(str, ranking.best.positions), "space")
        assert "  Right: you held " in message_text(pilot.app)
        assert "Right" not in await message_after(pilot, "space"), "until the next deal"
        ranking = not_none(adviser.rank_holds(TABLE, state(pilot).hand, 5))
        bad = ranking.holds[-1]
        await press(pilot, *map(str, bad.positions), "space", "space")
        cost = rounded_cost(bad.ev + bad.cost, bad.ev)
        blame = rf"No win  ! (You held .+: )?−{cost:.2f}\. Best: hold .+"
        assert re.fullmatch(blame, message_text(pilot.app))
        assert isinstance(await screen_after(pilot, "o"), TextPage)
        assert "You held" in text(pilot.app), "the odds of the hand that is over"
        await press(pilot, "escape")
        await leave(pilot)


async def test_largest_window_lists_all_holds_and_the_session(house: House) -> None:
    async with at_table(house, width=200, height=60) as pilot:
        await press(pilot, "t", "space")
        ranking = not_none(adviser.rank_holds(TABLE, state(pilot).hand, 5))
        rows = [line[138:] for line in lines(pilot.app)[2:34]]
        for place, (hold, row) in enumerate(zip(ranking.holds, rows, strict=True), 1):
            pays = round(100 * float(hold.outcomes.share_paid))
            assert row.strip("▌ ").split()[0] == str(place)
            assert f" {pays}% " in row
            assert f"{float(hold.ev):.2f} " in row
        worst = ranking.holds[-1]
        shown = await text_after(pilot, *map(str, worst.positions), "space", "space")
        for words in (
            "34-LINE STRATEGY",
            "THIS SESSION",
            "COSTLIEST MISTAKES",
            "BANKROLL",
            "100.17%",
        ):
            assert words in shown
        mistake = next(
            line
            for line in lines(pilot.app)
            if line.rstrip().endswith(f"{rounded_cost(worst.ev + worst.cost, worst.ev):.2f}")
            and "best " in line
        )
        for card in ranking.hand:
            assert card.symbol in mistake
        await leave(pilot)


@pytest.mark.parametrize(("width", "height"), [(132, 43), (200, 60)])
async def test_widgets_that_only_a_larger_window_shows_are_mounted_as_it_grows(
    house: House, width: int, height: int
) -> None:
    shown = []
    for smaller in (True, False):
        first = (100, 30) if smaller else (width, height)
        async with at_table(house, width=first[0], height=first[1]) as pilot:
            view = table(pilot.app).view
            large = [*view.query(Panel).results(), *view.query(".vp-side").results()]
            if smaller:
                assert not any(column.children for column in large)
                assert not view.query(LargeDigits)
                await resize(pilot, width, height)
            await press(pilot, "t", "1")
            assert view.query(LargeDigits)
            shown.append(text(pilot.app))
            await leave(pilot)
    grown, opened = shown
    assert grown == opened


# ---- where there is little room -----------------------------------------------------------------


@pytest.mark.parametrize(("width", "height"), [(60, 20), (40, 15)])
async def test_low_window_shows_only_the_pays_of_the_current_bet(
    house: House, width: int, height: int
) -> None:
    """As many as fit, the most frequent first, and the others by a key that is named."""
    async with at_table(house, width=width, height=height) as pilot:
        shown = await text_after(pilot, "3", "space")
        rows = [row for row in TABLE.rows if re.search(rf"{row.name} +{row.pays[2]}\b", shown)]
        assert rows == [*(TABLE.rows if height == 20 else TABLE.rows[-8:])]
        assert "p Pays" in lines(pilot.app)[-2], "a key is named for the others"
        assert isinstance(await screen_after(pilot, "p"), TextPage)
        pays = r"ROYAL FLUSH +250 +500 +750 " if width == 60 else r"ROYAL FLUSH +750 "
        assert re.search(pays, text(pilot.app))
        await press(pilot, "escape", "space")
        await leave(pilot)


async def test_key_for_the_pay_table_is_hidden_if_all_of_it_is_shown(house: House) -> None:
    async with at_table(house) as pilot:
        assert "Pays" not in lines(pilot.app)[-2]
        await leave(pilot)


# ---- other pay tables ---------------------------------------------------------------------------


@pytest.mark.parametrize("name", names())
def test_listed_returns_of_pay_tables_equal_the_odds(name: str) -> None:
    match = odds_of(load(name), 5).report("optimal").expected_return
    assert RETURNS[name] == f"{100 * float(match):.2f}%"
    assert return_of(load(name)) == RETURNS[name]
    assert TABLES.title == "Returns for bets of 5 credits"


def test_changed_table_of_the_same_name_has_no_known_return() -> None:
    other = replace(load("jacks-or-better-9-6"), name="double-bonus-10-7")
    assert return_of(other) == ""


async def test_list_of_pay_tables_opens_on_the_current_one(house: House) -> None:
    async with at_table(house) as pilot:
        await press(pilot, "f4")
        options = pilot.app.screen.query_one(SafeOptionList)
        assert options.highlighted == options.get_option_index("double-bonus-10-7")
        assert re.search(r"Double Bonus 10/7 +100\.17% +current", text(pilot.app))
        assert text(pilot.app).count("current") == 1
        await press(pilot, "escape")
        await leave(pilot)


@pytest.mark.parametrize("letter", ["b", "z", "e"])
async def test_draw_of_five_cards_after_a_refused_letter_asks_once(
    house: House, letter: str
) -> None:
    async with at_table(house) as pilot:
        await press(pilot, "space")
        dealt = state(pilot).hand
        await press(pilot, letter)
        assert hint_text(pilot.app).startswith("refused")
        table(pilot.app).line._stray.replace("", 0)  # as after a pause
        await press(pilot, "space")
        assert (state(pilot).phase, state(pilot).hand) == (Phase.HOLD, dealt)
        assert message_text(pilot.app).endswith("? Again: do it")
        await press(pilot, "space")
        assert state(pilot).phase is Phase.BET
        assert not {*dealt} & {*state(pilot).hand}


@pytest.mark.parametrize("between", [(), ("1",), ("escape",)], ids=["nothing", "a hold", "Esc"])
async def test_draw_asks_only_directly_after_a_refusal_and_without_a_hold(
    house: House, between: tuple[str, ...]
) -> None:
    async with at_table(house) as pilot:
        await press(pilot, "space")
        if between:
            await press(pilot, "b")
            table(pilot.app).line._stray.replace("", 0)
        await press(pilot, *between, "space")
        assert state(pilot).phase is Phase.BET
