"""Somebody who watches a table with others sees rounds that are over, and open cards only."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.contract.test_seat_tables import choice_of_others
from tests.contract.test_shared_secrets import SHARED, allowed, view
from tests.helpers.random_play import cards_in, seed_of, swap
from tests.helpers.shared_table import Desk
from tui_casino.cards.card import PACK, Card
from tui_casino.engine.chance import DiceStream
from tui_casino.engine.game import Shoe
from tui_casino.engine.seating import Join, Leave
from tui_casino.gamekit.registry import GameListing
from tui_casino.host.cage.table_watching import watched_rounds
from tui_casino.records.ledger import OpenSitting
from tui_casino.records.sqlite_ledger import SqliteLedger
from tui_casino.structs import replace

STEPS = 150
ENDS = {"CoupOver", "HandOver", "RoundOver", "RoundVoid"}
"""The names of the events that end a round."""
OPTIONS = {"five-card-draw": {"seats": 3, "computers": "novice"}, "cribbage": {}}


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[SqliteLedger]:
    ledger = SqliteLedger(tmp_path / "ledger")
    yield ledger
    ledger.close()


def begun(ledger: SqliteLedger, listing: GameListing) -> Desk:
    options: dict[str, Any] = OPTIONS.get(listing.slug, {"seats": 3})
    return Desk(ledger, listing.slug, options)


def played(desk: Desk, number: int) -> Iterator[None]:
    """Let random people come, play and leave; yield after each action."""
    shared = next(one for one in SHARED if one.slug == desk.game).definition().shared
    assert shared is not None
    for step in range(STEPS):
        dice = DiceStream(seed_of(number), f"step {step}")
        if (chosen := choice_of_others(desk.replica._table, dice)) is None:
            return
        (seat, action), replica = chosen, desk.replica
        if isinstance(action, Leave) and desk.game == "cribbage" and step < STEPS - 20:
            continue  # it would end the game
        player = f"player {step}"
        if isinstance(action, Join):
            cents = action.cents * shared.game.unit
            path = Path(f"/{step}.jsonl")
            replica.join(seat, action, player, OpenSitting(player, desk.game, path, None, cents))
        elif (occupant := replica.occupants.get(seat)) is not None:
            replica.act(seat, action, occupant.player)
        if shared.computer is not None:
            desk.play_computers()
        yield


def last_end(desk: Desk) -> int:
    """Return the last row in which a round ended."""
    rows = enumerate(desk.replica._played_rows, 1)
    return max(
        (
            number
            for number, (update, _) in rows
            for event in update.events
            if {type(event).__name__, getattr(event, "kind", "")} & ENDS
        ),
        default=0,
    )


@pytest.mark.parametrize("listing", SHARED, ids=lambda listing: listing.slug)
def test_watcher_gets_nothing_of_a_round_before_it_is_over(
    ledger: SqliteLedger, listing: GameListing
) -> None:
    desk, rounds, after, seen = begun(ledger, listing), 0, 0, list[str]()
    for _ in played(desk, 2):
        is_over, end = bool(desk.replica.why_over), last_end(desk)
        answer = watched_rounds(desk.replica, after, str)
        assert answer.after == (desk.replica.rows - 1 if is_over else end)
        assert bool(answer.lines) == (answer.after > after)
        assert bool(answer.why) == is_over
        rounds, after = rounds + bool(answer.lines), answer.after
        seen += answer.lines
    assert rounds > 1
    assert seen.count("") == rounds - 1, "an empty line parts two rounds"
    _, *lines = complete(desk)
    assert seen[-len(lines) :] == lines, "the lines are the same later"


def complete(desk: Desk) -> list[str]:
    """Return the lines of all rounds that are over, after the first row."""
    after, lines = 1, list[str]()
    while (answer := watched_rounds(desk.replica, after, str)).lines:
        after, lines = answer.after, [*lines, *answer.lines]
    return lines


@pytest.mark.parametrize("number", range(3))
@pytest.mark.parametrize("listing", SHARED, ids=lambda listing: listing.slug)
def test_unknown_cards_change_no_byte_that_a_watcher_gets(
    ledger: SqliteLedger, listing: GameListing, number: int
) -> None:
    desk, known, swapped = begun(ledger, listing), set[Card](), 0
    for _ in played(desk, number):
        pass
    replica, definition = desk.replica, listing.definition()
    assert definition.shared is not None
    game = definition.shared.game
    before = complete(desk)
    assert len(before) > 10
    other_rows, state = [], game.start(replica.options)
    for row, (update, action) in enumerate(replica._played_rows):
        if isinstance(action, Shoe):
            known &= {*cards_in(view(game, state, None))}
        for event in update.events:
            known |= allowed(listing, event, None)
        state = update.state
        hidden = sorted({*cards_in((update.state, update.events))} - known, key=str)
        if hidden:
            dice = DiceStream(seed_of(number), f"swap {row}")
            one = hidden[dice.below(len(hidden))]
            others = sorted({*PACK} - known - {one}, key=str)
            other = others[dice.below(len(others))]
            events, after = swap(update.events, one, other), swap(update.state, one, other)
            update, swapped = replace(update, state=after, events=events), swapped + 1
        other_rows.append((update, action))
    replica._played_rows = other_rows
    assert complete(desk) == before
    assert swapped > 5 or listing.slug == "thirty-one", "there every card is face up"
