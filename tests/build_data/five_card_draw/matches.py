"""Matches between two policies on duplicate deals, computed as expectations instead of played.

Each deal from one pack is used twice, with the policies' seats exchanged. Its value is the
expectation over both mixed strategies: all bets and all draws, weighted by their chances. So only
the cards are random, and a difference becomes significant after a fraction of the deals that actual
play would need.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tui_casino.games.five_card_draw.brains.equilibrium.betting_tree import (
    ANTE_SB,
    BETS_SB,
    CLOSES,
    DEALER,
    ENDS,
    FIRST,
    FIRST_ROUND_PUT_IN,
    FOLDS,
    ROOT,
    SMALL_BET,
    CloseNode,
)
from tui_casino.games.five_card_draw.brains.equilibrium.hand_buckets import NUMBERS, Floats
from tui_casino.games.five_card_draw.brains.equilibrium.traversal import (
    DRAW,
    Policies,
    Policy,
    propagate_reach,
    round_policy,
)

from .sampled_deals import SeatDeals, deal

BLOCK = 20_000
SEED = 7
_RARE = 1e-5
"""Less likely lines of play are skipped; together they are worth a thousandth of a credit."""


class MatchResult(NamedTuple):
    """The first policy's result in credits per hand, and half of its 95% confidence interval."""

    credits: float
    error: float

    @property
    def is_significant(self) -> bool:
        """Whether the interval excludes 0."""
        return abs(self.credits) > self.error


def play_match(one: Policies, other: Policies, deals: int, seed: int = SEED) -> MatchResult:
    """Compare two policies on a number of deals, each used twice with the seats exchanged."""
    return summarise_match(match_winnings(one, other, deals, seed))


def summarise_match(won: npt.NDArray[np.float64]) -> MatchResult:
    """Return the mean of the winnings, and half of its 95% confidence interval."""
    return MatchResult(float(won.mean()), float(1.96 * won.std(ddof=1) / np.sqrt(len(won))))


def match_winnings(
    one: Policies, other: Policies, deals: int, seed: int = SEED
) -> npt.NDArray[np.float64]:
    """Return the first policies' winnings per hand on each deal, in credits."""
    winnings = np.empty(0)
    for start in range(0, deals, BLOCK):
        sides = deal(min(BLOCK, deals - start), seed, start)
        as_first = first_seat_winnings(one[FIRST], other[DEALER], sides)
        as_dealer = -first_seat_winnings(other[FIRST], one[DEALER], sides)
        winnings = np.concatenate([winnings, SMALL_BET * (as_first + as_dealer) / 2])
    return winnings


class FirstSeatValue(NamedTuple):
    """The first seat's result in credits per hand, and its standard error."""

    credits: float
    error: float


def measure_first_seat(policies: Policies, deals: int, seed: int = SEED) -> FirstSeatValue:
    """Measure the first seat's result on deals that are played twice, with the hands exchanged.

    The luck of the deal then cancels out, so a ninth as many deals are enough.
    """
    total = squares = 0.0
    for start in range(0, deals, BLOCK):
        sides = deal(min(BLOCK, deals - start), seed, start)
        both = first_seat_winnings(*policies, sides) + first_seat_winnings(*policies, sides[::-1])
        won = SMALL_BET * both / 2
        total, squares = total + float(won.sum()), squares + float(won @ won)
    mean = total / deals
    return FirstSeatValue(mean, float(np.sqrt((squares / deals - mean**2) / deals)))


def first_seat_winnings(
    first: Policy, dealer: Policy, sides: tuple[SeatDeals, SeatDeals]
) -> npt.NDArray[np.float64]:
    """Return the first seat's winnings on each deal, in sb."""
    policies = first, dealer
    rounds = [
        propagate_reach(ROOT, seat, _opening(policies[seat], sides[seat]), "opening", _ONE)
        for seat in (FIRST, DEALER)
    ]
    total = np.zeros(len(sides[0].bucket))
    for fold in FOLDS:
        paid = ANTE_SB + BETS_SB[0] * fold.bets
        chance = rounds[FIRST][fold.name] * rounds[DEALER][fold.name]
        total += chance * (-paid if fold.seat == FIRST else paid)
    draws = first[DRAW][:, :, sides[0].bucket], dealer[DRAW][:, :, :, sides[1].bucket]
    for close_index, close in enumerate(CLOSES):
        close_chance = rounds[FIRST][close.name] * rounds[DEALER][close.name]
        if close_chance.max() < _RARE:
            continue
        for one in NUMBERS:
            for other in NUMBERS:
                chance = (
                    close_chance * draws[0][one, close_index] * draws[1][other, one, close_index]
                )
                rows = np.flatnonzero(chance > _RARE)
                if len(rows):
                    finals = sides[0].final[one, rows], sides[1].final[other, rows]
                    state = one, other, close_index
                    total[rows] += chance[rows] * _second(policies, state, finals)
    return total


_ONE = np.ones(1, np.float32)


def _opening(policy: Policy, side: SeatDeals) -> Policy:
    return {
        place: shares[:, side.bucket]
        for place, shares in policy.items()
        if place.phase == "opening"
    }


def _second(
    policies: tuple[Policy, Policy],
    state: tuple[int, int, int],
    finals: tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]],
) -> Floats:
    """Return the second round's value for the first seat, counted from the start of the hand."""
    rounds = [
        propagate_reach(
            ROOT, seat, round_policy(policies[seat], state, finals[seat]), "closing", _ONE
        )
        for seat in (FIRST, DEALER)
    ]
    sign = np.sign(finals[FIRST] - finals[DEALER]).astype(np.float32)
    total = np.zeros(len(sign), np.float32)
    for end in ENDS:
        paid = np.float32(FIRST_ROUND_PUT_IN[state[2]] + BETS_SB[1] * end.bets)
        chance = rounds[FIRST][end.name] * rounds[DEALER][end.name]
        if isinstance(end, CloseNode):
            total += chance * sign * paid
        else:
            total += chance * (-paid if end.seat == FIRST else paid)
    return total
