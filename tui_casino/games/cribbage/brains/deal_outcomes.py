"""Counts of the points scored in many deals: the basis of the chance to win.

Both players follow the same policy. They choose the discard with the highest EV against a good
player, as :func:`.discards.weigh` ranks it, and play cards by the policy of `play_policy`. Their
choices depend on neither the starter nor the score. So each deal is played once and counted with
all forty possible starters; only the dealt cards are random.

A game can end in the middle of a count, so the order of scoring matters: his heels, the play card
by card, the pone's hand, the dealer's hand, and the crib. Tables indexed by two scores are enough
to represent this order.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from msgspec import Struct
from numpy.random import BitGenerator

from ....cards.card import PACK
from ....engine.monte_carlo import seeded_generator
from ..machine.rules import ACC, DEALT, RuleSet, points_of, starter_scores
from .bulk_play import Events, play_out
from .bulk_show_points import points_of_hands
from .discard_frequencies import shipped_frequencies
from .discard_tables import CHOICES, KEPT_PLACES, best_discards, sorted_hands
from .win_chances import SIZE, DealOutcomes

Integers: TypeAlias = npt.NDArray[np.int64]

BLOCK = 1 << 14
"""The number of deals played together."""
STARTERS = len(PACK) - 2 * DEALT


class PlayedDeals(Struct, frozen=True):
    """Deals after the play: cards as ``card.index``, in shape (n, k), and the pegging points."""

    pone: Integers
    dealer: Integers
    crib: Integers
    undealt: Integers
    events: Events


def play_block(seed: int, number: int, deals: int = BLOCK, rules: RuleSet = ACC) -> PlayedDeals:
    """Deal and play the deals of a block; the same seed and number give the same deals."""
    return play_deals(shuffled(seeded_generator(seed).jumped(number), deals), rules)


def shuffled(bits: BitGenerator, packs: int) -> Integers:
    """Return shuffled packs, in shape (packs, 52)."""
    cards = np.broadcast_to(np.arange(len(PACK)), (packs, len(PACK)))
    shuffled: Integers = np.random.Generator(bits).permuted(cards, axis=1)
    return shuffled


def play_deals(packs: Integers, rules: RuleSet = ACC) -> PlayedDeals:
    """Deal six cards to each player from each pack, the pone first; then discard and play."""
    hands_kept, crib = [], []
    for dealer, begin in ((False, 0), (True, DEALT)):
        hands = sorted_hands(packs[:, begin : begin + DEALT])
        choice = best_discards(hands, dealer, rules, shipped_frequencies().weights_against(dealer))
        hands_kept.append(np.take_along_axis(hands, KEPT_PLACES[choice], axis=1))
        crib.append(np.take_along_axis(hands, CHOICES[choice], axis=1))
    events = play_out(hands_kept[0] % 13, hands_kept[1] % 13, rules)
    return PlayedDeals(hands_kept[0], hands_kept[1], np.hstack(crib), packs[:, 2 * DEALT :], events)


def points_by_starter(
    hands: Integers, starters: Integers, rules: RuleSet, crib: bool = False
) -> Integers:
    """Return the points of n hands with each of k starters, in shape (n, k)."""
    n, k = starters.shape
    cards = np.empty((5, n, k), np.uint8)
    cards[:4] = hands.T[:, :, None]
    cards[4] = starters
    return points_of_hands(cards.reshape(5, -1), rules, crib).reshape(n, k).astype(np.int64)


def count_outcomes(deals: PlayedDeals, rules: RuleSet = ACC) -> DealOutcomes:
    """Count the outcomes of these deals, each of them with every possible starter."""
    heels = np.array([points_of(starter_scores(card, rules)) for card in PACK])[deals.undealt]
    pone_pegged = np.where(deals.events > 0, deals.events, 0).sum(axis=0)[:, None]
    dealer_pegged = np.where(deals.events < 0, -deals.events, 0).sum(axis=0)[:, None] + heels
    pone = pone_pegged + points_by_starter(deals.pone, deals.undealt, rules)
    dealer = dealer_pegged + points_by_starter(deals.dealer, deals.undealt, rules)
    crib = dealer + points_by_starter(deals.crib, deals.undealt, rules, crib=True)
    reaches = _reaches(deals.events, heels)
    return DealOutcomes(
        *reaches,
        _tabled(dealer_pegged, pone_pegged),
        _tabled(dealer_pegged, pone),
        _tabled(dealer, pone_pegged),
        _tabled(crib, pone),
    )


def _tabled(first: Integers, second: Integers, weights: Integers | None = None) -> Integers:
    places = (first * SIZE + second).ravel()
    counts = np.bincount(places, weights, minlength=SIZE * SIZE)
    return counts.reshape(SIZE, SIZE).astype(np.int64)


def _reaches(events: Events, heels: Integers) -> tuple[Integers, Integers]:
    """Return the tables ``dealer_reaches`` and ``pone_reaches`` for the points of the play.

    Cases are grouped by the points of his heels, which the dealer scores first.
    """
    tables = np.zeros((2, SIZE, SIZE), np.int64)
    for worth in np.unique(heels).tolist():
        starter_counts = (heels == worth).sum(axis=1)
        tables[0, 1 : worth + 1, 0] += starter_counts.sum()
        score = np.zeros((2, len(starter_counts)), np.int64)  # the dealer, then the pone
        score[0] += worth
        for event in events.astype(np.int64):
            for player, points in ((0, -event), (1, event)):
                for points_reached in range(1, int(points.max()) + 1):
                    one = points >= points_reached
                    tables[player] += _tabled(
                        score[player, one] + points_reached,
                        score[1 - player, one],
                        starter_counts[one],
                    )
                score[player] += np.maximum(points, 0)
    return tables[0], tables[1]
