"""Recordings of the games in the format of ``--record``; ``make.py`` makes them with the pictures.

After each command, the lines that have changed are written as the terminal would receive them, with
pauses long enough to read the screen.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from rich.console import Console

from tui_casino.records.asciicast import CastRecorder
from tui_casino.tui.terminal.output import AnsiOptimiser

if TYPE_CHECKING:
    from tui_casino.tui.app import Arcade

ROUNDS: Mapping[str, tuple[str, ...]] = {
    "video-poker": ("b 5", "d", "a", "h 1 2 4 5", "b 5", "d", "h 3 5", "b 5", "d", "h 2 5"),
    "baccarat": ("b 25 p", "b 5 t", "d", "r", "d", "r", "d", "b 25 b", "d", "r", "d"),
    "five-card-draw": ("d", "x 1", "d", "x 3 4 5", "d"),
    "thirty-one": ("b 50", "i", "h", "p", "s", "h", "s"),
    "cribbage": ("x 4 6", "p 2", "p 1", "p 3", "p 4", "n", "n", "n"),
}
"""The commands of each recording, by game; a game that is missing is shown as it opens."""
PAUSE = 1.5
"""Seconds between two commands."""
SIZE = 80, 24


class Step(NamedTuple):
    """A key of the tour, the caption from then on, and how many seconds to show the result."""

    key: str
    caption: str
    seconds: float


TOUR = (
    Step("space", "Space: Deal five cards", 1.2),
    Step("t", "t: The trainer shows the EV of every hold before you choose", 3.4),
    Step("1", "1 4: Keep only the jacks?", 0.7),
    Step("4", "1 4: Keep only the jacks?", 1.8),
    Step("space", "Space: The trainer warns you, and says what this hold costs", 2.8),
    Step("2", "2 5: Keep both pairs instead, the best hold", 0.7),
    Step("5", "2 5: Keep both pairs instead, the best hold", 1.5),
    Step("space", "Space: Draw a card. A full house!", 2.2),
)
"""The round of video poker in the README: a mistake, and what the trainer says about it."""


class CaptionedRecorder(CastRecorder):
    """A recording with markers, an event of asciicast v3 that ``--record`` does not write."""

    def marker(self, label: str) -> None:
        """Record a marker."""
        self._event("m", label)


class Film:
    """Records the screen of an app each time :meth:`shot` is called."""

    def __init__(self, path: Path, size: tuple[int, int] = SIZE) -> None:
        self._now, self._optimiser, self._lines = 0.0, AnsiOptimiser(), [""] * size[1]
        self._path, self._caption = path, ""
        self._cast = CaptionedRecorder(path, size, "xterm-256color", lambda: self._now)
        self._cast.output("\x1b[?1049h\x1b[?25l")

    def shot(self, app: Arcade, seconds: float = PAUSE, caption: str = "") -> None:
        """Record the lines that have changed, a caption if it is new, and a pause after them."""
        if caption != self._caption:
            self._cast.marker(caption)
            self._caption = caption
        console = Console(color_system="truecolor", force_terminal=True, legacy_windows=False)
        strips = app.screen._compositor.render_strips()
        lines = [strip.render(console) for strip in strips]
        changed = [
            f"\x1b[{row};1H{line}"
            for row, (line, before) in enumerate(zip(lines, self._lines, strict=True), 1)
            if line != before
        ]
        self._cast.output(self._optimiser.optimise("".join(changed)))
        self._lines, self._now = lines, self._now + seconds

    def ended(self) -> bytes:
        """Return the recording without its time of creation, so that every run makes the same."""
        self._cast.end(0)
        header, *events = self._path.read_bytes().splitlines(keepends=True)
        fields = {name: value for name, value in json.loads(header).items() if name != "timestamp"}
        return json.dumps(fields, separators=(",", ":")).encode() + b"\n" + b"".join(events)
