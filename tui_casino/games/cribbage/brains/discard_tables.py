"""The exact EV of each discard from tables, for many hands one after another.

All fifteen discards of a hand share the numbers of ways to draw the opponent's pair and a starter.
The points of each discard are a row of a table multiplied by them. The sums are integers below
2**53, so floating-point numbers represent them exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from ....cards.card import PACK, Card
from ....cards.memo import memoize
from ..machine.rules import DEALT, DISCARDS, KEPT, RuleSet
from .bulk_show_points import points_one_by_one, points_table
from .discard_counts import DiscardSums, Weights
from .show_points import CARD_CLASSES, unclassified_rules

Floats: TypeAlias = npt.NDArray[np.float64]
Integers: TypeAlias = npt.NDArray[np.int64]


def sum_from_tables(hand: Sequence[Card], rules: RuleSet, weights: Weights) -> DiscardSums:
    """Return the sums that :func:`.discards.weigh` ranks; the first call takes 15 ms."""
    tables, of_pairs = _tables(rules), _matrix(weights)
    cards = np.array([card.index for card in hand])
    by_rank = tables.all_by_rank - tables.is_kind[cards].T @ _IS_RANK[cards]
    unseen = by_rank @ _ALL_RANKS
    pairs = by_rank @ of_pairs @ by_rank.T
    pairs.ravel()[:: len(pairs) + 1] -= by_rank @ of_pairs.diagonal()  # no card pairs with itself
    pairs *= tables.share
    draw_counts = pairs.ravel().take(tables.pair) * (
        unseen.take(tables.starter) - tables.starters_in_pair
    )
    hands = cribs = np.zeros(len(_CHOICES))
    for look in tables.looks:
        kinds = look.of_card[cards]
        hand_rows = look.hand.take(kinds[_KEPT] @ look.kept_place, axis=0)
        crib_rows = look.crib.take(kinds[_DISCARDED] @ look.thrown_place, axis=0)
        hands = hands + hand_rows @ unseen[look.kind_columns]
        cribs = cribs + crib_rows @ draw_counts[look.crib_columns]
    cases = int(np.add.reduce(draw_counts[tables.looks[0].crib_columns]))
    if unclassified_rules(rules):
        more_hands, more_cribs = _one_by_one(cards, weights, rules)
        hands, cribs = hands + more_hands, cribs + more_cribs
    return DiscardSums(hands.astype(np.int64).tolist(), cribs.astype(np.int64).tolist(), cases)


_CHOICES = tuple(combinations(range(DEALT), DISCARDS))
_DISCARDED = np.array(_CHOICES)
_KEPT = np.array([[p for p in range(DEALT) if p not in thrown] for thrown in _CHOICES])
_IS_RANK = np.eye(13)[[card.rank - 1 for card in PACK]]
_ALL_RANKS = np.ones(13)


class _Look(Struct, frozen=True):
    """Tables of points from the rules of one class of k kinds, to be multiplied by card counts.

    ``hand`` has a row for each four kinds kept and a column for the starter's kind, in shape (k⁴,
    k). ``crib`` has a row for each two kinds discarded, and a column for the opponent's pair (the
    first kind not higher than the second) with the starter. The slices give the positions of these
    columns among the columns of all classes.
    """

    of_card: Integers
    hand: Floats
    crib: Floats
    kept_place: Integers
    thrown_place: Integers
    kind_columns: slice
    crib_columns: slice


class _Tables(Struct, frozen=True):
    """The tables of all classes; their K kinds are numbered consecutively.

    ``all_by_rank`` is the pack by kind and rank, (K, 13). ``is_kind`` is 1 if a card is of a kind,
    (52, K). ``pair``, ``starter`` and ``starters_in_pair`` have an entry for each column of the
    cribs: the opponent's pair as its place in (K, K), the kind of the starter, and how many cards
    of that kind the pair contains. ``share`` is a half on the diagonal, where each pair of cards is
    counted twice.
    """

    looks: tuple[_Look, ...]
    is_kind: Floats
    all_by_rank: Floats
    share: Floats
    pair: Integers
    starter: Integers
    starters_in_pair: Floats


@memoize(maxsize=4)  # two rule sets are shipped; about 5 MB each
def _tables(rules: RuleSet) -> _Tables:
    looks, pairs, starters = [], [], []
    kinds = crib_columns = 0
    for look in CARD_CLASSES:
        k = look.kinds
        first, second, starter = (axis.ravel() for axis in np.indices((k, k, k)))
        columns = np.flatnonzero(first <= second)
        hand, crib = (
            points_table(rules, look, is_crib).astype(np.float64) for is_crib in (False, True)
        )
        looks.append(
            _Look(
                np.array(look.of_card),
                hand.reshape(-1, k),
                crib.reshape(k * k, -1).take(columns, axis=1),
                k ** np.arange(KEPT - 1, -1, -1),
                k ** np.arange(DISCARDS - 1, -1, -1),
                slice(kinds, kinds + k),
                slice(crib_columns, crib_columns + len(columns)),
            )
        )
        pairs.append(np.array([first, second])[:, columns] + kinds)
        starters.append(starter[columns] + kinds)
        kinds, crib_columns = kinds + k, crib_columns + len(columns)
    (first, second), starter = np.hstack(pairs), np.hstack(starters)
    is_kind = np.hstack([np.eye(len(look.hand[0]))[look.of_card] for look in looks])
    return _Tables(
        tuple(looks),
        is_kind,
        is_kind.T @ _IS_RANK,
        1 - np.eye(kinds) / 2,
        first * kinds + second,
        starter,
        (starter == first).astype(np.float64) + (starter == second),
    )


@lru_cache(maxsize=8)  # for the dealer, the pone, and opponents who discard any pair
def _matrix(weights: Weights) -> Floats:
    return np.array(weights, np.float64)


def _one_by_one(cards: Integers, weights: Weights, rules: RuleSet) -> tuple[Floats, Floats]:
    """Return each discard's points from the rules that must be evaluated for each hand."""
    starters = np.setdiff1d(np.arange(len(PACK)), cards)
    a, b, starter = (axis.ravel() for axis in np.meshgrid(starters, starters, starters))
    valid = (a < b) & (starter != a) & (starter != b)
    a, b, starter = a[valid], b[valid], starter[valid]
    likely = np.array(weights)[a % 13, b % 13]
    hands, cribs = [], []
    for kept_cards, discard in zip(cards[_KEPT], cards[_DISCARDED], strict=True):
        columns = [np.full_like(starters, card) for card in kept_cards]
        hands.append(points_one_by_one(np.array([*columns, starters]), rules).sum())
        columns = [np.full_like(starter, card) for card in discard]
        scored = points_one_by_one(np.array([*columns, a, b, starter]), rules, crib=True)
        cribs.append(scored @ likely)
    return np.array(hands, np.float64), np.array(cribs, np.float64)
