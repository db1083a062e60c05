"""Five-card poker hands: their categories, their order and their names.

A :class:`HandRank` is a hand's rank as a comparable value with a name. A *strength* is the position
of a rank among all 7,462 ranks, from 1 for the weakest. Strengths are faster to compute and
compare, both for single hands (:func:`evaluator`) and for millions of hands
(:func:`strengths_of_indices`).

>>> from tui_casino.cards.card import parse_hand
>>> boat = parse_hand("4S TD TC 4H TH")
>>> rank_hand(boat).name, strength_of(boat)
('a full house, tens over fours', 7239)
>>> format_cards(sort_for_display(boat))
'TD TC TH 4S 4H'

Categories and ties follow CS 342's project Five Card Draw (2017) and the page that it cites,
Wikipedia's list of poker hands. Suits do not rank.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from enum import IntEnum
from functools import cache, reduce
from itertools import combinations
from operator import add
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from .card import BACK, PACK, SUITS, Card, Hand, Rank, format_cards
from .memo import memoize

if TYPE_CHECKING:  # loading numpy takes longer than starting a game, so only bulk calls load it
    import numpy as np
    import numpy.typing as npt

    Integers: TypeAlias = npt.NDArray[np.integer[Any]]
    Strengths: TypeAlias = npt.NDArray[np.uint16]


# ---- ranks of hands ------------------------------------------------------------------------


class HandCategory(IntEnum):
    """The nine categories of hands, weakest first; a royal flush is the best straight flush."""

    HIGH_CARD = 0
    ONE_PAIR = 1
    TWO_PAIR = 2
    THREE_OF_A_KIND = 3
    STRAIGHT = 4
    FLUSH = 5
    FULL_HOUSE = 6
    FOUR_OF_A_KIND = 7
    STRAIGHT_FLUSH = 8

    @property
    def words(self) -> str:
        """The name for players: ``two pair``."""
        return self.name.lower().replace("_", " ")


class HandRank(NamedTuple):
    """The rank of a hand; a better hand has a greater rank, and hands of equal rank tie.

    ``ranks`` holds the card ranks that decide between hands of the same category, most important
    first, with aces as 14. Matched ranks come before single ones. A straight has only its high
    card, which is 5 for 5-4-3-2-A.
    """

    category: HandCategory
    ranks: tuple[int, ...]

    @property
    def name(self) -> str:
        """The name for players: ``a full house, tens over fours``, ``ace high``."""
        first, *rest = map(_rank, self.ranks)
        name = first.name.lower()
        match self.category:
            case HandCategory.HIGH_CARD:
                return f"{name} high"
            case HandCategory.ONE_PAIR:
                return f"a pair of {first.plural}"
            case HandCategory.TWO_PAIR:
                return f"two pair, {first.plural} and {rest[0].plural}"
            case HandCategory.FULL_HOUSE:
                return f"a full house, {first.plural} over {rest[0].plural}"
            case HandCategory.THREE_OF_A_KIND | HandCategory.FOUR_OF_A_KIND:
                return f"{self.category.words}, {first.plural}"
            case HandCategory.STRAIGHT_FLUSH if first is Rank.ACE:
                return "a royal flush"
            case _:
                return f"a {self.category.words}, {name} high"


def rank_hand(hand: Sequence[Card]) -> HandRank:
    """Return the rank of a hand. Raises ``ValueError`` unless it is five different cards."""
    if len(hand) != 5 or len(set(hand)) != 5 or BACK in hand:
        raise ValueError(
            f"a poker hand must be five different cards, not {format_cards(hand) or 'none'}"
        )
    return _ranking([ace_high(card.rank) for card in hand], is_flush(hand))


def sort_for_display(hand: Sequence[Card]) -> Hand:
    """Order cards as players show them: matches first, then from high to low.

    Larger matches come first, then higher ranks; 5-4-3-2-A has its ace last. Cards of equal rank
    keep their order.
    """
    ace = 1 if straight_high(hand) == 5 else 14
    ranks = [card.rank for card in hand]

    def importance(card: Card) -> tuple[int, int]:
        return ranks.count(card.rank), ace if card.rank is Rank.ACE else card.rank

    return tuple(sorted(hand, key=importance, reverse=True))


def is_flush(cards: Iterable[Card]) -> bool:
    """Return whether all cards (at least one) have the same suit; cards may repeat."""
    return len({card.suit for card in cards}) == 1


def straight_high(cards: Iterable[Card]) -> int | None:
    """Return the highest rank of a sequence (5 to 14 for five cards); ``None`` for other cards.

    An ace is high or low, but a sequence cannot continue past it. There may be any number of
    cards, and they may repeat.
    """
    return _run_high([ace_high(card.rank) for card in cards])


def _ranking(ranks: Sequence[int], suited: bool) -> HandRank:
    high = _run_high(ranks)
    if high is not None:
        return HandRank(HandCategory.STRAIGHT_FLUSH if suited else HandCategory.STRAIGHT, (high,))
    ordered = sorted(set(ranks), key=lambda rank: (ranks.count(rank), rank), reverse=True)
    matches = tuple(map(ranks.count, ordered))
    return HandRank(HandCategory.FLUSH if suited else _MATCHES[matches], tuple(ordered))


_MATCHES = {
    (1, 1, 1, 1, 1): HandCategory.HIGH_CARD,
    (2, 1, 1, 1): HandCategory.ONE_PAIR,
    (2, 2, 1): HandCategory.TWO_PAIR,
    (3, 1, 1): HandCategory.THREE_OF_A_KIND,
    (3, 2): HandCategory.FULL_HOUSE,
    (4, 1): HandCategory.FOUR_OF_A_KIND,
}


def _run_high(ranks: Sequence[int]) -> int | None:
    """Return the highest rank if the ranks are a sequence; an ace, given as 14, may count as 1."""
    if len(set(ranks)) == len(ranks) > 0:
        for run in ranks, [1 if rank == 14 else rank for rank in ranks]:
            if max(run) - min(run) == len(run) - 1:
                return max(run)
    return None


def ace_high(rank: Rank) -> int:
    """Return the rank as a number from 2 to 14: an ace is the highest card."""
    return 14 if rank is Rank.ACE else rank


def _rank(high: int) -> Rank:
    return Rank.ACE if high == 14 else Rank(high)


# ---- strengths of single hands ---------------------------------------------------------------

STRENGTHS = range(1, 7463)
"""All strengths, weakest first, from 7-5-4-3-2 of mixed suits to a royal flush."""

Evaluator: TypeAlias = Callable[[int, int, int, int, int], int]

# By rank from two to ace; any two different sets of five ranks (at most four equal) have
# different sums.
_WEIGHTS = (0, 1, 5, 22, 94, 312, 992, 2422, 5624, 12522, 19998, 43258, 79415)

_SUMS = 4 * _WEIGHTS[-1] + _WEIGHTS[-2] + 1

# Below the weight of the rank, a code has two fields of five bits, one for each of the two bits
# that distinguish the four suits. A field is 5 if the suit has that bit, otherwise 0. In a sum of
# five codes, a field is five times the number of cards with the bit. Of 0, 5, 10, 15, 20 and 25
# only 0 and 25 have no bit in common with 00110. If both fields have none, all suits are equal.
_SUIT_BITS = 10
_MIXED = 0b00110_00110


def _code(card: Card) -> int:
    fields = 5 * (card.suit & 1) + (5 * (card.suit >> 1 & 1) << 5)
    return (_WEIGHTS[ace_high(card.rank) - 2] << _SUIT_BITS) + fields


CARD_CODES: tuple[int, ...] = tuple(map(_code, PACK))
"""The code of each card for an :data:`Evaluator`; the index is ``card.index``."""


@cache
def evaluator() -> Evaluator:
    """Return the function that computes the strength of five :data:`CARD_CODES`.

    The function adds the codes and looks up their sum. It does not check that the five cards are
    different. Keep it in a local variable for speed. The first call builds the tables, which takes
    a moment.
    """
    mixed, suited = _tables()

    def rate(a: int, b: int, c: int, d: int, e: int) -> int:
        total = a + b + c + d + e
        return mixed[total >> _SUIT_BITS] if total & _MIXED else suited[total >> _SUIT_BITS]

    return rate


def strength_of(hand: Iterable[Card]) -> int:
    """Return the strength of a hand, which must be five different cards; this is not checked."""
    return evaluator()(*(CARD_CODES[card.index] for card in hand))


def hand_rank_of(strength: int) -> HandRank:
    """Return the hand rank of a strength. Raises ``ValueError`` for an invalid strength."""
    return _class(strength)[0]


def category_of(strength: int) -> HandCategory:
    """Return the category of a strength. Raises ``ValueError`` for an invalid strength."""
    return hand_rank_of(strength).category


def example_hand(strength: int) -> Hand:
    """Return a hand of this strength in display order. Raises ``ValueError`` if it is invalid."""
    ranking, ranks = _class(strength)
    suits = SUITS[:1] * 5 if ranking.category in _SUITED else SUITS + SUITS[:1]
    return sort_for_display(
        [Card(_rank(high), suit) for high, suit in zip(ranks, suits, strict=True)]
    )


_SUITED = (HandCategory.FLUSH, HandCategory.STRAIGHT_FLUSH)


def _class(strength: int) -> tuple[HandRank, tuple[int, ...]]:
    if not STRENGTHS[0] <= strength <= STRENGTHS[-1]:
        raise ValueError(f"a strength must be {STRENGTHS[0]} to {STRENGTHS[-1]}, not {strength}")
    return _classes()[strength - 1]


@memoize()
def _classes() -> tuple[tuple[HandRank, tuple[int, ...]], ...]:
    """Return all hand ranks, weakest first, with the five card ranks of their hands."""
    highs = range(14, 1, -1)
    runs = {(14, 5, 4, 3, 2): 5} | {(*range(high, high - 5, -1),): high for high in range(6, 15)}
    classes = []
    for straight, unmatched in (
        (HandCategory.STRAIGHT, HandCategory.HIGH_CARD),
        (HandCategory.STRAIGHT_FLUSH, HandCategory.FLUSH),
    ):
        classes += [(HandRank(straight, (high,)), ranks) for ranks, high in runs.items()]
        others = (ranks for ranks in combinations(highs, 5) if ranks not in runs)
        classes += [(HandRank(unmatched, ranks), ranks) for ranks in others]
    for counts, category in _MATCHES.items():
        most, least = counts[0], counts[-1]
        if most == 1:
            continue
        for matched in combinations(highs, counts.count(most)):
            left = [high for high in highs if high not in matched]
            for rest in combinations(left, len(counts) - len(matched)):
                ranks = tuple(sorted(matched * most + rest * least, reverse=True))
                classes.append((HandRank(category, matched + rest), ranks))
    return tuple(sorted(classes))


@memoize()
def _tables() -> tuple[list[int], dict[int, int]]:
    """Return strengths by sum of weights: a list with gaps for mixed suits, a dict for flushes."""
    mixed = [0] * _SUMS
    suited: dict[int, int] = {}
    for strength, (ranking, _), total in zip(STRENGTHS, _classes(), _weight_sums(), strict=True):
        table = suited if ranking.category in _SUITED else mixed
        table[total] = strength
    return mixed, suited


@memoize()
def _weight_sums() -> tuple[int, ...]:
    """Return the sum of the weights of each hand's cards, weakest hand first."""
    weights = (0, 0, *_WEIGHTS)  # by rank
    return tuple(sum(map(weights.__getitem__, ranks)) for _, ranks in _classes())


# ---- strengths of millions of hands ----------------------------------------------------------

_BLOCK = 1 << 15  # hands per step, few enough for the processor's cache


def strengths_of_indices(indices: Integers) -> Strengths:
    """Return the strengths, in shape (n,), of n hands given as ``card.index`` in shape (n, 5).

    Raises ``ValueError`` for another shape and for an invalid index. The cards of a hand must be
    different; this is not checked. Small integer types are faster than large ones.
    """
    import numpy as np  # late: most callers rank single hands

    if indices.ndim != 2 or indices.shape[1] != 5:
        raise ValueError(f"the shape must be (n, 5), not {indices.shape}")
    codes = np.array(CARD_CODES, np.int32)
    strengths = np.empty(len(indices), np.uint16)
    for start in range(0, len(indices), _BLOCK):
        block = indices[start : start + _BLOCK]
        if block.min() < 0 or block.max() >= len(CARD_CODES):
            raise ValueError("a card's index must be 0 to 51")
        dealt = codes.take(block, mode="clip")  # the default mode checks each index again
        strengths[start : start + _BLOCK] = strengths_of_codes(*dealt.T)
    return strengths


def strengths_of_codes(*codes: Integers | int) -> Strengths:
    """Return the strengths of n hands, given as five arrays of :data:`CARD_CODES`.

    This is the fastest way to compute strengths. An argument may also be the sum of the codes of
    several cards, and cards that all hands share may be given as a single number, as in
    ``strengths_of_codes(held, drawn)``. The arrays are broadcast to one shape, which is also the
    shape of the result. The cards of a hand must be different; this is not checked.
    """
    import numpy as np  # late: most callers rank single hands

    mixed, suited = _arrays()
    columns = np.broadcast_arrays(*codes)
    strengths = np.empty(columns[0].shape, np.uint16)
    for start in range(0, len(strengths), _BLOCK):
        total = reduce(add, [column[start : start + _BLOCK] for column in columns])
        weight = total >> _SUIT_BITS
        rated = mixed.take(weight)
        flush = np.nonzero(total & _MIXED == 0)
        rated[flush] = suited[weight[flush]]
        strengths[start : start + _BLOCK] = rated
    return strengths


@memoize()
def _arrays() -> tuple[Strengths, Strengths]:
    import numpy as np  # late: most callers rank single hands

    mixed, suited = np.zeros((2, _SUMS), np.uint16)
    totals, strengths = np.array(_weight_sums()), np.array(STRENGTHS, np.uint16)
    # five different ranks have one sum, and are stronger as a flush; the last assignment remains
    suited[totals] = strengths
    mixed[totals[::-1]] = strengths[::-1]
    return mixed, suited
