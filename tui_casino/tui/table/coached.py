"""Tables that weigh each choice of their player, once it is made."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from textual import work

from ...gamekit.adviser import Mistake
from .screen import GameScreen


class CoachedScreen(GameScreen):
    """A table whose game can judge choices: it counts mistakes and what they cost on average.

    Judging is done off the screen's thread; a game's screen shows it in :meth:`judged`.
    """

    def __init__(self, title: str, sitting: Any) -> None:
        super().__init__(title, sitting)
        self.mistakes, self.cost = 0, Fraction(0)
        self._before: tuple[Any, Any] | None = None
        self._choices_made = self._last_shown = 0

    def judged(self, view: Any, action: Any, mistake: Mistake[Any] | None) -> None:
        """Show what was chosen in a view, and the better choice if there was one.

        Called in the order of the choices; one that was overtaken by a later one is not shown.
        """

    def may_submit(self, action: Any) -> bool:
        """Remember what was chosen from."""
        self._before = self.view, action
        return True

    def submitted(self, action: Any) -> None:
        """Weigh the choice that was made."""
        if self._before is not None:
            self._choices_made += 1
            self._judge(self._choices_made, *self._before)

    @work(thread=True, group="judge")
    def _judge(self, number: int, view: Any, action: Any) -> None:
        judge = self.parts.judge
        if judge is not None:
            mistake = judge(view, self.seat, action)
            self.app.call_from_thread(self._note, number, view, action, mistake)

    def _note(self, number: int, view: Any, action: Any, mistake: Mistake[Any] | None) -> None:
        if self._gone:
            return
        if mistake is not None:
            self.mistakes += 1
            self.cost += mistake.cost
        if number > self._last_shown:
            self._last_shown = number
            self.judged(view, action, mistake)
