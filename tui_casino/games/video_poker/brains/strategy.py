"""The 34-line strategy for Double Bonus 10/7: a list of holds, from the best line down.

>>> from tui_casino.cards.card import parse_hand
>>> advice = advise(parse_hand("7C 7D 8H 9S TD"))
>>> LINES[advice.line - 1], advice.positions
('4 to an outside straight', (2, 3, 4, 5))

The list is that of the Wizard of Odds (wizardofodds.com/games/video-poker/strategy/double-bonus/
10-7), as the course assignment of 2022 gives it. It is meant to be easy to learn, not perfect: a
line considers only the cards held, never the cards discarded, so some holds of the strategy cost a
little.

High cards are J, Q, K and A. An ace is also the low end of a straight, so A-2-3-4 is an inside
straight with one high card; J-Q-K-A is also an inside straight. The gaps of a straight flush draw
are the ranks missing inside it. "Unsuited" means not all of one suit; "to a royal flush" means any
of T J Q K A.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from itertools import combinations
from typing import TypeAlias

from msgspec import Struct

from ....cards.card import Card

T, J, Q, K, A = range(10, 15)
_VALUES = (0, A, *range(2, A))  # by Card.rank, where the ace is low


class ListPlay(Struct, frozen=True):
    """A hold of the strategy: its line, 1 to 34, and the positions 1 to 5 of the cards held."""

    line: int
    positions: tuple[int, ...]


def advise(hand: Sequence[Card]) -> ListPlay:
    """Return the hold of the first line that fits the five cards.

    If a line fits in several ways, the lexicographically last positions are taken. A card file may
    repeat cards; cards of equal rank are a pair (or more) even if their suits are equal.
    """
    cards = sorted((_VALUES[card.rank], card.suit, place) for place, card in enumerate(hand, 1))
    ranks, suits, places = zip(*cards, strict=True)
    holds = [
        [*zip(combinations(ranks, n), combinations(suits, n), combinations(places, n), strict=True)]
        for n in range(6)
    ]
    suited = [[hold for hold in group if len(set(hold[1])) == 1] for group in holds]
    for line, (size, one_suit, test) in _PLAYS:
        choices = (suited if one_suit else holds)[size]
        matches = [sorted(positions) for held, _, positions in choices if test(held)]
        if matches:
            return ListPlay(line, tuple(max(matches)))
    raise AssertionError("the last line takes every hand")


def line_of(held: Sequence[Card]) -> int | None:
    """Return the line, 1 to 34, that holds exactly these cards.

    ``held`` is any number of different cards in any order. ``None`` means that no line makes this
    hold, such as ace and king unsuited.
    """
    ranks = tuple(sorted(_VALUES[card.rank] for card in held))
    suited = len({card.suit for card in held}) == 1
    for line, (size, one_suit, test) in _PLAYS:
        if size == len(ranks) and one_suit <= suited and test(ranks):
            return line
    return None


# ---- conditions of a line ------------------------------------------------------------------

_Ranks: TypeAlias = tuple[int, ...]  # from low to high, with aces as 14
_Test: TypeAlias = Callable[[_Ranks], bool]
_Play: TypeAlias = tuple[int, bool, _Test]  # number of cards, whether of one suit, test of ranks


def _cards(size: int, test: _Test) -> _Play:
    return size, False, test


def _suited(size: int, test: _Test) -> _Play:
    return size, True, test


def _any(_: _Ranks) -> bool:
    return True


def _exactly(*ranks: int) -> _Test:
    return lambda held: held == ranks


def _of_a_kind(ranks: _Ranks) -> bool:
    return ranks[0] == ranks[-1]


def _two_pair(ranks: _Ranks) -> bool:
    a, b, c, d = ranks
    return a == b < c == d


def _full_house(ranks: _Ranks) -> bool:
    a, b, c, d, e = ranks
    return a == b < d == e and c in (b, d)


def _straight(ranks: _Ranks) -> bool:
    """Return whether all cards fit into one straight: five complete it, fewer are a draw."""
    return len(set(ranks)) == len(ranks) and _span(ranks) <= 5


def _outside_straight(ranks: _Ranks) -> bool:
    return A not in ranks and _straight(ranks) and _span(ranks) == len(ranks)


def _royal(ranks: _Ranks) -> bool:
    return ranks[0] >= T and _straight(ranks)


def _span(ranks: _Ranks) -> int:
    """Count the ranks from lowest to highest; an ace is low if no other card is above a 5."""
    if ranks[-1] == A and ranks[-2] <= 5:
        return ranks[-2]
    return ranks[-1] - ranks[0] + 1


def _high_cards(ranks: _Ranks) -> int:
    return len(ranks) - bisect_left(ranks, J)


def _high(count: int, test: _Test = _any) -> _Test:
    return lambda ranks: _high_cards(ranks) == count and test(ranks)


def _straight_flush_type(number: int) -> _Test:
    return lambda ranks: _straight(ranks) and _type(ranks) == number


def _type(ranks: _Ranks) -> int:
    """Return the type, 1 to 3, of three cards to a straight flush that is not royal."""
    if A in ranks or ranks == (2, 3, 4):
        return 2
    gaps = _span(ranks) - len(ranks)
    return 1 + max(0, gaps - _high_cards(ranks))  # a high card makes up for a gap


# ---- the list ------------------------------------------------------------------------------

# A line only gets the hands that no earlier line takes, so "inside" and "unsuited" need no test.
_LIST: tuple[tuple[str, *tuple[_Play, ...]], ...] = (
    ("Straight flush, four of a kind, royal flush", _suited(5, _straight), _cards(4, _of_a_kind)),
    ("4 to a royal flush", _suited(4, _royal)),
    ("Three aces", _cards(3, _exactly(A, A, A))),
    ("Straight, flush, full house", _cards(5, _straight), _suited(5, _any), _cards(5, _full_house)),
    ("Three of a kind (except aces)", _cards(3, _of_a_kind)),
    ("4 to a straight flush", _suited(4, _straight)),
    ("Two pair", _cards(4, _two_pair)),
    ("High pair", _cards(2, _high(2, _of_a_kind))),
    ("4 to a flush", _suited(4, _any)),
    ("3 to a royal flush", _suited(3, _royal)),
    ("4 to an outside straight", _cards(4, _outside_straight)),
    ("Low pair", _cards(2, _of_a_kind)),
    ("AKQJ unsuited", _cards(4, _exactly(J, Q, K, A))),
    ("3 to a straight flush (type 1)", _suited(3, _straight_flush_type(1))),
    ("4 to an inside straight with 3 high cards", _cards(4, _high(3, _straight))),
    ("QJ suited", _suited(2, _exactly(J, Q))),
    ("3 to a flush with 2 high cards", _suited(3, _high(2))),
    ("2 suited high cards", _suited(2, _high(2))),
    ("4 to an inside straight with 2 high cards", _cards(4, _high(2, _straight))),
    ("3 to a straight flush (type 2)", _suited(3, _straight_flush_type(2))),
    ("4 to an inside straight with 1 high card", _cards(4, _high(1, _straight))),
    ("KQJ unsuited", _cards(3, _exactly(J, Q, K))),
    ("JT suited", _suited(2, _exactly(T, J))),
    ("QJ unsuited", _cards(2, _exactly(J, Q))),
    ("3 to a flush with 1 high card", _suited(3, _high(1))),
    ("QT suited", _suited(2, _exactly(T, Q))),
    ("3 to a straight flush (type 3)", _suited(3, _straight_flush_type(3))),
    ("KQ, KJ unsuited", _cards(2, _exactly(Q, K)), _cards(2, _exactly(J, K))),
    ("Ace", _cards(1, _exactly(A))),
    ("KT suited", _suited(2, _exactly(T, K))),
    ("Jack, Queen or King", _cards(1, _high(1))),
    ("4 to an inside straight with no high cards", _cards(4, _high(0, _straight))),
    ("3 to a flush with no high cards", _suited(3, _high(0))),
    ("Discard everything", _cards(0, _any)),
)

LINES: tuple[str, ...] = tuple(name for name, *_ in _LIST)
"""The names of the 34 lines: ``LINES[0]`` is line 1."""

_PLAYS = tuple((line, play) for line, (_, *plays) in enumerate(_LIST, 1) for play in plays)
