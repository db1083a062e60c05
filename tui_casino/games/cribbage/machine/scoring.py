"""The ways to score in cribbage, each one a rule by itself; ``rules`` puts them into sets.

A rule is a value with the method ``scores``: it looks at the starter, at the cards laid so far,
or at a hand that is shown, and gives what it finds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Protocol

from ....cards.card import PACK, Card, Hand, Rank

FIFTEEN = 15
MOST = 31
"""The highest count of the play."""


@dataclass(frozen=True, slots=True)
class Score:
    """What was scored: the kind by its name in the log, the points, and the cards that score."""

    kind: str
    points: int
    cards: Hand


@dataclass(frozen=True, slots=True)
class Shown:
    """A hand of four at the show, the starter if it is known, and whether it is the crib."""

    hand: Hand
    starter: Card | None
    crib: bool = False

    @property
    def cards(self) -> Hand:
        """All cards, ascending."""
        return tuple(sorted(self.hand if self.starter is None else (*self.hand, self.starter)))


class StarterRule(Protocol):
    """Scores for the dealer when the starter is turned up."""

    def scores(self, starter: Card, /) -> Iterable[Score]:
        """Give what the starter scores."""
        ...


class PlayRule(Protocol):
    """Scores in the play, from the cards of the present segment in the order laid."""

    def scores(self, laid: Hand, /) -> Iterable[Score]:
        """Give what the last card scores."""
        ...


class ShowRule(Protocol):
    """Scores at the show."""

    def scores(self, shown: Shown, /) -> Iterable[Score]:
        """Give what the hand scores, in the order of the log."""
        ...


_RANKS = tuple(int(card.rank) for card in PACK)  # plain numbers are quicker than enums
_VALUES = tuple(min(rank, 10) for rank in _RANKS)


def value_of(card: Card) -> int:
    """Give what a card counts: an ace 1, a court card 10."""
    return _VALUES[card.index]


def total_of(cards: Iterable[Card]) -> int:
    """Count cards."""
    return sum(map(value_of, cards))


def bracketed(cards: Iterable[Card]) -> str:
    """Print cards as the log does: ``[7C,8H]``."""
    return f"[{','.join(map(str, cards))}]"


def _is_run(cards: Hand) -> bool:
    ranks = {_RANKS[card.index] for card in cards}
    return len(ranks) == len(cards) == max(ranks) - min(ranks) + 1


# ---- the starter -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class StarterJack:
    """A jack turned up, also called his heels."""

    points: int = 2

    def scores(self, starter: Card, /) -> Iterator[Score]:
        """Score a jack."""
        if starter.rank is Rank.JACK:
            yield Score("starter", self.points, (starter,))


# ---- the play ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Reaches:
    """The card that brings the count of the segment to this total exactly."""

    kind: str
    total: int
    points: int = 2

    def scores(self, laid: Hand, /) -> Iterator[Score]:
        """Score the total, made by all cards of the segment."""
        if total_of(laid) == self.total:
            yield Score(self.kind, self.points, laid)


@dataclass(frozen=True, slots=True)
class PlayRun:
    """The longest run that the last cards of the segment make, in any order; ``points`` a card.

    A pair breaks it: the last cards are looked at without a gap.
    """

    points: int = 1
    least: int = 3

    def scores(self, laid: Hand, /) -> Iterator[Score]:
        """Score the longest run that ends with the last card."""
        for size in range(len(laid), self.least - 1, -1):
            if _is_run(laid[-size:]):
                yield Score(f"run{size}", self.points * size, laid[-size:])
                return


@dataclass(frozen=True, slots=True)
class PlayPair:
    """Two, three or four cards of a rank laid one after the other; ``points`` of each."""

    points: tuple[int, int, int] = (2, 6, 12)

    def scores(self, laid: Hand, /) -> Iterator[Score]:
        """Score the cards of the last card's rank at the end of the segment."""
        size = 0
        for card in reversed(laid):
            if card.rank is not laid[-1].rank:
                break
            size += 1
        if size > 1:
            yield Score(f"pair{size}", self.points[size - 2], laid[-size:])


@dataclass(frozen=True, slots=True)
class LastCard:
    """The last card of a segment, unless it made 31."""

    points: int = 1

    def scores(self, laid: Hand, /) -> Iterator[Score]:
        """Score the last card of a segment that has ended."""
        if total_of(laid) != MOST:
            yield Score("go", self.points, laid[-1:])


# ---- the show ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Fifteens:
    """Every combination that counts fifteen."""

    points: int = 2

    def scores(self, shown: Shown, /) -> Iterator[Score]:
        """Score each combination."""
        cards, totals = shown.cards, [0]
        for card in cards:  # the totals of all sets: bit i of a place says that card i is in it
            totals += [total + value_of(card) for total in totals]
        sets = (
            tuple(card for bit, card in enumerate(cards) if place >> bit & 1)
            for place, total in enumerate(totals)
            if total == FIFTEEN
        )
        for held in sorted(sets, key=bracketed):
            yield Score("fifteen", self.points, held)


@dataclass(frozen=True, slots=True)
class Runs:
    """Every run of the longest length, of at least three; ``points`` a card."""

    points: int = 1
    least: int = 3

    def scores(self, shown: Shown, /) -> Iterator[Score]:
        """Score each of the longest runs."""
        cards = shown.cards
        ranks = len({_RANKS[card.index] for card in cards})
        for size in range(ranks, self.least - 1, -1):
            runs = [held for held in combinations(cards, size) if _is_run(held)]
            for held in sorted(runs, key=bracketed):
                yield Score(f"run{size}", self.points * size, held)
            if runs:
                return


@dataclass(frozen=True, slots=True)
class Pairs:
    """Two, three or four cards of a rank, as one; ``points`` of each."""

    points: tuple[int, int, int] = (2, 6, 12)

    def scores(self, shown: Shown, /) -> Iterator[Score]:
        """Score the cards of each rank that is there more than once."""
        cards = shown.cards
        ranks = sorted({card.rank for card in cards})
        kinds = [tuple(card for card in cards if card.rank is rank) for rank in ranks]
        for held in sorted((held for held in kinds if len(held) > 1), key=bracketed):
            yield Score(f"pair{len(held)}", self.points[len(held) - 2], held)


@dataclass(frozen=True, slots=True)
class Flush:
    """Four hand cards of a suit, and one point more if the starter is of it too.

    ``crib_needs_five``: in the crib only all five count.
    """

    points: tuple[int, int] = (4, 5)
    crib_needs_five: bool = False

    def scores(self, shown: Shown, /) -> Iterator[Score]:
        """Score the flush."""
        suits = {card.suit for card in shown.hand}
        if len(suits) > 1:
            return
        if shown.starter is not None and shown.starter.suit in suits:
            yield Score("flush5", self.points[1], shown.cards)
        elif not (shown.crib and self.crib_needs_five):
            yield Score("flush4", self.points[0], tuple(sorted(shown.hand)))


@dataclass(frozen=True, slots=True)
class Jack:
    """A jack in the hand of the starter's suit, also called his nobs."""

    points: int = 1

    def scores(self, shown: Shown, /) -> Iterator[Score]:
        """Score the jack."""
        for card in shown.hand:
            if card.rank is Rank.JACK and shown.starter and card.suit is shown.starter.suit:
                yield Score("jack", self.points, (card,))
