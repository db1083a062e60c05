"""Under a replayed table: what was chosen and what it cost, which step it is, and how far."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from textual import events
from textual.geometry import Size
from textual.message import Message
from textual.strip import Strip

from ..draw.segments import Piece, line
from ..draw.styles import Look, inks_of
from ..terminal.detection import Tier
from ..widgets.drawn import Drawn


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is said first: a text, whether that is ``good``, ``bad``, or neither, and what follows.

    ``best`` is what should have been done; ``more`` stands in grey.
    """

    text: str
    tone: str = ""
    best: str = ""
    more: str = ""


class Status(Drawn):
    """The verdict, and below it, or before it where there is but a line, which step it is."""

    def __init__(self) -> None:
        super().__init__(id="replay-status")
        self._verdict, self._step, self._where = Verdict(""), "", ""

    def put(self, verdict: Verdict, step: str, where: str) -> None:
        """Say this: the step in short, and in a line of its own."""
        if (verdict, step, where) != (self._verdict, self._step, self._where):
            self._verdict, self._step, self._where = verdict, step, where
            self.refresh()

    @property
    def text(self) -> str:
        """All that it says."""
        verdict = self._verdict
        best = f"best {verdict.best}" if verdict.best else ""
        return " · ".join(filter(None, (verdict.text, best, verdict.more, self._where)))

    def _shown(self) -> object:
        return self._verdict, self._step, self._where

    def _draw(self, look: Look, area: Size) -> Iterable[Strip]:
        inks, verdict, tier = inks_of(look.palette), self._verdict, look.tier
        pieces: list[Piece] = [(verdict.text, inks.of(verdict.tone or "strong"))]
        if verdict.best:
            pieces += [("  best ", inks.muted), (verdict.best, inks.good)]
        if verdict.more:
            pieces.append((f"  {verdict.more}", inks.muted))
        if area.height > 1:
            yield line([(" ", inks.text), *pieces], area.width, tier)
            yield line([(f" {self._where}", inks.muted)], area.width, tier)
        else:
            yield line([(f" {self._step}  ", inks.muted), *pieces], area.width, tier)


class Scrubber(Drawn):
    """How far it is: a bar to click on."""

    @dataclass
    class Sought(Message):
        """Another step shall be shown."""

        step: int

    def __init__(self) -> None:
        super().__init__(id="replay-scrubber")
        self._step, self._steps, self._playing = 0, 0, ""

    def put(self, step: int, steps: int, playing: str) -> None:
        """Show this; ``playing`` says how fast it plays by itself, if it does."""
        if (step, steps, playing) != (self._step, self._steps, self._playing):
            self._step, self._steps, self._playing = step, steps, playing
            self.refresh()

    def _shown(self) -> object:
        return self._step, self._steps, self._playing

    @property
    def _ends(self) -> tuple[str, str]:
        return f" {self._playing or 'paused'}  ", f"  {self._step:,}/{self._steps:,} "

    def _draw(self, look: Look, area: Size) -> Iterable[Strip]:
        inks, (left, right) = inks_of(look.palette), self._ends
        room = max(1, area.width - len(left) - len(right) - 1)
        done = round(self._step * (room - 1) / self._steps) if self._steps else 0
        full, rest = ("━", "─") if look.tier is Tier.UNICODE else ("=", "-")
        yield line(
            [
                (left, inks.gold if self._playing else inks.muted),
                (full * done, inks.gold),
                ("●" if look.tier is Tier.UNICODE else "o", inks.gold),
                (rest * (room - 1 - done), inks.faint),
                (right, inks.text),
            ],
            area.width,
            look.tier,
        )

    def on_click(self, event: events.Click) -> None:
        """Go where was clicked."""
        left, right = self._ends
        room = max(2, self.size.width - len(left) - len(right) - 1)
        share = (event.x - len(left)) / (room - 1)
        self.post_message(self.Sought(round(self._steps * max(0.0, min(1.0, share)))))
