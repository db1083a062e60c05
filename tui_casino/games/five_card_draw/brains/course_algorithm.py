"""The computer player of the CS 342 project: it uses the first of five steps that applies.

>>> from tui_casino.cards.card import parse_hand
>>> decide(parse_hand("4S 9H 2S KS 7S"))
AlgorithmDecision(step=<AlgorithmStep.FOUR_OF_A_SUIT: 'four of a suit'>, discards=(2,))
>>> decide(parse_hand("AC 2D 3H 4S 9C")).step.words, decide(parse_hand("7C 2D KH 9S 4C")).discards
('four in sequence', (1, 2, 5))

The course leaves two points open. "Discard all other cards" is taken to discard the fifth card from
four of a kind, and nothing from a straight, a flush or a full house. An ace is low or high in a
sequence of four, as in a straight: A-2-3-4 and J-Q-K-A are sequences, and K-A-2-3 is not.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from msgspec import Struct

from ....cards.card import RANKS, Card, Rank
from ....cards.poker import is_flush, straight_high
from ..machine.rules import Positions, check_hand


class AlgorithmStep(Enum):
    """The steps, in the order in which they are tried."""

    PAIR_OR_BETTER = "one pair or better"
    FOUR_OF_A_SUIT = "four of a suit"
    FOUR_IN_SEQUENCE = "four in sequence"
    ACE = "an ace"
    TWO_HIGHEST = "the two highest"

    @property
    def words(self) -> str:
        """The cards that are kept, in plain English."""
        return self.value


class AlgorithmDecision(Struct, frozen=True):
    """The computer's decision: the step that applies, and the positions of the discards."""

    step: AlgorithmStep
    discards: Positions


def decide(hand: Sequence[Card]) -> AlgorithmDecision:
    """Choose the discards. Raises ``ValueError`` unless the hand is five different cards."""
    check_hand(hand)
    step, kept_cards = _choose(hand)
    discards = tuple(position for position, card in enumerate(hand, 1) if card not in kept_cards)
    return AlgorithmDecision(step, discards)


def _choose(hand: Sequence[Card]) -> tuple[AlgorithmStep, Sequence[Card]]:
    """Return the first step that applies, and the cards it keeps."""
    ranks = [card.rank for card in hand]
    matched = [card for card in hand if ranks.count(card.rank) > 1]
    if matched:
        return AlgorithmStep.PAIR_OR_BETTER, matched
    if is_flush(hand) or straight_high(hand):
        return AlgorithmStep.PAIR_OR_BETTER, hand
    suits = [card.suit for card in hand]
    suited = [card for card in hand if suits.count(card.suit) == 4]
    if suited:
        return AlgorithmStep.FOUR_OF_A_SUIT, suited
    present = set(ranks)
    for four in _SEQUENCES:
        if four <= present:
            return AlgorithmStep.FOUR_IN_SEQUENCE, [card for card in hand if card.rank in four]
    if Rank.ACE in ranks:
        return AlgorithmStep.ACE, [card for card in hand if card.rank is Rank.ACE]
    # cards sort with the ace low, but this hand has no ace
    return AlgorithmStep.TWO_HIGHEST, sorted(hand)[-2:]


_UPWARDS = (*RANKS, Rank.ACE)
_SEQUENCES = tuple(frozenset(_UPWARDS[low : low + 4]) for low in range(11))  # A-2-3-4 to J-Q-K-A
