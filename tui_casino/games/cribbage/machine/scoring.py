"""The ways to score in cribbage, one rule each; `rules` combines them into sets.

A rule is a value with the method ``scores``. The method examines the starter, the cards played so
far, or a hand that is shown, and returns the scores it finds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations
from operator import itemgetter
from typing import Protocol, TypeAlias

from msgspec import Struct

from ....cards.card import PACK, Card, Hand, Rank

FIFTEEN = 15
MOST = 31
"""The highest count of the play."""


# plain numbers, by ``card.index``, are faster than enums
_RANKS = tuple(int(card.rank) for card in PACK)
_SUITS = tuple(int(card.suit) for card in PACK)
_VALUES = tuple(min(rank, 10) for rank in _RANKS)
_ASCENDING = tuple(sorted(PACK))
_PLACES = tuple(map(_ASCENDING.index, PACK))  # the place of each card in that order
_RANKS_ASCENDING = tuple(int(card.rank) for card in _ASCENDING)


Pattern: TypeAlias = tuple[int, ...]
"""The ranks of cards in ascending order, as numbers from 1."""
Places: TypeAlias = tuple[int, ...]
"""The places of some cards in a hand, counted from 0."""
Pick: TypeAlias = Callable[[Hand], Hand]
"""A function that picks two or more cards from a hand in ascending order."""


class Score(Struct, frozen=True):
    """A score: the name of its kind in the log, the points, and the cards that score."""

    kind: str
    points: int
    cards: Hand


@dataclass(frozen=True, slots=True)
class ShowHand:
    """A hand of four at the show, the starter if it is known, and whether it is the crib.

    ``cards`` holds all these cards, ascending, including a known starter; ``pattern`` holds their
    ranks as numbers.
    """

    hand: Hand
    starter: Card | None
    crib: bool = False
    cards: Hand = field(init=False, compare=False, repr=False)
    pattern: Pattern = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        five = self.hand if self.starter is None else (*self.hand, self.starter)
        places = sorted([_PLACES[card.index] for card in five])
        take = itemgetter(*places)
        object.__setattr__(self, "cards", take(_ASCENDING))
        object.__setattr__(self, "pattern", take(_RANKS_ASCENDING))


class StarterRule(Protocol):
    """A rule for what the dealer scores when the starter is turned up."""

    def scores(self, starter: Card, /) -> Iterable[Score]:
        """Return the scores of the starter."""
        ...


class PlayRule(Protocol):
    """A rule for the play, applied to the cards of the present segment in the order played."""

    def scores(self, segment: Hand, /) -> Iterable[Score]:
        """Return the scores of the last card."""
        ...


class ShowRule(Protocol):
    """A rule for the show."""

    def scores(self, show_hand: ShowHand, /) -> Iterable[Score]:
        """Return the scores of the hand, in the order of the log."""
        ...


def value_of(card: Card) -> int:
    """Return the value of a card in the count: an ace 1, a face card 10."""
    return _VALUES[card.index]


def total_of(cards: Iterable[Card]) -> int:
    """Return the count of cards."""
    return sum(map(value_of, cards))


def bracketed(cards: Iterable[Card]) -> str:
    """Return cards in the format of the log: ``[7C,8H]``."""
    return f"[{','.join(map(str, cards))}]"


def _is_run(ranks: Sequence[int]) -> bool:
    return len(set(ranks)) == len(ranks) == max(ranks) - min(ranks) + 1


# ---- the starter -------------------------------------------------------------------------------


class StarterJack(Struct, frozen=True):
    """The rule for a jack turned up as the starter, also called his heels."""

    points: int = 2

    def scores(self, starter: Card, /) -> Iterator[Score]:
        """Score a jack."""
        if starter.rank is Rank.JACK:
            yield Score("starter", self.points, (starter,))


# ---- the play ----------------------------------------------------------------------------------


class TotalReached(Struct, frozen=True):
    """The rule for the card that brings the count of the segment to exactly this total."""

    kind: str
    total: int
    points: int = 2

    def scores(self, segment: Hand, /) -> Iterator[Score]:
        """Score the total, made by all cards of the segment."""
        if total_of(segment) == self.total:
            yield Score(self.kind, self.points, segment)


class PlayRun(Struct, frozen=True):
    """The rule for the longest run at the end of the segment; each card scores ``points``.

    The cards may have been played in any order. A pair breaks a run, because the run must consist
    of the last cards without a gap.
    """

    points: int = 1
    min_length: int = 3

    def scores(self, segment: Hand, /) -> Iterator[Score]:
        """Score the longest run that ends with the last card."""
        ranks = [_RANKS[card.index] for card in segment]
        for size in range(len(segment), self.min_length - 1, -1):
            if _is_run(ranks[-size:]):
                yield Score(f"run{size}", self.points * size, segment[-size:])
                return


class PlayPair(Struct, frozen=True):
    """Two, three or four cards of a rank in a row; ``points`` has an entry for each number."""

    points: tuple[int, int, int] = (2, 6, 12)

    def scores(self, segment: Hand, /) -> Iterator[Score]:
        """Score the cards of the last card's rank at the end of the segment."""
        size = 0
        for card in reversed(segment):
            if card.rank is not segment[-1].rank:
                break
            size += 1
        if size > 1:
            yield Score(f"pair{size}", self.points[size - 2], segment[-size:])


class LastCard(Struct, frozen=True):
    """The rule for the last card of a segment, unless it made 31."""

    points: int = 1

    def scores(self, segment: Hand, /) -> Iterator[Score]:
        """Score the last card of a segment that has ended."""
        if total_of(segment) != MOST:
            yield Score("go", self.points, segment[-1:])


# ---- the show ----------------------------------------------------------------------------------
#
# Only the ranks of ascending cards decide which places score together, and in which order the
# scores are listed, because cards of one rank are also printed in ascending order of suits. So each
# pattern of ranks is examined only once.

_PATTERNS = 6_175 + 1_820  # for five cards, and for a hand without a starter


def _in_order(pattern: Pattern, places_list: Iterable[Places]) -> list[Places]:
    """Return the places of cards in the order in which the cards are printed."""
    suits = [pattern[:place].count(rank) for place, rank in enumerate(pattern)]
    cards = [PACK[rank - 1 + 13 * suit] for rank, suit in zip(pattern, suits, strict=True)]
    return sorted(places_list, key=lambda places: bracketed(cards[place] for place in places))


def _picks(pattern: Pattern, places_list: Iterable[Places]) -> tuple[Pick, ...]:
    return tuple(itemgetter(*places) for places in _in_order(pattern, places_list))


@lru_cache(_PATTERNS)
def _fifteens(pattern: Pattern) -> tuple[Pick, ...]:
    totals = [0]
    for rank in pattern:  # the totals of all sets: bit i of a place means that card i is in the set
        totals += [total + min(rank, 10) for total in totals]
    sets = (
        tuple(i for i in range(len(pattern)) if place >> i & 1)
        for place, total in enumerate(totals)
        if total == FIFTEEN
    )
    return _picks(pattern, sets)


@lru_cache(_PATTERNS)
def _runs(pattern: Pattern, min_length: int) -> tuple[int, tuple[Pick, ...]]:
    """Return the length of the longest runs, and each of them."""
    for size in range(len(set(pattern)), min_length - 1, -1):
        every = combinations(range(len(pattern)), size)
        runs = [places for places in every if _is_run([pattern[place] for place in places])]
        if runs:
            return size, _picks(pattern, runs)
    return 0, ()


@lru_cache(_PATTERNS)
def _kinds(pattern: Pattern) -> tuple[tuple[int, Pick], ...]:
    """Return how many cards have each repeated rank, and their places."""
    kinds = [tuple(i for i, other in enumerate(pattern) if other == rank) for rank in set(pattern)]
    matching = _in_order(pattern, (kind for kind in kinds if len(kind) > 1))
    return tuple((len(places), itemgetter(*places)) for places in matching)


class Fifteens(Struct, frozen=True):
    """The rule for every combination that counts fifteen."""

    points: int = 2

    def scores(self, show_hand: ShowHand, /) -> Iterable[Score]:
        """Score each combination."""
        cards, points = show_hand.cards, self.points
        return [Score("fifteen", points, pick(cards)) for pick in _fifteens(show_hand.pattern)]


class Runs(Struct, frozen=True):
    """The rule for all of the longest runs, from three cards on; each card scores ``points``."""

    points: int = 1
    min_length: int = 3

    def scores(self, show_hand: ShowHand, /) -> Iterable[Score]:
        """Score each of the longest runs."""
        size, runs = _runs(show_hand.pattern, self.min_length)
        cards, points = show_hand.cards, self.points * size
        return [Score(f"run{size}", points, pick(cards)) for pick in runs]


class Pairs(Struct, frozen=True):
    """Two, three or four cards of a rank; ``points`` has an entry for each number of cards."""

    points: tuple[int, int, int] = (2, 6, 12)

    def scores(self, show_hand: ShowHand, /) -> Iterable[Score]:
        """Score the cards of each rank that occurs more than once."""
        cards, points = show_hand.cards, self.points
        return [
            Score(f"pair{size}", points[size - 2], pick(cards))
            for size, pick in _kinds(show_hand.pattern)
        ]


class Flush(Struct, frozen=True):
    """Four cards of a suit in the hand, with one more point if the starter has the same suit.

    With ``crib_needs_five``, the crib scores only with all five cards.
    """

    points: tuple[int, int] = (4, 5)
    crib_needs_five: bool = False

    def scores(self, show_hand: ShowHand, /) -> Iterable[Score]:
        """Score the flush."""
        suits = {_SUITS[card.index] for card in show_hand.hand}
        if len(suits) > 1:
            return ()
        if show_hand.starter is not None and show_hand.starter.suit in suits:
            return (Score("flush5", self.points[1], show_hand.cards),)
        if self.crib_needs_five and show_hand.crib:
            return ()
        return (Score("flush4", self.points[0], tuple(sorted(show_hand.hand))),)


class NobsJack(Struct, frozen=True):
    """The rule for a jack of the starter's suit in the hand, also called his nobs."""

    points: int = 1

    def scores(self, show_hand: ShowHand, /) -> Iterable[Score]:
        """Score the jack."""
        if show_hand.starter is None or Rank.JACK not in show_hand.pattern:
            return ()
        suit = show_hand.starter.suit
        return [
            Score("jack", self.points, (card,))
            for card in show_hand.hand
            if card.rank is Rank.JACK and card.suit is suit
        ]
