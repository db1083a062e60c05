"""The score of cards in the play, and the policy by which the model opponent plays them.

The rules of the play usually consider only the rank of a card. So this module represents cards by
numbers: ``card.index`` modulo 13, or ``card.index`` for a rule set with its own rule for the play.

The policy models the opponent. It plays the card with the highest difference between its immediate
points and the expected points of the answer. Each card of the other hand is assumed to be equally
likely to be any card of the pack that is not in the segment. So the value is 52 times the immediate
points, minus the number of the other player's cards times the points of all possible answers. If
several cards are equally good, the policy plays the highest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from itertools import combinations_with_replacement
from math import comb, prod
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from ....cards.card import PACK
from ....cards.memo import memoize
from ..machine.rules import RuleSet, last_scores, play_scores, points_of
from ..machine.scoring import MOST, LastCard, PlayPair, PlayRun, TotalReached, value_of

CardNumbers: TypeAlias = tuple[int, ...]
"""Cards as numbers: a segment in the order played, or a hand in ascending order."""

_RANK_RULES = (TotalReached, PlayRun, PlayPair, LastCard)
RANKS = 13
VALUES = tuple(map(value_of, PACK))
"""The value of each card in the count; the index is the number of the card."""
_CACHE_SIZE = 1 << 17  # cached answers per function, about a hundred bytes each
_RULE_SETS = 2  # cached rule sets: as many as are shipped, because each may need 50 MB


def _sees_ranks_alone(rules: RuleSet) -> bool:
    return all(type(rule) in _RANK_RULES for rule in (*rules.play, *rules.last))


@lru_cache(maxsize=_RULE_SETS)
def card_numbers(rules: RuleSet) -> tuple[int, ...]:
    """Return a number for each card; cards that the rules do not distinguish share a number."""
    kinds = RANKS if _sees_ranks_alone(rules) else len(PACK)
    return tuple(card.index % kinds for card in PACK)


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

    def course(
        self, mine: CardNumbers, theirs: CardNumbers, segment: CardNumbers, go: bool, first: int
    ) -> Iterator[tuple[int, int]]:
        """Play a card, then all others by the policy; yield who scores and how much, in order.

        The player of the first card is 0, the other is 1. ``go`` is true if the other player has
        said go and so has no turn in this segment.
        """
        hands, to_lay, last = [mine, theirs], 0, 0
        total = sum(VALUES[card] for card in segment)
        card: int | None = first
        while True:
            if card is not None:
                hands[to_lay] = without_card(hands[to_lay], card)
                segment, total, last = (*segment, card), total + VALUES[card], to_lay
                if points_gained := self.gain(segment):
                    yield last, points_gained
                segment_over = total == MOST
                if not go or segment_over:
                    to_lay = 1 - to_lay
                if not hands[0] and not hands[1]:
                    if not segment_over:
                        yield last, self.end(segment)
                    return
            else:
                segment_over = go
                if segment_over:
                    yield last, self.end(segment)
                go, to_lay = True, 1 - to_lay
            if segment_over:
                segment, total, go = (), 0, False
            playable = playable_cards(hands[to_lay], total)
            card = self.choose(playable, segment, len(hands[1 - to_lay])) if playable else None


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
    if len(cards) > RANKS:
        return _one_by_one(cards, size)
    hands, counts = _hands(len(cards), size)[0], _hand_counts(cards, size)
    nonzero = np.flatnonzero(counts)
    named = np.array(sorted(cards), np.int64)[hands[nonzero]].tolist()
    return dict(zip(map(tuple, named), counts[nonzero].tolist(), strict=True))


def number_of_hands(cards: Mapping[int, int], size: int) -> int:
    """Return the number of hands that :func:`hands_of` returns."""
    if len(cards) > RANKS:
        return len(_one_by_one(cards, size))
    return int(np.count_nonzero(_hand_counts(cards, size)))


def _hand_counts(cards: Mapping[int, int], size: int) -> npt.NDArray[np.int64]:
    """Return the number of ways to draw each hand of :func:`_hands`."""
    ways_to_take = [
        [comb(cards[kind], count) for count in range(size + 1)] for kind in sorted(cards)
    ]
    of_kind = np.array(ways_to_take, np.int64).reshape(-1, size + 1)
    _, counts = _hands(len(cards), size)
    return np.asarray(of_kind[np.arange(len(cards)), counts].prod(axis=1))


def _one_by_one(cards: Mapping[int, int], size: int) -> dict[CardNumbers, int]:
    hands = combinations_with_replacement(sorted(cards), size)
    counts = {
        hand: prod(comb(cards[card], hand.count(card)) for card in set(hand)) for hand in hands
    }
    return {hand: count for hand, count in counts.items() if count}


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
    """Return the play under these rules; the result is cached."""
    of_number = Counter(card_numbers(rules))
    by_rank = _sees_ranks_alone(rules)

    @lru_cache(_CACHE_SIZE)
    def gain(segment: CardNumbers) -> int:
        if by_rank:
            return sum(_points_of_rule(rule, segment) for rule in rules.play)
        return points_of(play_scores(tuple(PACK[card] for card in segment), rules))

    @lru_cache(_CACHE_SIZE)
    def end(segment: CardNumbers) -> int:
        return points_of(last_scores(tuple(PACK[card] for card in segment), rules))

    @lru_cache(_CACHE_SIZE)
    def answers(segment: CardNumbers) -> int:
        room = MOST - sum(VALUES[card] for card in segment)
        copies = {card: of_number[card] - segment.count(card) for card in of_number}
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
