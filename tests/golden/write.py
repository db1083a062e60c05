"""Play the golden sessions and write what came of it: ``python -m tests.golden.write [GAME ...]``.

Read every changed file by eye before it is committed: what stands there is what tests expect.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

from tui_casino.engine.chance import SeededSource
from tui_casino.engine.croupier import ShuffledShoe
from tui_casino.engine.game import Seat
from tui_casino.gamekit.registry import GAMES, GameListing
from tui_casino.house.sitting import PRACTICE, House, begin_sitting
from tui_casino.screen_reader.table import play_at_table

FOLDER = Path(__file__).parent
OLD = FOLDER.parent / "data" / "old-logs"
"""Logs of older formats, as they were written then: the golden sessions of format 1, and others."""
SEED = 2026
PROGRAM = "tui-casino 0.1.0"
"""Who wrote the logs, by their headers: always the same, so that a new version changes none."""


@dataclass(frozen=True, slots=True)
class Golden:
    """A game's golden session: what was typed, what was said to it, the log."""

    typed: Path
    said: Path
    log: Path


def golden(listing: GameListing) -> Golden:
    folder = FOLDER / listing.slug
    return Golden(folder / "typed.txt", folder / "said.txt", folder / "session.jsonl")


def clock() -> int:
    return 1_767_225_600_000  # the first moment of 2026


def replayed(listing: GameListing, logs: Path) -> tuple[str, bytes]:
    """Play what is typed, a human at the first seat; give all that was said, and the log."""
    definition = listing.definition()
    options = definition.game.sit(definition.game.Options(), PRACTICE // definition.game.unit)
    others = next(iter(definition.players))
    players = {Seat(s): None if s == 0 else others for s in range(definition.game.seats(options))}
    house = House(logs, None, "player", clock=clock)
    with patch("tui_casino.house.sitting._PROGRAM", PROGRAM):
        sitting = begin_sitting(
            house, definition, options, ShuffledShoe(), SeededSource(SEED), players
        )
    said: list[str] = []

    def typed_lines() -> Iterator[str]:
        for line in golden(listing).typed.read_text().splitlines():
            said.append(f"> {line}".rstrip())
            yield line

    play_at_table(sitting, typed_lines(), said.append, said.append)
    return "\n".join(said) + "\n", sitting.log.path.read_bytes()


def main(*slugs: str) -> None:
    """Write the sessions of these games, or of all."""
    for listing in GAMES:
        if slugs and listing.slug not in slugs:
            continue
        files = golden(listing)
        with TemporaryDirectory() as logs:
            said, log = replayed(listing, Path(logs))
        files.said.write_text(said)
        files.log.write_bytes(log)


if __name__ == "__main__":
    main(*sys.argv[1:])
