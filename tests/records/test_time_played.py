"""The time played is the time at the table, not the time during which the table waited."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.helpers.ledger_sessions import clock
from tests.helpers.random_play import seed_of
from tests.helpers.scripted_sessions import ME
from tui_casino.engine.chance import CommittedSource
from tui_casino.engine.croupier import ShuffledShoe
from tui_casino.engine.game import Seat
from tui_casino.gamekit.registry import DEFINITIONS, GAMES, GameListing
from tui_casino.house.sitting import House, begin_sitting
from tui_casino.records.cache import Cache
from tui_casino.records.clock import AWAY, MINUTE, time_played
from tui_casino.records.log_catalog import list_logs
from tui_casino.records.session_statistics import compute_statistics
from tui_casino.records.summaries import review_logs
from tui_casino.tui.history.log_list import time_played as time_played_text
from tui_casino.tui.history.summary_screen import summary_lines

SECOND, HOUR = 1000, 60 * MINUTE


@pytest.mark.parametrize(
    ("gap", "counted"),
    [(0, 0), (20 * SECOND, 20 * SECOND), (AWAY, AWAY), (22 * MINUTE, AWAY), (-HOUR, 0)],
    ids=["none", "20 s", "5 min", "22 min", "clock set back"],
)
def test_gap_between_actions_counts_as_play_for_at_most_five_minutes(
    gap: int, counted: int
) -> None:
    assert AWAY == 5 * 60 * 1000
    assert time_played(clock(), clock() + gap) == counted


@pytest.mark.parametrize("listing", GAMES, ids=lambda listing: listing.slug)
def test_result_card_history_and_statistics_count_the_same_time_played(
    listing: GameListing, tmp_path: Path
) -> None:
    """By hand: six gaps of 40 seconds, 5 of the 22 minutes away, and nothing of the hour back."""
    definition, time = listing.definition(), [clock()]
    game = definition.game
    options = game.sit(listing.tables().setup().options, 100_000 // game.unit)
    opponent = next(iter(definition.players))
    players = {Seat(n): None if n == ME else opponent for n in range(game.seats(options))}
    house = House(tmp_path, None, "ann", clock=lambda: time[0])
    source = CommittedSource(seed_of(3))
    sitting = begin_sitting(house, definition, options, ShuffledShoe(), source, players)
    dice, table = source.dice("me"), sitting.table
    for choice in range(7):
        while not table.waiting:
            assert table.advance()
        time[0] += {3: 22 * MINUTE, 5: -HOUR}.get(choice, 40 * SECOND)
        able = [one for one in game.offers(table.view(ME), ME) if one.barred is None]
        table.submit(ME, able[dice.below(len(able))].sample(dice))
    time[0] += 40 * SECOND
    sitting.leave()
    (reviewed,) = review_logs(list_logs(tmp_path, DEFINITIONS, {}), DEFINITIONS, Cache(None))
    assert reviewed.summary is not None
    assert reviewed.summary.played == 6 * 40 * SECOND + 5 * MINUTE
    assert reviewed.entry.length is None, "the clock was set back"
    assert time_played_text(reviewed.summary) == "9 min"
    told = compute_statistics([reviewed], DEFINITIONS).report()
    assert told["practice"]["overall"]["seconds"] == 540
    lines = [*summary_lines(listing, reviewed, False)]
    assert "time played             9 min" in lines
    assert lines[0] == f"{'rounds':<24}{reviewed.summary.rounds}", "a figure, not a heading"
    assert max(map(len, lines)) <= 76, "no line is wrapped in 80 columns"
