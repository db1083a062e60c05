"""Bytes that the screen sends to a terminal of 80x24 with all colours."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.helpers.pty_terminal import Terminal, casino

PAINT, TOGGLE, DRAW = 25_000, 1_400, 12_000
SEED = "5"
"""Of this shuffle a draw of five cards wins before long."""
ROUNDS = 20


def written(terminal: Terminal, keys: str, shows: str) -> int:
    """Give the bytes of what keys make the program write, until it is quiet."""
    before = len(terminal.raw)
    terminal.type(keys)
    terminal.rest(0.3)
    terminal.wait_for(shows)
    terminal.rest(0.3)
    return len(terminal.raw) - before


@pytest.mark.prove
def test_bytes_written_per_screen_change_stay_within_their_limits(tmp_path: Path) -> None:
    """Among others by a draw of five cards that wins: each new card is painted, then framed."""
    with casino(tmp_path, "video-poker", "--seed", SEED) as terminal:
        terminal.wait_for("CREDIT")
        terminal.rest(0.5)
        assert len(terminal.raw) < PAINT
        draws = [written(terminal, " ", "Which cards do you hold")]
        toggles = [written(terminal, key, "Which cards do you hold") for key in "1122334455"]
        assert max(toggles) < TOGGLE
        before = len(terminal.raw)
        terminal.rest(1)
        assert len(terminal.raw) == before, "nothing is written while nothing happens"
        for _ in range(ROUNDS):
            draws.append(written(terminal, " ", "CREDIT"))
            if " pays " in terminal.text:
                break
            draws.append(written(terminal, " ", "Which cards do you hold"))
        assert " pays " in terminal.text
        assert max(draws) < DRAW
