"""Look up a hand in the blueprint, and choose an act at random with the blueprint's frequencies."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from .....cards import hand_indexing
from .....cards.card import Card, Hand
from .....cards.memo import memoize
from .....cards.poker import strength_of
from .....engine.offers import Dice
from .betting_tree import FIRST, NODES
from .blueprint_file import PARTS, read_played_policies
from .hand_buckets import Floats, class_of_strength, hand_buckets
from .play_tables import play_tables
from .traversal import DRAW, DecisionPoint, Policies

_ACTS = {node.name: node.acts for node in NODES}


class Blueprint:
    """Both seats' policies in the model with the kernel, for lookups of single hands."""

    def __init__(self, policies: Policies) -> None:
        self.policies = policies

    def opening(self, seat: int, name: str, hand: Hand, dice: Dice) -> str:
        """Choose an act of the first round; return its letter."""
        frequencies = self.policies[seat][DecisionPoint("opening", name)][:, bucket_of(hand)]
        return _ACTS[name][_choose(frequencies, dice)]

    def discards(
        self, seat: int, close_index: int, first_drew: int | None, hand: Hand, dice: Dice
    ) -> tuple[int, ...]:
        """Choose the positions of the cards to discard.

        ``close_index`` is the index in `CLOSES` of how the first round closed. ``first_drew`` is
        the number of cards that the first seat drew; only the dealer knows it.
        """
        policy, bucket = self.policies[seat][DRAW], bucket_of(hand)
        frequencies = (
            policy[:, close_index, bucket]
            if seat == FIRST
            else policy[:, first_drew, close_index, bucket]
        )
        return discard_positions(hand, _choose(frequencies, dice))

    def closing(
        self, seat: int, state: tuple[int, int, int], name: str, hand: Hand, dice: Dice
    ) -> str:
        """Choose an act of the second round; return its letter.

        ``state`` holds how many cards the first seat drew, how many the dealer drew, and how the
        first round closed.
        """
        final = int(class_of_strength()[strength_of(hand)])
        frequencies = self.policies[seat][DecisionPoint("closing", name)][
            (slice(None), *state, final)
        ]
        return _ACTS[name][_choose(frequencies, dice)]


@memoize()
def blueprint() -> Blueprint:
    """Read the blueprint that ships with the game. The first call takes a twentieth of a second."""
    return Blueprint(read_played_policies())


def _choose(frequencies: Floats, dice: Dice) -> int:
    return int(np.searchsorted(_cumulative_parts(frequencies), dice.below(PARTS), side="right"))


def played_chances(frequencies: Floats) -> list[float]:
    """Return the chances with which a blueprint player makes choices with these frequencies."""
    parts: list[float] = (np.diff(_cumulative_parts(frequencies), prepend=0) / PARTS).tolist()
    return parts


def _cumulative_parts(frequencies: Floats) -> Floats:
    rounded: Floats = np.rint(np.cumsum(frequencies) * PARTS)
    return rounded


def discard_positions(hand: Hand, number: int) -> tuple[int, ...]:
    """Return the positions of the cards that the solution discards if it draws ``number`` cards."""
    place, renamed = _class_and_cards(hand)
    mask = int(hand_buckets().masks[number, place])
    held = {card for bit, card in enumerate(sorted(renamed)) if mask >> bit & 1}
    return tuple(position for position, card in enumerate(renamed, 1) if card not in held)


def bucket_of(hand: Hand) -> int:
    """Return the bucket of a hand."""
    return int(hand_buckets().bucket[_class_and_cards(hand)[0]])


@lru_cache(maxsize=64)  # advice on a hand asks hundreds of times
def _class_and_cards(hand: Hand) -> tuple[int, tuple[int, ...]]:
    """Return the class of a hand, and its card indices with the suits renamed as in the class.

    The suits of a class are sorted by their ranks as bits, in descending order.
    """
    ranks = {card.suit: 0 for card in hand}
    for card in hand:
        ranks[card.suit] |= 1 << _rank(card)
    order = sorted(ranks, key=lambda suit: ranks[suit], reverse=True)
    renamed = tuple(13 * order.index(card.suit) + _rank(card) for card in hand)
    number = hand_indexing.deal_numbers(np.array([sorted(renamed)]))[0]
    return int(np.searchsorted(play_tables().numbers, number)), renamed


def _rank(card: Card) -> int:
    return card.index % 13
