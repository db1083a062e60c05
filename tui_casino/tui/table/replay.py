"""A recorded sitting on its game's own screen, step by step."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import cache, lru_cache
from types import new_class
from typing import TYPE_CHECKING, Any, cast

from textual import work
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Static
from textual.worker import get_current_worker

from ...engine.game import Over, asks
from ...engine.offers import Offer
from ...gamekit.grammar import command_of
from ...gamekit.registry import Listing
from ...inputs.errors import BadInput
from ...inputs.files import BadFile
from ...records.playback import EVERY, Moment, Recording
from ...records.watch import Mark
from ..modals import Line, Page
from ..widgets.bars import TitleBar, put
from ..widgets.key_bar import KeyBar
from ..windows import ask_over, open_over
from .reading import Reading
from .replay_keys import BINDINGS, HELP, SPEEDS
from .screen import GameScreen, screen_of

if TYPE_CHECKING:
    from ..app import Arcade

    _Base = GameScreen
else:
    _Base = object  # a second screen among its bases would hide the game's own from the stylesheet

RUSH = 5
"""Above so many steps a second the table is shown without a word."""
RETOLD = EVERY
"""Steps at most that are told again, so that the screen knows what came before."""
LOOK = 1.0
"""Seconds between two looks at the file."""


class Replay(_Base):
    """Mixed into a game's own screen, it shows a recording there in place of a live table.

    What is its own has two underscores, so that no game's screen can mean something else by it.
    """

    app: Arcade

    def __init__(self, listing: Listing, recording: Recording[Any, Any, Any, Any]) -> None:
        """Sit down at the recording. Raises :class:`~tui_casino.inputs.files.BadFile`."""
        self.reading = Reading(recording)
        self.listing, self.recording = listing, recording
        self.step = 0
        self.speed = 0
        self.__moment = lru_cache(2 * RETOLD)(recording.at)  # leafing back is leafing in them
        self.__clock: Timer | None = None
        self.__trouble = ""
        self.__indexing = False
        super().__init__(f"{listing.title} replay", cast(Any, self.reading))

    # ---- layout ---------------------------------------------------------------------------

    def last_line(self) -> Widget:
        """Give the line that tells which step is shown."""
        return Static(id="replay-bar", markup=False)

    def open_table(self) -> None:
        """Show the beginning, and have the rest worked out."""
        for part in self.children:
            part.disabled = not isinstance(part, TitleBar | KeyBar)  # nothing can be clicked
        self.__show_step(0)
        self.call_after_refresh(self.go, 0)  # once more in the room there is
        self.__index()
        self.__looks = self.set_interval(LOOK, self.__look)

    def close_table(self) -> None:
        """Let the log go."""
        self.workers.cancel_group(self, "index")
        self.recording.close()

    @property
    def moves(self) -> bool:
        """Nothing moves by itself."""
        return False

    @property
    def offers(self) -> tuple[Offer[Any], ...]:
        """What the seat could do at this moment, whoever sat there."""
        return self.table.game.offers(self.view, self.seat)

    def play_on(self) -> Any:
        """Leave the table as it is."""

    def do(self, line: str) -> None:
        """Do nothing that is said: all has been done."""

    # ---- a step ---------------------------------------------------------------------------

    def go(self, step: int) -> None:
        """Show the table after a step, or after the nearest there is."""
        step = max(0, min(step, self.recording.steps))
        if step <= max(self.recording.indexed, EVERY):
            self.__show_step(step)
        else:
            self.__say("working out the steps before …")
            self.__work_out(step)

    @work(thread=True, exclusive=True, group="seek")
    def __work_out(self, step: int) -> None:
        with suppress(BadFile):  # it is told when the step is to be shown
            self.__moment(step)
        self.app.call_from_thread(self.__arrived, step)

    def __arrived(self, step: int | None, missing: str = "") -> None:
        if self._gone or not self.is_attached:
            return
        if step is None:
            self.__say(missing)
        else:
            self.__show_step(min(step, self.recording.steps))

    def __show_step(self, step: int) -> None:
        try:
            self.__tell(step)
        except BadFile as error:
            self.__pause()
            if self.recording.fault is None:
                self.__trouble = error.why
                self.__bar()
            else:
                self.go(min(step, self.recording.steps))
            return
        self.query_one(TitleBar).describe(self.subtitle())
        self.show(self.view)
        if self.__asked(self.table.state) and self.__has_time:
            self.waits(self.view)
        else:
            self.say("")
        self.__bar()
        self.__weigh()

    def __asked(self, state: Any) -> bool:
        """Tell whether the table said something to the seat here: what to do, or how it ended."""
        turn = self.table.game.turn(state)
        return asks(turn, self.seat) or isinstance(turn, Over)

    @property
    def __has_time(self) -> bool:
        return self.__clock is None or SPEEDS[self.speed] <= RUSH

    def __tell(self, step: int) -> None:
        """Tell one step more, or else all since the beginning of a round."""
        again = step != self.step + 1
        first = self.__retold_from(step) if again else self.step
        begin, *moments = [self.__moment(n) for n in range(first, step + 1)]
        if again:
            self.reading.turn_to(begin)
            self.forget()
        # a table may leave what was to be chosen last on the screen while it plays on
        last = max((m.step for m in moments[:-1] if self.__asked(m.state)), default=first)
        for moment in moments:
            if again and moment.step > last:
                self.show(self.view)
            self.reading.turn_to(moment)
            for event in moment.events:
                self.told(self.table.game.hear(moment.state, event, self.seat))
        self.step = step

    def __retold_from(self, step: int) -> int:
        begun = self.recording.previous(Mark.ROUND, max(0, step - RETOLD) + 1)
        return 0 if begun is None else begun - 1

    # ---- the line that tells of it --------------------------------------------------------

    def __bar(self, verdict: str = "") -> None:
        moment: Moment[Any, Any, Any] = self.__moment(self.step)
        recording = self.recording
        done = ""
        if self.__indexing and recording.indexed < recording.steps:
            done = f" ({100 * recording.indexed // recording.steps} % read)"
        plain = self.app.has_class("-ascii")
        running = ""
        if self.__clock is not None:
            running = f"{'>' if plain else '▶'} {SPEEDS[self.speed]}/s"
        trouble = self.__trouble
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
        between = " - " if plain else " · "
        put(self.query_one("#replay-bar", Static), between.join(filter(None, parts)))

    def __say(self, text: str) -> None:
        """Say something in place of what was done at this step."""
        between = " - " if self.app.has_class("-ascii") else " · "
        position = f"Step {self.step:,} of {self.recording.steps:,}"
        put(self.query_one("#replay-bar", Static), f"{position}{between}{text}")

    def __weigh(self) -> None:
        """Say what the adviser would have done, where the step was the seat's own choice."""
        if self.__moment(self.step).by == self.seat and self.__has_time:
            self.__judge(self.step)

    @work(thread=True, exclusive=True, group="judge")
    def __judge(self, step: int) -> None:
        with suppress(BadFile):
            mistake = self.recording.mistake(step) if step == self.step else None
            if mistake is not None:
                better = command_of(mistake.better, self.parts.words.verbs)
                verdict = f"cost {self.parts.cost(mistake)}, best {better}"
            else:
                said = self.reading.advice(self.__moment(step - 1))
                verdict = f"adviser: {said[0]}" if said else ""
            if verdict:
                self.app.call_from_thread(self.__judged, step, verdict)

    def __judged(self, step: int, verdict: str) -> None:
        if step == self.step and self.is_attached and not self._gone:
            self.__bar(verdict)

    # ---- the file -------------------------------------------------------------------------

    @work(thread=True, exclusive=True, group="index")
    def __index(self) -> None:
        worker = get_current_worker()
        self.__indexing = True
        try:
            for _ in self.recording.index():
                if worker.is_cancelled:
                    return
                self.app.call_from_thread(self.__indexed)
        except BadFile as error:
            self.__trouble = error.why
        finally:
            self.__indexing = False
        if not worker.is_cancelled:
            self.app.call_from_thread(self.__indexed)

    def __indexed(self) -> None:
        if self.is_attached and not self._gone:
            if self.step > self.recording.steps:
                self.go(self.recording.steps)
            self.__bar()
            if not self.__indexing:
                self.__weigh()

    def __look(self) -> None:
        """See whether the file has grown, or is gone."""
        if self.__indexing or self.__trouble:
            return
        try:
            if self.recording.refresh():
                self.__index()
                self.__bar()
        except BadFile as error:
            self.__trouble = error.why
            self.__looks.stop()
            self.__bar()

    # ---- keys -----------------------------------------------------------------------------

    def action_go(self, steps: int) -> None:
        """Go so many steps on, or back."""
        self.__pause()
        self.go(self.step + steps)

    def action_first(self) -> None:
        """Go to the beginning."""
        self.__pause()
        self.go(0)

    def action_last(self) -> None:
        """Go to the end."""
        self.__pause()
        self.go(self.recording.steps)

    def action_round(self, forward: bool) -> None:
        """Go to where the next round begins, or this one or the one before."""
        step = self.step
        if forward:
            self.__find(lambda: self.recording.next(Mark.ROUND, step) or self.recording.steps)
        else:
            self.__find(lambda: self.recording.previous(Mark.ROUND, step) or 0)

    def action_seek(self, mark: str, forward: bool) -> None:
        """Go to the next step of a kind, or to the one before."""
        wanted = Mark(mark)
        if wanted is Mark.MISTAKE and self.parts.judge is None:
            self.__say("this game's choices are not weighed")
            return
        step, quick = self.step, self.parts.judges_at_once or wanted is not Mark.MISTAKE
        find = self.recording.next if forward else self.recording.previous
        missing = f"no {mark} {'comes after' if forward else 'before'} this step"
        self.__find(lambda: find(wanted, step), missing, quick)

    def __find(self, find: Callable[[], int | None], missing: str = "", quick: bool = True) -> None:
        self.__pause()
        if quick and self.recording.indexed >= self.recording.steps:
            self.__arrived(find(), missing)
        else:
            self.__say("looking …")
            self.__search(find, missing)

    @work(thread=True, exclusive=True, group="seek")
    def __search(self, find: Callable[[], int | None], missing: str) -> None:
        found = None
        with suppress(BadFile):
            found = find()
            if found is not None:
                self.__moment(min(found, self.recording.steps))
        self.app.call_from_thread(self.__arrived, found, missing)

    def action_play(self) -> None:
        """Play the steps one after the other, or pause."""
        if self.__clock is not None:
            self.__pause()
            self.go(self.step)
        elif self.step < self.recording.steps:
            self.__clock = self.set_interval(1 / SPEEDS[self.speed], self.__tick)
            self.__bar()

    def __tick(self) -> None:
        if self.step < self.recording.steps:
            self.go(self.step + 1)
        else:
            self.__pause()
            self.go(self.step)

    def __pause(self) -> None:
        if self.__clock is not None:
            self.__clock.stop()
            self.__clock = None

    def action_speed(self, more: int) -> None:
        """Play faster or slower."""
        self.speed = max(0, min(self.speed + more, len(SPEEDS) - 1))
        if self.__clock is not None:
            self.__pause()
            self.action_play()
        else:
            self.__say(f"{SPEEDS[self.speed]} a second")

    @work
    async def action_ask_step(self) -> None:
        """Ask for a step, and go there."""
        self.__pause()
        steps = self.recording.steps
        answer = await ask_over(self, Line("Go to", f"Which step, 0 to {steps:,}?"))
        if not answer:
            return
        if answer.isdecimal() and answer.isascii() and int(answer) <= steps:
            self.go(int(answer))
        else:
            self.__say(f"{answer!r} is no step from 0 to {steps:,}")

    def action_play_on_from_here(self) -> None:
        """Begin a sitting for practice that goes on from this step."""
        self.__pause()
        self.__branch()

    @work(exclusive=True, group="branch")
    async def __branch(self) -> None:
        self.__say("the table is set up …")
        try:
            await self.app.play_on_from(self.listing, self.recording.path, self.step)
        except (BadInput, OSError) as error:
            why = error.why if isinstance(error, BadFile) else getattr(error, "strerror", error)
            self.__say(f"! {why}")
        else:
            self.__bar()

    def action_advice(self) -> None:
        """Show on a page what the adviser says to the table that is shown."""
        self.__pause()
        self.__ask_adviser()

    @work(thread=True, exclusive=True, group="advice")
    def __ask_adviser(self) -> None:
        with suppress(BadFile):
            said = self.reading.advice(self.__moment(self.step))
            if not said and self.__moment(self.step).by == self.seat:  # to the choice just shown
                said = self.reading.advice(self.__moment(self.step - 1))
            self.app.call_from_thread(self.__advised, said)

    def __advised(self, said: list[str]) -> None:
        if said:
            open_over(self, Page("Adviser", "\n".join(said)))
        else:
            self.__say("there is nothing to choose here")

    def action_help(self) -> None:
        """Show the keys."""
        open_over(self, Page("Replay", HELP))

    @work
    async def action_leave(self) -> None:
        """Go back to the records."""
        self.__pause()
        if not self._gone:
            self._gone = True
            self.dismiss(None)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Let every key be pressed at any time."""
        return True


@cache
def replay_screen(listing: Listing) -> type[Replay]:
    """Make the screen that shows recordings of a game as the game itself does."""
    game = screen_of(listing)
    screen = new_class(
        f"{game.__name__}Replay",
        (Replay, game),
        {"inherit_bindings": False},
        lambda body: body.update(BINDINGS=BINDINGS),
    )
    return cast(type[Replay], screen)
