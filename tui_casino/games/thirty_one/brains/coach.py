"""The coach: what each choice is worth, which is the best, and what another one costs.

Standing, hitting and doubling are worth what they are with the cards that are left in the shoe.
Splitting and insurance are taken from an infinite shoe, as is everything once the shoe is so
short that a round could use it up.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

from ..machine.rules import LIMIT, Rules, Total
from . import shoe_odds
from .odds import Choice, Holding, Play

SHORT = 20
"""With fewer cards left than these, an infinite shoe stands for them."""


@dataclass(frozen=True, slots=True)
class Position:
    """What a player has to decide, cards by value: 1 for an ace, to 10.

    ``left`` counts the ten values that have not been dealt. ``covered``: the purse covers one more
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


@dataclass(frozen=True, slots=True)
class Coaching:
    """What each choice on offer gains for each dollar of the first bet, and that bet in dollars."""

    values: Mapping[Choice, float]
    bet: int

    @property
    def best(self) -> Choice:
        """The choice worth most."""
        return max(self.values, key=lambda choice: self.values[choice])

    def cost(self, choice: Choice) -> float:
        """Give what a choice is expected to lose, in dollars, beside the best."""
        return self.bet * (self.values[self.best] - self.values[choice])

    def lines(self) -> tuple[str, ...]:
        """Say what to do, and what each choice is worth in dollars, the best first."""
        ranked = sorted(self.values, key=lambda choice: -self.values[choice])
        return (
            f"Best: {self.best}.",
            *(f"{choice:<13}{self.bet * self.values[choice]:+9.2f}" for choice in ranked),
        )


def coach(position: Position) -> Coaching:
    """Value every choice that the rules and the purse allow.

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
        return Coaching(found, position.bet)
    holding = Holding(total, cards, position.pair, position.hands)
    against = position.rules, position.up, position.covered, position.insured
    found = _endless(*against, holding)
    if sum(position.left) >= SHORT:
        found = {**found, **_from_the_shoe(position, _play(*against))}
    return Coaching(found, position.bet)


@lru_cache(1 << 12)
def _endless(
    rules: Rules, up: int, covered: bool, insured: bool, holding: Holding
) -> Mapping[Choice, float]:
    values = _play(rules, up, covered, insured).values(holding)
    return MappingProxyType({choice: float(value) for choice, value in values.items()})


@lru_cache(64)
def _play(rules: Rules, up: int, covered: bool, insured: bool) -> Play:
    return Play(rules, up, double=covered, split=covered, insured=insured)


def _from_the_shoe(position: Position, best_play: Play) -> Mapping[Choice, float]:
    rules, total, cards = position.rules, position.total, len(position.hand)
    split = None
    if cards == 1 and position.covered:
        pair = Holding(total.plus(position.hand[0]), 2, pair=True)
        split = float(best_play.values(pair)[Choice.SPLIT])
    odds = rules.insurance
    return shoe_odds.values(
        total,
        position.up,
        position.left,
        rules,
        cards=cards,
        double=position.covered and (position.hands == 1 or rules.double_after_split),
        insurance=(odds.paid + odds.staked) / odds.staked if position.insured else 0,
        split=split,
    )
