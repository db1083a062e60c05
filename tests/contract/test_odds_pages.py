"""The odds of a whole table on a page: every line fits a window, and shares are what they say."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.helpers.arcade_pilot import arcade, practice, press, run_app, text
from tests.helpers.quick_cases import by_game_first
from tui_casino.engine.game import Seat
from tui_casino.gamekit.definition import AnyDefinition
from tui_casino.gamekit.registry import GameListing, listing_of
from tui_casino.games.video_poker.brains.bankroll import survival_chances
from tui_casino.games.video_poker.brains.odds import odds_of
from tui_casino.tui.draw.plots import share_bars
from tui_casino.tui.modals import TextPage
from tui_casino.tui.table.face import face_of
from tui_casino.tui.table.snapshot import TableSnapshot

MOST = 55
"""Columns of a page's text in a window of 60 columns."""


def at_first(definition: AnyDefinition, plain: bool) -> TableSnapshot[Any, Any, Any]:
    """Look at a table where nothing has been dealt."""
    start = definition.game.start(definition.game.Options())
    return TableSnapshot(start, Seat(0), definition.tally(Seat(0)), plain=plain)


@by_game_first("baccarat", "five-card-draw")
@pytest.mark.parametrize("plain", [False, True], ids=["unicode", "ascii"])
def test_odds_page_fits_a_narrow_window_and_ascii_terminals(
    listing: GameListing, plain: bool
) -> None:
    odds = face_of(listing).pages.odds
    if odds is None:  # not every game knows them
        return
    lines = [*odds(at_first(listing.definition(), plain))]
    assert lines
    assert max(map(len, lines)) <= MOST
    assert any(("#" if plain else "▄") in line for line in lines)
    assert not plain or all(line.isascii() for line in lines)


def test_bars_of_an_odds_page_are_as_long_as_their_shares() -> None:
    drawn = [*share_bars([("a", 0.5, "half"), ("bb", 0.25, "quarter"), ("c", 0, "none")], 32)]
    assert [line.count("▄") for line in drawn] == [20, 10, 0]
    assert {len(line) for line in drawn} == {32}
    assert [*share_bars([], 30)] == []


def test_bankroll_curve_on_the_odds_page_runs_from_0_to_100_percent() -> None:
    """The curve is that of ``odds video-poker --bankroll N --hands 1000``, from none to all."""
    listing = listing_of("video-poker")
    page = face_of(listing).pages.odds
    assert page is not None
    glance = at_first(listing.definition(), True)
    lines = [*page(glance)]
    chances = survival_chances(odds_of(glance.view.options.paytable, 1).report("optimal"), 1_000)
    at = next(n for n, line in enumerate(lines) if "lasts 1,000 hands" in line)
    assert re.match(r" *100 ", lines[at + 1])
    assert chances[0] == 0
    assert chances[1_000] == pytest.approx(1)


async def test_shift_o_at_a_baccarat_table_opens_its_odds_page(tmp_path: object) -> None:
    from pathlib import Path

    assert isinstance(tmp_path, Path)
    async with run_app(arcade(practice(tmp_path))) as pilot:
        await press(pilot, "2", "O")
        assert isinstance(pilot.app.screen, TextPage)
        assert "House edge: the share of each bet that the house keeps" in text(pilot.app)
