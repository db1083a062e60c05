"""The adviser: what a hold is worth, and what it costs against the best one."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from ....cards.card import Hand
from ....engine.game import Seat
from ....gamekit.adviser import ActionValue, Mistake
from ..machine.game import Action, Hold, Phase, State
from ..machine.rules import PayTable
from .lazy import odds
from .strategy import LINES, ListPlay, advise

if TYPE_CHECKING:
    from .odds import PayoutDistribution


@dataclass(frozen=True, slots=True)
class JudgedHold:
    """A hold beside the list's and the best one, with their values in expected credits."""

    positions: tuple[int, ...]
    outcomes: PayoutDistribution
    list_hold: tuple[int, ...]
    line: str
    list_value: Fraction
    best: tuple[int, ...]
    best_value: Fraction

    @property
    def value(self) -> Fraction:
        """What the hold is worth in expected credits."""
        return self.outcomes.credits

    @property
    def list_cost(self) -> Fraction:
        """What the list's hold gives away against the best; now and then it is not nothing."""
        return self.best_value - self.list_value


@dataclass(frozen=True, slots=True)
class RankedHold:
    """One of the 32 holds: what it can become, and its value and cost in expected credits."""

    positions: tuple[int, ...]
    outcomes: PayoutDistribution
    ev: Fraction
    cost: Fraction


@dataclass(frozen=True, slots=True)
class HoldRanking:
    """All holds of a hand at a bet, the best first, and the one that the list makes."""

    hand: Hand
    coins: int
    holds: tuple[RankedHold, ...]
    list_play: ListPlay

    @property
    def best(self) -> RankedHold:
        """The best hold."""
        return self.holds[0]

    def index_of(self, positions: tuple[int, ...]) -> int:
        """Give the place of a hold, from 0. Raises ``ValueError`` for what is none."""
        return [hold.positions for hold in self.holds].index(positions)

    def hold_at(self, positions: tuple[int, ...]) -> RankedHold:
        """Give a hold by its positions, in rising order; raises as :meth:`index_of`."""
        return self.holds[self.index_of(positions)]


def rank_holds(paytable: PayTable, hand: Hand, coins: int) -> HoldRanking | None:
    """Rank all 32 holds of a hand; nothing of repeated cards, whose exact values are not known."""
    try:
        outcomes = odds.odds_of(paytable, coins).outcomes_by_hold(hand)
    except ValueError:  # a card file may repeat cards
        return None
    action_values = [distribution.credits for distribution in outcomes.values()]
    holds = (
        RankedHold(positions, distribution, ev, action_values[0] - ev)
        for (positions, distribution), ev in zip(outcomes.items(), action_values, strict=True)
    )
    return HoldRanking(hand, coins, tuple(holds), advise(hand))


def weigh_hold(view: State, positions: tuple[int, ...]) -> JudgedHold | None:
    """Weigh a hold of the hand dealt; nothing before the deal, or of repeated cards."""
    if view.phase is not Phase.HOLD:
        return None
    exact = odds.odds_of(view.options.paytable, view.coins)
    try:
        holds = exact.holds(view.hand)
    except ValueError:  # a card file may repeat cards
        return None
    advice = advise(view.hand)
    values = {hold.positions: hold.credits for hold in holds}
    return JudgedHold(
        positions,
        exact.outcomes(view.hand, positions),
        advice.positions,
        LINES[advice.line - 1],
        values[advice.positions],
        holds[0].positions,
        holds[0].credits,
    )


def judge(view: State, seat: Seat, action: Action) -> Mistake[Action] | None:
    """Tell what a hold costs against the best; nothing of repeated cards, which have no odds."""
    from .odds import odds_of  # numpy, late

    if not isinstance(action, Hold):
        return None
    try:
        odds = odds_of(view.options.paytable, view.coins)
        cost, best = odds.cost_and_best(view.hand, action.positions)
    except ValueError:
        return None
    return Mistake(cost, Hold(best)) if cost else None


def action_values(view: State, seat: Seat) -> tuple[ActionValue[Action], ...]:
    """Give all holds of the hand dealt with their expected credits; none of repeated cards."""
    from .odds import odds_of  # numpy, late

    if view.phase is not Phase.HOLD:
        return ()
    try:
        holds = odds_of(view.options.paytable, view.coins).holds(view.hand)
    except ValueError:
        return ()
    return tuple(ActionValue(Hold(hold.positions), hold.credits) for hold in holds)
