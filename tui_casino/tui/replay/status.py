"""The lines under a replayed table: verdict on the choice, step number, and scrubber."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from msgspec import Struct
from textual import events
from textual.geometry import Size
from textual.message import Message
from textual.strip import Strip
from textual.timer import Timer

from ..draw.look import Look, line_styles_of
from ..draw.segments import Piece, join_pieces
from ..terminal.detection import GlyphSet
from ..widgets.line_widget import LineWidget

SPEEDS = (1, 2, 5, 20)
"""Steps per second."""
RUSH = 5
"""The speed, in steps per second, above which the table shows no messages."""


class VerdictLine(Struct, frozen=True):
    """The verdict in one line: a text, its tone (``good``, ``bad`` or empty), and details.

    ``best`` is the best choice; ``details`` are shown in grey.
    """

    text: str
    tone: str = ""
    best: str = ""
    details: str = ""


class ReplayStatus(LineWidget):
    """The verdict and the step number: on two lines, or with the number first on a single line."""

    def __init__(self) -> None:
        super().__init__(id="replay-status")
        self._verdict, self._step, self._where = VerdictLine(""), "", ""

    def put(self, verdict: VerdictLine, step: int, steps: int, *details: str) -> None:
        """Show a verdict and the step; ``details`` of the step appear if there are two lines."""
        between = " - " if self.app.has_class("-ascii") else " · "
        where = between.join(filter(None, (f"step {step:,} of {steps:,}", *details)))
        short = f"{step:,}/{steps:,}"
        if (verdict, short, where) != (self._verdict, self._step, self._where):
            self._verdict, self._step, self._where = verdict, short, where
            self.refresh()

    @property
    def text(self) -> str:
        verdict = self._verdict
        best = f"best {verdict.best}" if verdict.best else ""
        return " · ".join(filter(None, (verdict.text, best, verdict.details, self._where)))

    def _shown(self) -> object:
        return self._verdict, self._step, self._where

    def _draw(self, look: Look, area: Size) -> Iterable[Strip]:
        inks, verdict, tier = line_styles_of(look.palette), self._verdict, look.tier
        pieces: list[Piece] = [(verdict.text, inks.style(verdict.tone or "strong"))]
        if verdict.best:
            pieces += [("  best ", inks.muted), (verdict.best, inks.good)]
        if verdict.details:
            pieces.append((f"  {verdict.details}", inks.muted))
        if area.height > 1:
            yield join_pieces([(" ", inks.text), *pieces], area.width, tier)
            yield join_pieces([(f" {self._where}", inks.muted)], area.width, tier)
        else:
            yield join_pieces([(f" {self._step}  ", inks.muted), *pieces], area.width, tier)


class Scrubber(LineWidget):
    """A clickable bar that shows the position of the step, and plays the steps one by one."""

    @dataclass
    class Sought(Message):
        """The player has asked for another step."""

        step: int

    class Due(Message):
        """The next step is due, while the scrubber plays."""

    def __init__(self) -> None:
        super().__init__(id="replay-scrubber")
        self._step, self._steps, self._speed = 0, 0, 0
        self._clock: Timer | None = None
        self._is_due = False  # whether the screen has yet to show a step
        self._last_state: object = None

    def put(self, step: int, steps: int) -> None:
        """Show this step; while playing, allow the next step to follow."""
        self._step, self._steps, self._is_due = step, steps, False
        if (shown := self._shown()) != self._last_state:
            self._last_state = shown
            self.refresh()

    # ---- playing --------------------------------------------------------------------------

    @property
    def is_playing(self) -> bool:
        return self._clock is not None

    @property
    def is_fast(self) -> bool:
        """Whether the replay is playing too fast to show messages."""
        return self.is_playing and SPEEDS[self._speed] > RUSH

    @property
    def pace(self) -> str:
        """The speed of playing, or the chosen speed if it is not the default."""
        speed = SPEEDS[self._speed]
        if self.is_playing:
            return f"{'>' if self.app.has_class('-ascii') else '▶'} {speed}/s"
        return f"{speed} steps/s" if self._speed else ""

    def play(self) -> None:
        self.pause()
        self._clock = self.set_interval(1 / SPEEDS[self._speed], self._tick)

    def pause(self) -> None:
        self._is_due = False
        if self._clock is not None:
            self._clock.stop()
            self._clock = None

    def faster(self, by: int) -> None:
        """Increase the speed by some levels; a negative number decreases it."""
        self._speed = max(0, min(self._speed + by, len(SPEEDS) - 1))
        if self.is_playing:
            self.play()

    def _tick(self) -> None:
        if not self._is_due:  # if not, the previous step is not shown yet
            self._is_due = True
            self.post_message(self.Due())

    # ---- drawing --------------------------------------------------------------------------

    def _shown(self) -> object:
        return self._step, self._steps, self.pace

    @property
    def _ends(self) -> tuple[str, str]:
        playing = self.pace if self.is_playing else "paused"
        return f" {playing}  ", f"  {self._step:,}/{self._steps:,} "

    def _draw(self, look: Look, area: Size) -> Iterable[Strip]:
        inks, (left, right) = line_styles_of(look.palette), self._ends
        room = max(1, area.width - len(left) - len(right) - 1)
        done = round(self._step * (room - 1) / self._steps) if self._steps else 0
        full, rest = ("━", "─") if look.tier is GlyphSet.UNICODE else ("=", "-")
        yield join_pieces(
            [
                (left, inks.gold if self.is_playing else inks.muted),
                (full * done, inks.gold),
                ("●" if look.tier is GlyphSet.UNICODE else "o", inks.gold),
                (rest * (room - 1 - done), inks.faint),
                (right, inks.text),
            ],
            area.width,
            look.tier,
        )

    def on_click(self, event: events.Click) -> None:
        left, right = self._ends
        room = max(2, self.size.width - len(left) - len(right) - 1)
        share = (event.x - len(left)) / (room - 1)
        self.post_message(self.Sought(round(self._steps * max(0.0, min(1.0, share)))))
