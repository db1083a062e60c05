"""The variance of a round of perfect play: the exact distribution of its gain, as floats.

Expected values of hands add up, but squares do not: the hands of a split share one dealer's hand,
and insurance depends on the dealer's 31. So the dealer's outcome is fixed first. Given that, the
hands are independent, because an infinite shoe has no memory. The first two moments of their gains
are computed for all outcomes of the dealer together, and separately for rounds with and without a
hand that stands on 14, which makes the dealer draw to 31.

The play is the same as in :mod:`.odds`. This module determines it again from its own averages, and
both modules must agree.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from ....cards.card import RANKS
from ....cards.memo import memoize
from ..machine.rules import LIMIT, SAFE_TOTAL, VALUES, Rules, Total, payout
from .odds import BUST, WEIGHTS, DrawingTotals, card_total, dealer_odds, drawing_totals

GainMoments: TypeAlias = npt.NDArray[np.float64]
"""Moments by whether a hand stood on 14, moment (chance, gain, square), and dealer's outcome."""

HandKey: TypeAlias = tuple[Total, int, bool, float]


@lru_cache(maxsize=1 << 8)  # about 130 totals and rules
def dealer_ends(total: Total, drawing: DrawingTotals) -> dict[Total, float]:
    """Return the chance of each final total of a dealer who draws on some totals."""
    if total not in drawing:
        return {total: 1.0}
    ends: dict[Total, float] = {}
    for value, weight in WEIGHTS.items():
        for end, chance in dealer_ends(total.plus(value), drawing).items():
            ends[end] = ends.get(end, 0.0) + weight / len(RANKS) * chance
    return ends


class RoundDistribution:
    """The distribution of rounds of perfect play against an up card, for a bet of 1.

    ``insured`` means that a side bet of the same size is open.
    """

    def __init__(self, rules: Rules, up_card: int, *, insured: bool = False) -> None:
        self._rules, self._insured = rules, insured
        outcomes: dict[tuple[int, int], float] = {}
        for end, chance in dealer_ends(card_total(up_card), drawing_totals(rules)).items():
            usual_final = min(end.points, BUST)
            for last_final, last_chance in dealer_odds(end, rules, only_31=True).items():
                key = usual_final, last_final
                outcomes[key] = outcomes.get(key, 0.0) + chance * float(last_chance)
        self._usual_finals = [usual_final for usual_final, _ in outcomes]
        self._last_finals = [last_final for _, last_final in outcomes]
        self._chances = np.array([*outcomes.values()])
        side = 1 + rules.insurance.paid / rules.insurance.staked
        ends = np.array([self._usual_finals, self._last_finals])
        self._side = side * (ends == LIMIT) - 1.0  # the gain of insurance, without and with a 14
        self._bonus = float(self._chances @ (self._side[1] - self._side[0])) if insured else 0.0
        self._no_gain = self._fixed_moments(np.zeros(len(outcomes)))
        self._cache: dict[HandKey, GainMoments] = {}
        self._stand_cache: dict[tuple[int, int], GainMoments] = {}
        self._double_cache: dict[Total, GainMoments] = {}

    def first_card_moments(self, value: int) -> tuple[float, float]:
        """Return the means of the gain and of its square after the player's first card."""
        moments = self._best(card_total(value), 1, False, self._bonus)
        if self._insured:
            moments = np.stack(
                [
                    _add_independent(moments[on_14], _constant_moments(self._side[on_14]))
                    for on_14 in (0, 1)
                ]
            )
        _, mean, square = moments.sum(axis=0) @ self._chances
        return float(mean), float(square)

    def _fixed_moments(self, gains: GainMoments, on_14: bool = False) -> GainMoments:
        moments = np.zeros((2, 3, len(gains)))
        moments[int(on_14)] = _constant_moments(gains)
        return moments

    def _mean_gain(self, moments: GainMoments, bonus: float) -> float:
        chance, gain = moments[1, 0] @ self._chances, moments[:, 1].sum(axis=0) @ self._chances
        return float(gain + bonus * chance)

    def _stand(self, total: Total, stake: int = 1) -> GainMoments:
        key = total.points, stake
        if key not in self._stand_cache:
            on_14 = total.points == SAFE_TOTAL
            ends = self._last_finals if on_14 else self._usual_finals
            payback = [payout(1, total.points, end, on_14=on_14) for end in ends]
            self._stand_cache[key] = self._fixed_moments(
                stake * (np.array(payback, dtype=float) - 1), on_14
            )
        return self._stand_cache[key]

    def _loss(self, stake: int = 1) -> GainMoments:
        return self._fixed_moments(np.full(len(self._chances), -float(stake)))

    def _best(self, total: Total, cards: int, split: bool, bonus: float) -> GainMoments:
        if total.bust:
            return self._loss()
        if total.points == LIMIT:
            return self._stand(total)
        key = total, min(cards, 3), split, bonus
        if key not in self._cache:
            choices = [self._stand(total), self._hit(*key)]
            allowed = cards == 2 or not self._rules.double_two_cards
            if allowed and (self._rules.double_after_split or not split):
                choices.append(self._doubled(total))
            self._cache[key] = max(choices, key=lambda moments: self._mean_gain(moments, bonus))
        return self._cache[key]

    def _hit(self, total: Total, cards: int, split: bool, bonus: float) -> GainMoments:
        moments_sum = np.zeros_like(self._no_gain)
        for value, weight in WEIGHTS.items():
            moments = self._best(total.plus(value), cards + 1, split, bonus)
            pair = cards == 1 and not split and total == card_total(value)
            moments_sum += (
                self._split_if_better(moments, value, weight, 2, bonus)
                if pair
                else weight * moments
            )
        return moments_sum / len(RANKS)

    def _doubled(self, total: Total) -> GainMoments:
        if total not in self._double_cache:
            moments_sum = np.zeros_like(self._no_gain)
            for value, weight in WEIGHTS.items():
                next_total = total.plus(value)
                moments_sum += weight * (
                    self._loss(2) if next_total.bust else self._stand(next_total, 2)
                )
            self._double_cache[total] = moments_sum / len(RANKS)
        return self._double_cache[total]

    def _split_if_better(
        self, moments: GainMoments, value: int, weight: int, hand_count: int, bonus: float
    ) -> GainMoments:
        """Return the moments with matching cards split, if that is better."""
        split_moments = self._hands(value, 2, hand_count, bonus)
        if self._mean_gain(split_moments, bonus) <= self._mean_gain(moments, bonus):
            return weight * moments
        matching_ranks = 1 if self._rules.split_same_rank else weight
        return matching_ranks * split_moments + (weight - matching_ranks) * moments

    def _hands(self, value: int, pending: int, hand_count: int, bonus: float) -> GainMoments:
        """Return the moments of the hands that have not been played; each of them has one card.

        Once a hand stands on 14, the others play as if there were no bonus.
        """
        if not pending:
            return self._no_gain
        others = self._hands(value, pending - 1, hand_count, bonus)
        without_bonus = self._hands(value, pending - 1, hand_count, 0.0) if bonus else others
        bonus_now = bonus + self._mean_gain(without_bonus, 0.0) - self._mean_gain(others, bonus)
        moments_sum = np.zeros_like(self._no_gain)
        for drawn, weight in WEIGHTS.items():
            hand = self._best(card_total(value).plus(drawn), 2, True, bonus_now)
            moments = _add_with_bonus(hand, others, without_bonus)
            if drawn == value and hand_count < self._rules.most_hands:
                split_moments = self._hands(value, pending + 1, hand_count + 1, bonus)
                if self._mean_gain(split_moments, bonus) > self._mean_gain(moments, bonus):
                    matching_ranks = 1 if self._rules.split_same_rank else weight
                    moments_sum += matching_ranks * (split_moments - moments)
            moments_sum += weight * moments
        return moments_sum / len(RANKS)


def _constant_moments(gains: GainMoments) -> GainMoments:
    return np.stack([np.ones_like(gains), gains, gains**2])


def _add_independent(one: GainMoments, other: GainMoments) -> GainMoments:
    """Return the moments of the sum of two independent gains."""
    return np.stack(
        [
            one[0] * other[0],
            one[1] * other[0] + one[0] * other[1],
            one[2] * other[0] + 2 * one[1] * other[1] + one[0] * other[2],
        ]
    )


def _add_with_bonus(
    hand: GainMoments, others: GainMoments, without_bonus: GainMoments
) -> GainMoments:
    """Add a hand to the others, which are played ``without_bonus`` if the hand stands on 14."""
    on_14 = _add_independent(hand[0], others[1]) + _add_independent(
        hand[1], without_bonus.sum(axis=0)
    )
    return np.stack([_add_independent(hand[0], others[0]), on_14])


@memoize(maxsize=32)
def mean_and_variance(rules: Rules) -> tuple[float, float]:
    """Return the mean and the variance of the gain of a bet of 1 with perfect play.

    Insurance is taken if it pays.
    """
    mean = square = 0.0
    cards = len(RANKS) ** 2
    for up_card, weight in WEIGHTS.items():
        plain = RoundDistribution(rules, up_card)
        insured = (
            RoundDistribution(rules, up_card, insured=True) if up_card == VALUES[RANKS[0]] else None
        )
        for first, first_weight in WEIGHTS.items():
            gain = plain.first_card_moments(first)
            if insured is not None:
                gain = max(gain, insured.first_card_moments(first))
            mean += weight * first_weight / cards * gain[0]
            square += weight * first_weight / cards * gain[1]
    return mean, square - mean**2
