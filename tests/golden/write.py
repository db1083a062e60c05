"""Play the golden sessions and write their files: ``python -m tests.golden.write [GAME ...]``.

Read every changed file before you commit it, because the tests expect its contents.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

from msgspec import Struct

from tui_casino.engine.chance import CommittedSource, SeededSource
from tui_casino.engine.croupier import ShuffledShoe
from tui_casino.engine.game import Seat
from tui_casino.gamekit.registry import GAMES, GameListing
from tui_casino.house.sitting import PRACTICE, House, begin_sitting
from tui_casino.records.codec import encode
from tui_casino.records.session_log import line_hash
from tui_casino.screen_reader.table import play_at_table

FOLDER = Path(__file__).parent
OLD = FOLDER.parent / "data" / "old-logs"
"""Logs in older formats, as written by older versions, such as the golden sessions of format 1."""
SEED = 2026
PROGRAM = "tui-casino 0.1.0"
"""The program named in the headers of the logs; fixed, so a new version does not change them."""


class Golden(Struct, frozen=True):
    """The files of a game's golden session: the typed lines, the printed lines, and the log."""

    typed: Path
    said: Path
    log: Path


def golden(listing: GameListing) -> Golden:
    """Return the paths of a game's golden files."""
    folder = FOLDER / listing.slug
    return Golden(folder / "typed.txt", folder / "said.txt", folder / "session.jsonl")


def copy_as_own(listing: GameListing, path: Path) -> Path:
    """Write the golden log as if the player had played it without knowing the shuffle."""
    first, *lines = map(json.loads, golden(listing).log.read_bytes().splitlines())
    spec = CommittedSource(SeededSource(SEED).seed).spec
    first["source"] = {"kind": spec.kind, "value": spec.value, "word": spec.word}
    raw = [encode(first)]
    for line in lines:
        raw.append(encode(line | {"prev": line_hash(raw[-1])}))
    path.write_bytes(b"".join(line + b"\n" for line in raw))
    return path


def clock() -> int:
    return 1_767_225_600_000  # the first moment of 2026


def replayed(listing: GameListing, logs: Path) -> tuple[str, bytes]:
    """Play the typed lines at the first seat; return the printed lines and the log."""
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
    """Write the golden files of these games, or of all games."""
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
