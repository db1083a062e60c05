"""A recorded sitting in its game's own view, step by step."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import fields, replace
from functools import lru_cache
from typing import Any

from textual import events, work
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical

from ...engine.game import A, E, O, Over, S, asks
from ...gamekit.adviser import Decision, Worth
from ...gamekit.registry import Listing
from ...gamekit.tally import T
from ...inputs.errors import BadInput
from ...inputs.files import BadFile
from ...inputs.plain import plain
from ...records.cache import EVERY, Cache
from ...records.marks import Mark
from ...records.moment import Moment
from ...records.playback import Playback
from ...records.summaries import known_mistakes
from ..desk import ScreenDesk
from ..draw.formats import figures_of
from ..modals import Page
from ..table.face import Face
from ..table.view import Facts
from ..theme.clock import here
from ..widgets.bars import Note, TitleBar
from ..widgets.hint_line import HintLine
from ..widgets.hints import Said
from ..widgets.key_bar import KeyBar
from ..windows import open_over
from .analysis import Survey, values_at
from .graph import CurveWindow, Graph
from .keys import HELP, MISTAKE, SPEEDS
from .seat_view import Reading
from .sidebar import Beside, Choice, SidePanel, choices_of
from .status import Scrubber, Status, Verdict
from .tail import Following
from .verdicts import judged, verdict_of

RETOLD = EVERY
"""Steps at most that are told again, so that the view knows what came before."""
TABLE_ROWS, MOST_ROWS = 28, 14
"""Rows that a table and the lines around it want, and those that the curve has at most."""
SIDE = 45
"""Columns of what stands beside the table; the sheet has them, too."""
BESIDE = 86 + SIDE
"""Columns from which on there is room for that."""


class ReplayTable(Following[O, S, A, E, T]):
    """A recording in the view of its game, at which nobody can play.

    Before a choice of its player it tells what was chosen and what that cost, unless he wants to
    ``guess`` first.
    """

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
        listing: Listing,
        face: Face[O, S, A, E, T],
        recording: Playback[O, S, A, E, T],
        at_mistake: bool = False,
        begin_at: int = 0,
    ) -> None:
        """Sit down at the recording, at its first mistake or at a step.

        Raises :class:`~tui_casino.inputs.files.BadFile`.
        """
        self.desk, self.listing, self.recording = desk, listing, recording
        self.here = desk.house.here
        self.guess = False
        self.reading = Reading(recording)
        self.moment = lru_cache(2 * RETOLD)(recording.at)  # type: ignore[method-assign]
        begin, header = self.moment(0), recording.header
        facts = Facts(
            recording.definition,
            self.reading.options,
            recording.seat,
            self.reading.players,
            header.source,
            header.croupier,
            face.panel_titles,
        )
        super().__init__("Replay", face, facts, self.reading.seen(begin), begin.tally)
        cached = known_mistakes(recording.path, Cache(desk.house.cache))
        self.survey = Survey(recording, cached)
        self.reviewer = self.survey.reviewer
        self._verdict: tuple[int, Verdict] = (-1, Verdict(""))  # of the last choice weighed
        self._here: tuple[int, tuple[Choice, ...], tuple[str, ...]] = (-1, (), ())
        self._at_mistake, self._begin_at = at_mistake, begin_at

    # ---- layout ---------------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        """Lay out the table over what was done, the curve and the scrubber; the rest beside it."""
        self.title_bar = TitleBar(self.name_of_game, self._described[0], *self._described[1])
        self.status, self.scrubber, self.side = Status(), Scrubber(), SidePanel()
        self.graph = Graph(id="replay-graph")
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
        then = here(self.recording.header.at)
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
        """Show the beginning, and have the rest worked out."""
        self.view.disabled = True  # nothing can be clicked
        self.show_step(0)
        self.follow()
        self.call_after_refresh(self._begin)

    def _begin(self) -> None:
        """Show it once more in the room there is, unless a key was quicker."""
        if self.step:
            return
        self.go(self._begin_at)
        if self._at_mistake:
            self.action_seek(MISTAKE, True)

    def on_unmount(self) -> None:
        """Let the log go."""
        self.let_go()

    def on_key(self, event: events.Key) -> None:
        """Let no key be silent."""
        self.hints.heed(event)

    # ---- a step ---------------------------------------------------------------------------

    def show_step(self, step: int) -> None:
        """Show the table after a step, which is known."""
        try:
            self._tell(step)
        except BadFile as error:
            self.pause()
            if self.recording.fault is None:
                self.trouble = error.why
                self.bar()
            else:
                self.go(min(step, self.recording.steps))
            return
        self.describe()
        self._mark()
        self.view.present(self.view.seen)
        if self._asked(self.moment(step).state) and self.has_time:
            self.view.waits(self.view.seen)
        else:
            self.view.say("")
        self.bar()
        self._show_survey()
        self.weigh()

    def _asked(self, state: S) -> bool:
        """Tell whether the table said something to the seat here: what to do, or how it ended."""
        turn = self.definition.game.turn(state)
        return asks(turn, self.facts.seat) or isinstance(turn, Over)

    def _tell(self, step: int) -> None:
        """Tell one step more, or else all since the beginning of a round."""
        self.view.draft = ()
        again = step != self.step + 1
        first = self._retold_from(step) if again else self.step
        begin, *moments = [self.moment(n) for n in range(first, step + 1)]
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

    # ---- the choice that is told of -------------------------------------------------------

    def told_choice(self) -> Moment[S, A, E, T] | None:
        """Give the player's choice that comes next, or that was made at this step, if one was.

        One that is to be guessed is not told before it is made.
        """
        with suppress(BadFile, IndexError):
            if not self.guess and self.step < self.recording.steps:
                following = self.moment(self.step + 1)
                if following.by == self.facts.seat:
                    return following
            now = self.moment(self.step)
            return now if now.by == self.facts.seat else None
        return None

    def _chooses_next(self) -> bool:
        """Tell whether the step that comes next is the player's own."""
        with suppress(BadFile, IndexError):
            following = self.step + 1
            return following <= self.recording.steps and (
                self.moment(following).by == self.facts.seat
            )
        return False

    def _mark(self) -> None:
        """Mark on the table what was chosen there of several, as the player had it before him."""
        slot, told = self.view.open_slot(), self.told_choice()
        if slot is None or told is None or told.step != self.step + 1:
            return
        action: Any = told.action
        for field in fields(action):
            value = getattr(action, field.name)
            if isinstance(value, tuple) and {*value} <= {*slot.values}:
                self.view.draft = value

    def weigh(self) -> None:
        """Say what a choice cost and what would have been best, where the game can."""
        told = self.told_choice()
        if told is None or not self.has_time:
            return

        def say(found: tuple[Decision[S, A] | None, str]) -> None:
            before = self.moment(told.step - 1)
            verdict = verdict_of(self.view, self.reading, before, told, *found)
            self._verdict = told.step, verdict
            self.bar()

        self.asking.ask(
            "judge",
            lambda: judged(self.recording, self.reviewer, self.reading, told.step),
            say,
            lambda: self.alive and told == self.told_choice(),
        )

    # ---- the lines that tell of it --------------------------------------------------------

    def bar(self) -> None:
        """Write what was done, and which step is shown."""
        recording, told = self.recording, self.told_choice()
        step = f"{self.step:,}/{recording.steps:,}"
        said: list[str] = [f"step {self.step:,} of {recording.steps:,}"]
        if self.indexing and recording.indexed < recording.steps:
            said.append(f"{100 * recording.indexed // recording.steps} % read")
        said.append(f"round {self.moment(self.step).tally.rounds + 1:,}")
        ended = ""
        if self.step == recording.steps and recording.fault is None and recording.end is not None:
            ended = f"the end: {plain(recording.end.why)}"
        deed = self._deed(self.moment(self.step))
        trouble = self.trouble
        if recording.fault is not None and self.step == recording.steps:
            trouble = f"damaged, {recording.fault}"
        if trouble:
            verdict = Verdict(f"! {trouble}", "bad")
        elif self.guess and self._chooses_next():
            verdict = Verdict(
                "Your turn: what would you choose?", "gold", more="The next step shows it."
            )
        elif told is not None and told.step == self._verdict[0]:
            verdict = self._verdict[1]
        elif told is not None:
            verdict = Verdict(self._deed(told))
        else:
            verdict = Verdict(deed, more=ended)
        if verdict.text != deed:
            said.append(deed)
        if verdict.more != ended:
            said.append(ended)
        if self.playing:
            said.append(self.playing)
        else:
            said.append(f"{SPEEDS[self.speed]} a second" if self.speed else "")
        self.status.put(verdict, step, self.view.between.join(filter(None, said)))
        self.scrubber.put(self.step, recording.steps, self.playing)
        self.hints.name_again()

    def _deed(self, moment: Moment[S, A, E, T]) -> str:
        before = self.reading.seen(self.moment(moment.step - 1)) if moment.step else None
        return self.reading.deed(self.view, moment, before)

    def say(self, text: str) -> None:
        """Say something in place of what was done at this step."""
        steps = self.recording.steps
        self.status.put(
            Verdict(text), f"{self.step:,}/{steps:,}", f"step {self.step:,} of {steps:,}"
        )

    def refuse(self, key: str, why: str) -> None:
        """Say why a key does nothing."""
        self.hints.tell(Said("refused", key, why))

    def hint_label(self, action: str) -> str | None:
        """Return the present name of an action, if its binding has another one."""
        return "Pause" if action == "play" and self.playing else None

    def why_not(self, action: str) -> str:
        """Say why the action of a greyed key cannot be done."""
        return "this game's choices are not judged."

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Grey the way to mistakes where there can be none."""
        weighed = self.definition.adviser.judges
        if action == "guess" or (action == "seek" and parameters[:1] == (MISTAKE,)):
            return True if weighed else None
        return True

    def on_scrubber_sought(self, message: Scrubber.Sought) -> None:
        """Go where the scrubber was clicked."""
        self.pause()
        self.go(message.step)

    # ---- keys -----------------------------------------------------------------------------

    def survey_on(self) -> None:
        """Work the curve and the mistakes out, off the loop, until all is known."""
        self.asking.ask("survey", self.survey.go_on, self._surveyed, lambda: self.alive)

    def _surveyed(self, more: bool) -> None:
        self.survey.update(self.view, more=more)
        self._show_survey()
        if more:
            self.survey_on()

    def _show_survey(self) -> None:
        """Show what is known of the recording, and of the choice at this step."""
        for graph in self.graphs:
            graph.put(self.survey.curve, self.step)
        if not self.has_class("-side"):
            return
        told = self.told_choice()
        now = -1 if told is None else told.step
        if now != self._here[0]:
            self._here = now, (), ()
            self._weigh_choices_here()
        tally = self.view.tally
        figures = (("rounds", f"{tally.rounds:,}"), *figures_of(tally.report()))
        survey, (_, choices, lines) = self.survey, self._here
        self.side.put(
            Beside(
                tuple(survey.mistakes),
                self.definition.figure,
                survey.weighed,
                survey.whole,
                survey.cost,
                now,
                self.guess,
                choices,
                lines,
                figures[:12],
            )
        )

    def _weigh_choices_here(self) -> None:
        """Have all that could be chosen at this step weighed."""
        told = self.told_choice()
        if told is None or not self.has_time:
            return
        seen = self.reading.seen(self.moment(told.step - 1))
        glance = replace(self.view.glance(), view=seen, draft=())

        def show(found: tuple[tuple[Worth[A], ...], tuple[str, ...]]) -> None:
            choices = choices_of(self.view, seen, found[0], told.action)
            self._here = told.step, choices, found[1]
            self._show_survey()

        self.asking.ask(
            "here",
            lambda: values_at(self.definition.adviser, self.face, glance),
            show,
            lambda: self.alive and told == self.told_choice(),
        )

    def action_guess(self) -> None:
        """Tell of choices before they are made, or only after."""
        self.guess = not self.guess
        self.show_step(self.step)

    def action_play_on_from_here(self) -> None:
        """Begin a sitting for practice that goes on from this step."""
        self.pause()
        self._branch()

    @work(exclusive=True, group="branch")
    async def _branch(self) -> None:
        self.say("setting up the table …")
        try:
            await self.desk.play_on_from(self.listing, self.recording.path, self.step)
        except (BadInput, OSError) as error:
            why = error.why if isinstance(error, BadFile) else getattr(error, "strerror", error)
            self.refuse("p", str(why))
        self.bar()

    def action_advice(self) -> None:
        """Show on a page what the adviser says to the table that is shown."""
        self.pause()
        step = self.step
        self.asking.ask("advice", lambda: self._advice(step), self._advised, lambda: self.alive)

    def _advice(self, step: int) -> list[str]:
        with suppress(BadFile):
            said = self.reading.advice(self.moment(step))
            if not said and self.moment(step).by == self.facts.seat:  # to the choice just shown
                said = self.reading.advice(self.moment(step - 1))
            return said
        return []

    def _advised(self, said: list[str]) -> None:
        if said:
            open_over(self, Page("Advice", "\n".join(said)))
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
        open_over(self, Page("Replay", HELP))

    def action_leave(self) -> None:
        """Go back to the records."""
        self.pause()
        if not self._gone:
            self._gone = True
            self.dismiss(None)
