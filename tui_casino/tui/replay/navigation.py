"""Going about in a recording: step by step, from mark to mark, by itself."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import ClassVar

from textual import work
from textual.binding import BindingType
from textual.timer import Timer

from ...engine.game import A, E, O, S
from ...gamekit.tally import T
from ...inputs.files import BadFile
from ...records.cache import EVERY
from ...records.marks import Mark
from ...records.moment import Moment
from ...records.playback import Playback
from ...records.recording_review import RecordingReview
from ..modals import Line
from ..table.base import TableScreen
from ..theme.stylesheets import sheet
from ..windows import ask_over
from .keys import BINDINGS, MISTAKE, SPEEDS

RUSH = 5
"""Above so many steps a second the table is shown without a word."""


class Going(TableScreen[None, O, S, A, E, T]):
    """The keys of a replay that lead from step to step; what is shown there another adds."""

    CSS_PATH = [sheet("records")]  # noqa: RUF012 - as Textual has it
    BINDINGS: ClassVar[list[BindingType]] = BINDINGS
    recording: Playback[O, S, A, E, T]
    reviewer: RecordingReview[O, S, A, E, T]
    step = 0
    speed = 0
    _clock: Timer | None = None

    def moment(self, step: int) -> Moment[S, A, E, T]:
        """Give the table after a step."""
        raise NotImplementedError

    def show_step(self, step: int) -> None:
        """Show the table after a step, which is known."""
        raise NotImplementedError

    def say(self, text: str) -> None:
        """Say something in place of what was done at this step."""
        raise NotImplementedError

    def refuse(self, key: str, why: str) -> None:
        """Say why a key does nothing."""
        raise NotImplementedError

    def bar(self) -> None:
        """Write anew which step is shown."""
        raise NotImplementedError

    # ---- a step ---------------------------------------------------------------------------

    def go(self, step: int) -> None:
        """Show the table after a step, or after the nearest there is."""
        step = max(0, min(step, self.recording.steps))
        if step <= max(self.recording.indexed, EVERY):
            self.show_step(step)
        else:
            self.say("computing the steps before …")
            self._work_out(step)

    @work(thread=True, exclusive=True, group="seek")
    def _work_out(self, step: int) -> None:
        with suppress(BadFile):  # it is told when the step is to be shown
            self.moment(step)
        self.app.call_from_thread(self._arrived, step)

    def _arrived(self, step: int | None, missing: str = "") -> None:
        if not self.alive:
            return
        if step is None:
            self.refuse(*missing.split(":", 1))
            self.bar()
        else:
            self.show_step(min(step, self.recording.steps))

    @property
    def has_time(self) -> bool:
        """Whether there is time to say something at a step."""
        return self._clock is None or SPEEDS[self.speed] <= RUSH

    # ---- keys -----------------------------------------------------------------------------

    def action_go(self, steps: int) -> None:
        """Go so many steps on, or back."""
        self.pause()
        self.go(self.step + steps)

    def action_first(self) -> None:
        """Go to the beginning."""
        self.pause()
        self.go(0)

    def action_last(self) -> None:
        """Go to the end."""
        self.pause()
        self.go(self.recording.steps)

    def action_round(self, forward: bool) -> None:
        """Go to where the next round begins, or this one or the one before."""
        step = self.step
        if forward:
            self._find(lambda: self.recording.next(Mark.ROUND, step) or self.recording.steps)
        else:
            self._find(lambda: self.recording.previous(Mark.ROUND, step) or 0)

    def action_seek(self, mark: str, forward: bool) -> None:
        """Go to the next step of a kind, or to the one before; of a mistake, to just before it."""
        before = int(mark == MISTAKE)
        step, reviewer = self.step + before, self.reviewer
        quick = not before or reviewer.review.done >= self.recording.steps

        def seek() -> int | None:
            if before:
                look = reviewer.next_mistake if forward else reviewer.previous_mistake
                found = look(step)
            elif forward:
                found = self.recording.next(Mark(mark), step)
            else:
                found = self.recording.previous(Mark(mark), step)
            return None if found is None else found - before

        key = mark[0] if forward else mark[0].upper()
        missing = f"{key}:no {mark} {'comes after' if forward else 'before'} this step."
        self._find(seek, missing, quick)

    def _find(self, find: Callable[[], int | None], missing: str = "", quick: bool = True) -> None:
        self.pause()
        if quick and self.recording.indexed >= self.recording.steps:
            self._arrived(find(), missing)
        else:
            self.say("looking …")
            self._search(find, missing)

    @work(thread=True, exclusive=True, group="seek")
    def _search(self, find: Callable[[], int | None], missing: str) -> None:
        found = None
        with suppress(BadFile):
            found = find()
            if found is not None:
                self.moment(min(found, self.recording.steps))
        self.app.call_from_thread(self._arrived, found, missing)

    def action_play(self) -> None:
        """Play the steps one after the other, or pause."""
        if self._clock is not None:
            self.pause()
            self.go(self.step)
        elif self.step < self.recording.steps:
            self._clock = self.set_interval(1 / SPEEDS[self.speed], self._tick)
            self.bar()
        else:
            self.refuse("space", "this is the end.")

    def _tick(self) -> None:
        if self.step < self.recording.steps:
            self.go(self.step + 1)
        else:
            self.pause()
            self.go(self.step)

    def pause(self) -> None:
        """Play no more by itself."""
        if self._clock is not None:
            self._clock.stop()
            self._clock = None

    @property
    def playing(self) -> str:
        """How fast it plays by itself; nothing if it does not."""
        if self._clock is None:
            return ""
        return f"{'>' if self.view.ascii_only else '▶'} {SPEEDS[self.speed]}/s"

    def action_speed(self, more: int) -> None:
        """Play faster or slower."""
        self.speed = max(0, min(self.speed + more, len(SPEEDS) - 1))
        if self._clock is not None:
            self.pause()
            self.action_play()
        self.bar()

    @work
    async def action_ask_step(self) -> None:
        """Ask for a step, and go there."""
        self.pause()
        steps = self.recording.steps
        answer = await ask_over(self, Line("Go to", f"Which step, 0 to {steps:,}?"))
        if not answer:
            return
        if answer.isdecimal() and answer.isascii() and int(answer) <= steps:
            self.go(int(answer))
        else:
            self.refuse("g", f"{answer!r} is not a step from 0 to {steps:,}.")
