"""What a choice of a recording cost, worked out off the loop and told in a line."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from ...inputs.files import BadFile
from ..table.spoken import beside, spoken
from .reading import chosen
from .status import Verdict

if TYPE_CHECKING:  # it makes one of these
    from ...records.moment import Moment
    from .replay import ReplayTable


class Verdicts:
    """Weighs the choice that a replay tells of; the last one that was weighed is known."""

    def __init__(self, screen: ReplayTable[Any, Any, Any, Any, Any]) -> None:
        self._screen = screen
        self._last: tuple[int, Verdict] = (-1, Verdict(""))

    def of(self, told: Moment[Any, Any, Any, Any]) -> Verdict | None:
        """Give the verdict on a choice, if it is known."""
        step, verdict = self._last
        return verdict if step == told.step else None

    def weigh(self) -> None:
        """Say what the choice cost and what would have been best, where the game can."""
        screen = self._screen
        told = screen.told_choice()
        if told is not None and screen.has_time:
            screen.asking.ask(
                "judge",
                lambda: self._judged(told.step),
                lambda found: self._say(told, *found),
                lambda: screen.alive and told == screen.told_choice(),
            )

    def _judged(self, step: int) -> tuple[Any, str]:
        """Give the mistake of a choice, if it was one, or what the adviser says."""
        screen = self._screen
        with suppress(BadFile, IndexError):
            mistake = screen.recording.mistake(step)
            said = [] if mistake else screen.reading.advice(screen.moment(step - 1))
            return mistake, said[0] if said else ""
        return None, ""

    def _say(self, told: Moment[Any, Any, Any, Any], mistake: Any, advice: str) -> None:
        screen = self._screen
        before, view = screen.moment(told.step - 1), screen.view
        seen = screen.reading.seen(before)
        done = chosen(view, seen, told.action)
        verdict = Verdict(done)
        if mistake is not None:
            best = spoken(view, seen, mistake.better)
            short = beside(spoken(view, seen, told.action), best)
            verdict = Verdict(f"✗ {done}, cost {screen.parts.cost(mistake)}", "bad", short)
        elif advice and screen.parts.adviser.judge is not None:
            verdict = Verdict(f"✓ {done}", "good", more="as good as any")
            if screen.reading.forced(before):
                verdict = Verdict(done, more="the only choice")
        elif advice:
            verdict = Verdict(done, more=advice)
        self._last = told.step, verdict
        screen.bar()
