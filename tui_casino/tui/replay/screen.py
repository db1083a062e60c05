"""A recorded session in its game's own view, step by step."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from textual import events, work
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical

from ...engine.game import A, E, O, S
from ...gamekit.adviser import Decision
from ...gamekit.registry import GameListing
from ...gamekit.tally import T
from ...inputs.errors import BadInput
from ...inputs.files import BadFile
from ...records.cache import FRAME_INTERVAL, Cache
from ...records.log_header import MOST_STEPS
from ...records.playback import Playback, ReplayMark, ReplayMoment
from ...records.summaries import known_mistakes
from ...structs import replace
from ...teacher.practice_tasks import PracticeTask
from ..desk import ScreenDesk, run_cancellable
from ..draw.text import full_names, game_figures, with_negative_numbers
from ..modals import InputDialog, TextPage
from ..positions.position_screen import PositionAnswer, PositionExit, PositionScreen
from ..positions.verdict_screen import VerdictExit, VerdictScreen
from ..room import help_binding, leave_binding
from ..table.background_tasks import NO_MEMORY
from ..table.face import AnyFace, Face, face_of
from ..table.screen import TableScreen
from ..theme import sheet
from ..widgets.hint_line import HintLine, HintMessage
from ..widgets.key_bar import VERB, KeyBar
from ..widgets.key_names import with_own_keys
from ..widgets.title_bar import Note, TitleBar
from ..window import ask_over, open_over
from .analysis import MISTAKE, ReplayAnalysis
from .graph import CurveWindow, ReplayGraph
from .seat_view import SeatView, SittingNotOver
from .sidebar import ReplaySidebar, SidebarContent
from .status import SPEEDS, ReplayStatus, Scrubber, VerdictLine

TITLE = "Guess first"
HELP = f"""\
  left, right   one step
  up, down      one round; also PgUp and PgDn
  Home, End     start, end
  space         play and pause
  + and -       faster, slower: {", ".join(map(str, SPEEDS))} steps per second
  m, b, w       the next mistake, bet, win; M, B, W the previous one
  g             guess first: hide each choice and its cost until the next step
  Enter         while you guess first: choose with the game's keys, and
                see the verdict; the replay then continues
  n             go to a step by its number
  a             advice for this position
  c             graph in a window, with numbered mistakes
  p             continue from here as free play: a new session
                that refers to this one; your balance is not used
  y             copy the path of the log to the clipboard
  F2            statistics up to this step
  Esc           back to the screen before

The table is shown as you saw it. Before each of your choices you see what \
you chose and, if the game can evaluate it, what it cost. m goes to the \
position before the next mistake."""


async def ask_for_choice(
    app: App[Any], desk: ScreenDesk, face: AnyFace, task: PracticeTask, subtitle: str
) -> bool:
    """Show the position and the verdict on the player's choice; return whether to continue.

    The choice is not stored, because the replay has shown what happened before and may show it
    again. The player may choose again, or leave to stay at this step.
    """
    while True:
        table: PositionScreen[Any, Any, Any, Any, Any] = PositionScreen(
            TITLE, face, task.position, subtitle
        )
        desk.with_size_classes(table)
        outcome = await app.push_screen_wait(table)
        if not isinstance(outcome, PositionAnswer):
            return outcome is PositionExit.SKIP
        verdict = VerdictScreen(TITLE, task.spot, (), task, outcome, "", face, "Continue")
        desk.with_size_classes(verdict)
        after = await app.push_screen_wait(verdict)
        if after is not VerdictExit.AGAIN:
            return after is VerdictExit.ON


LOOK = 1.0
"""Seconds between two checks whether the file has grown."""
TABLE_ROWS, MOST_ROWS = 28, 14
"""Rows that a table and the lines around it need, and the maximum rows of the graph."""
SIDE = 45
"""Columns of the sidebar; the stylesheet repeats this number."""
BESIDE = 86 + SIDE
"""The minimum width at which the sidebar fits next to the table."""


def _seeks(key: str, mark: str) -> tuple[Binding, Binding]:
    name, there = mark.capitalize(), f"replay.{mark}"
    group = VERB if mark == MISTAKE else None
    shown = "Next mistake" if mark == MISTAKE else name
    return (
        Binding(key, f"seek('{mark}', True)", shown, id=there, group=group),
        Binding(
            key.upper(),
            f"seek('{mark}', False)",
            f"Previous {mark}",
            show=False,
            id=f"{there}-before",
        ),
    )


BINDINGS: list[BindingType] = [
    Binding("space", "play", "Play", id="replay.play", group=VERB),
    *_seeks("m", MISTAKE),
    Binding("right", "go(1)", "Step", key_display="←→", id="replay.next", group=VERB),
    Binding("left", "go(-1)", "Step back", show=False, id="replay.previous"),
    Binding(
        "down,pagedown",
        "seek('round', True)",
        "Round",
        key_display="↑↓",
        id="replay.round",
        group=VERB,
    ),
    Binding("up,pageup", "seek('round', False)", "Round back", show=False, id="replay.round-back"),
    Binding("g,G,t", "guess", "Guess first", key_display="g", id="replay.guess", group=VERB),
    Binding("enter", "answer", "Choose", id="replay.choose", key_display="Enter", group=VERB),
    Binding("p", "play_on_from_here", "Continue", id="replay.play-on", group=VERB),
    Binding("home", "go_to(0)", "Start", show=False, id="replay.first"),
    Binding("end", f"go_to({MOST_STEPS})", "End", show=False, id="replay.last"),
    Binding("plus,equals_sign", "speed(1)", "Speed", key_display="+-", id="replay.faster"),
    Binding("minus", "speed(-1)", "Slower", show=False, id="replay.slower"),
    *_seeks("b", ReplayMark.BET),
    *_seeks("w", ReplayMark.WIN),
    Binding("n", "ask_step", "Go to", id="replay.go"),
    Binding("a", "advice", "Advice", id="replay.advice"),
    Binding("c", "curve", "Graph", id="replay.curve"),
    Binding("y", "app.copy_log", "Copy the path", show=False, id="replay.copy"),
    help_binding("replay"),
    Binding("f2", "statistics", "Statistics", id="replay.statistics", key_display="F2"),
    leave_binding("replay", action="leave"),
]


class ReplayTable(TableScreen[None, O, S, A, E, T]):
    """The replay of a recording in the view of its game, in which no actions are possible.

    Before each choice of the recorded player, the screen shows the choice and its cost, unless the
    user wants to ``guess`` first.
    """

    CSS_PATH = [sheet("records")]  # noqa: RUF012 - as Textual has it
    BINDINGS: ClassVar[list[BindingType]] = BINDINGS
    HORIZONTAL_BREAKPOINTS = [(0, "-tiny"), (48, "-small"), (80, "-normal"), (104 + SIDE, "-wide")]  # noqa: RUF012 - Textual's type; the table is narrower here
    VERTICAL_BREAKPOINTS = [(0, "-low"), (24, "-middle"), (34 + MOST_ROWS, "-tall")]  # noqa: RUF012

    def __init__(
        self,
        desk: ScreenDesk,
        listing: GameListing,
        face: Face[O, S, A, E, T],
        recording: Playback[O, S, A, E, T],
        at_mistake: bool = False,
        begin_at: int = 0,
    ) -> None:
        """Open the recording at its first mistake, or at a step.

        Raises :class:`~tui_casino.inputs.files.BadFile`.
        """
        self.desk, self.listing, self.recording = desk, listing, recording
        self.folder = desk.house.folder
        self.step, self.guess = 0, False
        self.seat_view = SeatView(recording)
        begin, facts = self.seat_view.moment(0), self.seat_view.table_info(face)
        super().__init__("Replay", face, facts, self.seat_view.visible_state(begin), begin.tally)
        cached = known_mistakes(recording.path, Cache(desk.house.cache))
        self.analysis = ReplayAnalysis(recording, cached)
        self._verdict: tuple[int, VerdictLine] = (-1, VerdictLine(""))
        self._at_mistake, self._begin_at = at_mistake, begin_at

    # ---- layout ---------------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        """Lay out the table above verdict, graph and scrubber, with the sidebar next to them."""
        self.title_bar = TitleBar(self.name_of_game, self._heading[0], *self._heading[1])
        self.status, self.scrubber = ReplayStatus(), Scrubber()
        self.side = ReplaySidebar(self.definition, self.face)
        self.graph = ReplayGraph(id="replay-graph")
        self.graphs = [self.graph]
        self.hints = HintLine()
        yield self.title_bar
        with Horizontal(id="replay-floor"):
            with Vertical(id="replay-table"):
                yield self.view
                yield self.status
                yield self.graph
                yield self.scrubber
            yield self.side
        yield self.hints
        yield KeyBar(self.hints.hint)

    def subtitle(self) -> str:
        """Return which game was played, and when."""
        parts = self.listing.title, self.view.subtitle(), self.seat_view.started
        return " · ".join(filter(None, parts))

    def notes(self) -> tuple[Note, ...]:
        """Return a note if choices are hidden until they are made."""
        return (("guess first", "gold"),) if self.guess else ()

    def on_mount(self) -> None:
        """Adapt the layout to the size, then open the table."""
        self._make_room()
        super().on_mount()

    def on_resize(self) -> None:
        self._make_room()
        super().on_resize()
        self.call_after_refresh(self._show_analysis)

    def _make_room(self) -> None:
        width, height = self.app.size
        rows = min(MOST_ROWS, height - TABLE_ROWS)
        self.graph.styles.height = max(rows, 1)
        self.set_class(rows >= 6, "-graph")
        self.set_class(height >= TABLE_ROWS, "-roomy")
        self.set_class(width >= BESIDE and height >= TABLE_ROWS, "-side")

    def open_table(self) -> None:
        """Show the start, index and review the rest, and watch whether the file grows."""
        self.view.disabled = True  # the replay ignores clicks on cards
        self.show_step(0)
        self._index()
        self._review()
        self._file_timer = self.set_interval(LOOK, self._check_file)
        self.call_after_refresh(self._begin)

    def _begin(self) -> None:
        """Go to the first step to show, unless the player has already pressed a key."""
        if self.step:
            return
        self.go(self._begin_at)
        if self._at_mistake:
            self.action_seek(MISTAKE, True)

    def on_unmount(self) -> None:
        self.analysis.close()
        self.recording.close()

    # ---- steps ----------------------------------------------------------------------------

    def go(self, step: int) -> None:
        """Show the table after a step; steps outside the recording are clamped."""
        step = max(0, min(step, self.recording.steps))
        if step <= max(self.recording.indexed, FRAME_INTERVAL):
            self.show_step(step)
        else:
            self.say("computing the earlier steps …")
            self._search(lambda: step)

    @work(thread=True, exclusive=True, group="seek")
    def _search(self, find: Callable[[], int | None], missing: tuple[str, str] = ("", "")) -> None:
        try:
            step_found = self.seat_view.reach_step(find)
        except MemoryError:
            step_found, missing = None, ("", NO_MEMORY)
        self.app.call_from_thread(self._show_found, step_found, missing)

    def _show_found(self, step: int | None, missing: tuple[str, str]) -> None:
        if not self.is_alive:
            return
        if step is None:
            self.refuse(*missing)
            self.show_status()
        else:
            self.show_step(min(step, self.recording.steps))

    def show_step(self, step: int) -> None:
        try:
            self._apply_step(step)
        except BadFile as error:
            self.scrubber.pause()
            if self.recording.fault is None:
                self.analysis.error = error.reason
                self.show_status()
            else:
                self.go(min(step, self.recording.steps))
            return
        self.describe()
        self._mark()
        self.view.present(self.view.seen)
        if self.seat_view.is_prompted(self.seat_view.moment(step)) and not self.scrubber.is_fast:
            self.view.show_prompt(self.view.seen)
        else:
            self.view.say("")
        self.show_status()
        self._show_analysis()
        self.weigh()

    def _apply_step(self, step: int) -> None:
        """Apply the next step to the view; replay any other step from the start of a round."""
        self.view.selection = ()
        restarts, own = step != self.step + 1, self.seat_view
        first = own.replay_start(step) if restarts else self.step
        begin, *moments = [own.moment(n) for n in range(first, step + 1)]
        if restarts:
            self.reset_view(own.visible_state(begin), begin.tally)
        # between choices, a table may keep the last prompt on the screen
        addressed = (m.step for m in moments[:-1] if own.is_prompted(m))
        last = max(addressed, default=first)
        for moment in moments:
            if restarts and moment.step > last:
                self.view.show(self.view.seen)
            self.apply_update(own.visible_state(moment), moment.tally, own.visible_events(moment))
        self.step = step

    # ---- the choice at this step ----------------------------------------------------------

    @property
    def choice(self) -> ReplayMoment[S, A, E, T] | None:
        """The player's choice that is shown: the next one, or the one at this step."""
        return self.seat_view.choice_at(self.step, guess=self.guess)

    def _mark(self) -> None:
        """Mark the cards of the player's choice on the table, as the player did."""
        slot, choice = self.view.open_slot(), self.choice
        if slot is None or choice is None or choice.step != self.step + 1:
            return
        self.view.selection = self.seat_view.cards_of(choice, slot.values)

    def weigh(self) -> None:
        """Show the cost of the choice and the best choice, if the game can evaluate choices."""
        if (choice := self.choice) is None or self.scrubber.is_fast:
            return

        def show(judgement: tuple[Decision[S, A] | None, str]) -> None:
            self._verdict = choice.step, self.seat_view.verdict(self.view, choice, *judgement)
            self.show_status()

        self.tasks.run(
            "judge",
            lambda: self.seat_view.judge_step(self.analysis.reviewer, choice.step),
            show,
            lambda: self.is_alive and choice == self.choice,
        )

    # ---- lines below the table ------------------------------------------------------------

    def show_status(self) -> None:
        """Show what was done at this step, and the step's number."""
        recording, moment = self.recording, self.seat_view.moment(self.step)
        ended = self.seat_view.end if self.step == recording.steps else ""
        action_text = self.seat_view.describe_step(self.view, moment)
        verdict = self._verdict_now() or VerdictLine(action_text, details=ended)
        self.status.put(
            verdict,
            self.step,
            recording.steps,
            self.analysis.progress,
            f"round {self.seat_view.round_at(self.step):,}",
            action_text if verdict.text != action_text else "",
            ended if verdict.details != ended else "",
            self.scrubber.pace,
        )
        self.scrubber.put(self.step, recording.steps)
        self.hints.refresh_hints()

    def _verdict_now(self) -> VerdictLine | None:
        """Return the text to show instead of what was done at this step."""
        choice = self.choice
        if trouble := self.analysis.error_at(self.step):
            return VerdictLine(f"! {trouble}", "bad")
        if self.guess and (question := self.seat_view.question_at(self.step)):
            return question
        if choice is None or choice.step == self._verdict[0]:
            return None if choice is None else self._verdict[1]
        return VerdictLine(self.seat_view.describe_step(self.view, choice))

    def say(self, text: str) -> None:
        """Show a message instead of what was done at this step."""
        self.status.put(VerdictLine(text), self.step, self.recording.steps)

    def refuse(self, key: str, reason: str) -> None:
        """Show why a key does nothing."""
        self.hints.show_message(HintMessage("refused", key, reason))

    # ---- graph and sidebar ----------------------------------------------------------------

    def _review(self) -> None:
        """Compute the graph and the mistakes on a thread, until the review is complete."""
        self.tasks.run("survey", self.analysis.advance, self._show_reviewed, lambda: self.is_alive)

    def _show_reviewed(self, unfinished: bool) -> None:
        self.analysis.update(self.view, unfinished=unfinished)
        self._show_analysis()
        if unfinished:
            self._review()

    def _show_analysis(self) -> None:
        """Show the results so far for the recording, and for the choice at this step."""
        analysis, choice = self.analysis, self.choice
        for graph in self.graphs:
            graph.put(analysis.curve, self.step)
        if not self.has_class("-side"):
            return
        now = -1 if choice is None else choice.step
        if now != self.side.valued:
            snapshot = None
            if choice is not None and not self.scrubber.is_fast:
                state = self.seat_view.state_before(choice)
                snapshot = replace(self.view.snapshot(), view=state, selection=())
            self.side.value(choice, self.view, snapshot, self.seat_view.decision_on)
        tally = self.view.tally
        counts = full_names(game_figures(tally.report(), self.face.pages.count_names))
        figures = (("rounds", f"{tally.rounds:,}"), *counts)
        known = analysis.is_complete, analysis.cost, now, self.guess
        self.side.put(SidebarContent(tuple(analysis.mistakes), *known, figures[:12]))

    # ---- file -----------------------------------------------------------------------------

    @property
    def log_path(self) -> Path:
        return self.recording.path

    def _index(self) -> None:
        """Index all steps on a thread, and show the progress."""
        self.tasks.run("index", self.analysis.index, self._show_indexed, lambda: self.is_alive)

    def _show_indexed(self, unfinished: bool) -> None:
        if self.step > self.recording.steps:
            self.go(self.recording.steps)
        self.show_status()
        if unfinished:
            self._index()
        else:
            self.weigh()

    def _check_file(self) -> None:
        """Check whether the file has grown or has been removed."""
        if self.analysis.check_growth():
            self._index()
            self._review()
            self.show_status()
        elif self.analysis.error:
            self._file_timer.stop()
            self.show_status()

    # ---- keys -----------------------------------------------------------------------------

    def on_key(self, event: events.Key) -> None:
        self.hints.process_key(event)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Grey out the search for mistakes if the game cannot evaluate choices."""
        if action == "answer":
            return self.guess and (True if self.seat_view.task_at(self.step) else None)
        if action == "guess" or (action == "seek" and parameters[:1] == (MISTAKE,)):
            return True if self.definition.adviser.has_judge else None
        return True

    def hint_label(self, action: str) -> str | None:
        """Return an action's current name if it differs from that of its binding."""
        return "Pause" if action == "play" and self.scrubber.is_playing else None

    def disabled_reason(self, action: str) -> str:
        if action == "answer":
            return "you have no choice to make here."
        return "choices are not evaluated in this game."

    def action_go_to(self, step: int) -> None:
        self.scrubber.pause()
        self.go(step)

    def action_go(self, steps: int) -> None:
        """Go forward by some steps; a negative number goes back."""
        self.action_go_to(self.step + steps)

    def on_scrubber_sought(self, message: Scrubber.Sought) -> None:
        self.action_go_to(message.step)

    def action_seek(self, mark: str, forward: bool) -> None:
        """Go to the next or previous step with a mark; for a mistake, to the position before it."""
        self.scrubber.pause()
        key, where = (mark[0], "after") if forward else (mark[0].upper(), "before")
        missing = key, f"no {mark} {where} this step."
        find = partial(self.analysis.find, mark, self.step, forward=forward)
        if self.analysis.is_ready_for(mark):
            self._show_found(find(), missing)
        else:
            self.say("searching …")
            self._search(find, missing)

    @work
    async def action_ask_step(self) -> None:
        """Ask for a step, and go there."""
        self.scrubber.pause()
        steps = self.recording.steps
        answer = await ask_over(self, InputDialog("Go to", f"Which step (0 to {steps:,})?"))
        if answer and answer.isdecimal() and answer.isascii() and int(answer) <= steps:
            self.go(int(answer))
        elif answer:
            self.refuse("g", f"{answer!r} is not a step from 0 to {steps:,}.")

    def action_play(self) -> None:
        """Play the steps one after the other, or pause."""
        if self.scrubber.is_playing:
            self.action_go_to(self.step)
        elif self.step < self.recording.steps:
            self.scrubber.play()
            self.show_status()
        else:
            self.refuse("space", "this is the last step.")

    def on_scrubber_due(self) -> None:
        """Show the next step, or pause at the end."""
        if self.scrubber.is_playing:
            if self.step >= self.recording.steps:
                self.scrubber.pause()
            self.go(self.step + 1)

    def action_speed(self, unfinished: int) -> None:
        """Play faster; a negative number plays slower."""
        self.scrubber.faster(unfinished)
        self.show_status()

    def action_guess(self) -> None:
        """Switch between showing each choice before and after it is made."""
        self.guess = self.view.guesses = not self.guess
        self.show_step(self.step)

    @work(exclusive=True, group="guess", name="action_answer")
    async def action_answer(self) -> None:
        """Let the player choose with the game's keys, show the verdict, and continue."""
        self.scrubber.pause()
        step, task = self.step, self.seat_view.task_at(self.step)
        if task and await ask_for_choice(self.app, self.desk, self.face, task, self._heading[0]):
            self.go(step + 1)

    @work(exclusive=True, group="branch", name="branch")
    async def action_play_on_from_here(self) -> None:
        self.scrubber.pause()
        self.say("setting up the table …")
        try:
            await self.desk.branch_from(self.listing, self.recording.path, self.step)
        except (BadInput, OSError) as error:
            reason = (
                error.reason if isinstance(error, BadFile) else getattr(error, "strerror", error)
            )
            self.refuse("p", str(reason))
        self.show_status()

    def action_advice(self) -> None:
        self.scrubber.pause()
        near = partial(self.seat_view.advice_near, self.step, guess=self.guess)
        self.tasks.run("advice", near, self._show_advice, lambda: self.is_alive)

    def _show_advice(self, advice: list[str]) -> None:
        if advice:
            open_over(self, TextPage("Advice", with_negative_numbers("\n".join(advice))))
        else:
            self.refuse("a", "there is no choice to make here.")

    def action_curve(self) -> None:
        """Show the graph in a window, where it is kept up to date."""
        window = CurveWindow()
        self.graphs = [self.graph, window.graph]
        open_over(self, window)
        self._show_analysis()

    def action_help(self) -> None:
        open_over(self, TextPage("Replay", with_own_keys(self, HELP)))

    def action_leave(self) -> None:
        self.scrubber.pause()
        if not self._has_left:
            self._has_left = True
            self.dismiss(None)


async def open_replay(
    desk: ScreenDesk,
    listing: GameListing,
    path: Path,
    *,
    key: str = "",
    at_mistake: bool = False,
    before: int = 1,
) -> HintMessage | None:
    """Open a log at its first mistake, or at the position before a step.

    Return why the log cannot be read or the session may not be shown yet, after the ``key`` that
    was pressed; ``None`` if the replay was open.
    """
    try:
        await _show_replay(desk, listing, path, at_mistake, before)
    except SittingNotOver as error:
        return HintMessage("refused", key, f"{error.reason}.")
    except BadInput as error:
        return HintMessage("refused", key, f"this session cannot be shown: {error}")
    return None


async def _show_replay(
    desk: ScreenDesk, listing: GameListing, path: Path, at_mistake: bool, before: int
) -> None:
    cache = Cache(desk.house.cache)
    recording = await run_cancellable(partial(Playback, listing.definition(), path, cache))
    step = max(0, min(before - 1, recording.steps))
    try:
        screen = ReplayTable(desk, listing, face_of(listing), recording, at_mistake, step)
        await desk.show(screen)
    except BaseException:
        recording.close()
        raise
