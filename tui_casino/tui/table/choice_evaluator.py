"""Evaluate choices at a live table: warnings before a choice, its cost afterwards."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any, Generic

from textual.screen import Screen

from ...engine.game import A, E, O, S, Seat
from ...gamekit.adviser import Decision, ValuesScope
from ...gamekit.tally import T
from ...gamekit.verdict import cost_text, costly_mistake, short_verdicts
from ..widgets.line_widget import HasWarnings
from ..window import open_over
from .action_text import decision_page, with_card_signs
from .background_tasks import BackgroundTasks
from .face import Face
from .lazy import modals
from .snapshot import PostponedChoice
from .view import TableView

RECENT = 8
"""The number of actions kept in a game without a judge; only some of them are choices."""
WHY = "why"
"""The command that explains the player's last choice."""
NOT_JUDGED = f"{WHY}: you have made no choice yet that can be explained"


class ChoiceEvaluator(Generic[O, S, A, E, T]):
    """Evaluates choices in order, on a thread, and reports each to the view.

    While the trainer is off, evaluations are postponed until somebody wants to know them, because
    they can take much longer than the rest of a key press. ``on_noted`` is called after each
    evaluation. If the player has already chosen again, the earlier choice is counted but not shown.
    ``warned`` is the action of the last warning: a second try carries the action out, unless the
    player has changed something in between.
    """

    def __init__(
        self,
        view: TableView[O, S, A, E, T],
        face: Face[O, S, A, E, T],
        tasks: BackgroundTasks,
        on_noted: Callable[[], None],
    ) -> None:
        self._view, self._face, self._tasks, self._on_noted = view, face, tasks, on_noted
        self._latest: PostponedChoice[S, A] | None = None
        self._queued: list[PostponedChoice[S, A]] = []
        self._unjudged: deque[PostponedChoice[S, A]] = deque(maxlen=RECENT)
        self.warned: A | None = None

    def warn(
        self,
        action: A,
        proceed: Callable[[], object],
        is_current: Callable[[], bool],
        after_refusal: bool,
    ) -> bool:
        """Delay a choice while its cost is looked up; return false if no warning is possible.

        Then show the warning, or call ``proceed`` if there is none. The same action is not delayed
        twice in a row. A choice of cards without any mark is also delayed if its key directly
        follows a refused one, which may have been the beginning of a typed line.
        """
        view = self._view
        unmarked = view.open_slot() is not None and not view.selection
        if after_refusal and unmarked and action != self.warned:
            self.warned = action
            view.say(f"{view.name_of_action(action)}? Again: do it", "bad")
            return True
        share = view.app.warned_share if isinstance(view.app, HasWarnings) else None
        is_choice = view.definition.is_choice(view.seen, view.seat, action)
        if share is None or not (view.knows_values and is_choice) or action == self.warned:
            return False
        room = (view.message.size.width or view.app.size.width) - len("! ")
        check = partial(_warning, view, view.seen, action, share, room)

        def finish(warning: str | None) -> None:
            self.warned = action
            if warning is None:
                proceed()
            else:
                self._view.say(warning, "bad")

        self._tasks.run("warning", check, finish, is_current)
        return True

    def explain(self, screen: Screen[Any], otherwise: Callable[[], object]) -> None:
        """Show the verdict on the player's last choice in a window, with its reasons.

        In a game that judges no choices, this is the comparison of the last choice with the others.
        Call ``otherwise`` if the player has made no choice.
        """
        view, totals = self._view, self._view.totals
        seat, choices = view.seat, totals.postponed or tuple(self._unjudged)

        def page() -> str:
            judged = (self._evaluate(seat, choice) for choice in reversed(choices))
            decision = next((one for one in judged if one is not None), totals.last)
            return "" if decision is None else decision_page(view, decision)

        def show(text: str) -> None:
            if text:
                open_over(screen, modals.TextPage("Your last choice", text))
            else:
                otherwise()

        if totals.last is None and not choices:
            otherwise()
        else:
            self._tasks.run(
                "reasons",
                page,
                show,
                lambda: view.is_attached and view.totals.postponed == totals.postponed,
            )

    def add(self, seen: S, action: A) -> None:
        """Take note of a choice, given the view before it; evaluate it if the trainer is on."""
        view = self._view
        definition = view.definition
        view.message.show_verdict()
        if not definition.is_choice(seen, view.seat, action):
            return
        self._latest = PostponedChoice(seen, action)
        if not definition.adviser.has_judge:
            if definition.adviser.has_alternatives:
                self._unjudged.append(self._latest)
            return
        view.totals = view.totals.with_choice(self._latest)
        if view.trains:
            self.evaluate()

    def evaluate(self, then: Callable[[], None] = lambda: None) -> None:
        """Evaluate all postponed choices in the background, in order; then call ``then``."""
        for seat, totals in self._view.totals_by_seat.items():
            for choice in totals.postponed:
                if all(one is not choice for one in self._queued):
                    self._queued.append(choice)
                    self._tasks.enqueue(
                        "judge",
                        partial(self._judge, seat, choice),
                        partial(self._note, seat, choice),
                    )
        self._tasks.enqueue("judge", lambda: None, lambda _: then())

    def _evaluate(self, seat: Seat, choice: PostponedChoice[S, A]) -> Decision[S, A] | None:
        judges = self._view.definition.adviser.has_judge
        values = self._face.advice.values if judges else ValuesScope.OF_ALL
        return self._view.definition.decision(choice.view, seat, choice.action, values)

    def _judge(
        self, seat: Seat, choice: PostponedChoice[S, A]
    ) -> tuple[Decision[S, A] | None, tuple[str, ...]]:
        """Return the evaluated choice, and the texts of its verdict if it is to be shown."""
        decision, view = self._evaluate(seat, choice), self._view
        is_shown = decision is not None and view.trains and choice is self._latest
        texts = short_verdicts(view.definition, decision) if decision and is_shown else ()
        return decision, tuple(map(with_card_signs, texts))

    def _note(
        self,
        seat: Seat,
        choice: PostponedChoice[S, A],
        judged: tuple[Decision[S, A] | None, tuple[str, ...]],
    ) -> None:
        """Add a choice to the totals of its seat; another seat may be acting by now."""
        view, (decision, texts) = self._view, judged
        self._queued = [one for one in self._queued if one is not choice]
        totals = view.totals_by_seat.get(seat)
        if not view.is_attached or totals is None:
            return
        totals = totals.without_choice(choice)
        view.totals_by_seat[seat] = totals.with_decision(decision) if decision else totals
        if decision is None:
            return
        if choice is self._latest and seat == view.seat:
            view.message.show_verdict(texts, "bad" if decision.mistake else "")
            view.show_decision(decision)
        self._on_noted()


def _warning(
    view: TableView[O, S, A, E, T], seen: S, action: A, share: Fraction, room: int
) -> str | None:
    """Return the cost of a choice and the best one; ``None`` below a share of the bet.

    The text is shorter if it would not fit into ``room`` columns.
    """
    definition = view.definition
    if (decision := costly_mistake(definition, seen, view.seat, action, share)) is None:
        return None
    best = view.meaning(decision.best).partition(",")[0]
    cost = definition.format_cost(decision)
    texts = (
        f"That costs {cost_text(definition, decision)}. Best: {best}. Again: do it",
        f"Costs {cost}. Best: {best}. Again: do it",
        f"Costs {cost}. Best: {best}. Again?",
        f"Best: {best}. Again?",
    )
    return next((text for text in texts if len(text) <= room), texts[-1])
