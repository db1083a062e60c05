"""The best discards from many hands together, as `discards` ranks them.

The method is that of `discard_tables`. For each class of cards, one matrix multiplication handles
all hands of a batch. It multiplies the number of ways to draw the opponent's pair and the starter
by the points that each discarded pair scores with them.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from ....cards.card import PACK
from ....cards.memo import memoize
from ..machine.rules import DEALT, DISCARDS, RuleSet
from .bulk_show_points import points_table
from .discard_counts import STARTERS, Weights
from .show_points import (
    RANK_CLASSES,
    SUIT_AND_JACK_CLASSES,
    CardClasses,
    unclassified_rules,
)

Floats: TypeAlias = npt.NDArray[np.float64]
Integers: TypeAlias = npt.NDArray[np.int64]
Cards: TypeAlias = npt.NDArray[np.integer[Any]]

CHOICES = np.array(list(combinations(range(DEALT), DISCARDS)))
"""The places of the two discarded cards among six, in the order of `discards`."""
KEPT = np.array(
    [[p for p in range(DEALT) if p not in best_discards] for best_discards in CHOICES.tolist()]
)
_ASCENDING = np.array([card.index for card in sorted(PACK)])
_PLACE = np.argsort(_ASCENDING, kind="stable")
_BATCH = 1 << 10  # hands together: about 20 MB
_RANK = np.arange(len(PACK)) % 13


def sorted_hands(hands: Cards) -> Integers:
    """Sort each of n hands, in shape (n, k), into the order in which hands are held."""
    return _ASCENDING[np.sort(_PLACE[hands], axis=1)]


def best_discards(hands: Cards, dealer: bool, rules: RuleSet, weights: Weights) -> Integers:
    """Return the index of the best discard of each of n ascending hands, in shape (n, 6).

    It is the discard that :func:`.discards.weigh` ranks first. Raises ``ValueError`` if the rule
    set has a rule that is not in a known class.
    """
    if unclassified_rules(rules):
        raise ValueError(f"the rules {rules.name} must be evaluated hand by hand")
    batches = (hands[begin : begin + _BATCH] for begin in range(0, len(hands), _BATCH))
    return np.concatenate([_best_of_batch(batch, dealer, rules, weights) for batch in batches])


def _best_of_batch(hands: Cards, dealer: bool, rules: RuleSet, weights: Weights) -> Integers:
    likely = np.array(weights, np.float64)
    points = cribs = np.zeros((len(hands), len(CHOICES)))
    cases = np.zeros(len(hands))
    for look in (SUIT_AND_JACK_CLASSES, RANK_CLASSES):
        tables = _tables(rules, look)
        unseen = np.broadcast_to(tables.pack, (len(hands), look.kinds, 13)).copy()
        of_card = np.array(look.of_card)
        rows = np.arange(len(hands))
        for column in hands.T:
            unseen[rows, of_card[column], _RANK[column]] -= 1
        kinds = of_card[hands]
        points = points + tables.sum_hands(kinds, unseen.sum(axis=2))
        draw_counts = tables.count_draws(unseen, likely)
        cases = draw_counts.sum(axis=1)
        cribs = cribs + tables.sum_cribs(kinds, draw_counts)
    values = points * cases[:, None] + (cribs if dealer else -cribs) * STARTERS
    best: Integers = values.argmax(axis=1)
    return best


class _Tables:
    """The points of hands and cribs from the rules of one class of cards, which has k kinds."""

    def __init__(self, rules: RuleSet, look: CardClasses) -> None:
        k = look.kinds
        self.pack = np.zeros((k, 13))
        np.add.at(self.pack, (np.array(look.of_card), _RANK), 1)
        low, high = np.triu_indices(k)
        self._low, self._high = low, high
        self._pair = np.zeros((k, k), np.int64)
        self._pair[low, high] = self._pair[high, low] = np.arange(len(low))
        self._pair_share = np.where(low == high, 0.5, 1.0)
        starters = np.eye(k)
        self._pair_kinds = starters[low] + starters[high]
        self._hand = points_table(rules, look, False).reshape(-1, k).astype(np.float64)
        crib = points_table(rules, look, True)[low, high][
            :, low, high
        ]  # own pair, opponent's, starter
        self._crib = crib.reshape(len(low), -1).T.astype(np.float64)
        self._place = k ** np.arange(KEPT.shape[1] - 1, -1, -1)

    def sum_hands(self, kinds: Integers, unseen: Floats) -> Floats:
        """Return the sum of each choice's hand points over all starters."""
        sums: Floats = np.einsum("nck,nk->nc", self._hand[kinds[:, KEPT] @ self._place], unseen)
        return sums

    def count_draws(self, unseen: Floats, likely: Floats) -> Floats:
        """Return the weighted number of ways to draw the opponent's pair and then a starter."""
        weighted = unseen @ likely
        pairs = weighted @ unseen.transpose(0, 2, 1)
        diagonal = np.arange(unseen.shape[1])
        pairs[:, diagonal, diagonal] -= unseen @ likely.diagonal()
        of_pair = pairs[:, self._low, self._high] * self._pair_share
        starters = unseen.sum(axis=2)[:, None, :] - self._pair_kinds
        draw_counts: Floats = (of_pair[:, :, None] * starters).reshape(len(unseen), -1)
        return draw_counts

    def sum_cribs(self, kinds: Integers, draw_counts: Floats) -> Floats:
        """Return the sum of each choice's crib points over all draws."""
        sums = draw_counts @ self._crib
        first, second = kinds[:, CHOICES[:, 0]], kinds[:, CHOICES[:, 1]]
        return np.take_along_axis(sums, self._pair[first, second], axis=1)


@memoize(maxsize=8)  # two rule sets are shipped, with two classes of cards each
def _tables(rules: RuleSet, look: CardClasses) -> _Tables:
    return _Tables(rules, look)
