"""The review of a log at the ante table, by the adviser that the player could ask."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.helpers.ledger_sessions import clock
from tests.helpers.parameter_ids import labelled
from tests.helpers.quick_cases import first_of
from tests.helpers.random_play import seed_of
from tui_casino.engine.chance import CommittedSource
from tui_casino.engine.croupier import ShuffledShoe
from tui_casino.engine.game import AskSeats, Seat
from tui_casino.games.five_card_draw import DEFINITION
from tui_casino.games.five_card_draw.brains.adviser import advise
from tui_casino.games.five_card_draw.machine.state import (
    Action,
    Discard,
    Options,
    Phase,
    Stakes,
    State,
)
from tui_casino.house.sitting import House, begin_sitting
from tui_casino.records.cache import Cache
from tui_casino.records.log_catalog import list_logs
from tui_casino.records.log_review import weigh_decisions
from tui_casino.records.session_log import read_log
from tui_casino.records.summaries import review_logs
from tui_casino.structs import replace

ME = Seat(0)
GAMES = {"five-card-draw": DEFINITION}


def as_advised(view: State) -> Action:
    told = advise(view, ME) if view.phase is Phase.DRAW else None
    if told is not None:
        return Discard(told.best)
    able = next(offer for offer in DEFINITION.game.offers(view, ME) if offer.barred is None)
    return next(iter(able.all()))


def played(folder: Path, hands: int, number: int) -> int:
    """Record a session against three opponents with the adviser's discards; count its hands."""
    options = DEFINITION.game.sit(replace(Options(), opponents=3, stakes=Stakes.ANTE), 1_000)
    who = {Seat(seat): None if seat == ME else "algorithm" for seat in range(4)}
    house = House(folder, None, "ann", clock=clock)
    source = CommittedSource(seed_of(number))
    sitting = begin_sitting(house, DEFINITION, options, ShuffledShoe(), source, who)
    table = sitting.table
    while sitting.dialogue.tally.rounds < hands:
        if not table.waiting:
            if not table.advance():
                break
            continue
        if not isinstance(table.game.turn(table.state), AskSeats):
            break
        table.submit(ME, as_advised(table.view(ME)))
    sitting.leave()
    return sitting.dialogue.tally.rounds


@pytest.mark.parametrize("hands", first_of([5, 180]), ids=labelled("{} hands"))
def test_review_finds_no_mistake_in_sessions_that_follow_the_advice(
    tmp_path: Path, hands: int
) -> None:
    number = done = 0
    while done < hands:
        number += 1
        done += max(1, played(tmp_path, hands - done, number))
    for reviewed in review_logs(list_logs(tmp_path, GAMES, {}), GAMES, Cache(None), choices=True):
        assert reviewed.summary is not None
        assert reviewed.summary.mistakes == 0
        assert reviewed.spots
    choices = [
        choice
        for path in tmp_path.glob("*.jsonl")
        for choice in weigh_decisions(DEFINITION, read_log(path))
        if choice.seat == ME
    ]
    assert len(choices) >= hands
    assert not any(choice.cost for choice in choices)
    assert all(max(worth.error for worth in choice.values) > 0 for choice in choices)
