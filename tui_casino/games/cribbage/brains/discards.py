"""The discard adviser: the exact EV of each pair that may go to the crib.

>>> from tui_casino.cards.card import format_cards, parse_hand
>>> from tui_casino.games.cribbage.machine.rules import TRAINER
>>> best = weigh(parse_hand("2C 2H 7C QC QD KH"), True, TRAINER)[0]
>>> format_cards(best.discard), best.hand, best.crib
('2C 2H', (168, 46), (274254, 45540))

The hand is averaged over the 46 starters, the crib over the 46 starters and the 990 pairs that the
opponent may discard with each. Nothing is sampled or rounded. The opponent's pairs are either
equally likely, or each is weighted by how often players discard it.

The sums are counted in integers without NumPy; for many hands, `bulk_points` is faster. There are
two ways to classify cards (`show_points`): by rank, and by suit and jack. Within a class, unseen
cards of a kind are equivalent, so it is enough to count them: the number of ways to draw a pair of
two kinds and a starter of a third is a product, which all fifteen discards share.

The shipped frequencies of discards come from this program's own adviser. It chose discards in many
deals: first against an opponent who discards at random, then in two more passes against an opponent
who discards as the adviser did in the previous pass. The file is created by
`tests/build_data/cribbage/discard_frequencies.py`.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from itertools import combinations
from pathlib import Path
from typing import NamedTuple, TypeAlias

from msgspec import Struct

from ....cards.card import PACK, RANKS, Card, Hand, format_cards
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


SumDiscards: TypeAlias = Callable[[Hand, RuleSet, Weights], DiscardSums]


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
    hand: Sequence[Card],
    dealer: bool,
    rules: RuleSet,
    weights: Weights = EVERY_PAIR,
    sums: SumDiscards = count_sums,
) -> tuple[DiscardValue, ...]:
    """Return the fifteen discards from six cards, best first; ties are in the hand's order.

    ``weights`` describe the opponent, who discards two of the unseen cards. ``sums`` adds up the
    points of the discards. Raises ``ValueError`` unless the hand is six different cards, and for
    rules that the adviser does not know.
    """
    if len(set(hand)) != DEALT or len(hand) != DEALT:
        raise ValueError(f"a discard is chosen from six different cards, not {format_cards(hand)}")
    hands, cribs, cases = sums(tuple(hand), rules, weights)
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


Counts = tuple[tuple[int, ...], ...]
"""How often each pair of ranks was discarded; each row ends with the pair of two equal ranks."""


class DiscardFrequencies(Struct, frozen=True):
    """How often players discarded each pair of ranks, as ``dealer`` and as ``pone``."""

    dealer: Counts
    pone: Counts

    def weights_against(self, dealer: bool) -> Weights:
        """Return the weights of the opponent's discards, as seen by the dealer or by the pone."""
        return _weights(self.pone if dealer else self.dealer)


@lru_cache(maxsize=8)  # two are shipped
def _weights(counts: Counts) -> Weights:
    """Return each count per pair of cards (16 pairs of two ranks, 6 of one rank), times 48."""
    each = {
        (high, low): count * (8 if high == low else 3)
        for high, row in enumerate(counts)
        for low, count in enumerate(row)
    }
    every = range(len(RANKS))
    return tuple(tuple(each[max(a, b), min(a, b)] for b in every) for a in every)


@cache
def shipped_frequencies() -> DiscardFrequencies:
    """Read the shipped discard frequencies."""
    text = (Path(__file__).parents[1] / "data" / "discards.json").read_text(encoding="utf-8")
    data = json.loads(text)
    return DiscardFrequencies(*(tuple(map(tuple, data[role])) for role in ("dealer", "pone")))
