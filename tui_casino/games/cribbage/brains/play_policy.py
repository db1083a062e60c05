"""The play in numbers: what cards score as they are laid, and a careful policy to lay them by.

The play sees no more of a card than its rank, unless a rule set has a rule of its own for the
play. So cards are numbers here: ``card.index`` modulo 13, or for such a rule set ``card.index``.

The policy, which is the model of the opponent: of the cards that may be laid, the one whose points
at once are highest, less what an answer is likely to score. For that, each card of the pack that
does not lie in the segment is as likely to be held in each place of the other's hand: 52 times the
points at once, less the number of his cards times the points of all answers that may be laid. Of
equal cards the highest goes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement
from math import comb, prod
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from ....cards.card import PACK
from ....cards.memo import memoize
from ..machine.rules import RuleSet, last_scores, play_scores, points_of
from ..machine.scoring import MOST, LastCard, PlayPair, PlayRun, TotalReached, value_of

Laid: TypeAlias = tuple[int, ...]
"""Cards as numbers: those of a segment, in the order laid, or a hand, in rising order."""

_BY_RANK = (TotalReached, PlayRun, PlayPair, LastCard)
RANKS = 13
VALUES = tuple(map(value_of, PACK))
"""What a card counts, by its number."""
_REMEMBERED = 1 << 17  # answers kept by each function, of some hundred bytes
_RULE_SETS = 2  # kept at once: as many as there are, for their answers may fill 50 MB each


def _sees_ranks_alone(rules: RuleSet) -> bool:
    return all(type(rule) in _BY_RANK for rule in (*rules.play, *rules.last))


@lru_cache(maxsize=_RULE_SETS)
def card_numbers(rules: RuleSet) -> tuple[int, ...]:
    """Give each card a number, the same for those that the rules do not tell apart."""
    kinds = RANKS if _sees_ranks_alone(rules) else len(PACK)
    return tuple(card.index % kinds for card in PACK)


@dataclass(frozen=True, slots=True)
class PlayPolicy:
    """The play under a rule set.

    ``gain`` is what the last card laid scores, ``end`` what the last of a segment does, which
    stayed below 31. ``answers`` sums what each card of the pack that does not lie would score
    next, and ``choose`` is the policy: a card of those that may be laid, where the other holds so
    many.
    """

    gain: Callable[[Laid], int]
    end: Callable[[Laid], int]
    answers: Callable[[Laid], int]
    choose: Callable[[Laid, Laid, int], int]

    def course(
        self, mine: Laid, theirs: Laid, laid: Laid, go: bool, first: int
    ) -> Iterator[tuple[int, int]]:
        """Lay a card, and then all others by the policy: who scores how much, in its order.

        Who lays the first card is 0, the other 1. ``go`` tells that the other has said go, so
        that he has no turn in this segment.
        """
        hands, to_lay, last = [mine, theirs], 0, 0
        total = sum(VALUES[card] for card in laid)
        card: int | None = first
        while True:
            if card is not None:
                hands[to_lay] = without_card(hands[to_lay], card)
                laid, total, last = (*laid, card), total + VALUES[card], to_lay
                if gained := self.gain(laid):
                    yield last, gained
                ended = total == MOST
                if not go or ended:
                    to_lay = 1 - to_lay
                if not hands[0] and not hands[1]:
                    if not ended:
                        yield last, self.end(laid)
                    return
            else:
                ended = go
                if ended:
                    yield last, self.end(laid)
                go, to_lay = True, 1 - to_lay
            if ended:
                laid, total, go = (), 0, False
            able = playable_cards(hands[to_lay], total)
            card = self.choose(able, laid, len(hands[1 - to_lay])) if able else None

    def rest(self, mine: Laid, theirs: Laid, laid: Laid, go: bool, first: int) -> int:
        """Play on as :meth:`course` does; give the points won less those lost."""
        won = [0, 0]
        for who, points in self.course(mine, theirs, laid, go, first):
            won[who] += points
        return won[0] - won[1]


def without_card(hand: Laid, card: int) -> Laid:
    """Take a card out of a hand."""
    place = hand.index(card)
    return hand[:place] + hand[place + 1 :]


def playable_cards(hand: Laid, total: int) -> Laid:
    """Give the cards of a hand that may be laid on such a total."""
    left = MOST - total
    return tuple(card for card in hand if VALUES[card] <= left)


def hands_of(cards: Mapping[int, int], size: int) -> dict[Laid, int]:
    """Give every hand of so many of these cards, of which there are so many, and its ways."""
    if len(cards) > RANKS:
        return _one_by_one(cards, size)
    hands, ways = _hands(len(cards), size)[0], _ways(cards, size)
    there = np.flatnonzero(ways)
    named = np.array(sorted(cards), np.int64)[hands[there]].tolist()
    return dict(zip(map(tuple, named), ways[there].tolist(), strict=True))


def number_of_hands(cards: Mapping[int, int], size: int) -> int:
    """Tell how many hands :func:`hands_of` gives."""
    if len(cards) > RANKS:
        return len(_one_by_one(cards, size))
    return int(np.count_nonzero(_ways(cards, size)))


def _ways(cards: Mapping[int, int], size: int) -> npt.NDArray[np.int64]:
    """Give the ways to take each of the :func:`_hands`."""
    taken = [[comb(cards[kind], count) for count in range(size + 1)] for kind in sorted(cards)]
    of_kind = np.array(taken, np.int64).reshape(-1, size + 1)
    _, counts = _hands(len(cards), size)
    return np.asarray(of_kind[np.arange(len(cards)), counts].prod(axis=1))


def _one_by_one(cards: Mapping[int, int], size: int) -> dict[Laid, int]:
    hands = combinations_with_replacement(sorted(cards), size)
    ways = {hand: prod(comb(cards[card], hand.count(card)) for card in set(hand)) for hand in hands}
    return {hand: count for hand, count in ways.items() if count}


@lru_cache(maxsize=64)  # thirteen ranks, and hands of up to four, of 200 KB at most
def _hands(kinds: int, size: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Give every hand of so many kinds, in rising order, and how many it has of each."""
    every = [*combinations_with_replacement(range(kinds), size)]
    hands = np.array(every, np.int64).reshape(len(every), size)
    counts = np.array([[*map(hand.count, range(kinds))] for hand in every], np.int64)
    return hands, counts.reshape(len(every), kinds)


def _scored(rule: object, laid: Laid) -> int:
    """Give what a rule that sees ranks alone scores for the last card, as its own ``scores``."""
    match rule:
        case TotalReached():
            return rule.points * (sum([VALUES[card] for card in laid]) == rule.total)
        case LastCard():
            return rule.points * (sum([VALUES[card] for card in laid]) != MOST)
        case PlayPair():
            alike = next(
                (n for n, card in enumerate(reversed(laid)) if card != laid[-1]), len(laid)
            )
            return rule.points[alike - 2] if alike > 1 else 0
        case PlayRun():
            for size in range(len(laid), rule.least - 1, -1):
                ranks = laid[-size:]
                if max(ranks) - min(ranks) == size - 1 and len({*ranks}) == size:
                    return rule.points * size
            return 0
    raise TypeError(f"{rule!r} is no rule of the play that sees ranks alone")


@memoize(maxsize=_RULE_SETS)
def policy_for(rules: RuleSet) -> PlayPolicy:
    """Give the play under these rules, worked out once."""
    of_number = Counter(card_numbers(rules))
    by_rank = _sees_ranks_alone(rules)

    @lru_cache(_REMEMBERED)
    def gain(laid: Laid) -> int:
        if by_rank:
            return sum(_scored(rule, laid) for rule in rules.play)
        return points_of(play_scores(tuple(PACK[card] for card in laid), rules))

    @lru_cache(_REMEMBERED)
    def end(laid: Laid) -> int:
        return points_of(last_scores(tuple(PACK[card] for card in laid), rules))

    @lru_cache(_REMEMBERED)
    def answers(laid: Laid) -> int:
        left = MOST - sum(VALUES[card] for card in laid)
        copies = {card: of_number[card] - laid.count(card) for card in of_number}
        return sum(
            gain((*laid, card)) * more
            for card, more in copies.items()
            if more and VALUES[card] <= left  # a fifth card of a rank cannot be scored
        )

    @lru_cache(_REMEMBERED)
    def choose(able: Laid, laid: Laid, held: int) -> int:
        if able[0] == able[-1]:  # the cards rise, so that all are of one kind
            return able[0]

        def worth(card: int) -> int:
            then = (*laid, card)
            return gain(then) * len(PACK) - held * answers(then)

        return max(reversed(able), key=worth)  # of equal ones the higher: low ones last

    return PlayPolicy(gain, end, answers, choose)
