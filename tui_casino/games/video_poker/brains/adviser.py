"""The video poker adviser: the EV of each hold, the cost of a choice, and the result of a round."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from msgspec import Struct

from ....cards.card import Hand
from ....cards.memo import memoize
from ....engine.game import Seat
from ....gamekit.adviser import ActionValue, Expectation, Mistake
from ..machine.game import Action, Event, Hold, Options, Phase, RoundPaid, State
from ..machine.rules import PayTable
from .hand_odds import HandOdds, PayoutDistribution, should_use_tables
from .lazy import odds
from .strategy import LINES, ListPlay, advise

if TYPE_CHECKING:
    from ....gamekit.distributions import ReturnDistribution


class JudgedHold(Struct, frozen=True):
    """A hold compared with the 34-line strategy's hold and the best hold, with EVs in credits."""

    positions: tuple[int, ...]
    outcomes: PayoutDistribution
    list_hold: tuple[int, ...]
    line: str
    list_value: Fraction
    best: tuple[int, ...]
    best_value: Fraction

    @property
    def value(self) -> Fraction:
        """The EV of the hold in credits."""
        return self.outcomes.credits

    @property
    def list_cost(self) -> Fraction:
        """The cost of the strategy's hold compared with the best hold; usually 0."""
        return self.best_value - self.list_value


class RankedHold(Struct, frozen=True):
    """One of the 32 holds: the distribution of its pay, and its EV and cost in credits."""

    positions: tuple[int, ...]
    outcomes: PayoutDistribution
    ev: Fraction
    cost: Fraction


class HoldRanking(Struct, frozen=True):
    """All holds of a hand at a bet, best first, and the hold of the 34-line strategy."""

    hand: Hand
    coins: int
    holds: tuple[RankedHold, ...]
    list_play: ListPlay

    @property
    def best(self) -> RankedHold:
        """The best hold."""
        return self.holds[0]

    def index_of(self, positions: tuple[int, ...]) -> int:
        """Return the index of a hold. Raises ``ValueError`` for an unknown hold."""
        return [hold.positions for hold in self.holds].index(positions)

    def hold_at(self, positions: tuple[int, ...]) -> RankedHold:
        """Return a hold by its ascending positions. Raises the errors of :meth:`index_of`."""
        return self.holds[self.index_of(positions)]


def hand_odds_of(paytable: PayTable, coins: int) -> HandOdds:
    """Return the odds of single hands, from the tables of all deals after the first hands.

    Raises the errors of :class:`.hand_odds.HandOdds`.
    """
    return (odds.odds_of if should_use_tables() else HandOdds)(paytable, coins)


def rank_holds(paytable: PayTable, hand: Hand, coins: int) -> HoldRanking | None:
    """Rank all 32 holds of a hand by EV; ``None`` if cards repeat, as EVs are then unknown."""
    try:
        outcomes = hand_odds_of(paytable, coins).outcomes_by_hold(hand)
    except ValueError:  # a card file may repeat cards
        return None
    action_values = [distribution.credits for distribution in outcomes.values()]
    holds = (
        RankedHold(positions, distribution, ev, action_values[0] - ev)
        for (positions, distribution), ev in zip(outcomes.items(), action_values, strict=True)
    )
    return HoldRanking(hand, coins, tuple(holds), advise(hand))


def weigh_hold(view: State, positions: tuple[int, ...]) -> JudgedHold | None:
    """Evaluate a hold; return ``None`` before the deal, or if cards repeat."""
    if view.phase is not Phase.HOLD:
        return None
    exact = hand_odds_of(view.options.paytable, view.coins)
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
    """Return the mistake made by a hold; ``None`` for the best hold or if cards repeat."""
    if not isinstance(action, Hold):
        return None
    try:
        exact = hand_odds_of(view.options.paytable, view.coins)
        cost, best = exact.cost_and_best(view.hand, action.positions)
    except ValueError:
        return None
    return Mistake(cost, Hold(best)) if cost else None


def action_values(view: State, seat: Seat) -> tuple[ActionValue[Action], ...]:
    """Return the EV of all holds of the present hand, in credits, or nothing if cards repeat."""
    if view.phase is not Phase.HOLD:
        return ()
    try:
        holds = hand_odds_of(view.options.paytable, view.coins).holds(view.hand)
    except ValueError:
        return ()
    return tuple(ActionValue(Hold(hold.positions), hold.credits) for hold in holds)


def expect(options: Options, event: Event) -> Expectation | None:
    """Return the mean and variance of a round's pay with perfect play, in credits.

    Return ``None`` for events that do not end a round.
    """
    return _expectation(options.paytable, event.coins) if isinstance(event, RoundPaid) else None


@memoize(maxsize=64)  # enough for a dozen tables at every bet
def _expectation(paytable: PayTable, coins: int) -> Expectation:
    optimum = odds.odds_of(paytable, coins).report("optimal")
    return Expectation(optimum.credits, optimum.variance * coins**2)


def distribution(options: Options, event: Event) -> ReturnDistribution | None:
    """Return the distribution of a round's pay with perfect play, in credits.

    Return ``None`` for events that do not end a round.
    """
    return _distribution(options.paytable, event.coins) if isinstance(event, RoundPaid) else None


@memoize(maxsize=64)
def _distribution(paytable: PayTable, coins: int) -> ReturnDistribution:
    optimum = odds.odds_of(paytable, coins).report("optimal")
    total = optimum.total
    counts = zip(optimum.pays, optimum.counts, strict=True)
    return tuple((pay, count / total) for pay, count in counts)
