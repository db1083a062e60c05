"""The trainer: what a hold costs against the best one, and how a session's holds add up."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from ....cards.card import Hand
from ....engine.game import Seat
from ....gamekit.adviser import Mistake
from ..machine.game import Action, Hold, State
from ..machine.rules import PayTable
from .strategy import LINES, advise

if TYPE_CHECKING:
    from .odds import Outcomes


@dataclass(frozen=True, slots=True)
class Judgement:
    """A hold beside the list's and the best one, with their values in expected credits."""

    positions: tuple[int, ...]
    outcomes: Outcomes
    by_list: tuple[int, ...]
    line: str
    list_value: Fraction
    best: tuple[int, ...]
    best_value: Fraction

    @property
    def value(self) -> Fraction:
        """What the hold is worth in expected credits."""
        return self.outcomes.credits

    @property
    def cost(self) -> Fraction:
        """What the hold gives away against the best."""
        return self.best_value - self.value

    @property
    def list_cost(self) -> Fraction:
        """What the list's hold gives away against the best; now and then it is not nothing."""
        return self.best_value - self.list_value


def judge(table: PayTable, coins: int, hand: Hand, positions: tuple[int, ...]) -> Judgement:
    """Weigh a hold. Raises ``ValueError`` if the hand has repeated cards."""
    from .odds import odds_of  # numpy, late

    odds = odds_of(table, coins)
    advice = advise(hand)
    values = {value.positions: value.credits for value in odds.holds(hand)}
    best = max(values, key=lambda held: values[held])
    return Judgement(
        positions,
        odds.outcomes(hand, positions),
        advice.positions,
        LINES[advice.line - 1],
        values[advice.positions],
        best,
        values[best],
    )


def mistake(view: State, seat: Seat, action: Action) -> Mistake[Action] | None:
    """Tell what a hold costs against the best; nothing of repeated cards, which have no odds."""
    from .odds import odds_of  # numpy, late

    if not isinstance(action, Hold):
        return None
    try:
        odds = odds_of(view.options.paytable, view.coins)
        cost, best = odds.beside_best(view.hand, action.positions)
    except ValueError:
        return None
    return Mistake(cost, Hold(best)) if cost else None


@dataclass(frozen=True, slots=True)
class Session:
    """What a session's holds add up to, in expected credits; and the last mistake."""

    holds: int = 0
    mistakes: int = 0
    cost: Fraction = Fraction(0)
    expected: Fraction = Fraction(0)
    last: Judgement | None = None

    def add(self, judged: Judgement) -> Session:
        """Give the session with one more hold."""
        wrong = judged.cost > 0
        return Session(
            self.holds + 1,
            self.mistakes + wrong,
            self.cost + judged.cost,
            self.expected + judged.value,
            judged if wrong else self.last,
        )
