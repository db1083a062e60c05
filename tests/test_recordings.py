"""The recordings of the games, in an emulator and in the player of the format's own makers."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.programs import missing, program_path
from tests.test_asciicast import events, played_back
from tui_casino.gamekit.registry import GAMES, GameListing

SCREENSHOTS = Path(__file__).parents[1] / "screenshots"
PLAYER = Path(os.environ.get("ASCIINEMA_PLAYER", Path(sys.prefix) / "player"))
"""Where ``npm install --prefix`` has put asciinema-player and jsdom."""
MOST = 64 << 10
DRAWN = re.compile("[\u2580-\u259f\u25e2-\u25e5\ue0b0-\ue0b3]")
"""What the player draws itself, and leaves out of its text."""


@pytest.mark.parametrize("listing", GAMES, ids=lambda listing: listing.slug)
def test_a_recording_ends_at_the_table_of_its_game(listing: GameListing) -> None:
    path = SCREENSHOTS / f"{listing.slug}.cast"
    header, told = events(path)
    assert header["version"] == 3
    assert "timestamp" not in header, "or every run would make another file"
    assert told[-1][1:] == ("x", "0")
    assert not [text for _, _, text in told if "\x1b]" in text or "\x1bP" in text]
    assert path.stat().st_size <= MOST
    shown = played_back(path)
    assert listing.title.upper() in shown.splitlines()[0]
    assert "Esc Leave" in shown


@pytest.mark.prove
@pytest.mark.parametrize("path", sorted(SCREENSHOTS.glob("*.cast")), ids=lambda path: path.stem)
def test_its_own_player_shows_what_the_emulator_shows(path: Path) -> None:
    if not (PLAYER / "node_modules" / "asciinema-player").is_dir():
        missing("asciinema-player", f"npm install --prefix {PLAYER} asciinema-player jsdom")
    ran = subprocess.run(
        [program_path("node"), str(Path(__file__).with_name("player.mjs")), str(PLAYER), str(path)],
        capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    shown = [DRAWN.sub(" ", line).rstrip() for line in played_back(path).splitlines()]
    assert [line.rstrip() for line in ran.stdout.split("\n")[: len(shown)]] == shown
