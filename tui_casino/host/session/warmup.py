"""The warm-up of the server: work done in advance, so that later sessions share its results.

The analysis of a choice needs tables, which take a third of a second to compute for some games.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

from ...engine.chance import SeededSource
from ...engine.event_bus import ALL_CARDS, TableUpdate
from ...engine.game import AskSeats
from ...engine.table import Table
from ...gamekit.registry import GAMES, GameListing
from ...inputs.errors import write_crash_report
from ...tui.table.face import face_of

LULL = 5
"""Seconds without a new session before a job starts, so that no visitor waits for it."""
CHOICES = 40
"""The number of choices to analyse at a game's usual table."""


class Warmup:
    """Runs one job after another, each after a period without a new session."""

    def __init__(self, jobs: Iterable[Callable[[], object]]) -> None:
        self._jobs, self._quiet = iter(jobs), 0

    def busy(self) -> None:
        """Note that a session is starting."""
        self._quiet = 0

    def idle(self) -> None:
        """Count a second without a new session; run a job if enough seconds have passed.

        Afterwards the new objects are hidden from the garbage collector. It would write to their
        memory pages, which could then no longer be shared.
        """
        self._quiet += 1
        if self._quiet <= LULL or (job := next(self._jobs, None)) is None:
            return
        try:
            job()
        except Exception as error:  # a session will fail in the same way, and report the error
            write_crash_report(error)
        gc.collect()
        gc.freeze()


def all_games() -> Iterator[Callable[[], int]]:
    """Yield the jobs, each of which analyses a few choices in a game."""
    return (partial(weigh_choices, game) for game in GAMES)


def weigh_choices(listing: GameListing) -> int:
    """Make random choices at a game's usual table and analyse them; return how many.

    Also compute the expected results of these rounds, which the menu's overview of mistakes needs.
    """
    definition, seating = listing.definition(), listing.tables().setup()
    values = face_of(listing).advice.values
    players = {
        seat: None if who is None else definition.players[who]()
        for seat, who in seating.players.items()
    }
    table = Table(definition.game, seating.options, seating.croupier, SeededSource(1), players)
    dice, weighed = SeededSource(1).dice("a choice"), 0
    if not definition.adviser.has_judge:
        return 0
    adviser = definition.adviser

    def review(update: TableUpdate[Any, Any]) -> None:
        for event in update.events:
            for compute in (adviser.expect, adviser.distribution):
                if compute is not None:
                    compute(seating.options, event)

    table.bus.subscribe(ALL_CARDS, review)
    while weighed < CHOICES:
        table.run()
        if not isinstance(turn := table.game.turn(table.state), AskSeats):
            break  # the game is over
        seat = turn.seats[0]
        view = table.view(seat)
        able = [offer for offer in table.game.offers(view, seat) if offer.barred is None]
        action = able[dice.below(len(able))].sample(dice)
        definition.decision(view, seat, action, values)
        table.submit(seat, action)
        weighed += 1
    return weighed
