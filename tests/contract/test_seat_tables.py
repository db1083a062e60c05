"""A table that is played elsewhere, as each of its seats sees it: the same views, and no more."""

from __future__ import annotations

from collections import deque
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.quick_cases import by_game
from tests.helpers.random_play import AnyTable, fair_table, human_choice, seed_of
from tui_casino.engine.chance import CommittedSource
from tui_casino.engine.croupier import ShuffledShoe
from tui_casino.engine.event_bus import TableUpdate
from tui_casino.engine.game import Seat
from tui_casino.engine.seat_table import SeatTable, SeenStep
from tui_casino.gamekit.registry import GameListing
from tui_casino.records.codec import to_builtins
from tui_casino.records.log_header import HUMAN, OTHER, SEAT_FORMAT, Identity, LogHeader
from tui_casino.records.replay import ProofLevel, replay_log, verify_log
from tui_casino.records.session_log import LogWriter, read_log
from tui_casino.records.summaries import review_log

Step = SeenStep[Any, Any, Any]


class Feed:
    """The steps of a table here, as one of its seats sees them."""

    def __init__(self, table: AnyTable, seat: Seat) -> None:
        self.table, self.seat, self.steps = table, seat, deque[Step]()
        self.last: Any = None
        self.row = 0
        table.bus.subscribe(seat, self._hear)

    def _hear(self, update: TableUpdate[Any, Any]) -> None:
        own = self.last if update.actor == self.seat else None
        kind = type(self.last).__name__ if own else "Deal"
        self.row += 1
        self.steps.append(SeenStep(self.row, update.actor, kind, own, update.state, update.events))

    @property
    def has_next(self) -> bool:
        return bool(self.steps)

    def next(self) -> Step:
        return self.steps[0]

    def take(self) -> None:
        self.steps.popleft()

    def send(self, action: Any) -> bool:
        self.last = action
        self.table.submit(self.seat, action)
        return True


def seat_table(table: AnyTable, feed: Feed, log: LogWriter) -> SeatTable[Any, Any, Any, Any]:
    game, source = table.game, CommittedSource(seed_of(0))
    return SeatTable(game, table.options, ShuffledShoe(), source, feed.seat, feed, log.step)


def header_of(table: AnyTable, seat: Seat) -> LogHeader:
    return LogHeader(
        format=SEAT_FORMAT,
        game=table.game.slug,
        options=to_builtins(table.options),
        players=tuple(HUMAN if each == seat else OTHER for each in table.players),
        croupier=table.croupier.kind,
        source=table.source.spec,
        program="test",
        at=0,
        who=tuple(Identity("me", "Me") if each == seat else None for each in table.players),
        table="K7QX",
        seat=seat,
    )


@pytest.mark.parametrize("number", range(3))
@by_game()
def test_table_of_a_seat_has_its_view_and_its_log_gives_the_same_views(
    listing: GameListing, number: int, tmp_path: Path
) -> None:
    """Everything that a seat has of the table comes through its steps; its own choices go there."""
    definition, seed = listing.definition(), seed_of(number)
    seats = range(definition.game.seats(definition.game.Options()))
    table = fair_table(definition, seed, humans=tuple(seats))
    feeds = {seat: Feed(table, seat) for seat in map(Seat, seats)}
    logs, tables = {}, {}
    for seat, feed in feeds.items():
        path = tmp_path / f"{seat}.jsonl"
        logs[seat] = LogWriter.begin(path, header_of(table, seat), lambda: 0)
        tables[seat] = seat_table(table, feed, logs[seat])
    views: dict[Seat, list[Any]] = {seat: [] for seat in tables}
    tallies = {
        seat: table.bus.accumulate(seat, definition.tally(seat), lambda tally, one: tally.add(one))
        for seat in tables
    }
    for _ in range(150):
        if not table.waiting:
            table.advance()
        elif (chosen := human_choice(table, seed)) is not None:
            seat, action = chosen
            assert tables[seat].waiting
            tables[seat].submit(seat, action)
        else:
            break
        for seat, own in tables.items():
            while feeds[seat].has_next:
                own.advance()
            assert own.state == own.view(seat) == table.view(seat)
            views[seat].append(own.state)
    for seat, log in logs.items():
        log.close()
        replayed = [*replay_log(definition.game, read_log(log.path))]
        assert [step.state for step in replayed] == views[seat]
        assert all(step.action is not None for step in replayed if step.line.by == seat)
        assert all(step.action is None for step in replayed if step.line.by != seat)
        assert verify_log(definition, read_log(log.path)).proof is ProofLevel.CONSISTENT
        summary, _, _ = review_log(definition, log.path, choices=True)
        assert (summary.rounds, summary.won) == (
            tallies[seat].value.rounds,
            definition.game.unit * tallies[seat].value.won,
        )
