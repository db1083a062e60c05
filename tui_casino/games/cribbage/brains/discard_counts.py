"""The points of the discards of one hand, counted in integers without NumPy.

There are two ways to classify cards (`show_points`): by rank, and by suit and jack. Within a class,
unseen cards of a kind are equivalent, so it is enough to count them: the number of ways to draw a
pair of two kinds and a starter of a third is a product, which all fifteen discards share. For many
hands, `discard_tables` is faster.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple, TypeAlias

from ....cards.card import PACK, Card, Hand
from ..machine.rules import DEALT, DISCARDS, RuleSet
from .show_points import CARD_CLASSES, CardClasses, points_by_key

STARTERS = len(PACK) - DEALT
"""The number of cards that the player has not seen; each may be the starter."""
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


@lru_cache(maxsize=1)  # a cache that counts how often it is asked for another hand
def count_sums(hand: Hand, rules: RuleSet, weights: Weights) -> DiscardSums:
    """Return the points of the fifteen discards under these rules."""
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
