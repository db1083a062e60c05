"""How far the best play's rounds scatter: the exact law of a round, to floating point.

Expected values add up over hands, squares do not: the hands of a split share one dealer's hand, and
insurance one dealer's 31. So the dealer's outcome is fixed first. Given that, the hands are
independent, for the infinite shoe has no memory, and their first two moments are worked out side by
side for all outcomes of the dealer, with and without a hand on 14, which makes him go on.

The play is the one that :mod:`.odds` finds best, found here anew by its averages: both must agree.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from ....cards.card import RANKS
from ....cards.memo import memoize
from ..machine.rules import FOURTEEN, LIMIT, VALUES, Rules, Total, dealer_draws, payout
from .odds import BUST, WEIGHTS, dealer_odds, up_card

GainMoments: TypeAlias = npt.NDArray[np.float64]
"""By whether a hand stood on 14, by moment (chance, gain, its square), by the dealer's outcome."""

HandKey: TypeAlias = tuple[Total, int, bool, float]


@lru_cache(maxsize=1 << 8)  # some 130 totals and rules
def dealer_ends(total: Total, hits_soft: bool) -> dict[Total, float]:
    """Give the chance of each total that the dealer's usual rule ends on."""
    if not dealer_draws(total, Rules(dealer_hits_soft=hits_soft)):
        return {total: 1.0}
    ends: dict[Total, float] = {}
    for value, weight in WEIGHTS.items():
        for end, chance in dealer_ends(total.plus(value), hits_soft).items():
            ends[end] = ends.get(end, 0.0) + weight / len(RANKS) * chance
    return ends


class RoundDistribution:
    """The rounds of the best play against an up card, for a bet of 1.

    ``insured``: the side bet, as high as the bet, is open.
    """

    def __init__(self, rules: Rules, up: int, *, insured: bool = False) -> None:
        self._rules, self._insured = rules, insured
        outcomes: dict[tuple[int, int], float] = {}
        for end, chance in dealer_ends(up_card(up), rules.dealer_hits_soft).items():
            usual = min(end.points, BUST)
            for last, more in dealer_odds(end, rules, only_31=True).items():
                key = usual, last
                outcomes[key] = outcomes.get(key, 0.0) + chance * float(more)
        self._usual = [usual for usual, _ in outcomes]
        self._last = [last for _, last in outcomes]
        self._chances = np.array([*outcomes.values()])
        side = 1 + rules.insurance.paid / rules.insurance.staked
        ends = np.array([self._usual, self._last])
        self._side = side * (ends == LIMIT) - 1.0  # what insurance gains, without and with a 14
        self._bonus = float(self._chances @ (self._side[1] - self._side[0])) if insured else 0.0
        self._none = self._fixed(np.zeros(len(outcomes)))
        self._known: dict[HandKey, GainMoments] = {}
        self._stood: dict[tuple[int, int], GainMoments] = {}
        self._twice: dict[Total, GainMoments] = {}

    def of_first_card(self, value: int) -> tuple[float, float]:
        """Give the mean of the gain and of its square from the player's first card on."""
        law = self._best(up_card(value), 1, False, self._bonus)
        if self._insured:
            law = np.stack([_both(law[on], _point(self._side[on])) for on in (0, 1)])
        _, mean, square = law.sum(axis=0) @ self._chances
        return float(mean), float(square)

    def _fixed(self, gains: GainMoments, on_14: bool = False) -> GainMoments:
        law = np.zeros((2, 3, len(gains)))
        law[int(on_14)] = _point(gains)
        return law

    def _worth(self, law: GainMoments, bonus: float) -> float:
        chance, gain = law[1, 0] @ self._chances, law[:, 1].sum(axis=0) @ self._chances
        return float(gain + bonus * chance)

    def _stand(self, total: Total, stake: int = 1) -> GainMoments:
        key = total.points, stake
        if key not in self._stood:
            on_14 = total.points == FOURTEEN
            ends = self._last if on_14 else self._usual
            back = [payout(1, total.points, end, on_14=on_14) for end in ends]
            self._stood[key] = self._fixed(stake * (np.array(back, dtype=float) - 1), on_14)
        return self._stood[key]

    def _lost(self, stake: int = 1) -> GainMoments:
        return self._fixed(np.full(len(self._chances), -float(stake)))

    def _best(self, total: Total, cards: int, split: bool, bonus: float) -> GainMoments:
        if total.bust:
            return self._lost()
        if total.points == LIMIT:
            return self._stand(total)
        key = total, min(cards, 3), split, bonus
        if key not in self._known:
            choices = [self._stand(total), self._hit(*key)]
            allowed = cards == 2 or not self._rules.double_two_cards
            if allowed and (self._rules.double_after_split or not split):
                choices.append(self._doubled(total))
            self._known[key] = max(choices, key=lambda law: self._worth(law, bonus))
        return self._known[key]

    def _hit(self, total: Total, cards: int, split: bool, bonus: float) -> GainMoments:
        came = np.zeros_like(self._none)
        for value, weight in WEIGHTS.items():
            law = self._best(total.plus(value), cards + 1, split, bonus)
            pair = cards == 1 and not split and total == up_card(value)
            came += self._or_split(law, value, weight, 2, bonus) if pair else weight * law
        return came / len(RANKS)

    def _doubled(self, total: Total) -> GainMoments:
        if total not in self._twice:
            came = np.zeros_like(self._none)
            for value, weight in WEIGHTS.items():
                more = total.plus(value)
                came += weight * (self._lost(2) if more.bust else self._stand(more, 2))
            self._twice[total] = came / len(RANKS)
        return self._twice[total]

    def _or_split(
        self, law: GainMoments, value: int, weight: int, made: int, bonus: float
    ) -> GainMoments:
        """Split in place of what a law says, where that is better: the cards that may be."""
        apart = self._hands(value, 2, made, bonus)
        if self._worth(apart, bonus) <= self._worth(law, bonus):
            return weight * law
        mates = 1 if self._rules.split_same_rank else weight
        return mates * apart + (weight - mates) * law

    def _hands(self, value: int, left: int, made: int, bonus: float) -> GainMoments:
        """Give the law of the hands left to play, of one card each, when so many were made.

        Once one stands on 14 the others play as if there were no bonus.
        """
        if not left:
            return self._none
        others = self._hands(value, left - 1, made, bonus)
        freed = self._hands(value, left - 1, made, 0.0) if bonus else others
        bonus_here = bonus + self._worth(freed, 0.0) - self._worth(others, bonus)
        came = np.zeros_like(self._none)
        for drawn, weight in WEIGHTS.items():
            hand = self._best(up_card(value).plus(drawn), 2, True, bonus_here)
            law = _together(hand, others, freed)
            if drawn == value and made < self._rules.most_hands:
                apart = self._hands(value, left + 1, made + 1, bonus)
                if self._worth(apart, bonus) > self._worth(law, bonus):
                    mates = 1 if self._rules.split_same_rank else weight
                    came += mates * (apart - law)
            came += weight * law
        return came / len(RANKS)


def _point(gains: GainMoments) -> GainMoments:
    return np.stack([np.ones_like(gains), gains, gains**2])


def _both(one: GainMoments, other: GainMoments) -> GainMoments:
    """Add two independent gains: their moments."""
    return np.stack(
        [
            one[0] * other[0],
            one[1] * other[0] + one[0] * other[1],
            one[2] * other[0] + 2 * one[1] * other[1] + one[0] * other[2],
        ]
    )


def _together(hand: GainMoments, others: GainMoments, freed: GainMoments) -> GainMoments:
    """Play a hand and then others, which are ``freed`` if it stands on 14."""
    on_14 = _both(hand[0], others[1]) + _both(hand[1], freed.sum(axis=0))
    return np.stack([_both(hand[0], others[0]), on_14])


@memoize(maxsize=32)
def mean_and_variance(rules: Rules) -> tuple[float, float]:
    """Give the mean and the variance of what a bet of 1 gains by the best play.

    Insurance is taken where it pays.
    """
    mean = square = 0.0
    cards = len(RANKS) ** 2
    for up, weight in WEIGHTS.items():
        plain = RoundDistribution(rules, up)
        insured = RoundDistribution(rules, up, insured=True) if up == VALUES[RANKS[0]] else None
        for first, more in WEIGHTS.items():
            found = plain.of_first_card(first)
            if insured is not None:
                found = max(found, insured.of_first_card(first))
            mean += weight * more / cards * found[0]
            square += weight * more / cards * found[1]
    return mean, square - mean**2
