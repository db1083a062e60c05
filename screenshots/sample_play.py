"""Sample sessions for the pictures: four weeks of a player who makes fewer mistakes each week.

The sessions are real ones, with real logs and a ledger, but their seeds, names and times are fixed,
so the pictures are the same on every machine.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any
from unittest.mock import patch

from tui_casino.engine.chance import CommittedSource, DiceStream
from tui_casino.engine.croupier import ShuffledShoe
from tui_casino.engine.game import AskSeats, Seat, SittingOver
from tui_casino.engine.offers import Dice
from tui_casino.gamekit.adviser import ValuesScope
from tui_casino.gamekit.definition import AnyDefinition
from tui_casino.gamekit.registry import GAMES
from tui_casino.games.five_card_draw.machine.state import Options as DrawOptions
from tui_casino.house.house import House
from tui_casino.house.sitting import begin_sitting
from tui_casino.records.sqlite_ledger import SqliteLedger
from tui_casino.structs import replace

FIRST_DAY = datetime(2026, 10, 26, 19, 30, tzinfo=UTC)
LAST_MOMENT = datetime(2026, 11, 22, 20, 15, tzinfo=UTC)
BUY_IN = 200_00
LEDGER = "ledger.sqlite"
CACHE = "cache.sqlite"
LOGS = "sessions"
MOST_ERRORS, LEAST_ERRORS = 0.4, 0.02
"""The share of mistakes among the choices of the first and of the last session."""

PLAN = ("baccarat", "video-poker", "thirty-one", "cribbage", "five-card-draw", "video-poker") * 5
"""The games of the sessions, in order."""
ROUNDS: Mapping[str, int] = {
    "video-poker": 40,
    "baccarat": 30,
    "five-card-draw": 20,
    "thirty-one": 30,
    "cribbage": 6,
}
STYLES: Mapping[str, str] = {
    "video-poker": "list",
    "baccarat": "banker",
    "five-card-draw": "regular",
    "thirty-one": "dealer",
    "cribbage": "expert",
}
"""The computer player whose choices the sample player copies when it makes no mistake."""
RIVALS: Mapping[str, tuple[str, ...]] = {"five-card-draw": ("regular",), "cribbage": ("expert",)}
OPTIONS: Mapping[str, Any] = {"five-card-draw": DrawOptions(opponents=1)}


@dataclass
class Clock:
    """A clock that advances by three seconds each time it is read."""

    at: datetime = field(default=FIRST_DAY)

    def __call__(self) -> int:
        """Return the time, in milliseconds since 1970."""
        self.at += timedelta(seconds=3)
        return int(self.at.timestamp() * 1000)


def sample_house(folder: Path) -> House:
    """Return the house of the sample sessions in a folder, at the moment after the last one."""
    return House(
        folder / LOGS,
        SqliteLedger(folder / LEDGER),
        "player",
        buy_in=BUY_IN,
        clock=lambda: int(LAST_MOMENT.timestamp() * 1000),
        cache=folder / CACHE,
    )


def play_samples(folder: Path) -> None:
    """Play all sample sessions; their logs and the ledger are written to a folder."""
    clock, tokens = Clock(), count(0xA51)
    house = replace(sample_house(folder), clock=clock)
    days = (LAST_MOMENT - FIRST_DAY).days
    with patch("secrets.token_hex", lambda size: f"{next(tokens) * 7919:0{2 * size}x}"[: 2 * size]):
        for number, slug in enumerate(PLAN):
            clock.at = FIRST_DAY + timedelta(days=days * number // (len(PLAN) - 1))
            clock.at += timedelta(minutes=13 * number % 90)
            part = number / (len(PLAN) - 1)
            _play(house, slug, number, MOST_ERRORS + part * (LEAST_ERRORS - MOST_ERRORS))


def _play(house: House, slug: str, number: int, errors: float) -> None:
    """Play a session with this share of mistakes."""
    definition = next(game for game in GAMES if game.slug == slug).definition()
    seed = hashlib.sha256(f"winter {number}".encode()).digest()
    options = OPTIONS.get(slug, definition.game.Options())
    players: dict[Seat, str | None] = {Seat(0): None}
    players |= {Seat(seat): name for seat, name in enumerate(RIVALS.get(slug, ()), 1)}
    style = definition.players[STYLES[slug]]()
    sitting = begin_sitting(
        house, definition, options, ShuffledShoe(), CommittedSource(seed), players
    )
    table, dice = sitting.table, DiceStream(seed, "sample player")
    with sitting:
        while sitting.dialogue.tally.rounds < ROUNDS[slug]:
            if not table.waiting:
                table.advance()
                continue
            turn = table.game.turn(table.state)
            if isinstance(turn, SittingOver) or not isinstance(turn, AskSeats):
                break
            view = table.view(Seat(0))
            offers = table.game.offers(view, Seat(0))
            action = style.choose(view, Seat(0), offers, dice)
            if dice.below(1000) < 1000 * errors:
                action = _mistake(definition, view, action, dice)
            table.submit(Seat(0), action)
        sitting.leave(refund=True)


def _mistake(definition: AnyDefinition, view: Any, action: Any, dice: Dice) -> Any:
    """Return one of the next best choices, or the action if nothing else can be chosen."""
    decision = definition.decision(view, Seat(0), action, ValuesScope.OF_ALL)
    others = decision.values[1:4] if decision else ()
    return others[dice.below(len(others))].action if others else action
