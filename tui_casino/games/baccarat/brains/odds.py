"""Exact odds of the next coup, given the unseen cards.

>>> odds = odds_of(full_shoe(8))
>>> odds.banker, odds.player, odds.tie
(2292252566437888, 2230518282592256, 475627426473216)
>>> [f"{float(odds.edge(spot, Options())):.4%}" for spot in (BetSpot.BANKER, BetSpot.TIE)]
['1.0579%', '14.3596%']

Nothing is sampled or rounded. A coup takes up to six cards, and all ordered draws of six cards are
equally likely. A coup that needs fewer cards is counted once for each way to draw the unused cards.

The order of drawing does not change the probabilities. So the third cards are drawn first, and then
the two cards of each hand from the remaining cards. A coup depends only on the third cards and on
the two-card totals P and B. Let A(P) be the number of ordered pairs of cards with the total P. Then
A(P) A(B) combinations of two pairs have the totals P and B, but some of them share cards. Let
T(P, B) be the sum over all cards x of the number of cards that make P with x, times the number of
cards that make B with x. One card is shared T(P, B) times in each of 4 combinations of places. If
P = B, both cards are shared in 2 A(P) combinations, which are then subtracted twice. So
A(P) A(B) - 4 T(P, B) + 2 A(P) [P = B] combinations share no card. This holds for any shoe, even if
it has few cards of a value.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from enum import IntEnum
from fractions import Fraction
from functools import cache
from itertools import product
from math import perm
from operator import mul
from typing import NamedTuple, TypeAlias

from msgspec import Struct

from ....cards.card import RANKS, SUITS, Card, Rank, Suit
from ..machine.rules import (
    CENTS,
    COUP_CARDS,
    BetSpot,
    Coup,
    CoupOutcome,
    Hand,
    HandSide,
    Options,
    coup_of,
    next_to_receive,
    payout,
    value_of,
)

Unseen: TypeAlias = tuple[int, ...]
"""The number of unseen cards of each rank: thirteen numbers, aces first."""


def rank_counts(cards: Iterable[Card]) -> Unseen:
    """Count the cards of each rank."""
    counts = Counter(card.rank for card in cards)
    return tuple(counts[rank] for rank in RANKS)


def full_shoe(decks: int) -> Unseen:
    """Return the number of cards of each rank in ``decks`` decks."""
    return (len(SUITS) * decks,) * len(RANKS)


class CoupEnding(IntEnum):
    """The endings of a coup that bets on the outcome distinguish."""

    BANKER = 0
    BANKER_SIX = 1
    PLAYER = 2
    TIE = 3


class Odds(Struct, frozen=True):
    """The number of ordered draws of six cards that lead to each ending.

    ``banker``, ``player`` and ``tie`` add up to ``total``; ``banker_six`` are the draws in which
    the banker wins with 6. In ``pair`` draws the player's first two cards have the same rank; the
    number is the same for the banker.
    """

    banker: int
    player: int
    tie: int
    banker_six: int
    pair: int
    total: int

    def draws(self, spot: BetSpot) -> int:
        """Return the number of draws in which a bet on a spot wins."""
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
        """Return the probability that a bet on a spot wins."""
        return Fraction(self.draws(spot), self.total)

    def edge(self, spot: BetSpot, options: Options) -> Fraction:
        """Return the house edge: the share of each bet that the house keeps on average.

        Bets that are returned after a tie count as bets.
        """
        paid_back = sum(count * payout(spot, 1, coup, options) for count, coup in self._coups(spot))
        return 1 - Fraction(paid_back, CENTS * self.total)

    def _coups(self, spot: BetSpot) -> Iterator[tuple[int, Coup]]:
        """Yield an example of each kind of coup that affects a spot, with its number of draws."""
        if spot in (BetSpot.PLAYER_PAIR, BetSpot.BANKER_PAIR):
            yield self.pair, Coup(CoupOutcome.TIE, 0, player_pair=True, banker_pair=True)
            yield self.total - self.pair, Coup(CoupOutcome.TIE, 0)
            return
        yield self.player, Coup(CoupOutcome.PLAYER, 9)
        yield self.tie, Coup(CoupOutcome.TIE, 9)
        yield self.banker_six, Coup(CoupOutcome.BANKER, 6)
        yield self.banker - self.banker_six, Coup(CoupOutcome.BANKER, 9)


def odds_of(unseen: Unseen) -> Odds:
    """Count all ordered draws of six unseen cards by the ending of the coup.

    This takes a few milliseconds. Raises ``ValueError`` unless there are thirteen counts of 0 or
    more, and at least six cards.
    """
    if len(unseen) != len(RANKS) or min(unseen) < 0:
        raise ValueError(f"a shoe needs 13 counts of 0 or more, from ace to king, not {unseen}")
    size = sum(unseen)
    if size < COUP_CARDS:
        raise ValueError(f"a coup needs {COUP_CARDS} cards, but only {size} are left")
    by_value = [0] * 10
    for rank, count in zip(RANKS, unseen, strict=True):
        by_value[value_of(Card(rank, Suit.CLUBS))] += count

    counts = [0] * len(CoupEnding)
    for thirds, cells in endings():
        counts_left = by_value.copy()
        draws = perm(size - 4 - len(thirds), 2 - len(thirds))  # draws of cards that no hand takes
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


# ---- two-card hands ----------------------------------------------------------------------------


class _Cell(NamedTuple):
    """The two-card totals of both sides, and the ending that follows."""

    player: int
    banker: int
    ending: CoupEnding


def _count_hands(counts: list[int], cells: Iterable[_Cell]) -> list[int]:
    """Count the ordered ways to draw both hands that lead to each ending.

    ``counts`` is the number of unseen cards of each value.
    """
    twice = counts[::-1] * 2
    # partners[total][value]: the number of cards that make the total with a card of that value
    partners = [twice[9 - total : 19 - total] for total in range(10)]
    for total in range(0, 10, 2):
        for half in (total // 2, total // 2 + 5):
            partners[total][half] -= 1  # a card cannot be its own partner
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


# ---- endings by the rules ----------------------------------------------------------------------


@cache
def endings() -> tuple[tuple[tuple[int, ...], tuple[_Cell, ...]], ...]:
    """Return, by the ascending values of the third cards, the two-card totals and their endings."""
    cells_by_thirds: defaultdict[tuple[int, ...], list[_Cell]] = defaultdict(list)
    for ours, theirs in product(range(10), repeat=2):
        for player, banker in _final_hands(hand_of(ours), hand_of(theirs)):
            thirds = sorted(map(value_of, (*player.cards[2:], *banker.cards[2:])))
            cell = _Cell(ours, theirs, ending_of(coup_of(player, banker)))
            cells_by_thirds[tuple(thirds)].append(cell)
    return tuple((thirds, tuple(cells)) for thirds, cells in cells_by_thirds.items())


def _final_hands(player: Hand, banker: Hand) -> Iterator[tuple[Hand, Hand]]:
    """Yield the final hands, with a third card of each value if a side receives one."""
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
    """Return the ending of a coup."""
    if coup.outcome is CoupOutcome.BANKER and coup.value == 6:
        return CoupEnding.BANKER_SIX
    return CoupEnding[coup.outcome.name]


def hand_of(total: int) -> Hand:
    """Return a two-card hand with a given total; the rules depend only on the total."""
    return Hand(cards=(CARD_OF_VALUE[0], CARD_OF_VALUE[total]))


CARD_OF_VALUE: tuple[Card, ...] = tuple(
    Card(Rank(value or Rank.TEN), Suit.CLUBS) for value in range(10)
)
"""A card of each value from 0 to 9."""
