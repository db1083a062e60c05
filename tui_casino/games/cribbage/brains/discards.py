"""The discard adviser: the exact EV of each pair that may go to the crib.

>>> from tui_casino.cards.card import format_cards, parse_hand
>>> from tui_casino.games.cribbage.machine.rules import TRAINER
>>> best = weigh(parse_hand("2C 2H 7C QC QD KH"), True, TRAINER)[0]
>>> format_cards(best.discard), best.hand, best.crib
('2C 2H', (168, 46), (274254, 45540))

The hand is averaged over the 46 starters, the crib over the 46 starters and the 990 pairs that the
opponent may discard with each. Nothing is sampled or rounded. The opponent's pairs are either
equally likely, or each is weighted by how often players discard it.

There are two ways to classify cards (`show_points`): by rank, and by suit and jack. Within a class,
unseen cards of a kind are equivalent, so it is enough to count them: the number of ways to draw a
pair of two kinds and a starter of a third is a product, which all fifteen discards share. The first
hands are counted here, in integers; for many hands, `discard_tables` is faster.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple, TypeAlias

from ....cards.card import PACK, Card, Hand, format_cards
from ..machine.rules import DEALT, DISCARDS, RuleSet
from .lazy import discard_tables
from .show_points import CARD_CLASSES, CardClasses, points_by_key, unclassified_rules

STARTERS = len(PACK) - DEALT
"""The number of cards that the player has not seen; each may be the starter."""
HANDS_WITHOUT_TABLES = 20
"""About as many hands are counted one by one in the time that NumPy and its tables take."""

Weights: TypeAlias = tuple[tuple[int, ...], ...]
"""A symmetric table of how likely an opponent is to discard two ranks, from ace to king.

Only the ratios matter. A weight is for one pair of cards: there are 16 pairs of two different
ranks, 6 of the same rank.
"""

EVERY_PAIR: Weights = ((1,) * 13,) * 13
"""The weights of an unknown opponent: all pairs are equally likely."""


class DiscardSums(NamedTuple):
    """The points of the hands and cribs of fifteen discards, summed over all cases.

    The sums of a hand have :data:`STARTERS` cases; those of a crib have ``cases``.
    """

    hands: Sequence[int]
    cribs: Sequence[int]
    cases: int


@dataclass(frozen=True, slots=True)
class DiscardValue:
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
    ``ValueError`` unless the hand is six different cards.
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


# ---- counting -----------------------------------------------------------------------------


def _sums(hand: Hand, rules: RuleSet, weights: Weights) -> DiscardSums:
    if unclassified_rules(rules) or count_sums.cache_info().misses >= HANDS_WITHOUT_TABLES:
        return discard_tables.sum_from_tables(hand, rules, weights)
    return count_sums(hand, rules, weights)


@lru_cache(maxsize=1)  # a cache that counts how often it is asked for another hand
def count_sums(hand: Hand, rules: RuleSet, weights: Weights) -> DiscardSums:
    """Return the points of the fifteen discards under rules that depend on a class of cards."""
    choices = tuple(combinations(hand, DISCARDS))
    hands, cribs = [0] * len(choices), [0] * len(choices)
    cases = 0
    unseen = [card for card in PACK if card not in hand]
    for look in CARD_CLASSES:
        starters, draws = _count_draws(look, unseen, weights)
        cases = sum(draws.values())
        hand_points, crib_points = (points_by_key(rules, look, crib) for crib in (False, True))
        key = {card: look.keys[look.of_card[card.index]] for card in hand}
        for place, discard in enumerate(choices):
            thrown = sum(map(key.__getitem__, discard))
            kept = sum(key.values()) - thrown
            hands[place] += sum(hand_points[kept + one] * n for one, n in starters.items())
            cribs[place] += sum(crib_points[thrown + three] * n for three, n in draws.items())
    return DiscardSums(hands, cribs, cases)


def _count_draws(
    look: CardClasses, unseen: Sequence[Card], weights: Weights
) -> tuple[Mapping[int, int], Mapping[int, int]]:
    """Count the starters, and the weighted draws of the opponent's pair and a starter, by key."""
    kinds = sorted((look.of_card[card.index], card.rank - 1) for card in unseen)
    pairs: Counter[tuple[int, int]] = Counter()
    for (first, rank), (second, other_rank) in combinations(kinds, 2):
        pairs[first, second] += weights[rank][other_rank]
    unseen_of_kind = Counter(kind for kind, _ in kinds)
    keys, starter_keys = look.keys, look.starter_keys
    draws: Counter[int] = Counter()
    for (first, second), weight in pairs.items():
        for kind, n in unseen_of_kind.items():
            ways = weight * (n - (kind == first) - (kind == second))
            draws[keys[first] + keys[second] + starter_keys[kind]] += ways
    return {starter_keys[kind]: n for kind, n in unseen_of_kind.items()}, draws
