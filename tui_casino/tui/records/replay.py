"""A recorded sitting in its game's own view, step by step."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from typing import ClassVar

from textual import work
from textual.binding import BindingType
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Static
from textual.worker import get_current_worker

from ...engine.game import A, E, O, Over, S, asks
from ...gamekit.grammar import command_of
from ...gamekit.registry import Listing
from ...gamekit.tally import T
from ...inputs.errors import BadInput
from ...inputs.files import BadFile
from ...records.cache import EVERY
from ...records.playback import Moment, Playback
from ...records.watch import Mark
from ..desk import Desk
from ..modals import Line, Page
from ..table.base import TableScreen
from ..table.face import Face
from ..table.view import Facts
from ..widgets.bars import TitleBar, put
from ..widgets.key_bar import KeyBar
from ..windows import ask_over, open_over
from .keys import BINDINGS, HELP, SPEEDS
from .reading import Reading

RUSH = 5
"""Above so many steps a second the table is shown without a word."""
RETOLD = EVERY
"""Steps at most that are told again, so that the view knows what came before."""
LOOK = 1.0
"""Seconds between two looks at the file."""


class ReplayTable(TableScreen[None, O, S, A, E, T]):
    """A recording in the view of its game, at which nobody can play."""

    BINDINGS: ClassVar[list[BindingType]] = BINDINGS

    def __init__(
        self,
        desk: Desk,
        listing: Listing,
        face: Face[O, S, A, E, T],
        recording: Playback[O, S, A, E, T],
    ) -> None:
        """Sit down at the recording. Raises :class:`~tui_casino.inputs.files.BadFile`."""
        self.desk, self.listing, self.recording = desk, listing, recording
        self.here = desk.house.here
        self.reading = Reading(recording)
        self._moment = lru_cache(2 * RETOLD)(recording.at)  # leafing back is leafing in them
        begin, header = self._moment(0), recording.header
        facts = Facts(
            recording.parts,
            self.reading.options,
            recording.seat,
            self.reading.players,
            header.source,
            header.croupier,
            face.panel_titles,
        )
        super().__init__(
            f"{listing.title} replay", face, facts, self.reading.seen(begin), begin.tally
        )
        self.step = 0
        self.speed = 0
        self._clock: Timer | None = None
        self._trouble = ""
        self._indexing = False

    # ---- layout ---------------------------------------------------------------------------

    def last_line(self) -> Widget:
        """Give the line that tells which step is shown."""
        return Static(id="replay-bar", markup=False)

    def open_table(self) -> None:
        """Show the beginning, and have the rest worked out."""
        for part in self.children:
            part.disabled = not isinstance(part, TitleBar | KeyBar)  # nothing can be clicked
        self._show_step(0)
        self.call_after_refresh(self.go, 0)  # once more in the room there is
        self._index()
        self._looks = self.set_interval(LOOK, self._look)

    def on_unmount(self) -> None:
        """Let the log go."""
        self.workers.cancel_group(self, "index")
        self.recording.close()

    # ---- a step ---------------------------------------------------------------------------

    def go(self, step: int) -> None:
        """Show the table after a step, or after the nearest there is."""
        step = max(0, min(step, self.recording.steps))
        if step <= max(self.recording.indexed, EVERY):
            self._show_step(step)
        else:
            self._say("working out the steps before …")
            self._work_out(step)

    @work(thread=True, exclusive=True, group="seek")
    def _work_out(self, step: int) -> None:
        with suppress(BadFile):  # it is told when the step is to be shown
            self._moment(step)
        self.app.call_from_thread(self._arrived, step)

    def _arrived(self, step: int | None, missing: str = "") -> None:
        if not self.alive:
            return
        if step is None:
            self._say(missing)
        else:
            self._show_step(min(step, self.recording.steps))

    def _show_step(self, step: int) -> None:
        try:
            self._tell(step)
        except BadFile as error:
            self._pause()
            if self.recording.fault is None:
                self._trouble = error.why
                self._bar()
            else:
                self.go(min(step, self.recording.steps))
            return
        self.describe()
        self.view.show(self.view.seen)
        if self._asked(self._moment(step).state) and self._has_time:
            self.view.waits(self.view.seen)
        else:
            self.view.say("")
        self.refresh_panel()
        self._bar()
        self._weigh()

    def _asked(self, state: S) -> bool:
        """Tell whether the table said something to the seat here: what to do, or how it ended."""
        turn = self.parts.game.turn(state)
        return asks(turn, self.facts.seat) or isinstance(turn, Over)

    @property
    def _has_time(self) -> bool:
        return self._clock is None or SPEEDS[self.speed] <= RUSH

    def _tell(self, step: int) -> None:
        """Tell one step more, or else all since the beginning of a round."""
        again = step != self.step + 1
        first = self._retold_from(step) if again else self.step
        begin, *moments = [self._moment(n) for n in range(first, step + 1)]
        if again:
            self.begin_telling(self.reading.seen(begin), begin.tally)
        # a table may leave what was to be chosen last on the screen while it plays on
        last = max((m.step for m in moments[:-1] if self._asked(m.state)), default=first)
        for moment in moments:
            if again and moment.step > last:
                self.view.show(self.view.seen)
            self.tell(self.reading.seen(moment), moment.tally, self.reading.heard(moment))
        self.step = step

    def _retold_from(self, step: int) -> int:
        begun = self.recording.previous(Mark.ROUND, max(0, step - RETOLD) + 1)
        return 0 if begun is None else begun - 1

    # ---- the line that tells of it --------------------------------------------------------

    def _bar(self, verdict: str = "") -> None:
        moment: Moment[S, A, E, T] = self._moment(self.step)
        recording = self.recording
        done = ""
        if self._indexing and recording.indexed < recording.steps:
            done = f" ({100 * recording.indexed // recording.steps} % read)"
        running = ""
        if self._clock is not None:
            running = f"{'>' if self.view.ascii_only else '▶'} {SPEEDS[self.speed]}/s"
        trouble = self._trouble
        ended = ""
        if recording.fault is not None and self.step == recording.steps:
            trouble = f"damaged, {recording.fault}"
        elif self.step == recording.steps and recording.end is not None:
            ended = f"the end: {recording.end.why}"
        parts = (
            f"Step {self.step:,} of {recording.steps:,}{done}",
            trouble and f"! {trouble}",
            running,
            self.reading.deed(moment),
            verdict,
            ended,
        )
        self._put(*parts)

    def _say(self, text: str) -> None:
        """Say something in place of what was done at this step."""
        self._put(f"Step {self.step:,} of {self.recording.steps:,}", text)

    def _put(self, *parts: str) -> None:
        put(self.query_one("#replay-bar", Static), self.view.between.join(filter(None, parts)))

    def _weigh(self) -> None:
        """Say what the adviser would have done, where the step was the seat's own choice."""
        step = self.step
        if self._moment(step).by == self.facts.seat and self._has_time:
            self.asking.ask(
                "judge",
                lambda: self._verdict(step),
                lambda verdict: self._bar(verdict) if verdict else None,
                lambda: self.alive and step == self.step,
            )

    def _verdict(self, step: int) -> str:
        with suppress(BadFile):
            mistake = self.recording.mistake(step) if step == self.step else None
            if mistake is not None:
                better = command_of(mistake.better, self.parts.words.verbs)
                return f"cost {self.parts.cost(mistake)}, best {better}"
            said = self.reading.advice(self._moment(step - 1))
            return f"adviser: {said[0]}" if said else ""
        return ""

    # ---- the file -------------------------------------------------------------------------

    @work(thread=True, exclusive=True, group="index")
    def _index(self) -> None:
        worker = get_current_worker()
        self._indexing = True
        try:
            for _ in self.recording.index():
                if worker.is_cancelled:
                    return
                self.app.call_from_thread(self._indexed)
        except BadFile as error:
            self._trouble = error.why
        finally:
            self._indexing = False
        if not worker.is_cancelled:
            self.app.call_from_thread(self._indexed)

    def _indexed(self) -> None:
        if self.alive:
            if self.step > self.recording.steps:
                self.go(self.recording.steps)
            self._bar()
            if not self._indexing:
                self._weigh()

    def _look(self) -> None:
        """See whether the file has grown, or is gone."""
        if self._indexing or self._trouble:
            return
        try:
            if self.recording.refresh():
                self._index()
                self._bar()
        except BadFile as error:
            self._trouble = error.why
            self._looks.stop()
            self._bar()

    # ---- keys -----------------------------------------------------------------------------

    def action_go(self, steps: int) -> None:
        """Go so many steps on, or back."""
        self._pause()
        self.go(self.step + steps)

    def action_first(self) -> None:
        """Go to the beginning."""
        self._pause()
        self.go(0)

    def action_last(self) -> None:
        """Go to the end."""
        self._pause()
        self.go(self.recording.steps)

    def action_round(self, forward: bool) -> None:
        """Go to where the next round begins, or this one or the one before."""
        step = self.step
        if forward:
            self._find(lambda: self.recording.next(Mark.ROUND, step) or self.recording.steps)
        else:
            self._find(lambda: self.recording.previous(Mark.ROUND, step) or 0)

    def action_seek(self, mark: str, forward: bool) -> None:
        """Go to the next step of a kind, or to the one before."""
        wanted = Mark(mark)
        if wanted is Mark.MISTAKE and self.parts.adviser.judge is None:
            self._say("this game's choices are not weighed")
            return
        step, quick = self.step, self.parts.adviser.judges_at_once or wanted is not Mark.MISTAKE
        find = self.recording.next if forward else self.recording.previous
        missing = f"no {mark} {'comes after' if forward else 'before'} this step"
        self._find(lambda: find(wanted, step), missing, quick)

    def _find(self, find: Callable[[], int | None], missing: str = "", quick: bool = True) -> None:
        self._pause()
        if quick and self.recording.indexed >= self.recording.steps:
            self._arrived(find(), missing)
        else:
            self._say("looking …")
            self._search(find, missing)

    @work(thread=True, exclusive=True, group="seek")
    def _search(self, find: Callable[[], int | None], missing: str) -> None:
        found = None
        with suppress(BadFile):
            found = find()
            if found is not None:
                self._moment(min(found, self.recording.steps))
        self.app.call_from_thread(self._arrived, found, missing)

    def action_play(self) -> None:
        """Play the steps one after the other, or pause."""
        if self._clock is not None:
            self._pause()
            self.go(self.step)
        elif self.step < self.recording.steps:
            self._clock = self.set_interval(1 / SPEEDS[self.speed], self._tick)
            self._bar()

    def _tick(self) -> None:
        if self.step < self.recording.steps:
            self.go(self.step + 1)
        else:
            self._pause()
            self.go(self.step)

    def _pause(self) -> None:
        if self._clock is not None:
            self._clock.stop()
            self._clock = None

    def action_speed(self, more: int) -> None:
        """Play faster or slower."""
        self.speed = max(0, min(self.speed + more, len(SPEEDS) - 1))
        if self._clock is not None:
            self._pause()
            self.action_play()
        else:
            self._say(f"{SPEEDS[self.speed]} a second")

    @work
    async def action_ask_step(self) -> None:
        """Ask for a step, and go there."""
        self._pause()
        steps = self.recording.steps
        answer = await ask_over(self, Line("Go to", f"Which step, 0 to {steps:,}?"))
        if not answer:
            return
        if answer.isdecimal() and answer.isascii() and int(answer) <= steps:
            self.go(int(answer))
        else:
            self._say(f"{answer!r} is no step from 0 to {steps:,}")

    def action_play_on_from_here(self) -> None:
        """Begin a sitting for practice that goes on from this step."""
        self._pause()
        self._branch()

    @work(exclusive=True, group="branch")
    async def _branch(self) -> None:
        self._say("the table is set up …")
        try:
            await self.desk.play_on_from(self.listing, self.recording.path, self.step)
        except (BadInput, OSError) as error:
            why = error.why if isinstance(error, BadFile) else getattr(error, "strerror", error)
            self._say(f"! {why}")
        else:
            self._bar()

    def action_advice(self) -> None:
        """Show on a page what the adviser says to the table that is shown."""
        self._pause()
        step = self.step
        self.asking.ask("advice", lambda: self._advice(step), self._advised, lambda: self.alive)

    def _advice(self, step: int) -> list[str]:
        with suppress(BadFile):
            said = self.reading.advice(self._moment(step))
            if not said and self._moment(step).by == self.facts.seat:  # to the choice just shown
                said = self.reading.advice(self._moment(step - 1))
            return said
        return []

    def _advised(self, said: list[str]) -> None:
        if said:
            open_over(self, Page("Adviser", "\n".join(said)))
        else:
            self._say("there is nothing to choose here")

    def action_help(self) -> None:
        """Show the keys."""
        open_over(self, Page("Replay", HELP))

    def action_leave(self) -> None:
        """Go back to the records."""
        self._pause()
        if not self._gone:
            self._gone = True
            self.dismiss(None)
