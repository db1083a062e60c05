"""Logs for tests of the history, and helpers that read its screens."""

from __future__ import annotations

import json
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from textual.app import App
from textual.pilot import Pilot

from tests.golden.write import golden
from tests.helpers.arcade_pilot import arcade, clock, lines, press, run_app
from tests.helpers.ledger_sessions import act
from tui_casino.engine.chance import SeededSource
from tui_casino.engine.croupier import ShuffledShoe
from tui_casino.engine.game import Seat
from tui_casino.gamekit.registry import GameListing
from tui_casino.games.video_poker import DEFINITION
from tui_casino.games.video_poker.machine.game import Bet, Draw, Hold, Options
from tui_casino.house.sitting import House, Sitting, begin_sitting
from tui_casino.tui.history.log_list import LogList
from tui_casino.tui.replay.screen import ReplayTable

SEAT = Seat(0)
HOUR = 3_600_000


def sit(house: House, seed: int = 7) -> Sitting[Any, Any, Any, Any, Any]:
    return begin_sitting(
        house, DEFINITION, Options(), ShuffledShoe(), SeededSource(seed), {SEAT: None}
    )


def clock_at(hour: int) -> int:
    return clock() + HOUR * hour


def play(house: House, rounds: int = 2, seed: int = 7, hold: tuple[int, ...] = (1, 2)) -> Path:
    """Play some rounds of video poker and leave; return the path of the log."""
    sitting = sit(house, seed)
    for _ in range(rounds):
        act(sitting, Bet(5), Draw(), Hold(hold))
    sitting.table.run()
    sitting.leave()
    return sitting.log.path


def copy_golden(house: House, listing: GameListing) -> Path:
    """Copy a game's golden log into the folder of a house; return its path there."""
    house.logs.mkdir(exist_ok=True)
    return Path(shutil.copy(golden(listing).log, house.logs / f"{listing.slug}.jsonl"))


def spoilt(path: Path, step: int) -> None:
    """Change a step of a log so that the rules refuse it."""
    raw = path.read_text().split("\n")
    line = json.loads(raw[step])
    line["do"] = {"is": "Bet", "coins": 99}
    raw[step] = json.dumps(line, separators=(",", ":"))
    path.write_text("\n".join(raw))


@asynccontextmanager
async def in_records(house: House, width: int = 80, height: int = 24) -> AsyncIterator[Pilot[None]]:
    async with run_app(arcade(house), width, height) as pilot:
        await press(pilot, "r")
        yield pilot


@asynccontextmanager
async def run_replay(house: House, width: int = 80, height: int = 24) -> AsyncIterator[Pilot[None]]:
    """Open the newest log."""
    async with in_records(house, width, height) as pilot:
        await press(pilot, "enter")
        yield pilot


def replay_screen(app: App[Any]) -> Any:
    """Return the open replay."""
    (screen,) = (screen for screen in app.screen_stack if isinstance(screen, ReplayTable))
    return screen


def status_text(app: App[Any]) -> str:
    """Return the text below the table."""
    text: str = replay_screen(app).status.text
    return text


def listed(app: App[Any]) -> list[str]:
    """Return the visible lines of the list."""
    region = app.screen.query_one(LogList).region
    entry = lines(app)[region.y : region.bottom]
    return [line.lstrip("▌> ").rstrip() for line in entry if line.strip()]
