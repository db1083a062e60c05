"""Recordings of the games, as ``--record`` writes them; ``make.py`` makes them with the pictures.

What is shown after each command is written as the terminal would be told it: the lines that have
changed since the one before, with pauses long enough to look at.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

from tui_casino.records.asciicast import CastRecorder
from tui_casino.tui.terminal.ansi_optimiser import AnsiOptimiser

if TYPE_CHECKING:
    from tui_casino.tui.app import Arcade

ROUNDS: Mapping[str, tuple[str, ...]] = {
    "video-poker": ("b 5", "d", "a", "h 1 2 4 5", "b 5", "d", "h 3 5", "b 5", "d", "h 2 5"),
    "baccarat": ("b 25 p", "b 5 t", "d", "r", "d", "r", "d", "b 25 b", "d", "r", "d"),
    "five-card-draw": ("d", "x 1", "d", "x 3 4 5", "d"),
    "thirty-one": ("b 50", "i", "h", "p", "s", "h", "s"),
    "cribbage": ("x 4 6", "p 2", "p 1", "p 3", "p 4", "n", "n", "n"),
}
"""What is typed, by game; a game that is not here is shown as it opens."""
PAUSE = 1.5
"""Seconds between two commands."""
SIZE = 80, 24


class Film:
    """Writes down what an app shows whenever it is :meth:`shot`."""

    def __init__(self, path: Path) -> None:
        self._now, self._optimiser, self._lines = 0.0, AnsiOptimiser(), [""] * SIZE[1]
        self._path = path
        self._cast = CastRecorder(path, SIZE, "xterm-256color", lambda: self._now)
        self._cast.output("\x1b[?1049h\x1b[?25l")

    def shot(self, app: Arcade) -> None:
        """Write the lines that have changed, a moment after those before."""
        console = Console(color_system="truecolor", force_terminal=True, legacy_windows=False)
        strips = app.screen._compositor.render_strips()
        lines = [strip.render(console) for strip in strips]
        changed = [
            f"\x1b[{row};1H{line}"
            for row, (line, before) in enumerate(zip(lines, self._lines, strict=True), 1)
            if line != before
        ]
        self._cast.output(self._optimiser.optimise("".join(changed)))
        self._lines, self._now = lines, self._now + PAUSE

    def ended(self) -> bytes:
        """Give the recording; when it was made is left out, or every run would make another."""
        self._cast.end(0)
        header, *events = self._path.read_bytes().splitlines(keepends=True)
        told = {name: value for name, value in json.loads(header).items() if name != "timestamp"}
        return json.dumps(told, separators=(",", ":")).encode() + b"\n" + b"".join(events)
