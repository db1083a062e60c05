"""The mistakes of a sitting at its table: listed by cards, costliest first."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from tests.helpers.arcade_pilot import (
    arcade,
    lines,
    practice,
    press,
    press_until,
    run_app,
    shuffles,
    table,
    text,
    type_line,
    until,
)
from tests.helpers.narrow import not_none
from tui_casino.engine.game import Seat
from tui_casino.gamekit.adviser import Decision, Mistake
from tui_casino.games.video_poker import DEFINITION
from tui_casino.games.video_poker.brains.adviser import judge
from tui_casino.games.video_poker.machine.game import Hold, Phase
from tui_casino.house.sitting import House
from tui_casino.tui.modals import TextPage
from tui_casino.tui.table.snapshot import MOST_MISTAKES, MOST_POSTPONED, PostponedChoice, SeatTotals


@pytest.fixture
def house(tmp_path: Path) -> House:
    return practice(tmp_path)


async def test_mistakes_page_opens_after_a_round_and_shows_the_cards(house: House) -> None:
    async with run_app(arcade(house, fresh=shuffles(1))) as pilot:
        await press(pilot, "1", "t", "m")
        await until(pilot, lambda: "no mistakes so far" in lines(pilot.app)[-2])
        await press(pilot, "space", "space")
        hand = table(pilot.app).view.seen.hand
        weighed = not_none(judge(table(pilot.app).view.seen, Seat(0), Hold(())))
        assert "m See" not in text(pilot.app), "a bet is at stake"
        while table(pilot.app).view.seen.phase is Phase.HOLD:  # it may warn first
            await type_line(pilot, ":h")
        assert "m See 1 mistake" in lines(pilot.app)[-2]
        await press_until(pilot, lambda: isinstance(pilot.app.screen, TextPage), "m")
        page = text(pilot.app)
        assert " ".join(card.symbol for card in hand) in page
        assert DEFINITION.format_amount(weighed.cost) in page
        assert "hold nothing, best " in page
        assert "Mistakes: cost in credits ─" in page, "a title is wider than the rows here"


async def test_mistakes_page_of_a_game_without_evaluation_says_so(house: House) -> None:
    async with run_app(arcade(house, fresh=shuffles(1))) as pilot:
        await press(pilot, "2", "m")
        assert "the trainer does not evaluate choices" in lines(pilot.app)[-2]


def test_mistakes_page_lists_the_costliest_mistakes_in_order() -> None:
    journal: SeatTotals[int, int] = SeatTotals()
    costs = [(7 * n) % 41 + 1 for n in range(40)]
    for number, cost in enumerate(costs):
        journal = journal.with_decision(
            Decision(Seat(0), number, number, "", Mistake(Fraction(cost), 0))
        )
        journal = journal.with_decision(
            Decision(Seat(0), number, number, "")
        )  # no mistake is none of them
    stored = [judged.mistake.cost for judged in journal.costliest if judged.mistake]
    dearest = sorted(costs)[-MOST_MISTAKES:]
    assert sorted(stored) == dearest
    assert stored == [cost for cost in costs if cost >= dearest[0]]
    assert (journal.mistakes, journal.choices) == (40, 80)


def test_mistakes_page_does_not_count_undone_choices() -> None:
    journal: SeatTotals[int, int] = SeatTotals()
    totals = [journal]
    for view in range(5):
        journal = chosen(journal, view, Mistake(Fraction(view + 1), 1))
        totals.append(journal)
    assert journal.undone_to(7) == journal, "no choice was made at this view"
    assert journal.undone_to(4) == totals[4]
    assert journal.undone_to(4).undone_to(2) == journal.undone_to(2) == totals[2]
    again = chosen(journal.undone_to(4), 4)
    assert [again.choices, again.mistakes, again.cost] == [5, 4, 10]


def chosen(
    totals: SeatTotals[int, int], view: int, mistake: Mistake[int] | None = None
) -> SeatTotals[int, int]:
    """Make a choice and evaluate it at once, as while the trainer is on."""
    choice = PostponedChoice(view, 0)
    later = totals.with_choice(choice).without_choice(choice)
    return later.with_decision(Decision(Seat(0), view, 0, "", mistake))


def test_choices_not_yet_judged_are_counted_and_can_be_undone() -> None:
    totals: SeatTotals[int, int] = SeatTotals()
    for view in range(MOST_POSTPONED + 3):
        totals = totals.with_choice(PostponedChoice(view, 0))
    assert [one.view for one in totals.postponed] == [*range(3, MOST_POSTPONED + 3)]
    assert not totals.choices
    undone = totals.undone_to(MOST_POSTPONED)
    assert [one.view for one in undone.postponed] == [*range(MOST_POSTPONED)]


def test_number_of_mistakes_is_not_zero_while_choices_are_being_judged() -> None:
    nothing: SeatTotals[int, int] = SeatTotals()
    waits = nothing.with_choice(PostponedChoice(1, 0))
    wrong, right = chosen(nothing, 1, Mistake(Fraction(1), 1)), chosen(nothing, 1)
    assert [one.displayed_mistakes for one in (nothing, waits, right, wrong)] == [
        "0",
        "…",
        "0",
        "1",
    ]
    assert wrong.with_choice(PostponedChoice(2, 0)).displayed_mistakes == "1"


async def test_mistakes_page_judges_choices_made_without_the_trainer(house: House) -> None:
    async with run_app(arcade(house, fresh=shuffles(1))) as pilot:
        await press(pilot, "1", "space")
        weighed = not_none(judge(table(pilot.app).view.seen, Seat(0), Hold(())))
        await type_line(pilot, ":h")
        totals = table(pilot.app).view.totals
        assert not totals.choices and totals.postponed  # noqa: PT018
        await type_line(pilot, ":why")
        await until(pilot, lambda: isinstance(pilot.app.screen, TextPage))
        assert f"that cost {float(weighed.cost):.2f} credits" in text(pilot.app)
        await press_until(pilot, lambda: isinstance(pilot.app.screen, TextPage), "escape", "m")
        await press(pilot, "escape")
        totals = table(pilot.app).view.totals
        assert (totals.choices, totals.cost, totals.postponed) == (1, weighed.cost, ())
