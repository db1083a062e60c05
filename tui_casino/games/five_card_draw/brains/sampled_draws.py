"""Sampled draws from the cards that nobody has seen, and the final hands that they make.

The samples depend only on the unseen cards, so the same position always has the same samples.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from ....cards.card import PACK, Hand
from ....cards.poker import strengths_of_indices
from ....engine.monte_carlo import seeded_generator
from ..machine.rules import HAND_CARDS, MOST_FROM_AN_ACE

Integers: TypeAlias = npt.NDArray[np.integer[Any]]

SAMPLES = 64
"""The number of sampled draws."""


def unseen_cards(hands: Iterable[Hand]) -> Hand:
    """Return the cards of the pack that are in none of the hands."""
    seen = {card for hand in hands for card in hand}
    return tuple(card for card in PACK if card not in seen)


def sample_draws(unseen: Hand, seats: int) -> Integers:
    """Sample the cards that each seat may draw, in shape (samples, seats, 4)."""
    pool = np.array([card.index for card in sorted(unseen)], np.uint8)
    generator = np.random.Generator(seeded_generator(int.from_bytes(pool.tobytes())))
    packs = generator.permuted(np.broadcast_to(pool, (SAMPLES, len(pool))), axis=1)
    return packs[:, : seats * MOST_FROM_AN_ACE].reshape(SAMPLES, seats, MOST_FROM_AN_ACE)


def final_strengths(kept: Hand, drawn: Integers) -> Integers:
    """Complete the cards kept with each of the draws, (n, 4); return the strengths of the hands."""
    cards = np.empty((len(drawn), HAND_CARDS), np.uint8)
    cards[:, : len(kept)] = [card.index for card in kept]
    cards[:, len(kept) :] = drawn[:, : HAND_CARDS - len(kept)]
    return strengths_of_indices(cards)


def share_of_pot(kept: Sequence[Hand], unseen: Hand, place: int) -> float:
    """Return the mean share of the pot that the hand at a place wins, after all have drawn.

    ``kept`` are the cards that each seat keeps; whole hands draw no cards.
    """
    drawn = sample_draws(unseen, len(kept))
    finals = np.array([final_strengths(hand, drawn[:, n]) for n, hand in enumerate(kept)])
    winning = finals == finals.max(axis=0)
    return float((winning[place] / winning.sum(axis=0)).mean())
