"""A recording as seen from its seat: the states, the player's choices, and their cost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Any, Generic

from msgspec.structs import astuple

from ...engine.game import A, E, O, S, Seat, Shoe, SittingOver, is_asked
from ...engine.offers import has_choice
from ...gamekit.adviser import Decision, ValuesScope
from ...gamekit.tally import T
from ...gamekit.words import QuestionContext
from ...inputs.files import BadFile
from ...inputs.sanitize import plain
from ...records.cache import FRAME_INTERVAL
from ...records.clock import local_time
from ...records.log_header import HUMAN
from ...records.log_review import decision_at
from ...records.playback import Playback, ReplayMark, ReplayMoment
from ...records.recording_review import RecordingReview
from ...records.replay import log_options
from ...records.seat_steps import sealed_reason
from ...teacher.positions import PracticePosition
from ...teacher.practice_tasks import PracticeTask
from ..table.action_text import AnyView, describe_action, with_card_signs, without_shared_verb
from ..table.face import Face
from ..table.snapshot import TableInfo
from .status import VerdictLine

ADVICE = "a"
"""The question that every game's adviser can answer."""
RETOLD = FRAME_INTERVAL
"""The maximum number of earlier steps that are replayed to the view for context."""


class SittingNotOver(BadFile):
    """The recording is intact, but may be shown only once the session is over."""


class SeatView(Generic[O, S, A, E, T]):
    """A recording as its seat saw it; may raise :class:`~tui_casino.inputs.files.BadFile`.

    Raises :class:`SittingNotOver` while several players are still playing, because a replay would
    show a player the cards of the other players.
    """

    def __init__(self, recording: Playback[O, S, A, E, T]) -> None:
        self._recording = recording
        self.definition, self.seat = recording.definition, recording.seat
        self.moment: Callable[[int], ReplayMoment[S, A, E, T]] = lru_cache(2 * RETOLD)(
            recording.moment_at
        )
        self.options = log_options(self.definition.game, recording.log)
        end = recording.end
        if reason := sealed_reason(recording.header, over=end is not None and end.final):
            raise SittingNotOver(recording.path, reason)
        self.players = {
            Seat(n): None if who == HUMAN else plain(who)
            for n, who in enumerate(recording.header.players)
        }

    def table_info(self, face: Face[O, S, A, E, T]) -> TableInfo[O, S, A, E, T]:
        """Return the facts that a view of this recording needs."""
        header = self._recording.header
        return TableInfo(
            self.definition,
            self.options,
            self.seat,
            self.players,
            header.source,
            header.croupier,
            face.panel_titles,
        )

    @property
    def end(self) -> str:
        """How the recorded session ended, or nothing if the log is damaged or still growing."""
        end = self._recording.end if self._recording.fault is None else None
        return "" if end is None else f"end: {plain(end.why)}"

    @property
    def started(self) -> str:
        """The weekday, date and time at which the recorded session began."""
        start = local_time(self._recording.header.at)
        return f"{start:%A} {start.day} {start:%B}, {start:%H:%M}"

    # ---- moments --------------------------------------------------------------------------

    def reach_step(self, find: Callable[[], int | None]) -> int | None:
        """Call ``find`` for a step, and index all steps before it; return ``None`` if none matches.

        A fault of the log is reported when the step is shown.
        """
        step_found = None
        with suppress(BadFile):
            step_found = find()
            if step_found is not None:
                self.moment(min(step_found, self._recording.steps))
        return step_found

    def round_at(self, step: int) -> int:
        """Return the number of the round to which a step belongs; a new shoe begins no round."""
        before = self.moment(max(0, step - 1)).tally.rounds
        return max(1, before + (not isinstance(self.moment(step).action, Shoe)))

    def visible_state(self, moment: ReplayMoment[S, A, E, T]) -> S:
        return self.definition.game.view(moment.state, self.seat)

    def visible_events(self, moment: ReplayMoment[S, A, E, T]) -> list[E]:
        """Return the events of the step as the seat saw them."""
        return [
            self.definition.game.hear(moment.state, event, self.seat) for event in moment.events
        ]

    def is_prompted(self, moment: ReplayMoment[S, A, E, T]) -> bool:
        """Return whether the table showed the seat a prompt, or how the game ended."""
        turn = self.definition.game.turn(moment.state)
        return is_asked(turn, self.seat) or isinstance(turn, SittingOver)

    def replay_start(self, step: int) -> int:
        """Return the step at which a replay up to ``step`` begins, just before some round."""
        begun = self._recording.previous_mark(ReplayMark.ROUND, max(0, step - RETOLD) + 1)
        return 0 if begun is None else begun - 1

    def advice(self, moment: ReplayMoment[S, A, E, T]) -> list[str]:
        """Return the advice for the seat's next choice, or nothing if it is not its turn."""
        answer = self.definition.words.questions.get(ADVICE)
        if answer is None or not is_asked(self.definition.game.turn(moment.state), self.seat):
            return []
        text = answer(QuestionContext(self.visible_state(moment), self.seat, moment.tally))
        return [] if text is None else text.split("\n")

    def advice_near(self, step: int, *, guess: bool = False) -> list[str]:
        """Return the advice for the choice after a step, or else for the seat's choice at the step.

        The reasons for the verdict on the choice follow, unless the player wants to ``guess`` it.
        """
        with suppress(BadFile):
            text = self.advice(self.moment(step))
            if not text and self.moment(step).by == self.seat:
                text = self.advice(self.moment(step - 1))
            reasons = self._reasons_at(step, guess=guess)
            return [*text, *([""] if text and reasons else []), *reasons]
        return []

    def _reasons_at(self, step: int, *, guess: bool) -> list[str]:
        choice = self.choice_at(step, guess=guess)
        decision = None if choice is None else self.decision_on(choice)
        return [with_card_signs(sentence) for sentence in self.definition.reasons(decision)]

    def decision_on(self, choice: ReplayMoment[S, A, E, T]) -> Decision[S, A] | None:
        """Return the seat's decision with the values of all alternatives; this may take long."""
        step = self._recording.seat_step(choice.step)
        return decision_at(self.definition, self.seat, step, ValuesScope.OF_ALL)

    def is_forced(self, moment: ReplayMoment[S, A, E, T]) -> bool:
        """Return whether the seat had only one possible action, which is neither good nor bad."""
        return not has_choice(self.definition.game.offers(self.visible_state(moment), self.seat))

    def describe_step(self, view: AnyView, moment: ReplayMoment[S, A, E, T]) -> str:
        """Describe what was done at a step; leave out what the seat could not see."""
        lines = (line for event in self.visible_events(moment) for line in view.event_lines(event))
        text = with_card_signs(" ".join(lines))
        if moment.action is None:
            return "start"
        if moment.by is None:
            return text or ("new shoe" if isinstance(moment.action, Shoe) else "a card is dealt")
        if moment.by != self.seat:
            return text or f"{view.name_of_seat(moment.by)} has chosen"
        return describe_choice(view, self.state_before(moment), moment.action)

    # ---- the player's choices -------------------------------------------------------------

    def state_before(self, choice: ReplayMoment[S, A, E, T]) -> S:
        """Return the state that the seat saw when it made a choice."""
        return self.visible_state(self.moment(choice.step - 1))

    def choice_at(self, step: int, *, guess: bool) -> ReplayMoment[S, A, E, T] | None:
        """Return the player's choice that comes next, or else the one made at this step.

        With ``guess``, a choice is shown only after it was made.
        """
        with suppress(BadFile, IndexError):
            if not guess and step < self._recording.steps:
                following = self.moment(step + 1)
                if following.by == self.seat:
                    return following
            now = self.moment(step)
            return now if now.by == self.seat else None
        return None

    def cards_of(
        self, choice: ReplayMoment[S, A, E, T], values: Sequence[object]
    ) -> tuple[Any, ...]:
        """Return the ``values`` that the player chose, such as cards; there may be none."""
        action: Any = choice.action
        several = [one for one in astuple(action) if isinstance(one, tuple) and {*one} <= {*values}]
        return several[-1] if several else ()

    def chooses_after(self, step: int) -> bool:
        with suppress(BadFile, IndexError):
            return self.moment(step + 1).by == self.seat
        return False

    def question_at(self, step: int) -> VerdictLine | None:
        """Return the question to a player who guesses the choice that follows, if there is one."""
        if not self.chooses_after(step):
            return None
        key = "Enter: choose. " if self.task_at(step) else ""
        details = f"{key}Right: your choice."
        return VerdictLine("What would you choose?", "gold", details=details)

    def task_at(self, step: int) -> PracticeTask | None:
        """Return the position after a step, if the seat then makes a choice that can be judged."""
        positions = self.definition.positions
        if positions is None or not self.chooses_after(step):
            return None
        view = self.visible_state(self.moment(step))
        if not (spot := positions.situation(view, self.seat)):
            return None
        names = self._recording.header.players
        at = PracticePosition(self.definition, self.options, self.seat, names, view)
        return PracticeTask(at, spot)

    def judge_step(
        self, reviewer: RecordingReview[O, S, A, E, T], step: int
    ) -> tuple[Decision[S, A] | None, str]:
        """Return the mistake made at a step, or ``None``, with the adviser's advice.

        This may take as long as the game's judge needs to evaluate a choice.
        """
        with suppress(BadFile, IndexError):
            mistake = reviewer.mistake(step)
            text = [] if mistake else self.advice(self._recording.moment_at(step - 1))
            return mistake, text[0] if text else ""
        return None, ""

    def verdict(
        self,
        view: AnyView,
        choice: ReplayMoment[S, A, E, T],
        mistake: Decision[S, A] | None,
        advice: str,
    ) -> VerdictLine:
        """Describe the cost of a choice, and the best choice."""
        seen = self.state_before(choice)
        done = describe_choice(view, seen, choice.action)
        if mistake is not None:
            best = describe_action(view, seen, mistake.best)
            short = without_shared_verb(describe_action(view, seen, choice.action), best)
            points = " points" if self.definition.points else ""
            cost = f"{self.definition.format_cost(mistake)}{points}"
            return VerdictLine(f"✗ {done}, cost {cost}", "bad", short)
        if advice and self.definition.adviser.has_judge:
            if self.is_forced(self.moment(choice.step - 1)):
                return VerdictLine(done, details="the only choice")
            return VerdictLine(f"✓ {done}", "good", details="no mistake")
        return VerdictLine(done, details=advice)


def describe_choice(view: AnyView, before: Any, action: Any) -> str:
    """Describe an action of the recorded player."""
    return f"You: {describe_action(view, before, action)}"
