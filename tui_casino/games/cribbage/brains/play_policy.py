"""The score of cards in the play, and the policy by which the model opponent plays them.

The rules of the play consider only the rank of a card. So this module represents cards by numbers,
from 0 for an ace to 12 for a king.

The policy models the opponent. It plays the card with the highest difference between its immediate
points and the expected points of the answer. Each card of the other hand is assumed to be equally
likely to be any card of the pack that is not in the segment. So the value is 52 times the immediate
points, minus the number of the other player's cards times the points of all possible answers. If
several cards are equally good, the policy plays the highest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from itertools import combinations_with_replacement
from math import comb
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from ....cards.card import PACK, Card
from ....cards.memo import memoize
from ..machine.rules import RuleSet
from ..machine.scoring import MOST, LastCard, PlayPair, PlayRun, TotalReached, value_of
from .known_rules import check_known

CardNumbers: TypeAlias = tuple[int, ...]
"""Cards as numbers: a segment in the order played, or a hand in ascending order."""

RANKS = 13
SUITS = len(PACK) // RANKS
VALUES = tuple(map(value_of, PACK[:RANKS]))
"""The value of each card in the count; the index is the number of the card."""
_CACHE_SIZE = 1 << 17  # cached answers per function, about a hundred bytes each
_RULE_SETS = 2  # cached rule sets: as many as are shipped, because each may need 50 MB


def card_numbers(cards: Iterable[Card]) -> CardNumbers:
    """Return the numbers of cards, in their order."""
    return tuple(card.index % RANKS for card in cards)


class PlayPolicy(Struct, frozen=True):
    """The play under a rule set.

    ``gain`` returns the points of the last card played, and ``end`` the points for the last card of
    a segment that stayed below 31. ``answers`` sums the points that each card of the pack outside
    the segment would score next. ``worth`` is the policy's value of the last card played, given the
    segment and the number of cards in the other hand, in 52nds of a point. ``choose`` returns the
    playable card that is worth most.
    """

    gain: Callable[[CardNumbers], int]
    end: Callable[[CardNumbers], int]
    answers: Callable[[CardNumbers], int]
    worth: Callable[[CardNumbers, int], int]
    choose: Callable[[CardNumbers, CardNumbers, int], int]


def without_card(hand: CardNumbers, card: int) -> CardNumbers:
    """Return the hand without one card."""
    place = hand.index(card)
    return hand[:place] + hand[place + 1 :]


def playable_cards(hand: CardNumbers, total: int) -> CardNumbers:
    """Return the cards of a hand that may be played at this total."""
    room = MOST - total
    return tuple(card for card in hand if VALUES[card] <= room)


def hands_of(cards: Mapping[int, int], size: int) -> dict[CardNumbers, int]:
    """Return every hand of ``size`` cards, with the number of ways to draw it.

    ``cards`` maps each card number to the number of such cards.
    """
    hands, counts = _hands(len(cards), size)[0], _hand_counts(cards, size)
    nonzero = np.flatnonzero(counts)
    named = np.array(sorted(cards), np.int64)[hands[nonzero]].tolist()
    return dict(zip(map(tuple, named), counts[nonzero].tolist(), strict=True))


def number_of_hands(cards: Mapping[int, int], size: int) -> int:
    """Return the number of hands that :func:`hands_of` returns."""
    return int(np.count_nonzero(_hand_counts(cards, size)))


def _hand_counts(cards: Mapping[int, int], size: int) -> npt.NDArray[np.int64]:
    """Return the number of ways to draw each hand of :func:`_hands`."""
    ways_to_take = [
        [comb(cards[kind], count) for count in range(size + 1)] for kind in sorted(cards)
    ]
    of_kind = np.array(ways_to_take, np.int64).reshape(-1, size + 1)
    _, counts = _hands(len(cards), size)
    return np.asarray(of_kind[np.arange(len(cards)), counts].prod(axis=1))


@lru_cache(maxsize=64)  # thirteen ranks, and hands of up to four cards, take 200 KB at most
def _hands(kinds: int, size: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return every hand of ``size`` cards of ``kinds`` kinds, ascending, and its counts by kind."""
    every = [*combinations_with_replacement(range(kinds), size)]
    hands = np.array(every, np.int64).reshape(len(every), size)
    counts = np.array([[*map(hand.count, range(kinds))] for hand in every], np.int64)
    return hands, counts.reshape(len(every), kinds)


def _points_of_rule(rule: object, segment: CardNumbers) -> int:
    """Return the points that a rule which depends only on ranks gives the last card played."""
    match rule:
        case TotalReached():
            return rule.points * (sum([VALUES[card] for card in segment]) == rule.total)
        case LastCard():
            return rule.points * (sum([VALUES[card] for card in segment]) != MOST)
        case PlayPair():
            alike = next(
                (n for n, card in enumerate(reversed(segment)) if card != segment[-1]), len(segment)
            )
            return rule.points[alike - 2] if alike > 1 else 0
        case PlayRun():
            for size in range(len(segment), rule.min_length - 1, -1):
                ranks = segment[-size:]
                if max(ranks) - min(ranks) == size - 1 and len({*ranks}) == size:
                    return rule.points * size
            return 0
    raise TypeError(f"{rule!r} is not a rule of the play that sees only ranks")


@memoize(maxsize=_RULE_SETS)
def policy_for(rules: RuleSet) -> PlayPolicy:
    """Return the play under these rules; the result is cached.

    Raises ``ValueError`` for rules that the adviser does not know.
    """
    check_known(rules)

    @lru_cache(_CACHE_SIZE)
    def gain(segment: CardNumbers) -> int:
        return sum(_points_of_rule(rule, segment) for rule in rules.play)

    @lru_cache(_CACHE_SIZE)
    def end(segment: CardNumbers) -> int:
        return sum(_points_of_rule(rule, segment) for rule in rules.last)

    @lru_cache(_CACHE_SIZE)
    def answers(segment: CardNumbers) -> int:
        room = MOST - sum(VALUES[card] for card in segment)
        copies = {card: SUITS - segment.count(card) for card in range(RANKS)}
        return sum(
            gain((*segment, card)) * count
            for card, count in copies.items()
            if count and VALUES[card] <= room  # there is no fifth card of a rank to score
        )

    def worth(segment: CardNumbers, opponent_cards: int) -> int:
        return gain(segment) * len(PACK) - opponent_cards * answers(segment)

    @lru_cache(_CACHE_SIZE)
    def choose(playable: CardNumbers, segment: CardNumbers, opponent_cards: int) -> int:
        if playable[0] == playable[-1]:  # the cards ascend, so all are of one kind
            return playable[0]

        # of equal cards the higher, to save low cards
        return max(reversed(playable), key=lambda card: worth((*segment, card), opponent_cards))

    return PlayPolicy(gain, end, answers, worth, choose)
