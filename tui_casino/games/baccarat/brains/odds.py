"""Exact odds of the next coup, from the unseen cards.

>>> odds = odds_of(full_shoe(8))
>>> odds.banker, odds.player, odds.tie
(2292252566437888, 2230518282592256, 475627426473216)
>>> f"{float(odds.edge(BetSpot.BANKER)):.4%}", f"{float(odds.edge(BetSpot.TIE)):.4%}"
('1.0579%', '14.3596%')

Nothing is sampled or rounded. A coup takes up to six cards; all ordered draws of six are equally
likely, and those that it needs fewer of are counted with every continuation.

The order in which cards are drawn does not matter to chance, so the third cards are drawn first,
and only then the two cards of each hand, from what is left. What decides a coup are the third
cards and the totals P and B of two cards. Let A(P) be the number of ordered pairs of cards that
come to P. Then A(P) A(B) pairs of pairs come to P and B, but some of them share cards. A card x
is shared, in each of 4 combinations of places, T(P, B) times: the sum over all cards x of those
that make P with x, times those that make B with it. Both cards are shared, in either order, by
2 A(P) of them if P = B, and these were counted twice. So A(P) A(B) - 4 T(P, B) + 2 A(P) [P = B]
share none, and that holds for any shoe, with as few cards as there may be of a value.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from fractions import Fraction
from functools import cache
from itertools import product
from math import perm
from operator import mul
from typing import NamedTuple, TypeAlias

from ....cards.card import RANKS, SUITS, Card, Rank, Suit
from ..machine.rules import (
    CENTS,
    COUP_CARDS,
    BetSpot,
    Coup,
    CoupOutcome,
    Hand,
    HandSide,
    coup_of,
    next_to_receive,
    payout,
    value_of,
)

Unseen: TypeAlias = tuple[int, ...]
"""How many cards of each rank are unseen: thirteen numbers, aces first."""


def rank_counts(cards: Iterable[Card]) -> Unseen:
    """Count cards by rank."""
    counts = Counter(card.rank for card in cards)
    return tuple(counts[rank] for rank in RANKS)


def full_shoe(decks: int) -> Unseen:
    """Count the cards of so many decks by rank."""
    return (len(SUITS) * decks,) * len(RANKS)


class CoupEnding(IntEnum):
    """How a coup ends, as far as any bet on the outcome may tell."""

    BANKER = 0
    BANKER_SIX = 1
    PLAYER = 2
    TIE = 3


@dataclass(frozen=True, slots=True)
class Odds:
    """How many of all ``total`` ordered draws of six cards end in which way.

    ``banker``, ``player`` and ``tie`` make up the total; ``banker_six`` are those of the banker's
    that he wins with 6. With ``pair`` draws the player's first two cards have the same rank, and
    with as many the banker's.
    """

    banker: int
    player: int
    tie: int
    banker_six: int
    pair: int
    total: int

    def draws(self, spot: BetSpot) -> int:
        """Count the draws with which a bet on a spot wins."""
        match spot:
            case BetSpot.PLAYER:
                return self.player
            case BetSpot.BANKER:
                return self.banker
            case BetSpot.TIE:
                return self.tie
            case BetSpot.PLAYER_PAIR | BetSpot.BANKER_PAIR:
                return self.pair

    def chance(self, spot: BetSpot) -> Fraction:
        """Give the probability that a bet on a spot wins."""
        return Fraction(self.draws(spot), self.total)

    def edge(self, spot: BetSpot, commission: bool = True) -> Fraction:
        """Give what the house keeps in the long run of each unit bet, by the rules' ``paid``.

        A bet that a tie gives back counts as bet. ``commission`` matters to Banker alone.
        """
        paid_back = sum(
            count * payout(spot, 1, coup, commission) for count, coup in self._coups(spot)
        )
        return 1 - Fraction(paid_back, CENTS * self.total)

    def _coups(self, spot: BetSpot) -> Iterator[tuple[int, Coup]]:
        """Give coups of every kind that pays a spot otherwise, and how often they come."""
        if spot in (BetSpot.PLAYER_PAIR, BetSpot.BANKER_PAIR):
            yield self.pair, Coup(CoupOutcome.TIE, 0, player_pair=True, banker_pair=True)
            yield self.total - self.pair, Coup(CoupOutcome.TIE, 0)
            return
        yield self.player, Coup(CoupOutcome.PLAYER, 9)
        yield self.tie, Coup(CoupOutcome.TIE, 9)
        yield self.banker_six, Coup(CoupOutcome.BANKER, 6)
        yield self.banker - self.banker_six, Coup(CoupOutcome.BANKER, 9)


def odds_of(unseen: Unseen) -> Odds:
    """Count how the next coup ends, over all ordered draws of six of the unseen cards.

    Takes some milliseconds. Raises ``ValueError`` unless there are thirteen counts, none below 0,
    of six cards or more.
    """
    if len(unseen) != len(RANKS) or min(unseen) < 0:
        raise ValueError(f"a shoe has 13 counts of cards, ace to king, none below 0; not {unseen}")
    size = sum(unseen)
    if size < COUP_CARDS:
        raise ValueError(f"a coup is played while {COUP_CARDS} cards are left, not with {size}")
    by_value = [0] * 10
    for rank, count in zip(RANKS, unseen, strict=True):
        by_value[value_of(Card(rank, Suit.CLUBS))] += count

    counts = [0] * len(CoupEnding)
    for thirds, cells in endings():
        counts_left = by_value.copy()
        draws = perm(size - 4 - len(thirds), 2 - len(thirds))  # of the cards that no hand takes
        for third in thirds:
            draws *= counts_left[third]
            counts_left[third] -= 1
        if draws:
            for ending, hands in enumerate(_count_hands(counts_left, cells)):
                counts[ending] += draws * hands
    banker_six = counts[CoupEnding.BANKER_SIX]
    return Odds(
        banker=counts[CoupEnding.BANKER] + banker_six,
        player=counts[CoupEnding.PLAYER],
        tie=counts[CoupEnding.TIE],
        banker_six=banker_six,
        pair=sum(count * (count - 1) for count in unseen) * perm(size - 2, 4),
        total=perm(size, COUP_CARDS),
    )


# ---- two cards each ----------------------------------------------------------------------------


class _Cell(NamedTuple):
    """The totals of two cards each, and how the coup then ends."""

    player: int
    banker: int
    ending: CoupEnding


def _count_hands(counts: list[int], cells: Iterable[_Cell]) -> list[int]:
    """Count by ending the ordered ways to draw both hands from cards that are counted by value."""
    twice = counts[::-1] * 2
    partners = [twice[9 - total : 19 - total] for total in range(10)]  # of a card of each value
    for total in range(0, 10, 2):
        for half in (total // 2, total // 2 + 5):
            partners[total][half] -= 1  # a card is no partner of its own
    pairs = [list(map(mul, counts, partner)) for partner in partners]
    of_total = list(map(sum, pairs))
    hand_counts = [0] * len(CoupEnding)
    for player, banker, ending in cells:
        apart = of_total[player] * of_total[banker]
        apart -= 4 * sum(map(mul, pairs[player], partners[banker]))
        if player == banker:
            apart += 2 * of_total[player]
        hand_counts[ending] += apart
    return hand_counts


# ---- what the rules make of them ---------------------------------------------------------------


@cache
def endings() -> tuple[tuple[tuple[int, ...], tuple[_Cell, ...]], ...]:
    """Ask the rules how coups end; given by the values of the third cards, in rising order."""
    cells_by_thirds: defaultdict[tuple[int, ...], list[_Cell]] = defaultdict(list)
    for ours, theirs in product(range(10), repeat=2):
        for player, banker in _final_hands(hand_of(ours), hand_of(theirs)):
            thirds = sorted(map(value_of, (*player.cards[2:], *banker.cards[2:])))
            cell = _Cell(ours, theirs, ending_of(coup_of(player, banker)))
            cells_by_thirds[tuple(thirds)].append(cell)
    return tuple((thirds, tuple(cells)) for thirds, cells in cells_by_thirds.items())


def _final_hands(player: Hand, banker: Hand) -> Iterator[tuple[Hand, Hand]]:
    """Give what hands become, with third cards of each value where they receive one."""
    side = next_to_receive(player, banker)
    if side is None:
        yield player, banker
        return
    for card in CARD_OF_VALUE:
        if side is HandSide.PLAYER:
            yield from _final_hands(player.receive(card), banker)
        else:
            yield from _final_hands(player, banker.receive(card))


def ending_of(coup: Coup) -> CoupEnding:
    """Tell how a coup has ended."""
    if coup.outcome is CoupOutcome.BANKER and coup.value == 6:
        return CoupEnding.BANKER_SIX
    return CoupEnding[coup.outcome.name]


def hand_of(total: int) -> Hand:
    """Give a hand of two cards that comes to a total; the rules ask for no more."""
    return Hand(cards=(CARD_OF_VALUE[0], CARD_OF_VALUE[total]))


CARD_OF_VALUE: tuple[Card, ...] = tuple(
    Card(Rank(value or Rank.TEN), Suit.CLUBS) for value in range(10)
)
"""A card of each value, from 0."""
