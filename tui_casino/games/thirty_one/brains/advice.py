"""What ``a`` and the panel tell: what each choice is worth, and what the dealer will end on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from types import MappingProxyType

from ....cards.card import Card, packs
from ....engine.game import Seat
from ....gamekit.adviser import Mistake
from ..machine.moves import Action, Decline, Double, Hit, Insure, Split, Stand
from ..machine.rules import CENTS, DECKS, VALUES, may_split, total_of
from ..machine.state import Phase, State
from .coach import Position, coach
from .odds import BUST, FINALS, Choice, dealer_odds, fair_price

ACTIONS: Mapping[Choice, type[Hit | Stand | Double | Split | Insure | Decline]] = MappingProxyType(
    {
        Choice.HIT: Hit,
        Choice.STAND: Stand,
        Choice.DOUBLE: Double,
        Choice.SPLIT: Split,
        Choice.INSURE: Insure,
        Choice.DECLINE: Decline,
    }
)
"""How each choice is made."""
MILLION = 10**6
LEAST_COST = 1e-4
"""Of the bet: less is beyond what the coach's figures for a short shoe can tell."""


def position_of(view: State) -> Position | None:
    """Give what the player has to decide; ``None`` if that is the bet, or nothing."""
    asked = view.phase is Phase.INSURANCE
    place = 0 if asked else view.active
    if place is None or view.waiting:
        return None
    hand, rules = view.hands[place], view.options.rules
    return Position(
        hand=tuple(map(_value, hand.cards)),
        up=_value(view.dealer[0]),
        left=_left(view),
        bet=hand.bet // CENTS,
        rules=rules,
        covered=view.credit >= hand.bet,
        pair=may_split(hand.cards, len(view.hands), rules),
        hands=len(view.hands),
        insured=view.insurance > 0,
        asked=asked,
    )


def _value(card: Card) -> int:
    return VALUES[card.rank]


def _left(view: State) -> tuple[int, ...]:
    """Count by value what has not been dealt of two packs; a known deck may have had more."""
    left = Counter(map(_value, packs(DECKS)))
    table = (card for hand in view.hands for card in hand.cards)
    left.subtract(map(_value, (*view.discards, *table, *view.dealer)))
    return tuple(max(0, left[value]) for value in range(1, 11))


def advice(view: State) -> tuple[str, ...]:
    """Say what to do and what each choice is worth in dollars; nothing where nothing is asked."""
    position = position_of(view)
    if position is None:
        return ()
    lines = coach(position).lines()
    return (*lines, fair_price(position.rules)) if position.asked else lines


def judge(
    view: State, seat: Seat, action: Action, *, endless: bool = False
) -> Mistake[Action] | None:
    """Say what a choice costs beside the best, in cents; nothing for the best, or for a bet.

    ``endless``: from an infinite shoe, which is quick, in place of the one that is dealt from.
    """
    choice = next((choice for choice, kind in ACTIONS.items() if isinstance(action, kind)), None)
    position = position_of(view)
    if choice is None or position is None:
        return None
    told = coach(replace(position, left=()) if endless else position)
    cost = told.cost(choice)
    if cost < LEAST_COST * position.bet:
        return None
    # one denominator for all: many costs are added up
    return Mistake(Fraction(round(CENTS * cost * MILLION), MILLION), ACTIONS[told.best]())


def dealer_lines(view: State) -> tuple[str, ...]:
    """Give the chances of the dealer's totals from an endless shoe, and those after a 14."""
    if position_of(view) is None:
        return ()
    total, rules = total_of(view.dealer), view.options.rules
    usual = dealer_odds(total, rules)
    after_14 = dealer_odds(total, rules, only_31=True)
    return (
        f"{'':<6}{'usual':>10}{'on your 14':>14}",
        *(
            f"{'bust' if final == BUST else final:<6}{_percent(usual[final]):>10}"
            f"{_percent(after_14[final]) if after_14[final] else '':>14}"
            for final in FINALS
        ),
    )


def _percent(chance: Fraction) -> str:
    return f"{100 * float(chance):.2f} %"
