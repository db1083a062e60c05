"""The adviser: what each choice is worth, which is the best, and what another one costs.

Standing, hitting and doubling are worth what they are with the cards that are left in the shoe.
Splitting and insurance are taken from an infinite shoe, as is everything once the shoe is so
short that a round could use it up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING

from ....cards.card import Card, packs
from ....engine.game import Seat
from ....gamekit.adviser import Mistake, Worth
from ..machine.moves import Action, Decline, Double, Hit, Insure, Split, Stand
from ..machine.rules import CENTS, DECKS, LIMIT, VALUES, Rules, Total, may_split
from ..machine.state import Phase, State
from .odds import Choice, Holding, Play

if TYPE_CHECKING:
    from .shoe_odds import Outcome

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
SHORT = 20
"""With fewer cards left than these, an infinite shoe stands for them."""
MILLION = 10**6
LEAST_COST = 1e-4
"""Of the bet: less is beyond what the figures for a short shoe can tell."""


# ---- what there is to decide -----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Position:
    """What a player has to decide, cards by value: 1 for an ace, to 10.

    ``left`` counts the ten values that have not been dealt. ``covered``: the credit covers one more
    bet, and so, it is taken, those that may follow. ``pair``: the hand may be split by the rules
    of the house, ``hands`` are there already. ``insured``: the side bet is open; ``asked``: it
    is what has to be decided now.
    """

    hand: tuple[int, ...]
    up: int
    left: tuple[int, ...]
    bet: int
    rules: Rules
    covered: bool = True
    pair: bool = False
    hands: int = 1
    insured: bool = False
    asked: bool = False

    @property
    def total(self) -> Total:
        """What the hand counts."""
        total = Total(0)
        for value in self.hand:
            total = total.plus(value)
        return total


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


# ---- what it is worth ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Advice:
    """What each choice on offer gains for each dollar of the first bet, and that bet in dollars.

    ``outcomes`` say more of those that were worked out from the shoe as it stands.
    """

    values: Mapping[Choice, float]
    bet: int
    outcomes: Mapping[Choice, Outcome] = field(default_factory=dict)

    @property
    def best(self) -> Choice:
        """The choice worth most."""
        return max(self.values, key=lambda choice: self.values[choice])

    def cost(self, choice: Choice) -> float:
        """Give what a choice is expected to lose, in dollars, beside the best."""
        return self.bet * (self.values[self.best] - self.values[choice])


def advise(position: Position) -> Advice:
    """Value every choice that the rules and the credit allow.

    Takes up to a fifth of a second, and the first time against a card as long again. Raises
    ``ValueError`` for a hand that has nothing to decide.
    """
    total, cards = position.total, len(position.hand)
    if not cards or total.points >= LIMIT:
        raise ValueError(f"a hand of {total.points} with {cards} cards has nothing to decide")
    found: Mapping[Choice, float]
    if position.asked:
        insured, plain = (
            _play(position.rules, position.up, position.covered, taken) for taken in (True, False)
        )
        first = position.hand[0]
        found = {
            Choice.INSURE: float(insured.of_first_card(first)),
            Choice.DECLINE: float(plain.of_first_card(first)),
        }
        return Advice(found, position.bet)
    holding = Holding(total, cards, position.pair, position.hands)
    against = position.rules, position.up, position.covered, position.insured
    found = _endless(*against, holding)
    if sum(position.left) < SHORT:
        return Advice(found, position.bet)
    outcomes = _from_the_shoe(position, _play(*against))
    gains = {choice: outcome.gain for choice, outcome in outcomes.items()}
    return Advice({**found, **gains}, position.bet, outcomes)


@lru_cache(1 << 12)
def _endless(
    rules: Rules, up: int, covered: bool, insured: bool, holding: Holding
) -> Mapping[Choice, float]:
    values = _play(rules, up, covered, insured).values(holding)
    return MappingProxyType({choice: float(value) for choice, value in values.items()})


@lru_cache(64)
def _play(rules: Rules, up: int, covered: bool, insured: bool) -> Play:
    return Play(rules, up, double=covered, split=covered, insured=insured)


def _from_the_shoe(position: Position, best_play: Play) -> Mapping[Choice, Outcome]:
    from . import shoe_odds  # brings numpy, which would double the time a table takes to open

    rules, total, cards = position.rules, position.total, len(position.hand)
    split = None
    if cards == 1 and position.covered:
        pair = Holding(total.plus(position.hand[0]), 2, pair=True)
        split = float(best_play.values(pair)[Choice.SPLIT])
    odds = rules.insurance
    return shoe_odds.outcomes(
        total,
        position.up,
        position.left,
        rules,
        cards=cards,
        double=position.covered and (position.hands == 1 or rules.double_after_split),
        insurance=(odds.paid + odds.staked) / odds.staked if position.insured else 0,
        split=split,
    )


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
    advice = advise(replace(position, left=()) if endless else position)
    cost = advice.cost(choice)
    if cost < LEAST_COST * position.bet:
        return None
    # one denominator for all: many costs are added up
    return Mistake(Fraction(round(CENTS * cost * MILLION), MILLION), ACTIONS[advice.best]())


def worths(view: State, seat: Seat) -> tuple[Worth[Action], ...]:
    """Give what each choice gains on average, in cents, the best first."""
    position = position_of(view)
    if position is None:
        return ()
    advice = advise(position)
    ranked = sorted(advice.values.items(), key=lambda one: -one[1])
    return tuple(Worth(ACTIONS[choice](), CENTS * advice.bet * value) for choice, value in ranked)
