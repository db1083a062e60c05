"""The kernels of the model that is solved, from the rules and from sampled draws.

`opponent_ranges` in the package defines the kernel of two hands. Over all pairs of deals its mean
is exactly C(47, 5) / C(52, 5). The cards seen by final hands are estimated from a sample of
millions of hands that draw sensibly.
"""

from __future__ import annotations

from math import comb

import numpy as np
import numpy.typing as npt

from tui_casino.cards import hand_indexing
from tui_casino.cards.memo import memoize
from tui_casino.cards.poker import STRENGTHS, strengths_of_indices
from tui_casino.games.five_card_draw.brains.equilibrium.hand_buckets import (
    CHANCE_ONE,
    NUMBERS,
    Floats,
    class_count,
    play_tables,
    rate_hands,
)
from tui_casino.games.five_card_draw.brains.equilibrium.opponent_ranges import (
    RANKS,
    SHARES,
    SUITS,
    BucketRanks,
    bucket_ranks,
)
from tui_casino.games.five_card_draw.machine.rules import HAND_CARDS

from .final_classes import find_classes

MEAN = comb(47, 5) / comb(52, 5)


# ---- before the draw ---------------------------------------------------------------------------


@memoize()
def find_rank_sets() -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int32]]:
    """Return the 6,175 possible sets of ranks, (6175, 13), and the index of each hand's set."""
    counts = np.zeros((hand_indexing.hand_classes().cards.shape[1], RANKS), np.uint8)
    for card in hand_indexing.hand_classes().cards % RANKS:
        counts[np.arange(len(counts)), card] += 1
    key = counts.astype(np.int64) @ (5 ** np.arange(RANKS))
    _, first, set_of_hand = np.unique(key, return_index=True, return_inverse=True)
    return counts[first], set_of_hand.astype(np.int32)


@memoize()
def rank_set_kernel() -> Floats:
    """Return the kernel of each pair of `rank_sets`."""
    sets = play_tables().rank_sets
    has = (sets[:, :, None] == np.arange(SUITS + 1)).reshape(len(sets), -1).astype(np.float32)
    with np.errstate(divide="ignore"):
        logs = np.maximum(np.log(SHARES), -100)  # avoid -inf, which times 0 is NaN
    weighed = np.concatenate([has[:, 5 * rank : 5 * rank + 5] @ logs for rank in range(RANKS)], 1)
    kernel: Floats = weighed.astype(np.float32) @ has.T
    np.exp(kernel, out=kernel)
    return kernel


def find_bucket_ranks() -> BucketRanks:
    """Find the sets of ranks in each bucket."""
    hands, (sets, set_of_hand) = rate_hands(), find_rank_sets()
    pair_keys, pair_of_hand = np.unique(
        hands.bucket.astype(np.int64) * len(sets) + set_of_hand, return_inverse=True
    )
    bucket, ranks = np.divmod(pair_keys, len(sets))
    deals = np.bincount(pair_of_hand, hands.deals)
    share = deals / hands.by_bucket(hands.deals)[bucket]
    return BucketRanks(bucket, ranks, share.astype(np.float32))


def bucket_kernel() -> Floats:
    """Return the mean kernel of the hands of each pair of buckets."""
    half = _mean_of_buckets(rank_set_kernel())
    return _mean_of_buckets(np.ascontiguousarray(half.T))


def to_rank_sets(by_bucket: Floats) -> Floats:
    """Spread numbers of hands by bucket, (n, buckets), over their sets of ranks, (n, 6175)."""
    bucket, ranks, share = bucket_ranks()
    spread = [
        np.bincount(ranks, row[bucket] * share, len(play_tables().rank_sets)) for row in by_bucket
    ]
    return np.array(spread, np.float32)


def _mean_of_buckets(rows: Floats) -> Floats:
    """Return the mean over the hands of each bucket of values by rank set, in shape (6175, n)."""
    bucket, ranks, share = bucket_ranks()
    firsts = np.flatnonzero(np.diff(bucket, prepend=-1))
    ends = np.append(firsts[1:], len(bucket))
    means = np.empty((len(firsts), rows.shape[1]), np.float32)
    for start in range(0, len(firsts), _BLOCK):
        stop = min(start + _BLOCK, len(firsts))
        block = slice(firsts[start], ends[stop - 1])
        weighed = rows[ranks[block]] * share[block, None]
        means[start:stop] = np.add.reduceat(weighed, firsts[start:stop] - firsts[start], axis=0)
    return means


_BLOCK = 256


# ---- after the draw ----------------------------------------------------------------------------

SAMPLES = 1_000_000
SHARPNESS = 0.02
"""A draw whose chance is this much below the hand's best gets 1/e of the best draw's weight."""

_PRIOR = 20  # the weight of the prior of a class, in hands dealt


def final_kernel() -> Floats:
    """Return the kernel of two classes of final hands by numbers drawn: (5, 5, finals, finals).

    For each pair of numbers drawn, it is scaled so that its mean equals the mean kernel of the
    dealt hands that sensibly draw these numbers.
    """
    sets = [np.bincount(find_rank_sets()[1], _draw_shares(number)) for number in NUMBERS]
    count = class_count()
    kernel = np.ones((len(NUMBERS), len(NUMBERS), count, count), np.float32)
    for one, (ranks, share) in enumerate(cards_seen()):
        for other, (others, other_share) in enumerate(cards_seen()):
            pair_kernel = kernel[one, other]
            for rank in range(RANKS):
                pair_kernel *= ranks[:, rank] @ SHARES @ others[:, rank].T
            dealt = sets[one] @ rank_set_kernel() @ sets[other]
            pair_kernel *= dealt / (share @ pair_kernel @ other_share)
    return kernel


@memoize(maxsize=2)
def cards_seen(
    samples: int = SAMPLES,
) -> tuple[tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]], ...]:
    """Return the results of `_seen_card_shares` for each number of cards drawn."""
    return tuple(_seen_card_shares(number, _draw_shares(number), samples) for number in NUMBERS)


def _draw_shares(number: int) -> npt.NDArray[np.float64]:
    """Return the share of each class of hands among those that sensibly draw ``number`` cards."""
    hands = rate_hands()
    below = (hands.best.max(axis=0) - hands.best[number]) / CHANCE_ONE
    weights = np.where(hands.best[number] < 0, 0.0, hands.deals * np.exp(-below / SHARPNESS))
    shares: npt.NDArray[np.float64] = weights / weights.sum()
    return shares


def _seen_card_shares(
    number: int, weights: npt.NDArray[np.float64], samples: int
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Estimate by sampling which cards have been seen by the hands that draw ``number`` cards.

    Return the distribution of the number of cards seen of each rank, by final class, in shape
    (finals, 13, 5), and the share of each class.
    """
    chance = np.random.Generator(np.random.PCG64(number))
    chosen = np.sort(np.searchsorted(np.cumsum(weights), chance.random(samples)))
    chosen = np.minimum(chosen, len(weights) - 1)
    dealt = hand_indexing.hand_classes().cards.T[chosen]
    drawn = chance.integers(0, 52, (samples, number), np.uint8)
    cards = np.concatenate([dealt, drawn], axis=1)
    fair = np.ones(samples, np.bool_)
    for place in range(HAND_CARDS, cards.shape[1]):  # reject samples in which a card occurs twice
        fair &= (cards[:, :place] != cards[:, place : place + 1]).all(axis=1)
    cards, masks = cards[fair], rate_hands().masks[number][chosen[fair]]
    final = cards[:, :HAND_CARDS].copy()
    nth = np.zeros(len(cards), np.intp)
    rows = np.arange(len(cards))
    for place in range(HAND_CARDS):
        discarded = np.flatnonzero(masks >> place & 1 == 0)
        final[discarded, place] = cards[discarded, HAND_CARDS + nth[discarded]]
        nth[discarded] += 1
    final_class = find_classes()[strengths_of_indices(final)].astype(np.int64)
    counts = np.zeros((len(cards), RANKS), np.uint8)
    for column in (cards % RANKS).T:
        counts[rows, column] += 1
    histogram = _PRIOR * _ranks_of_finals()
    for rank in range(RANKS):
        key = final_class * (SUITS + 1) + counts[:, rank]
        histogram[:, rank] += np.bincount(key, minlength=len(histogram) * (SUITS + 1)).reshape(
            -1, SUITS + 1
        )
    class_share = np.bincount(final_class, minlength=len(histogram)) / len(final_class)
    return histogram / histogram.sum(axis=2, keepdims=True), class_share


@memoize()
def _ranks_of_finals() -> npt.NDArray[np.float64]:
    """Return how often the strengths of a class contain each number of cards of each rank."""
    hand_of = np.zeros(len(STRENGTHS) + 1, np.intp)  # any hand of a strength has its ranks
    hand_of[strengths_of_indices(hand_indexing.hand_classes().cards.T)] = np.arange(
        len(rate_hands().deals)
    )
    sets, set_of_hand = find_rank_sets()
    rank_counts = sets[set_of_hand[hand_of[1:]]]
    histogram = np.zeros(((int(find_classes()[-1]) + 1), RANKS, SUITS + 1))
    place = find_classes()[1:, None], np.arange(RANKS), rank_counts
    np.add.at(histogram, place, 1)
    shares: npt.NDArray[np.float64] = histogram / histogram.sum(axis=2, keepdims=True)
    return shares
