"""Evaluate choices at a live table: warnings before a choice, its cost afterwards."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic

from ...engine.game import A, E, O, S, Seat
from ...gamekit.adviser import Decision
from ...gamekit.tally import T
from .background_tasks import BackgroundTasks
from .face import Face
from .snapshot import SeatTotals
from .view import TableView


class ChoiceEvaluator(Generic[O, S, A, E, T]):
    """Evaluates choices on a thread, in order, and reports each to the view.

    ``on_noted`` is called after each. If the player has already chosen again, a choice is counted
    but not shown. ``warned`` is the action of the last warning: a second try carries it out, unless
    the player changed something meanwhile.
    """

    def __init__(
        self,
        view: TableView[O, S, A, E, T],
        face: Face[O, S, A, E, T],
        tasks: BackgroundTasks,
        on_noted: Callable[[], None],
    ) -> None:
        self._view, self._face, self._tasks, self._on_noted = view, face, tasks, on_noted
        self._choices = 0
        self.warned: A | None = None

    def warn(
        self, action: A, proceed: Callable[[], object], is_current: Callable[[], bool]
    ) -> bool:
        """Delay an action while a possible warning is computed; return false if none is possible.

        Afterwards show the warning, once per action, or call ``proceed``.
        """
        check = self._view.warning(action)
        if check is None or action == self.warned:
            return False

        def finish(warning: str | None) -> None:
            self.warned = action
            if warning is None:
                proceed()
            else:
                self._view.say(warning, "bad")

        self._tasks.run("warning", check, finish, is_current)
        return True

    def weigh(self, seen: S, action: A) -> None:
        """Evaluate a choice, given the view before it, if the game can judge choices."""
        definition, seat, values = self._view.definition, self._view.seat, self._face.advice.values
        self._choices += 1
        number = self._choices
        if definition.adviser.has_judge:
            self._tasks.enqueue(
                "judge",
                lambda: definition.decision(seen, seat, action, values),
                lambda decision: self._note(number, seat, decision),
            )

    def _note(self, number: int, seat: Seat, decision: Decision[S, A] | None) -> None:
        """Add a choice to the totals of its seat; another seat may be acting by now."""
        view = self._view
        if decision is None or not view.is_attached:
            return
        view.totals_by_seat[seat] = view.totals_by_seat.get(seat, SeatTotals()).with_decision(
            decision
        )
        if number == self._choices and seat == view.seat:
            view.show_decision(decision)
        self._on_noted()
