"""A recorded sitting in its game's own view, step by step."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import ClassVar

from textual import events, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical

from ...engine.game import A, E, O, S
from ...gamekit.adviser import Decision
from ...gamekit.registry import GameListing
from ...gamekit.tally import T
from ...inputs.errors import BadInput
from ...inputs.files import BadFile
from ...records.cache import FRAME_INTERVAL, Cache
from ...records.playback import Playback
from ...records.replay_moment import ReplayMoment
from ...records.summaries import known_mistakes
from ..desk import ScreenDesk
from ..draw.number_formats import game_figures
from ..modal_windows import ask_over, open_over
from ..modals import InputDialog, TextPage
from ..table.background_tasks import NO_MEMORY
from ..table.face import Face
from ..table.screen import TableScreen
from ..theme.clock import local_time
from ..theme.stylesheets import sheet
from ..widgets.hint_line import HintLine
from ..widgets.hint_strips import HintMessage
from ..widgets.key_bar import KeyBar
from ..widgets.title_bar import Note, TitleBar
from .analysis import MISTAKE, ReplayAnalysis
from .graph import CurveWindow, ReplayGraph
from .keys import BINDINGS, HELP
from .seat_view import SeatView
from .sidebar import ReplaySidebar, SidebarContent
from .status import ReplayStatus, Scrubber, VerdictLine

LOOK = 1.0
"""Seconds between two looks at the file."""
TABLE_ROWS, MOST_ROWS = 28, 14
"""Rows that a table and the lines around it want, and those that the curve has at most."""
SIDE = 45
"""Columns of what stands beside the table; the sheet has them, too."""
BESIDE = 86 + SIDE
"""Columns from which on there is room for that."""


class ReplayTable(TableScreen[None, O, S, A, E, T]):
    """A recording in the view of its game, at which nobody can play.

    Before a choice of its player it shows what was chosen and what that cost, unless the player
    wants to ``guess`` first.
    """

    CSS_PATH = [sheet("records")]  # noqa: RUF012 - as Textual has it
    BINDINGS: ClassVar[list[BindingType]] = BINDINGS
    HORIZONTAL_BREAKPOINTS = [  # noqa: RUF012 - as Textual has it; the table has less room here
        (0, "-tiny"),
        (48, "-small"),
        (80, "-normal"),
        (104 + SIDE, "-wide"),
    ]
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
        """Sit down at the recording, at its first mistake or at a step.

        Raises :class:`~tui_casino.inputs.files.BadFile`.
        """
        self.desk, self.listing, self.recording = desk, listing, recording
        self.here = desk.house.folder
        self.step, self.guess = 0, False
        self.reading = SeatView(recording)
        begin, facts = self.reading.moment(0), self.reading.facts(face)
        super().__init__("Replay", face, facts, self.reading.seen(begin), begin.tally)
        cached = known_mistakes(recording.path, Cache(desk.house.cache))
        self.survey = ReplayAnalysis(recording, cached)
        self._verdict: tuple[int, VerdictLine] = (-1, VerdictLine(""))  # of the last choice weighed
        self._at_mistake, self._begin_at = at_mistake, begin_at

    # ---- layout ---------------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        """Lay out the table over what was done, the curve and the scrubber; the rest beside it."""
        self.title_bar = TitleBar(self.name_of_game, self._described[0], *self._described[1])
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
        """Say what was played, and when."""
        then = local_time(self.recording.header.at)
        when = f"{then:%A} {then.day} {then:%B}, {then:%H:%M}"
        return " · ".join(filter(None, (self.listing.title, self.view.subtitle(), when)))

    def notes(self) -> tuple[Note, ...]:
        """Say whether the choices are judged before they are made."""
        return (("guess first", "gold"),) if self.guess else ()

    def on_mount(self) -> None:
        """Make room, then begin."""
        self._make_room()
        super().on_mount()

    def on_resize(self) -> None:
        """Make room for as much as fits."""
        self._make_room()
        super().on_resize()
        self.call_after_refresh(self._show_survey)

    def _make_room(self) -> None:
        width, height = self.app.size
        rows = min(MOST_ROWS, height - TABLE_ROWS)
        self.graph.styles.height = max(rows, 1)
        self.set_class(rows >= 6, "-graph")
        self.set_class(height >= TABLE_ROWS, "-roomy")
        self.set_class(width >= BESIDE and height >= TABLE_ROWS, "-side")

    def open_table(self) -> None:
        """Show the beginning, have the rest worked out, and watch whether the file grows."""
        self.view.disabled = True  # nothing can be clicked
        self.show_step(0)
        self._index()
        self._review()
        self._looks = self.set_interval(LOOK, self._look)
        self.call_after_refresh(self._begin)

    def _begin(self) -> None:
        """Show it once more in the room there is, unless a key was quicker."""
        if self.step:
            return
        self.go(self._begin_at)
        if self._at_mistake:
            self.action_seek(MISTAKE, True)

    def on_unmount(self) -> None:
        """Close the log."""
        self.survey.close()
        self.recording.close()

    # ---- a step ---------------------------------------------------------------------------

    def go(self, step: int) -> None:
        """Show the table after a step, or after the nearest there is."""
        step = max(0, min(step, self.recording.steps))
        if step <= max(self.recording.indexed, FRAME_INTERVAL):
            self.show_step(step)
        else:
            self.say("computing the steps before …")
            self._search(lambda: step)

    @work(thread=True, exclusive=True, group="seek")
    def _search(self, find: Callable[[], int | None], missing: tuple[str, str] = ("", "")) -> None:
        try:
            found = self.reading.reach(find)
        except MemoryError:
            found, missing = None, ("", NO_MEMORY)
        self.app.call_from_thread(self._arrived, found, missing)

    def _arrived(self, step: int | None, missing: tuple[str, str]) -> None:
        if not self.alive:
            return
        if step is None:
            self.refuse(*missing)
            self.bar()
        else:
            self.show_step(min(step, self.recording.steps))

    def show_step(self, step: int) -> None:
        """Show the table after a step that is worked out."""
        try:
            self._tell(step)
        except BadFile as error:
            self.scrubber.pause()
            if self.recording.fault is None:
                self.survey.trouble = error.reason
                self.bar()
            else:
                self.go(min(step, self.recording.steps))
            return
        self.describe()
        self._mark()
        self.view.present(self.view.seen)
        if self.reading.is_addressed(self.reading.moment(step)) and not self.scrubber.rushes:
            self.view.waits(self.view.seen)
        else:
            self.view.say("")
        self.bar()
        self._show_survey()
        self.weigh()

    def _tell(self, step: int) -> None:
        """Tell one step more, or else all since the beginning of a round."""
        self.view.draft = ()
        again = step != self.step + 1
        first = self.reading.retold_from(step) if again else self.step
        begin, *moments = [self.reading.moment(n) for n in range(first, step + 1)]
        if again:
            self.begin_telling(self.reading.seen(begin), begin.tally)
        # a table may leave what was to be chosen last on the screen while it plays on
        addressed = (m.step for m in moments[:-1] if self.reading.is_addressed(m))
        last = max(addressed, default=first)
        for moment in moments:
            if again and moment.step > last:
                self.view.show(self.view.seen)
            self.tell(self.reading.seen(moment), moment.tally, self.reading.heard(moment))
        self.step = step

    # ---- the choice at this step ----------------------------------------------------------

    @property
    def choice(self) -> ReplayMoment[S, A, E, T] | None:
        """The player's choice that is shown: the next one, or else that of this step."""
        return self.reading.choice_at(self.step, guess=self.guess)

    def _mark(self) -> None:
        """Mark on the table what was chosen there of several, as the player had it before him."""
        slot, choice = self.view.open_slot(), self.choice
        if slot is None or choice is None or choice.step != self.step + 1:
            return
        self.view.draft = self.reading.cards_of(choice, slot.values)

    def weigh(self) -> None:
        """Show what a choice cost and what would have been best, where the game knows."""
        choice = self.choice
        if choice is None or self.scrubber.rushes:
            return

        def show(found: tuple[Decision[S, A] | None, str]) -> None:
            self._verdict = choice.step, self.reading.verdict(self.view, choice, *found)
            self.bar()

        self.asking.ask(
            "judge",
            lambda: self.reading.judged(self.survey.reviewer, choice.step),
            show,
            lambda: self.alive and choice == self.choice,
        )

    # ---- the lines below the table --------------------------------------------------------

    def bar(self) -> None:
        """Write what was done, and which step is shown."""
        recording, moment = self.recording, self.reading.moment(self.step)
        ended = self.reading.end if self.step == recording.steps else ""
        deed = self.reading.deed(self.view, moment)
        verdict = self._verdict_here() or VerdictLine(deed, more=ended)
        self.status.put(
            verdict,
            self.step,
            recording.steps,
            self.survey.progress,
            f"round {moment.tally.rounds + 1:,}",
            deed if verdict.text != deed else "",
            ended if verdict.more != ended else "",
            self.scrubber.pace,
        )
        self.scrubber.put(self.step, recording.steps)
        self.hints.name_again()

    def _verdict_here(self) -> VerdictLine | None:
        """Return what to say first, unless that is what was done at this step."""
        choice = self.choice
        if trouble := self.survey.trouble_at(self.step):
            return VerdictLine(f"! {trouble}", "bad")
        if self.guess and self.reading.chooses_after(self.step):
            question = "Your turn: what would you choose?"
            return VerdictLine(question, "gold", more="The next step shows it.")
        if choice is not None and choice.step == self._verdict[0]:
            return self._verdict[1]
        return None if choice is None else VerdictLine(self.reading.deed(self.view, choice))

    def say(self, text: str) -> None:
        """Say something instead of what was done at this step."""
        self.status.put(VerdictLine(text), self.step, self.recording.steps)

    def refuse(self, key: str, why: str) -> None:
        """Say why a key does nothing."""
        self.hints.tell(HintMessage("refused", key, why))

    # ---- the curve, and what is shown beside the table ------------------------------------

    def _review(self) -> None:
        """Work out the curve and the mistakes, off the loop, until all is known."""
        self.asking.ask("survey", self.survey.advance, self._surveyed, lambda: self.alive)

    def _surveyed(self, more: bool) -> None:
        self.survey.update(self.view, more=more)
        self._show_survey()
        if more:
            self._review()

    def _show_survey(self) -> None:
        """Show what is known of the recording, and of the choice at this step."""
        survey, choice = self.survey, self.choice
        for graph in self.graphs:
            graph.put(survey.curve, self.step)
        if not self.has_class("-side"):
            return
        now = -1 if choice is None else choice.step
        if now != self.side.valued:
            glance = None
            if choice is not None and not self.scrubber.rushes:
                seen = self.reading.seen_before(choice)
                glance = replace(self.view.glance(), view=seen, draft=())
            self.side.value(choice, self.view, glance)
        tally = self.view.tally
        figures = (("rounds", f"{tally.rounds:,}"), *game_figures(tally.report()))
        mistakes = tuple(survey.mistakes)
        known = survey.whole, survey.cost, now, self.guess
        self.side.put(SidebarContent(mistakes, *known, figures[:12]))

    # ---- the file -------------------------------------------------------------------------

    @property
    def log_path(self) -> Path:
        """The file."""
        return self.recording.path

    def _index(self) -> None:
        """Work all steps out, off the loop, and show now and then how far that is."""
        self.asking.ask("index", self.survey.index, self._indexed, lambda: self.alive)

    def _indexed(self, more: bool) -> None:
        if self.step > self.recording.steps:
            self.go(self.recording.steps)
        self.bar()
        if more:
            self._index()
        else:
            self.weigh()

    def _look(self) -> None:
        """Look whether the file has grown, or is gone."""
        if self.survey.has_grown():
            self._index()
            self._review()
            self.bar()
        elif self.survey.trouble:
            self._looks.stop()
            self.bar()

    # ---- keys -----------------------------------------------------------------------------

    def on_key(self, event: events.Key) -> None:
        """Let no key be silent."""
        self.hints.heed(event)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Grey the way to mistakes where there can be none."""
        if action == "guess" or (action == "seek" and parameters[:1] == (MISTAKE,)):
            return True if self.definition.adviser.has_judge else None
        return True

    def hint_label(self, action: str) -> str | None:
        """Return the present name of an action, if its binding has another one."""
        return "Pause" if action == "play" and self.scrubber.is_playing else None

    def why_not(self, action: str) -> str:
        """Say why the action of a greyed key cannot be done."""
        return "this game's choices are not judged."

    def action_go_to(self, step: int) -> None:
        """Go to a step."""
        self.scrubber.pause()
        self.go(step)

    def action_go(self, steps: int) -> None:
        """Go so many steps on, or back."""
        self.action_go_to(self.step + steps)

    def action_last(self) -> None:
        """Go to the end."""
        self.action_go_to(self.recording.steps)

    def on_scrubber_sought(self, message: Scrubber.Sought) -> None:
        """Go where the scrubber was clicked."""
        self.action_go_to(message.step)

    def action_seek(self, mark: str, forward: bool) -> None:
        """Go to the next step with a mark, or to the previous one; or to just before a mistake."""
        self.scrubber.pause()
        key, where = (mark[0], "comes after") if forward else (mark[0].upper(), "before")
        missing = key, f"no {mark} {where} this step."
        find = partial(self.survey.find, mark, self.step, forward=forward)
        if self.survey.finds_at_once(mark):
            self._arrived(find(), missing)
        else:
            self.say("looking …")
            self._search(find, missing)

    @work
    async def action_ask_step(self) -> None:
        """Ask for a step, and go there."""
        self.scrubber.pause()
        steps = self.recording.steps
        answer = await ask_over(self, InputDialog("Go to", f"Which step, 0 to {steps:,}?"))
        if not answer:
            return
        if answer.isdecimal() and answer.isascii() and int(answer) <= steps:
            self.go(int(answer))
        else:
            self.refuse("g", f"{answer!r} is not a step from 0 to {steps:,}.")

    def action_play(self) -> None:
        """Play the steps one after the other, or pause."""
        if self.scrubber.is_playing:
            self.action_go_to(self.step)
        elif self.step < self.recording.steps:
            self.scrubber.play()
            self.bar()
        else:
            self.refuse("space", "this is the end.")

    def on_scrubber_due(self) -> None:
        """Show the next step, or pause at the end."""
        if self.scrubber.is_playing:
            if self.step >= self.recording.steps:
                self.scrubber.pause()
            self.go(self.step + 1)

    def action_speed(self, more: int) -> None:
        """Play faster or slower."""
        self.scrubber.faster(more)
        self.bar()

    def action_guess(self) -> None:
        """Show choices only after they are made, or before."""
        self.guess = not self.guess
        self.show_step(self.step)

    @work(exclusive=True, group="branch", name="branch")
    async def action_play_on_from_here(self) -> None:
        """Begin a session of free play that goes on from this step."""
        self.scrubber.pause()
        self.say("setting up the table …")
        try:
            await self.desk.play_on_from(self.listing, self.recording.path, self.step)
        except (BadInput, OSError) as error:
            why = error.reason if isinstance(error, BadFile) else getattr(error, "strerror", error)
            self.refuse("p", str(why))
        self.bar()

    def action_advice(self) -> None:
        """Show on a page what the adviser says to the table that is shown."""
        self.scrubber.pause()
        near = partial(self.reading.advice_near, self.step)
        self.asking.ask("advice", near, self._advised, lambda: self.alive)

    def _advised(self, said: list[str]) -> None:
        if said:
            open_over(self, TextPage("Advice", "\n".join(said)))
        else:
            self.refuse("a", "there is nothing to choose here.")

    def action_curve(self) -> None:
        """Show the curve in a window; it goes on growing there."""
        window = CurveWindow()
        self.graphs = [self.graph, window.graph]
        open_over(self, window)
        self._show_survey()

    def action_help(self) -> None:
        """Show the keys."""
        open_over(self, TextPage("Replay", HELP))

    def action_leave(self) -> None:
        """Go back to the records."""
        self.scrubber.pause()
        if not self._gone:
            self._gone = True
            self.dismiss(None)
