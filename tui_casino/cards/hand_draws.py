"""The final hands after each hold of a single hand, counted without tables and without NumPy.

A *kind* of hand is its category with the ranks of its matched cards, which is all that games
distinguish. A hold leads to the final hands that contain the held cards and no discarded card. For
each of the 32 sets of cards of the hand, the final hands of each kind that contain the set are
counted from the ranks and suits of the set. Inclusion and exclusion then leaves those without the
discards. `draw_odds` is much faster for thousands of hands, and prepares for a tenth of a second.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, permutations
from math import comb
from operator import attrgetter
from typing import TypeAlias

from .card import RANKS, SUITS, Card, Hand, Rank, Suit

Kind: TypeAlias = tuple[int, ...]

_ACE_HIGH = (*RANKS[1:], Rank.ACE)
_NO_RANK = len(_ACE_HIGH)
_PATTERNS = ((2, 0, 3), (3, 0, 2), (2, 2, 1), (3, 2, 0), (4, 1, 0))
"""How often a hand has one rank and another one, and its number of further ranks, all single."""
_WAYS = [[comb(4 - has, of - has) if has <= of else 0 for has in range(5)] for of in range(5)]
"""The ways to get a number of cards of a rank, by the number held."""
_HIGH_CARD, _STRAIGHT, _FLUSH, _STRAIGHT_FLUSH, _ROYAL_FLUSH = ((number,) for number in range(5))
_RUNS = tuple({(low + step) % 13 for step in range(-1, 4)} for low in range(10))
"""The ranks of each straight; the last one is that of a royal flush."""


def count_after_each_hold(
    hand: Sequence[Card], group_of_kind: Mapping[Kind, int], groups: int, own: int
) -> list[list[int]]:
    """Count the final hands by group after each hold mask of five different cards: (32, groups).

    Hold masks are those of `hand_indexing`. ``own`` is the group of the hand itself.
    """
    cards = sorted(hand, key=attrgetter("index"))
    counts = [[0] * groups for _ in range(32)]
    for mask, of_mask in enumerate(counts[:-1]):
        held = [card for bit, card in enumerate(cards) if mask >> bit & 1]
        for kind, count in _count_kinds(held):
            of_mask[group_of_kind[kind]] += count
    counts[-1][own] = 1
    for bit in range(5):
        for mask in range(32):
            if not mask >> bit & 1:
                with_card = counts[mask | 1 << bit]
                counts[mask] = [a - b for a, b in zip(counts[mask], with_card, strict=True)]
    return counts


def examples_of_kinds() -> Iterator[tuple[Kind, Hand]]:
    """Yield every kind with a hand of the kind."""
    yield _HIGH_CARD, _cards((0, 1, 2, 3, 5), 4)
    yield _STRAIGHT, _cards((0, 1, 2, 3, 4), 4)
    yield _FLUSH, _cards((0, 1, 2, 3, 5), 1)
    yield _STRAIGHT_FLUSH, _cards((0, 1, 2, 3, 4), 1)
    yield _ROYAL_FLUSH, _cards((8, 9, 10, 11, 12), 1)
    for first, second, singles in _PATTERNS:
        for one, other in _named((), 0, first, second):
            further = [rank for rank in range(13) if rank not in (one, other)][:singles]
            yield (first, second, one, other), _cards([one] * first + [other] * second + further, 4)


def _cards(ranks: Sequence[int], suits: int) -> Hand:
    return tuple(Card(_ACE_HIGH[rank], SUITS[place % suits]) for place, rank in enumerate(ranks))


def _count_kinds(held: Sequence[Card]) -> Iterator[tuple[Kind, int]]:
    """Yield kinds of hands with the number of such hands that contain up to four cards."""
    has = [0] * (_NO_RANK + 1)
    for card in held:
        has[(card.rank - 2) % 13] += 1
    ranks = [rank for rank in range(13) if has[rank]]
    for first, second, singles in _PATTERNS:
        for one, other in _named(ranks, len(ranks) - singles, first, second):
            others = len(ranks) - bool(has[one]) - bool(has[other])
            ways = _WAYS[first][has[one]] * _WAYS[second][has[other]]
            if ways and others <= singles and others == len(held) - has[one] - has[other]:
                free = singles - others
                ways *= comb((11 if second else 12) - others, free) * 4**free
                yield (first, second, one, other), ways
    if len(ranks) == len(held):
        yield from _count_unmatched(set(ranks), {card.suit for card in held})


def _named(ranks: Sequence[int], least: int, first: int, second: int) -> Iterable[tuple[int, int]]:
    """Return the possible named ranks of a pattern; at least ``least`` must be in ``ranks``."""
    some = ranks if least > bool(second) else range(13)
    if not second:
        return ((one, _NO_RANK) for one in some)
    if first == second:
        return combinations(some, 2)
    return permutations(some, 2)


def _count_unmatched(ranks: set[int], suits: set[Suit]) -> Iterator[tuple[Kind, int]]:
    """Yield the kinds without equal ranks, and the numbers of hands that contain the cards."""
    missing = 5 - len(ranks)
    flushes_of_a_rank_set = {0: len(SUITS), 1: 1}.get(len(suits), 0)
    runs = [run for run in _RUNS if ranks <= run]
    royal = flushes_of_a_rank_set * (_RUNS[-1] in runs)
    straight_flushes = flushes_of_a_rank_set * len(runs)
    straights = len(runs) * 4**missing - straight_flushes
    sets = comb(13 - len(ranks), missing)
    flushes = flushes_of_a_rank_set * sets - straight_flushes
    yield _ROYAL_FLUSH, royal
    yield _STRAIGHT_FLUSH, straight_flushes - royal
    yield _STRAIGHT, straights
    yield _FLUSH, flushes
    yield _HIGH_CARD, sets * 4**missing - straights - straight_flushes - flushes
