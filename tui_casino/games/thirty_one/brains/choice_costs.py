"""The cost of each choice, computed only as precisely as needed.

Most choices are clearly the best according to the odds of an infinite shoe, or of a shoe in which
drawn cards are put back (`replacement_odds`). The odds of the actual shoe are computed only if
neither is conclusive.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from ....engine.game import Seat
from ....gamekit.adviser import Mistake
from ..machine.rules import CENTS
from ..machine.state import Action, State
from .adviser import (
    ACTIONS,
    ThirtyOnePosition,
    advise,
    advise_infinite_shoe,
    can_double,
    can_split,
    insurance_return,
    outcomes_without_split,
    position_of,
    split_shoe_of,
)
from .odds import PlayerChoice

MILLION = 10**6
CLEAR = 0.25
"""A choice that leads by this share of a bet in an infinite shoe is the best one.

In 1,800 positions from play with leads of 0.25, or of 0.15 and at least 40 cards left, the choice
always stayed ahead by at least 0.05. A smaller lead saves no time, because `replacement_odds`
decide the other positions quickly.
"""
CLEAR_BY_SHARES = 0.1
"""A choice that leads by this share of a bet if drawn cards are put back is the best one.

The lead was overestimated by at most 0.029 in 2,859 positions from play, and by at most 0.041 in
210 positions with fewer than 30 cards left.
"""
LEAST_COST = 1e-4
"""Costs below this share of the bet are smaller than the errors of the EVs for a short shoe."""


def judge(view: State, seat: Seat, action: Action) -> Mistake[Action] | None:
    """Return the cost of a choice in cents, or ``None`` for the best choice and for a bet."""
    choice = next((choice for choice, kind in ACTIONS.items() if isinstance(action, kind)), None)
    position = position_of(view)
    if choice is None or position is None:
        return None
    if _is_clearly_best(position, choice) or _is_clearly_best_by_shares(position, choice):
        return None
    if _needs_sampling(position) and is_surely_best(position, choice):
        return None
    advice = advise(position, brief=True)
    cost = advice.cost(choice)
    if cost < LEAST_COST * position.bet:
        return None
    # all costs have the same denominator, because many of them are added up
    return Mistake(Fraction(round(CENTS * cost * MILLION), MILLION), ACTIONS[advice.best]())


def _is_clearly_best(position: ThirtyOnePosition, choice: PlayerChoice) -> bool:
    """Return whether a choice leads by so much that the cards left in the shoe do not matter."""
    if position.may_run_out:
        return False
    return _leads_by(advise_infinite_shoe(position).values, choice, CLEAR)


def _is_clearly_best_by_shares(position: ThirtyOnePosition, choice: PlayerChoice) -> bool:
    """Return whether a choice would lead by enough if drawn cards were put back; ignore splits.

    Without splits, the EV of hitting can only be too low, because the next card may make a pair.
    So with one card, only hitting can pass this check.
    """
    if position.insurance_asked or position.may_run_out or can_split(position):
        return False
    if len(position.hand) == 1 and choice is not PlayerChoice.HIT:
        return False
    from .replacement_odds import replacement_values  # late: seldom needed

    values = replacement_values(
        position.total,
        position.up_card,
        position.remaining,
        position.rules,
        cards=len(position.hand),
        double=can_double(position),
        insurance=insurance_return(position),
    )
    return _leads_by(values, choice, CLEAR_BY_SHARES)


def _leads_by(values: Mapping[PlayerChoice, float], choice: PlayerChoice, lead: float) -> bool:
    others = (value for other, value in values.items() if other is not choice)
    return all(values[choice] - value >= lead for value in others)


def _needs_sampling(position: ThirtyOnePosition) -> bool:
    """Return whether the advice may include a split, which takes longer."""
    may_pair = len(position.hand) == 1 and position.covered
    return may_pair or can_split(position)


def is_surely_best(position: ThirtyOnePosition, choice: PlayerChoice) -> bool:
    """Return whether a choice is the best one for any EV of a split, which is not sampled.

    Without splits, the EV of hitting can only be too low, because the next card may make a pair.
    So with one card, only hitting can pass this check.
    """
    if position.insurance_asked or position.may_run_out or choice is PlayerChoice.SPLIT:
        return False
    if len(position.hand) == 1 and choice is not PlayerChoice.HIT:
        return False
    gains = {
        other: outcome.gain
        for other, outcome in outcomes_without_split(position, brief=True).items()
    }
    if gains[choice] < max(gains.values()):
        return False
    if not can_split(position):
        return True
    from .split_odds import is_split_never_best  # late: needs numpy

    return is_split_never_best(
        position.hand[0], split_shoe_of(position), gains[choice], position.hands + 1
    )
