"""Exact joint odds of the outcome and the pairs of a coup, and the result of bets on both.

A pair on one side removes two cards of a rank and fixes that side's total. So for each value of a
pair the third cards are drawn from the remaining cards, as in :mod:`.odds`, and then the two cards
of the other side. If both sides have pairs, only the third cards remain to be drawn.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache, lru_cache
from itertools import product
from math import perm
from types import MappingProxyType
from typing import TYPE_CHECKING

from msgspec import Struct

from ....cards.card import RANKS, Card, Suit
from ....gamekit.adviser import Expectation
from ..machine.rules import (
    COUP_CARDS,
    DECKS,
    SPOTS,
    Bets,
    Coup,
    CoupOutcome,
    Options,
    payout,
    value_of,
)
from ..machine.state import CoupOver, Event
from .odds import CoupEnding, Unseen, endings, odds_of, rank_counts

if TYPE_CHECKING:
    from ....gamekit.distributions import ReturnDistribution


COUP_OF_ENDING: Mapping[CoupEnding, tuple[CoupOutcome, int]] = MappingProxyType(
    {
        CoupEnding.BANKER: (CoupOutcome.BANKER, 9),
        CoupEnding.BANKER_SIX: (CoupOutcome.BANKER, 6),
        CoupEnding.PLAYER: (CoupOutcome.PLAYER, 9),
        CoupEnding.TIE: (CoupOutcome.TIE, 9),
    }
)
"""An example of each ending: the winner, and a value with which that side can win."""


class JointOdds(Struct, frozen=True):
    """The number of ordered draws of six cards for each kind of coup that bets distinguish."""

    draws: Mapping[Coup, int]

    @property
    def total(self) -> int:
        """The total number of draws."""
        return sum(self.draws.values())

    def distribution(self, bets: Bets, options: Options) -> dict[int, Fraction]:
        """Return the distribution of the total payout of bets on all spots, in cents."""
        counts = Counter[int]()
        for coup, count in self.draws.items():
            spot_bets = zip(SPOTS, bets, strict=True)
            counts[sum(payout(spot, credits, coup, options) for spot, credits in spot_bets)] += (
                count
            )
        return {payout_sum: Fraction(count, self.total) for payout_sum, count in counts.items()}

    def mean_and_variance(self, bets: Bets, options: Options) -> tuple[Fraction, Fraction]:
        """Return the mean and variance of the total payout of bets on all spots, in cents."""
        chances = self.distribution(bets, options).items()
        mean = sum((payout_sum * chance for payout_sum, chance in chances), Fraction(0))
        return mean, sum(
            (payout_sum**2 * chance for payout_sum, chance in chances), Fraction(0)
        ) - mean**2


def joint_odds_of(unseen: Unseen) -> JointOdds:
    """Count all ordered draws of six unseen cards by the coup that they produce.

    This takes about ten milliseconds. Raises the errors of :func:`.odds.odds_of`.
    """
    odds = odds_of(unseen)
    by_value = [0] * 10
    of_value: list[list[int]] = [[] for _ in range(10)]
    for rank, count in zip(RANKS, unseen, strict=True):
        value = value_of(Card(rank, Suit.CLUBS))
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
            coup = Coup(outcome, points, player_pair=player_pair, banker_pair=banker_pair)
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
        yield ending, draws * perm(size, COUP_CARDS - 4 - len(thirds))


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


def expect(options: Options, event: Event) -> Expectation | None:
    """Return the mean and variance of the amount that a coup's bets return, in cents.

    Return ``None`` for the known shoe, which has no random cards, and for other events.
    """
    if not isinstance(event, CoupOver) or not options.decks:
        return None
    return _expectation(options, event.bets)


@lru_cache(maxsize=1 << 10)
def _expectation(options: Options, bets: Bets) -> Expectation:
    return Expectation(*_joint(rank_counts(options.pack)).mean_and_variance(bets, options))


@lru_cache(maxsize=len(DECKS))
def _joint(shoe: Unseen) -> JointOdds:
    return joint_odds_of(shoe)


def distribution(options: Options, event: Event) -> ReturnDistribution | None:
    """Return the distribution of the amount that a coup's bets return together, in cents.

    Return ``None`` for the known shoe, which has no random cards, and for other events.
    """
    if not isinstance(event, CoupOver) or not options.decks:
        return None
    return _distribution(options, event.bets)


@lru_cache(maxsize=1 << 10)
def _distribution(options: Options, bets: Bets) -> ReturnDistribution:
    chances = _joint(rank_counts(options.pack)).distribution(bets, options)
    return tuple((amount, float(chance)) for amount, chance in sorted(chances.items()))
