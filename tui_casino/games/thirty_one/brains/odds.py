"""Exact odds of 31 from an infinite shoe: the dealer's finals, and the player's best play.

>>> odds = dealer_odds(card_total(1), Rules())
>>> f"{float(odds[LIMIT]):.4f}", f"{float((1 - odds[LIMIT]) / odds[LIMIT]):.1f}"
('0.1887', '4.3')

Each card is any of thirteen ranks, whatever has gone before, so that a hand is no more than its
total (and how many cards it has, where a rule asks for that). Values go from totals that end a
hand back to the first card. They are whole numbers of a :data:`UNIT` with so many factors of 13
that no division leaves a remainder: a card counts 1 at least, so no hand has more than 31 of them,
and no value depends on more than the dealer's hand and four of the player's.

One dealer's hand serves both hands of a split. Expected values add all the same, each hand's by
its own rule. Insurance alone ties them together: the dealer goes on for one 14 as for two.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import TypeAlias

from ....cards.card import RANKS
from ....cards.memo import memoize
from ..machine.rules import (
    FOURTEEN,
    LIMIT,
    STANDS_AT,
    VALUES,
    Odds,
    Rules,
    Total,
    dealer_draws,
    payout,
)

BUST = LIMIT + 1
"""Stands for every total over 31."""
FINALS = (FOURTEEN, *range(STANDS_AT, BUST), BUST)
"""What the dealer ends on."""
WEIGHTS: Mapping[int, int] = Counter(VALUES.values())
"""How many of the thirteen ranks have each value, 1 for an ace to 10."""
UNIT: int = 13 ** (5 * LIMIT)
ZERO = Fraction(0)

Chances: TypeAlias = tuple[int, ...]
"""A chance for each of the `FINALS`, in units."""


def card_total(value: int) -> Total:
    """Give what one card counts, 1 for an ace."""
    return Total(0).plus(value)


@lru_cache(maxsize=1 << 8)  # some 60 totals
def _nexts(total: Total) -> tuple[tuple[int, int, Total], ...]:
    """Give each value a hand may draw, its weight of 13, and the total it makes."""
    return tuple((value, weight, total.plus(value)) for value, weight in WEIGHTS.items())


# ---- the dealer ------------------------------------------------------------------------------


def dealer_odds(total: Total, rules: Rules, *, only_31: bool = False) -> Mapping[int, Fraction]:
    """Give the chance of each of the `FINALS` for a dealer who has this total and goes on.

    ``only_31``: the player stands on 14, so that all ends with 31 or bust.
    """
    chances = _dealer(total, rules.dealer_hits_soft, only_31)
    return {final: Fraction(count, UNIT) for final, count in zip(FINALS, chances, strict=True)}


@lru_cache(maxsize=1 << 10)  # some 300 come up
def _dealer(total: Total, hits_soft: bool, only_31: bool) -> Chances:
    if not dealer_draws(total, Rules(dealer_hits_soft=hits_soft), only_31=only_31):
        end = min(total.points, BUST)
        return tuple(UNIT * (final == end) for final in FINALS)
    rows = [
        (weight, _dealer(next_total, hits_soft, only_31)) for _, weight, next_total in _nexts(total)
    ]
    return tuple(
        sum(weight * chances[place] for weight, chances in rows) // len(RANKS)
        for place in range(len(FINALS))
    )


# ---- the battle of the dealers ---------------------------------------------------------------

Ending: TypeAlias = tuple[int, int | None]
"""The player's final and the dealer's, or none if he did not draw because the player was bust."""


def battle_endings(rules: Rules) -> Mapping[Ending, Fraction]:
    """Give the chances of how a round ends if the player goes by the dealer's rule, too.

    The player stops on 14 and from 27 on, but hits a soft 27.
    """
    start = Total(0)
    ordinary = dealer_odds(start, rules)
    to_31 = dealer_odds(start, rules, only_31=True)
    ends: dict[Ending, Fraction] = {}
    for ours, chance in dealer_odds(start, Rules(dealer_hits_soft=True)).items():
        if ours == BUST:
            ends[ours, None] = chance
            continue
        for theirs, other in (to_31 if ours == FOURTEEN else ordinary).items():
            ends[ours, theirs] = chance * other
    return ends


def battle_return(ending: Ending) -> int:
    """Give what comes back for a bet of 1."""
    ours, theirs = ending
    return 0 if theirs is None else payout(1, ours, theirs, on_14=ours == FOURTEEN)


# ---- the player ------------------------------------------------------------------------------


class PlayerChoice(StrEnum):
    """What a player can do."""

    STAND = "stand"
    HIT = "hit"
    DOUBLE = "double"
    SPLIT = "split"
    INSURE = "insurance"
    DECLINE = "no insurance"


Values: TypeAlias = Mapping[PlayerChoice, Fraction]
"""What each choice gains for a bet of 1, on average, if the best follows."""


@dataclass(frozen=True, slots=True)
class HandInPlay:
    """A player's hand in play: its total, the number of its cards, and how it came about.

    ``pair``: two cards that could be split. ``hands``: how many hands there are, 1 before a split.
    """

    total: Total
    cards: int
    pair: bool = False
    hands: int = 1


class PerfectPlay:
    """The best play against an up card: 1 for an ace, to 10.

    ``double`` and ``split`` say whether these are on offer at all. ``insured``: the side bet is
    open, which adds to standing on 14, for then the dealer comes to 31 more often.
    """

    def __init__(
        self,
        rules: Rules,
        up_card: int,
        *,
        double: bool = True,
        split: bool = True,
        insured: bool = False,
    ) -> None:
        self._rules, self._double, self._split = rules, double, split
        self._unit = UNIT * rules.insurance.staked
        self._ordinary = _dealer(card_total(up_card), rules.dealer_hits_soft, False)
        self._to_31 = _dealer(card_total(up_card), rules.dealer_hits_soft, True)
        insurance_return = rules.insurance.paid + rules.insurance.staked
        insurance_gain = insurance_return * (self._to_31[_ON_31] - self._ordinary[_ON_31])
        self._bonus = insurance_gain if insured else 0
        self._side = insurance_return * self._ordinary[_ON_31] - self._unit if insured else 0
        self._cache: dict[tuple[Total, int, bool, int], int] = {}

    def values(self, holding: HandInPlay) -> Values:
        """Give the value of each choice on offer; the side bet's own is in none of them."""
        units = self._choices(holding.total, holding.cards, holding.hands > 1, self._bonus)
        if self._split and holding.pair and holding.hands < self._rules.most_hands:
            value = 1 if holding.total.soft else holding.total.points // 2
            units[PlayerChoice.SPLIT] = self._hands(value, 2, holding.hands + 1, self._bonus)
        return {choice: Fraction(value, self._unit) for choice, value in units.items()}

    def first_card_ev(self, value: int) -> Fraction:
        """Give what a bet of 1 gains from the player's first card, with the side bet's gain."""
        return Fraction(
            self._side + self._best(card_total(value), 1, False, self._bonus), self._unit
        )

    @cached_property
    def ev(self) -> Fraction:
        """What a bet of 1 gains before the player's first card."""
        return _average(self.first_card_ev)

    def _stand(self, total: Total, bonus: int) -> int:
        on_14 = total.points == FOURTEEN
        chances = self._to_31 if on_14 else self._ordinary
        payback = sum(
            chance * payout(1, total.points, final, on_14=on_14)
            for final, chance in zip(FINALS, chances, strict=True)
        )
        return self._rules.insurance.staked * (payback - UNIT) + bonus * on_14

    def _choices(
        self, total: Total, cards: int, split: bool, bonus: int
    ) -> dict[PlayerChoice, int]:
        units = {
            PlayerChoice.STAND: self._stand(total, bonus),
            PlayerChoice.HIT: self._hit(total, cards, split, bonus),
        }
        allowed = cards == 2 or not self._rules.double_two_cards
        if self._double and allowed and (self._rules.double_after_split or not split):
            units[PlayerChoice.DOUBLE] = self._doubled(total, bonus)
        return units

    def _best(self, total: Total, cards: int, split: bool, bonus: int) -> int:
        if total.bust:
            return -self._unit
        if total.points == LIMIT:
            return self._stand(total, bonus)
        # beyond two cards, no rule tells one number from another
        key = total, min(cards, 3), split, bonus
        if key not in self._cache:
            self._cache[key] = max(self._choices(*key).values())
        return self._cache[key]

    def _hit(self, total: Total, cards: int, split: bool, bonus: int) -> int:
        gain_sum = 0
        for value, weight, next_total in _nexts(total):
            best_value = self._best(next_total, cards + 1, split, bonus)
            gain_sum += weight * best_value
            if self._split and cards == 1 and not split and total == card_total(value):
                gain = self._hands(value, 2, 2, bonus) - best_value
                gain_sum += self._matching_ranks(value) * max(gain, 0)
        return gain_sum // len(RANKS)

    def _doubled(self, total: Total, bonus: int) -> int:
        gain_sum = 0
        for _, weight, next_total in _nexts(total):
            value = -self._unit if next_total.bust else self._stand(next_total, 0)
            gain_sum += weight * (2 * value + bonus * (next_total.points == FOURTEEN))
        return gain_sum // len(RANKS)

    def _matching_ranks(self, value: int) -> int:
        """Count the ranks that a card of this value can be split with."""
        return 1 if self._rules.split_same_rank else WEIGHTS[value]

    def _hands(self, value: int, pending: int, hand_count: int, bonus: int) -> int:
        """Give the value of the hands left to play, of one card each, when so many were made.

        The first to stand on 14 earns the bonus, so what it adds to one hand is less what the
        others lose by it. The second cards of the others, which lie open, are not looked at.
        """
        if not pending:
            return 0
        others = self._hands(value, pending - 1, hand_count, bonus)
        bonus_now = bonus + self._hands(value, pending - 1, hand_count, 0) - others if bonus else 0
        gain_sum = 0
        for drawn, weight, next_total in _nexts(card_total(value)):
            best_value = self._best(next_total, 2, True, bonus_now) + others
            gain_sum += weight * best_value
            if drawn == value and hand_count < self._rules.most_hands:
                gain = self._hands(value, pending + 1, hand_count + 1, bonus) - best_value
                gain_sum += self._matching_ranks(value) * max(gain, 0)
        return gain_sum // len(RANKS)


_ON_31 = FINALS.index(LIMIT)


# ---- the game --------------------------------------------------------------------------------


@memoize(maxsize=64)  # the lab has eleven houses, and one is asked with each side action
def game_ev(rules: Rules, *, double: bool = True, split: bool = True) -> Fraction:
    """Give what a bet of 1 gains by the best play with these side actions, and no insurance."""
    return _average(lambda up_card: PerfectPlay(rules, up_card, double=double, split=split).ev)


def _average(of_card: Callable[[int], Fraction]) -> Fraction:
    """Average over the cards of a value each, 1 for an ace."""
    return sum((weight * of_card(card) for card, weight in WEIGHTS.items()), ZERO) / len(RANKS)


def insurance_value(rules: Rules, first: int) -> Fraction:
    """Give what the side bet adds to a bet of 1 against an ace, from the player's first card on.

    The hand is played as is best with the side bet, which may be worse for the hand alone.
    """
    insured, plain = _against_an_ace(rules)
    return insured.first_card_ev(first) - plain.first_card_ev(first)


@memoize(maxsize=16)
def _against_an_ace(rules: Rules) -> tuple[PerfectPlay, PerfectPlay]:
    return PerfectPlay(rules, 1, insured=True), PerfectPlay(rules, 1)


@memoize(maxsize=64)
def house_edge(rules: Rules) -> Fraction:
    """Give what the house keeps of each bet from the best play, insurance taken where it pays."""
    insured = _average(lambda first: max(insurance_value(rules, first), ZERO))
    return -game_ev(rules) - insured * WEIGHTS[1] / len(RANKS)


def chance_of_31(rules: Rules, *, on_14: bool = False) -> Fraction:
    """Give the chance that a dealer who shows an ace ends on 31; ``on_14``: the player stood so."""
    return dealer_odds(card_total(1), rules, only_31=on_14)[LIMIT]


# ---- the lab ---------------------------------------------------------------------------------


def lab_rules() -> Iterator[tuple[str, Rules]]:
    """Give the game's own rules, and each option changed alone, by what it says."""
    yield "the rules as they are", Rules()
    yield "the dealer draws to a soft 27", Rules(dealer_hits_soft=True)
    yield "double on two cards only", Rules(double_two_cards=True)
    yield "split two of a rank only", Rules(split_same_rank=True)
    yield "split to 3 hands", Rules(most_hands=3)
    yield "split to 4 hands", Rules(most_hands=4)
    yield "no double after a split", Rules(double_after_split=False)
    for paid in (2, 3, 4, 5):
        yield f"insurance pays {paid}:1", Rules(insurance=Odds(paid))
