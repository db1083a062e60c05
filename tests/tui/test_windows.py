"""Windows at a table: next to the cards if there is room; the game behind stays usable."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from textual.app import App
from textual.binding import ActiveBinding, Binding

from tests.helpers.arcade_pilot import (
    arcade,
    at_table,
    leave,
    lines,
    practice,
    press,
    resize,
    run_app,
    screen_after,
    settle,
    table,
    text,
    text_after,
    until,
)
from tests.helpers.parameter_ids import labelled, size_id, value_id
from tests.helpers.quick_cases import first_of
from tests.helpers.screen_walks import key_of
from tui_casino.gamekit.registry import GAMES, GameListing
from tui_casino.house.settings import Settings
from tui_casino.house.sitting import House
from tui_casino.tui.modals import ChoiceDialog, OddsWindow, TextPage
from tui_casino.tui.table.keys_help import keys_text
from tui_casino.tui.widgets.cards import CardView
from tui_casino.tui.widgets.text_blocks import wrap_lines
from tui_casino.tui.window import ASIDE, BROAD, CARDS, EDGES, MOST, window_columns


@pytest.fixture
def house(tmp_path: Path) -> House:
    return practice(tmp_path)


def window_of(app: Any) -> Any:
    return app.screen.query_one(".window").region


async def odds(pilot: Any) -> None:
    """Open the odds."""
    await press(pilot, "o")
    await until(pilot, lambda: isinstance(pilot.app.screen, OddsWindow))
    await press(pilot)


# ---- where they lie -----------------------------------------------------------------------------


async def test_odds_window_is_next_to_the_cards_if_there_is_room(house: House) -> None:
    async with run_app(arcade(house, seed=5), BROAD, 43) as pilot:
        app = pilot.app
        await press(pilot, "1", "space")
        cards = [card.region for card in table(app).query(CardView)]
        await odds(pilot)
        window = window_of(app)
        assert cards
        assert not any(window.overlaps(card) for card in cards)
        assert window.right == BROAD
        assert lines(app)[0].startswith(" ♠ VIDEO POKER"), "nor over the title"
        assert "Draw 5" in lines(app)[-2]
        assert "Esc Leave" in lines(app)[-1]


async def test_odds_window_is_centred_without_room_next_to_the_cards(house: House) -> None:
    async with run_app(arcade(house, seed=5), 80, 24) as pilot:
        await press(pilot, "1", "space")
        await odds(pilot)
        window = window_of(pilot.app)
        assert abs(window.x - (80 - window.right)) <= 1


@pytest.mark.parametrize(
    ("width", "aside", "columns"),
    [
        (60, True, 60 - EDGES),
        (80, True, MOST),
        (131, True, MOST),
        (BROAD, True, ASIDE - EDGES),
        (CARDS + 70, True, 70 - EDGES),
        (200, True, MOST),
        (BROAD, False, MOST),
        (3, False, 1),
    ],
    ids=[
        "60 columns",
        "80 columns",
        "131 columns",
        "just broad enough for a place at the side",
        "70 columns next to the cards",
        "200 columns",
        "no place at the side",
        "3 columns",
    ],
)
def test_window_width_follows_from_the_screen(width: int, aside: bool, columns: int) -> None:
    assert window_columns(width, aside=aside) == columns


# ---- keys go on to the game ---------------------------------------------------------------------


async def test_digits_close_the_odds_window_and_act_in_the_game(house: House) -> None:
    async with run_app(arcade(house, seed=5)) as pilot:
        app = pilot.app
        await press(pilot, "1", "space")
        await odds(pilot)
        await press(pilot, "2")
        assert app.screen is table(app), "the page is closed: it told of other cards"
        assert table(app).view.selection == (2,)
        await odds(pilot)
        await press(pilot, "d")
        assert app.screen is table(app)
        assert "d" in lines(app)[-2], "and a deed that cannot be done says why"


@pytest.mark.parametrize("key", first_of(["escape", "o", "space", "enter", "q"], 2))
async def test_escape_o_space_enter_and_q_only_close_the_odds_window(
    house: House, key: str
) -> None:
    async with run_app(arcade(house, seed=5)) as pilot:
        app = pilot.app
        await press(pilot, "1", "space")
        before = table(app).sitting.log.steps
        await odds(pilot)
        await press(pilot, key)
        assert app.screen is table(app)
        assert table(app).sitting.log.steps == before
        assert len(app.screen_stack) == 2


async def test_f1_and_f2_replace_the_odds_window_by_help_and_statistics(house: House) -> None:
    async with run_app(arcade(house, seed=5)) as pilot:
        app = pilot.app
        await press(pilot, "1", "space")
        for key, title in (("f1", "Video poker"), ("f2", "Statistics")):
            await odds(pilot)
            await press(pilot, key)
            (window,) = app.screen.query(".window")
            assert title in str(window.border_title)
            await press(pilot, "f1", "f2")
            assert app.screen is window.screen, "it stays open"
            await press(pilot, "escape")
            assert app.screen is table(app)


async def test_escape_closes_a_window_within_a_wrong_line(house: House) -> None:
    async with run_app(arcade(house, seed=5)) as pilot:
        assert isinstance(await screen_after(pilot, "1", "f4"), ChoiceDialog)
        await press(pilot, "x", "1", time=100.0)
        assert isinstance(pilot.app.screen, ChoiceDialog), "1 belongs to the wrong line"
        assert "x1: Esc closes" in text(pilot.app)
        await press(pilot, "escape", time=100.0)
        assert pilot.app.screen is table(pilot.app)


@pytest.mark.parametrize("times", [1, 2, 3], ids=labelled("{} clicks"))
async def test_dragging_or_clicking_over_text_selects_no_text(house: House, times: int) -> None:
    async with run_app(arcade(house)) as pilot:
        await press(pilot, "f1")
        page = pilot.app.screen.query_one("#text")
        await pilot.mouse_down(page, offset=(2, 1))
        await pilot.hover(page, offset=(9, 4))
        await pilot.mouse_up(page, offset=(9, 4))
        await pilot.click(page, offset=(4, 2), times=times)
        await settle(pilot)
        assert isinstance(pilot.app.screen, TextPage)
        assert not pilot.app.screen.selections


async def test_help_page_keeps_its_own_keys(house: House) -> None:
    async with run_app(arcade(house)) as pilot:
        assert isinstance(await screen_after(pilot, "1", "f1", "2", "d", "x"), TextPage)
        assert not table(pilot.app).view.selection


# ---- help ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", first_of([(80, 24), (60, 20), (40, 15), (BROAD, 43)]), ids=size_id)
@pytest.mark.parametrize("listing", GAMES, ids=lambda listing: listing.slug)
async def test_help_page_begins_with_every_key_of_the_screen(
    house: House, listing: GameListing, size: tuple[int, int]
) -> None:
    async with run_app(arcade(house), *size) as pilot:
        app = pilot.app
        assert isinstance(await screen_after(pilot, key_of(listing.slug), "f1"), TextPage)
        written = str(app.screen.query_one("#text").render())
        rules = written.index(listing.definition().words.help(table(app).view.seen)[:10])
        keys = written[:rules].split()
        expected = ["space", "F1", "?", "F3", "F4", "Esc", ":", "Up", "Down", "ctrl+p", "ctrl+q"]
        if table(app).sitting.may_undo:
            expected += ["u", "U"]
        assert {*expected} <= {*keys}
        assert max(map(len, written.split("\n"))) <= window_columns(size[0], aside=True)
        if size == (80, 24):
            assert "Esc" in text(app).split("Leave")[0], "without scrolling"


async def test_help_page_is_laid_out_again_for_another_window_size(house: House) -> None:
    async with at_table(house) as pilot:
        before = await text_after(pilot, "f1")
        await resize(pilot, 60, 24)
        narrow = text(pilot.app)
        assert await text_after(pilot, "escape", "f1") == narrow
        await resize(pilot, 80, 24)
        assert text(pilot.app) == before


async def test_help_page_shows_the_custom_keys_of_the_player(house: House) -> None:
    keys = {"game.help": "f9", "hold1": "z", "game.step_back": "y"}
    async with run_app(arcade(house, settings=Settings(animation=False, keys=keys))) as pilot:
        shown = await text_after(pilot, "1", "space", "f9")
        assert "F9 " in shown
        assert "F1 ?" not in shown
        assert "y " in shown.split("Take back")[0].split("\n")[-1]


def test_keys_on_the_help_page_are_in_as_many_columns_as_fit() -> None:
    one, two = (keys_text((), lambda action: None, width).split("\n") for width in (40, 56))
    assert [line.split("  ")[0] for line in one] == [":", "Up Down", "Enter"]
    assert len(two) == 2
    assert "Enter" in two[0]


def test_columns_of_keys_get_the_width_that_their_words_need() -> None:
    odds = Binding("O", "odds", "Odds of the table, counted", id="odds")
    shown = keys_text([ActiveBinding(App(), odds, True, "")], lambda action: None, 56)
    assert "Odds of the table, counted  Up Down  earlier commands" in shown
    assert max(map(len, shown.split("\n"))) == 56


# ---- texts --------------------------------------------------------------------------------------


def test_help_text_that_fits_is_not_wrapped() -> None:
    text = "Two lines\nof prose.\n\n  a    list\n"
    assert wrap_lines(text, 12) == text


def test_help_paragraphs_are_rewrapped_for_the_width() -> None:
    text = "Bet 1 to 5 credits, look at five\ncards, hold what you\nlike.\n\nThen."
    assert wrap_lines(text, 24) == (
        "Bet 1 to 5 credits, look\nat five cards, hold what\nyou like.\n\nThen."
    )


def test_help_lists_are_wrapped_under_their_second_column() -> None:
    text = "  b 5    bet so many credits, 1 to 5\n  d      deal"
    assert wrap_lines(text, 24) == "  b 5    bet so many\n         credits, 1 to 5\n  d      deal"


def test_gaps_of_a_help_table_are_narrowed_before_rows_are_wrapped() -> None:
    text = "all holds       EV    cost\n7H 7D       0.7434    best\n7H          0.2153  0.5281"
    assert wrap_lines(text, 24) == (
        "all holds     EV    cost\n7H 7D     0.7434    best\n7H        0.2153  0.5281"
    )
    assert wrap_lines(text, 23) == (
        "all holds     EV   cost\n7H 7D     0.7434   best\n7H        0.2153 0.5281"
    )


async def test_window_is_closed_by_a_click_outside_or_on_its_esc_label(house: House) -> None:
    """At a click outside, or on the word Esc in its edge; not at one inside."""
    async with at_table(house) as pilot:
        for place in ("outside", "Esc", "inside"):
            await press(pilot, "f1")
            window = pilot.app.screen
            assert isinstance(window, TextPage)
            region = window.query_one(".window").region
            x, y = {
                "outside": (0, 0),
                "Esc": (region.right - 5, region.bottom - 1),
                "inside": (region.x + 4, region.y + 4),
            }[place]
            await pilot.click(offset=(x, y))
            await settle(pilot)
            assert (pilot.app.screen is window) == (place == "inside"), place
        await press(pilot, "escape")
        await leave(pilot)


# ---- lists to choose from -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("choices", "digits"),
    [
        (("1 deck", "2 decks", "8"), {"1": 0, "2": 1, "8": 2, "3": None}),
        (("6 decks, small", "6 decks, large", "9/6", "10"), {"6": None, "2": 1, "4": 3}),
        (("First", ""), {"0": None, "1": 0, "2": 1, "3": None}),
        (("Tenth",) * 10, {"0": 9, "9": 8}),
    ],
    ids=value_id,
)
async def test_digit_chooses_the_line_that_shows_it_or_nothing(
    house: House, choices: tuple[str, ...], digits: dict[str, int | None]
) -> None:
    async with run_app(arcade(house), 80, 24) as pilot:
        for digit, place in digits.items():
            answers: list[str | None] = []
            window = ChoiceDialog("How many?", {str(n): line for n, line in enumerate(choices)})
            await pilot.app.push_screen(window, answers.append)
            await press(pilot, digit)
            assert answers == ([] if place is None else [str(place)])
            await press(pilot, *["escape"] * (place is None))


@pytest.mark.parametrize("columns", [40, 80], ids=labelled("{} columns"))
async def test_answer_to_a_refused_key_lists_the_valid_keys(house: House, columns: int) -> None:
    async with run_app(arcade(house), columns, 24) as pilot:
        await pilot.app.push_screen(ChoiceDialog("Deck", {"a": "A", "b": "B"}))
        assert "1-2 choose, Esc closes" in await text_after(pilot, "f1")
        assert "1  A" in text(pilot.app)
