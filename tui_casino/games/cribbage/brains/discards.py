"""The discard adviser: the exact EV of each pair that may go to the crib.

>>> from tui_casino.cards.card import format_cards, parse_hand
>>> from tui_casino.games.cribbage.machine.rules import TRAINER
>>> best = weigh(parse_hand("2C 2H 7C QC QD KH"), True, TRAINER)[0]
>>> format_cards(best.discard), best.hand, best.crib
('2C 2H', (168, 46), (274254, 45540))

The hand is averaged over the 46 starters, the crib over the 46 starters and the 990 pairs that the
opponent may discard with each. Nothing is sampled or rounded. The opponent's pairs are either
equally likely, or each is weighted by how often players discard it.

The first hands are counted one by one; after that, the sums come from NumPy tables.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

from msgspec import Struct

from ....cards.card import Card, Hand, format_cards
from ..machine.rules import DEALT, DISCARDS, RuleSet
from .discard_counts import EVERY_PAIR, STARTERS, DiscardSums, Weights, count_sums

HANDS_WITHOUT_TABLES = 20
"""About as many hands are counted one by one in the time that NumPy and its tables take."""


class DiscardValue(Struct, frozen=True):
    """A pair of discards, with its sums of points and the number of cases in each sum.

    The cases of the crib are weighted; without weights there are 45,540.
    """

    discard: Hand
    hand: tuple[int, int]
    crib: tuple[int, int]
    dealer: bool

    @property
    def ev(self) -> Fraction:
        """The EV in points: the hand plus the crib for the dealer, minus the crib for the pone."""
        crib = Fraction(*self.crib)
        return Fraction(*self.hand) + (crib if self.dealer else -crib)


def weigh(
    hand: Sequence[Card], dealer: bool, rules: RuleSet, weights: Weights = EVERY_PAIR
) -> tuple[DiscardValue, ...]:
    """Return the fifteen discards from six cards, best first; ties are in the hand's order.

    ``weights`` describe the opponent, who discards two of the unseen cards. Raises
    ``ValueError`` unless the hand is six different cards, and for rules that the adviser does not
    know.
    """
    if len(set(hand)) != DEALT or len(hand) != DEALT:
        raise ValueError(f"a discard is chosen from six different cards, not {format_cards(hand)}")
    hands, cribs, cases = _sums(tuple(hand), rules, weights)
    sign = 1 if dealer else -1
    values = [a * cases + sign * b * STARTERS for a, b in zip(hands, cribs, strict=True)]
    choices = tuple(combinations(hand, DISCARDS))
    return tuple(
        DiscardValue(choices[c], (hands[c], STARTERS), (cribs[c], cases), dealer)
        for c in sorted(range(len(choices)), key=values.__getitem__, reverse=True)
    )


def discard_cost(ranked: Sequence[DiscardValue], discard: Sequence[Card]) -> Fraction:
    """Return the cost of a discard in points, compared with the best; 0 if it is equally good.

    Raises ``ValueError`` for cards that are not a discard of the hand.
    """
    for one in ranked:
        if set(one.discard) == set(discard):
            return ranked[0].ev - one.ev
    raise ValueError(f"{format_cards(discard)} cannot be discarded from this hand")


def _sums(hand: Hand, rules: RuleSet, weights: Weights) -> DiscardSums:
    if count_sums.cache_info().misses < HANDS_WITHOUT_TABLES:
        return count_sums(hand, rules, weights)
    from .discard_tables import sum_one_hand  # late: loads numpy

    return sum_one_hand(hand, rules, weights)
