"""Exact odds of the next coup, given the unseen cards, and the results of bets on it.

>>> odds = odds_of(full_shoe(8))
>>> odds.banker, odds.player, odds.tie
(2292252566437888, 2230518282592256, 475627426473216)
>>> spots = rules.BetSpot.BANKER, rules.BetSpot.TIE
>>> [f"{float(odds.edge(spot, rules.Options())):.4%}" for spot in spots]
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

A pair on one side removes two cards of a rank and fixes that side's total. So for each value of a
pair the third cards are drawn from the remaining cards, and then the two cards of the other side.
If both sides have pairs, only the third cards remain to be drawn.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from enum import IntEnum
from fractions import Fraction
from functools import cache, lru_cache
from itertools import product
from math import perm
from operator import mul
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from msgspec import Struct

from ....cards.card import RANKS, SUITS, Card, Rank, Suit
from ....gamekit.adviser import Expectation
from ..machine import rules
from ..machine.state import CoupOver, Event

if TYPE_CHECKING:
    from ....gamekit.distributions import ReturnDistribution


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

    def draws(self, spot: rules.BetSpot) -> int:
        """Return the number of draws in which a bet on a spot wins."""
        match spot:
            case rules.BetSpot.PLAYER:
                return self.player
            case rules.BetSpot.BANKER:
                return self.banker
            case rules.BetSpot.TIE:
                return self.tie
            case rules.BetSpot.PLAYER_PAIR | rules.BetSpot.BANKER_PAIR:
                return self.pair

    def chance(self, spot: rules.BetSpot) -> Fraction:
        """Return the probability that a bet on a spot wins."""
        return Fraction(self.draws(spot), self.total)

    def edge(self, spot: rules.BetSpot, options: rules.Options) -> Fraction:
        """Return the house edge: the share of each bet that the house keeps on average.

        Bets that are returned after a tie count as bets.
        """
        paid_back = sum(
            count * rules.payout(spot, 1, coup, options) for count, coup in self._coups(spot)
        )
        return 1 - Fraction(paid_back, rules.CENTS * self.total)

    def _coups(self, spot: rules.BetSpot) -> Iterator[tuple[int, rules.Coup]]:
        """Yield an example of each kind of coup that affects a spot, with its number of draws."""
        if spot in (rules.BetSpot.PLAYER_PAIR, rules.BetSpot.BANKER_PAIR):
            yield (
                self.pair,
                rules.Coup(rules.CoupOutcome.TIE, 0, player_pair=True, banker_pair=True),
            )
            yield self.total - self.pair, rules.Coup(rules.CoupOutcome.TIE, 0)
            return
        yield self.player, rules.Coup(rules.CoupOutcome.PLAYER, 9)
        yield self.tie, rules.Coup(rules.CoupOutcome.TIE, 9)
        yield self.banker_six, rules.Coup(rules.CoupOutcome.BANKER, 6)
        yield self.banker - self.banker_six, rules.Coup(rules.CoupOutcome.BANKER, 9)


def odds_of(unseen: Unseen) -> Odds:
    """Count all ordered draws of six unseen cards by the ending of the coup.

    This takes a few milliseconds. Raises ``ValueError`` unless there are thirteen counts of 0 or
    more, and at least six cards.
    """
    if len(unseen) != len(RANKS) or min(unseen) < 0:
        raise ValueError(f"a shoe needs 13 counts of 0 or more, from ace to king, not {unseen}")
    size = sum(unseen)
    if size < rules.COUP_CARDS:
        raise ValueError(f"a coup needs {rules.COUP_CARDS} cards, but only {size} are left")
    by_value = [0] * 10
    for rank, count in zip(RANKS, unseen, strict=True):
        by_value[rules.value_of(Card(rank, Suit.CLUBS))] += count

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
        total=perm(size, rules.COUP_CARDS),
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
            thirds = sorted(map(rules.value_of, (*player.cards[2:], *banker.cards[2:])))
            cell = _Cell(ours, theirs, ending_of(rules.coup_of(player, banker)))
            cells_by_thirds[tuple(thirds)].append(cell)
    return tuple((thirds, tuple(cells)) for thirds, cells in cells_by_thirds.items())


def _final_hands(player: rules.Hand, banker: rules.Hand) -> Iterator[tuple[rules.Hand, rules.Hand]]:
    """Yield the final hands, with a third card of each value if a side receives one."""
    side = rules.next_to_receive(player, banker)
    if side is None:
        yield player, banker
        return
    for card in CARD_OF_VALUE:
        if side is rules.HandSide.PLAYER:
            yield from _final_hands(player.receive(card), banker)
        else:
            yield from _final_hands(player, banker.receive(card))


def ending_of(coup: rules.Coup) -> CoupEnding:
    """Return the ending of a coup."""
    if coup.outcome is rules.CoupOutcome.BANKER and coup.value == 6:
        return CoupEnding.BANKER_SIX
    return CoupEnding[coup.outcome.name]


def hand_of(total: int) -> rules.Hand:
    """Return a two-card hand with a given total; the rules depend only on the total."""
    return rules.Hand(cards=(CARD_OF_VALUE[0], CARD_OF_VALUE[total]))


CARD_OF_VALUE: tuple[Card, ...] = tuple(
    Card(Rank(value or Rank.TEN), Suit.CLUBS) for value in range(10)
)
"""A card of each value from 0 to 9."""


COUP_OF_ENDING: Mapping[CoupEnding, tuple[rules.CoupOutcome, int]] = MappingProxyType(
    {
        CoupEnding.BANKER: (rules.CoupOutcome.BANKER, 9),
        CoupEnding.BANKER_SIX: (rules.CoupOutcome.BANKER, 6),
        CoupEnding.PLAYER: (rules.CoupOutcome.PLAYER, 9),
        CoupEnding.TIE: (rules.CoupOutcome.TIE, 9),
    }
)
"""An example of each ending: the winner, and a value with which that side can win."""


class JointOdds(Struct, frozen=True):
    """The number of ordered draws of six cards for each kind of coup that bets distinguish."""

    draws: Mapping[rules.Coup, int]

    @property
    def total(self) -> int:
        """The total number of draws."""
        return sum(self.draws.values())

    def distribution(self, bets: rules.Bets, options: rules.Options) -> dict[int, Fraction]:
        """Return the distribution of the total payout of bets on all spots, in cents."""
        counts = Counter[int]()
        for coup, count in self.draws.items():
            spot_bets = zip(rules.SPOTS, bets, strict=True)
            counts[
                sum(rules.payout(spot, credits, coup, options) for spot, credits in spot_bets)
            ] += count
        return {payout_sum: Fraction(count, self.total) for payout_sum, count in counts.items()}

    def mean_and_variance(
        self, bets: rules.Bets, options: rules.Options
    ) -> tuple[Fraction, Fraction]:
        """Return the mean and variance of the total payout of bets on all spots, in cents."""
        chances = self.distribution(bets, options).items()
        mean = sum((payout_sum * chance for payout_sum, chance in chances), Fraction(0))
        return mean, sum(
            (payout_sum**2 * chance for payout_sum, chance in chances), Fraction(0)
        ) - mean**2


def joint_odds_of(unseen: Unseen) -> JointOdds:
    """Count all ordered draws of six unseen cards by the coup that they produce.

    This takes about ten milliseconds. Raises the errors of :func:`odds_of`.
    """
    odds = odds_of(unseen)
    by_value = [0] * 10
    of_value: list[list[int]] = [[] for _ in range(10)]
    for rank, count in zip(RANKS, unseen, strict=True):
        value = rules.value_of(Card(rank, Suit.CLUBS))
        by_value[value] += count
        of_value[value].append(count)
    player_pairs: Counter[CoupEnding] = Counter()
    banker_pairs: Counter[CoupEnding] = Counter()
    both_pairs: Counter[CoupEnding] = Counter()
    for value in range(10):
        pairs, total = sum(perm(count, 2) for count in of_value[value]), 2 * value % 10
        unseen_left = _without_pair(by_value, value)
        for other in range(10 if pairs else 0):
            for ending, count in _count_endings(unseen_left, (total, other), to_draw=other):
                player_pairs[ending] += pairs * count
            for ending, count in _count_endings(unseen_left, (other, total), to_draw=other):
                banker_pairs[ending] += pairs * count
    for one, other in product(range(10), repeat=2):
        pairs = _two_pairs(of_value[one], of_value[other], same=one == other)
        unseen_left = _without_pair(_without_pair(by_value, one), other)
        for ending, count in (
            _count_endings(unseen_left, (2 * one % 10, 2 * other % 10)) if pairs else ()
        ):
            both_pairs[ending] += pairs * count
    all_draws = {
        CoupEnding.BANKER: odds.banker - odds.banker_six,
        CoupEnding.BANKER_SIX: odds.banker_six,
        CoupEnding.PLAYER: odds.player,
        CoupEnding.TIE: odds.tie,
    }
    draws = {}
    for ending, (outcome, points) in COUP_OF_ENDING.items():
        counts = {
            (True, True): both_pairs[ending],
            (True, False): player_pairs[ending] - both_pairs[ending],
            (False, True): banker_pairs[ending] - both_pairs[ending],
            (False, False): all_draws[ending]
            - player_pairs[ending]
            - banker_pairs[ending]
            + both_pairs[ending],
        }
        for (player_pair, banker_pair), count in counts.items():
            coup = rules.Coup(outcome, points, player_pair=player_pair, banker_pair=banker_pair)
            draws[coup] = count
    return JointOdds(draws)


def _without_pair(counts: list[int], value: int) -> list[int]:
    """Return the counts of the card values after the two cards of a pair are removed."""
    return [each - 2 * (place == value) for place, each in enumerate(counts)]


def _two_pairs(ours: list[int], theirs: list[int], *, same: bool) -> int:
    """Count the ordered ways to deal a pair to both sides, from the cards per rank of each value.

    ``same`` is true if both sides have pairs of the same value, so that they may share a rank.
    """
    return sum(
        perm(count, 2) * perm(max(other - 2 * (same and place == row), 0), 2)
        for row, count in enumerate(ours)
        for place, other in enumerate(theirs)
    )


def _count_endings(
    counts: list[int], totals: tuple[int, int], *, to_draw: int | None = None
) -> Iterator[tuple[CoupEnding, int]]:
    """Yield the endings of a coup with these two-card totals, and counts of ways to draw the rest.

    The rest are the third cards, the two cards of a side with total ``to_draw`` (if given), and
    the cards that no hand takes.
    """
    for thirds, ending in _endings_by_totals()[totals]:
        remaining, draws = counts.copy(), 1
        for third in thirds:
            draws *= remaining[third]
            remaining[third] -= 1
        if draws <= 0:
            continue
        size = sum(remaining)
        if to_draw is not None:
            draws *= sum(
                count * (remaining[(to_draw - value) % 10] - ((to_draw - value) % 10 == value))
                for value, count in enumerate(remaining)
            )
            size = max(size - 2, 0)
        yield ending, draws * perm(size, rules.COUP_CARDS - 4 - len(thirds))


@cache
def _endings_by_totals() -> Mapping[tuple[int, int], list[tuple[tuple[int, ...], CoupEnding]]]:
    """Return, for each pair of two-card totals, the possible third cards with their endings."""
    endings_by_totals: defaultdict[tuple[int, int], list[tuple[tuple[int, ...], CoupEnding]]] = (
        defaultdict(list)
    )
    for thirds, cells in endings():
        for player, banker, ending in cells:
            endings_by_totals[player, banker].append((thirds, ending))
    return endings_by_totals


def expect(options: rules.Options, event: Event) -> Expectation | None:
    """Return the mean and variance of the amount that a coup's bets return, in cents.

    Return ``None`` for the known shoe, which has no random cards, and for other events.
    """
    if not isinstance(event, CoupOver) or not options.decks:
        return None
    return _expectation(options, event.bets)


@lru_cache(maxsize=1 << 10)
def _expectation(options: rules.Options, bets: rules.Bets) -> Expectation:
    return Expectation(*_joint(rank_counts(options.pack)).mean_and_variance(bets, options))


@lru_cache(maxsize=len(rules.DECKS))
def _joint(shoe: Unseen) -> JointOdds:
    return joint_odds_of(shoe)


def distribution(options: rules.Options, event: Event) -> ReturnDistribution | None:
    """Return the distribution of the amount that a coup's bets return together, in cents.

    Return ``None`` for the known shoe, which has no random cards, and for other events.
    """
    if not isinstance(event, CoupOver) or not options.decks:
        return None
    return _distribution(options, event.bets)


@lru_cache(maxsize=1 << 10)
def _distribution(options: rules.Options, bets: rules.Bets) -> ReturnDistribution:
    chances = _joint(rank_counts(options.pack)).distribution(bets, options)
    return tuple((amount, float(chance)) for amount, chance in sorted(chances.items()))
