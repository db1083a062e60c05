"""Exact odds of Hit Me from an infinite shoe: the dealer's final totals, and perfect play.

>>> odds = dealer_odds(card_total(1), Rules())
>>> f"{float(odds[LIMIT]):.4f}", f"{float((1 - odds[LIMIT]) / odds[LIMIT]):.1f}"
('0.1887', '4.3')

Each card is any of thirteen ranks, whatever has been dealt before. So a hand is described by its
total (and by its number of cards, if a rule depends on it). Values are computed backwards, from the
totals that end a hand to the first card. They are whole numbers of a :data:`UNIT` with enough
factors of 13 that every division is exact: a card counts at least 1, so a hand has at most 31 of
them, and no value depends on more than the dealer's hand and four of the player's.

One dealer's hand serves both hands of a split. The expected values of the hands can still be added.
Only insurance links the hands: the dealer draws to 31 if any hand stood on 14, no matter how many
did.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from enum import StrEnum
from fractions import Fraction
from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import TypeAlias

from msgspec import Struct

from ....cards.card import RANKS
from ....cards.memo import memoize
from ..machine.rules import (
    DEALER_WINS_ON,
    LIMIT,
    SAFE_TOTAL,
    STANDS_AT,
    VALUES,
    Rules,
    Total,
    dealer_draws,
    payout,
)
from .players import BATTLE

BUST = LIMIT + 1
"""The number that represents all totals over 31."""
FINALS = (DEALER_WINS_ON, *range(STANDS_AT, BUST), BUST)
"""The dealer's possible final totals."""
WEIGHTS: Mapping[int, int] = Counter(VALUES.values())
"""How many of the thirteen ranks have each value, from 1 for an ace to 10."""
UNIT: int = 13 ** (5 * LIMIT)
ZERO = Fraction(0)

Chances: TypeAlias = tuple[int, ...]
"""The chance of each of the `FINALS`, in units."""


def card_total(value: int) -> Total:
    """Return the total of one card, 1 for an ace."""
    return Total(0).plus(value)


DrawingTotals: TypeAlias = frozenset[Total]
"""The totals on which the dealer draws: all that the odds need to know of the dealer's rule.

Caches use it as a key, so rules that do not concern the dealer share their entries.
"""


@lru_cache(maxsize=1 << 8)
def drawing_totals(rules: Rules, *, only_31: bool = False) -> DrawingTotals:
    """Return the totals on which the dealer draws; ``only_31`` as in :func:`.dealer_draws`.

    Raises ``ValueError`` for rules by which the dealer stops on a total that is not in `FINALS`,
    because the tables of odds have no place for it.
    """
    totals = [Total(points, soft) for points in range(BUST) for soft in range(3)]
    drawing = frozenset(total for total in totals if dealer_draws(total, rules, only_31=only_31))
    ends = {total.points for total in totals if total not in drawing}
    if unknown := sorted(ends.difference(FINALS)):
        raise ValueError(f"the odds do not know a dealer who stops on {unknown[0]}")
    return drawing


@lru_cache(maxsize=1 << 8)  # about 60 totals
def _nexts(total: Total) -> tuple[tuple[int, int, Total], ...]:
    """Return each value of the next card, its number of ranks, and the total that it makes."""
    return tuple((value, weight, total.plus(value)) for value, weight in WEIGHTS.items())


# ---- the dealer ------------------------------------------------------------------------------


def dealer_odds(total: Total, rules: Rules, *, only_31: bool = False) -> Mapping[int, Fraction]:
    """Return the chance of each of the `FINALS` for a dealer with this total.

    ``only_31`` means that the player stands on 14, so the dealer's hand always ends with 31 or
    bust.
    """
    chances = _dealer(total, drawing_totals(rules, only_31=only_31))
    return {final: Fraction(count, UNIT) for final, count in zip(FINALS, chances, strict=True)}


@lru_cache(maxsize=1 << 10)  # about 300 are used
def _dealer(total: Total, drawing: DrawingTotals) -> Chances:
    if total not in drawing:
        end = min(total.points, BUST)
        return tuple(UNIT * (final == end) for final in FINALS)
    rows = [(weight, _dealer(next_total, drawing)) for _, weight, next_total in _nexts(total)]
    return tuple(
        sum(weight * chances[place] for weight, chances in rows) // len(RANKS)
        for place in range(len(FINALS))
    )


# ---- the dealer simulation ---------------------------------------------------------------------

Ending: TypeAlias = tuple[int, int | None]
"""The player's and the dealer's final totals; the second is ``None`` if the player was bust."""


def battle_endings(rules: Rules) -> Mapping[Ending, Fraction]:
    """Return the chance of each ending if both sides follow the dealer's rule.

    The player stops on 14 and from 27 on, but hits a soft 27.
    """
    start = Total(0)
    ordinary = dealer_odds(start, rules)
    to_31 = dealer_odds(start, rules, only_31=True)
    ends: dict[Ending, Fraction] = {}
    for ours, chance in dealer_odds(start, BATTLE).items():
        if ours == BUST:
            ends[ours, None] = chance
            continue
        for theirs, other in (to_31 if ours == SAFE_TOTAL else ordinary).items():
            ends[ours, theirs] = chance * other
    return ends


def battle_return(ending: Ending) -> int:
    """Return the payout for a bet of 1."""
    ours, theirs = ending
    return 0 if theirs is None else payout(1, ours, theirs, on_14=ours == SAFE_TOTAL)


# ---- the player ------------------------------------------------------------------------------


class PlayerChoice(StrEnum):
    """The possible choices of a player."""

    STAND = "stand"
    HIT = "hit"
    DOUBLE = "double"
    SPLIT = "split"
    INSURE = "insurance"
    DECLINE = "no insurance"


Values: TypeAlias = Mapping[PlayerChoice, Fraction]
"""The EV of each choice for a bet of 1, if all later choices are perfect."""


class HandInPlay(Struct, frozen=True):
    """A player's hand in play: its total, its number of cards, and its origin.

    ``pair`` says whether the hand consists of two cards that could be split. ``hands`` is the
    number of the player's hands, which is 1 before a split.
    """

    total: Total
    cards: int
    pair: bool = False
    hands: int = 1


class PerfectPlay:
    """Perfect play against an up card: 1 for an ace, to 10.

    ``double`` and ``split`` say whether these are allowed at all. ``insured`` means that the side
    bet is open, which increases the EV of standing on 14, because the dealer then reaches 31 more
    often.
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
        self._ordinary, self._to_31 = (
            _dealer(card_total(up_card), drawing_totals(rules, only_31=only_31))
            for only_31 in (False, True)
        )
        insurance_return = rules.insurance.paid + rules.insurance.staked
        insurance_gain = insurance_return * (self._to_31[_ON_31] - self._ordinary[_ON_31])
        self._bonus = insurance_gain if insured else 0
        self._side = insurance_return * self._ordinary[_ON_31] - self._unit if insured else 0
        self._cache: dict[tuple[Total, int, bool, int], int] = {}

    def values(self, holding: HandInPlay) -> Values:
        """Return the EV of each allowed choice, without the result of the side bet itself."""
        units = self._choices(holding.total, holding.cards, holding.hands > 1, self._bonus)
        if self._split and holding.pair and holding.hands < self._rules.most_hands:
            value = 1 if holding.total.soft else holding.total.points // 2
            units[PlayerChoice.SPLIT] = self._hands(value, 2, holding.hands + 1, self._bonus)
        return {choice: Fraction(value, self._unit) for choice, value in units.items()}

    def first_card_ev(self, value: int) -> Fraction:
        """Return the EV of a bet of 1 after the player's first card, including the side bet."""
        return Fraction(
            self._side + self._best(card_total(value), 1, False, self._bonus), self._unit
        )

    @cached_property
    def ev(self) -> Fraction:
        """The EV of a bet of 1 before the player's first card."""
        return _average(self.first_card_ev)

    def _stand(self, total: Total, bonus: int) -> int:
        on_14 = total.points == SAFE_TOTAL
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
        # beyond two cards, no rule depends on the number of cards
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
            gain_sum += weight * (2 * value + bonus * (next_total.points == SAFE_TOTAL))
        return gain_sum // len(RANKS)

    def _matching_ranks(self, value: int) -> int:
        """Return the number of ranks that a card of this value can be split with."""
        return 1 if self._rules.split_same_rank else WEIGHTS[value]

    def _hands(self, value: int, pending: int, hand_count: int, bonus: int) -> int:
        """Return the EV of the hands that have not been played yet; each of them has one card.

        Only the first hand that stands on 14 earns the bonus. So a hand that earns the bonus gains
        it for the player, minus what the other hands then lose because they can no longer earn it.
        The second cards of the other hands are ignored, although they are face up.
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


@lru_cache(1 << 12)
def infinite_shoe_values(
    rules: Rules, up_card: int, covered: bool, insured: bool, holding: HandInPlay
) -> Mapping[PlayerChoice, float]:
    """Return the EV of each allowed choice, as :meth:`PerfectPlay.values` does.

    ``covered`` says whether the credit covers another bet, for a double or a split.
    """
    values = perfect_play(rules, up_card, covered, insured).values(holding)
    return MappingProxyType({choice: float(value) for choice, value in values.items()})


@lru_cache(64)
def perfect_play(rules: Rules, up_card: int, covered: bool, insured: bool) -> PerfectPlay:
    """Return perfect play against an up card; the arguments are as above."""
    return PerfectPlay(rules, up_card, double=covered, split=covered, insured=insured)


# ---- the game --------------------------------------------------------------------------------


# the lab has eleven sets of rules, and one is also computed for each side action
@memoize(maxsize=64)
def game_ev(rules: Rules, *, double: bool = True, split: bool = True) -> Fraction:
    """Return the EV of a bet of 1 with perfect play, these side actions, and no insurance."""
    return _average(lambda up_card: PerfectPlay(rules, up_card, double=double, split=split).ev)


def _average(of_card: Callable[[int], Fraction]) -> Fraction:
    """Return the average of ``of_card`` over all thirteen ranks; it takes a value, 1 for an ace."""
    return sum((weight * of_card(card) for card, weight in WEIGHTS.items()), ZERO) / len(RANKS)


def insurance_value(rules: Rules, first: int) -> Fraction:
    """Return the amount that the side bet adds to the EV of a bet of 1 against an ace.

    ``first`` is the player's first card. The play of the hand takes the side bet into account,
    which may be worse for the hand itself.
    """
    insured, plain = _against_an_ace(rules)
    return insured.first_card_ev(first) - plain.first_card_ev(first)


@memoize(maxsize=16)
def _against_an_ace(rules: Rules) -> tuple[PerfectPlay, PerfectPlay]:
    return PerfectPlay(rules, 1, insured=True), PerfectPlay(rules, 1)


@memoize(maxsize=64)
def house_edge(rules: Rules) -> Fraction:
    """Return the house edge with perfect play; insurance is taken if it pays."""
    insured = _average(lambda first: max(insurance_value(rules, first), ZERO))
    return -game_ev(rules) - insured * WEIGHTS[1] / len(RANKS)


def chance_of_31(rules: Rules, *, on_14: bool = False) -> Fraction:
    """Return the chance that a dealer with an ace gets 31; the player may stand ``on_14``."""
    return dealer_odds(card_total(1), rules, only_31=on_14)[LIMIT]


def fair_odds(chance_31: Fraction | float) -> str:
    """Return the odds at which insurance is fair if the dealer ends on 31 with this chance."""
    return f"{float((1 - chance_31) / chance_31):.1f}:1" if chance_31 else "none"


def fair_prices(rules: Rules) -> tuple[str, str]:
    """Return the fair odds of insurance, and the fair odds for a player who will stand on 14."""
    usual, on_14 = (chance_of_31(rules, on_14=stands) for stands in (False, True))
    return fair_odds(usual), fair_odds(on_14)


def fair_price(rules: Rules) -> str:
    """Return a text that compares the odds that insurance pays with the fair odds."""
    fair, fair_14 = fair_prices(rules)
    return f"Insurance pays {rules.insurance}; fair odds {fair}, or {fair_14} if you stand on 14"
