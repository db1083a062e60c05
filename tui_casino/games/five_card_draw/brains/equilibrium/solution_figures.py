"""Figures of the report on the solution: opening bets, bluffs, and the value of skill.

In the rates of opening bets and bluffs, hands of a type are weighted by how often they are dealt;
the opponent's cards are ignored.

The value of skill is that at an ante table for two, where the discard is the only decision. One
seat discards by a fixed rule. The other is perfect: it knows the rule and, if it draws last, how
many cards were drawn. Each player has a separate pack. The deal alternates, so each player draws
last in half of all hands. The pot is two antes; ties share it.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from .....cards import hand_indexing
from .....cards.card import Rank
from .....cards.draw_odds import TOTAL_WEIGHT, Int64s, final_strength_counts
from .....cards.hand_indexing import DEAL_COUNT, HOLD_SIZES, HoldMasks
from .....cards.poker import (
    STRENGTHS,
    HandCategory,
    category_of,
    hand_rank_of,
    strengths_of_indices,
)
from ...machine.betting import ANTE
from ...machine.rules import HAND_CARDS
from ..odds import algorithm_masks
from .betting_tree import BETS_SB, CLOSES, DEALER, FIRST, FIRST_ROUND_PUT_IN, SMALL_BET
from .blueprint import PolicyPair
from .hand_buckets import (
    CHANCE_ONE,
    NUMBERS,
    class_of_strength,
    draw_model,
    hand_buckets,
    mean_chances,
    rate_hands,
)
from .traversal import DecisionPoint, Policies, compute_reach

ACE_HIGH = 14
"""The rank of an ace in a hand's ranking."""
PLAIN_PAIRS = (
    ("a pair of twos to fives", Rank.TWO, Rank.FIVE),
    ("a pair of sixes to nines", Rank.SIX, Rank.NINE),
    ("tens or jacks", Rank.TEN, Rank.JACK),
    ("queens", Rank.QUEEN, Rank.QUEEN),
    ("kings", Rank.KING, Rank.KING),
)


class OpeningFrequencies(Struct, frozen=True):
    """A type of hand: its share of all deals, and how often it opens, or bets after a check.

    ``facing`` is how often the dealer folds, calls and raises after a bet by the first seat.
    """

    name: str
    dealt: float
    opens: float
    after_check: float
    facing: tuple[float, float, float]


class BluffFrequencies(Struct, frozen=True):
    """How often the first seat bets and bluffs after both drew three cards, or none and one.

    ``bets`` is how often the first seat bets. ``bluffs`` is the share of these bets with less than
    the dealer's median hand or, if pat, with less than a pair. ``due`` is the share of bluffs for
    which a call breaks even. The pot is in credits.
    """

    drew: tuple[int, int]
    pot: int
    bets: float
    bluffs: float
    due: float


def opening_frequencies(policies: Policies) -> tuple[OpeningFrequencies, ...]:
    """Summarise the first round by type of hand, weakest first."""
    hands = hand_buckets()
    rows = []
    for name, mask in _kinds():
        weights = hands.by_bucket(hands.deals * mask)
        total = weights.sum()

        def share(
            seat: int, node: str, act: int, w: object = weights, divisor: float = total
        ) -> float:
            return float(policies[seat][DecisionPoint("opening", node)][act] @ w / divisor)

        fold, call, raise_ = (share(DEALER, "b", act) for act in range(3))
        opens, bets = share(FIRST, "", 1), share(DEALER, "k", 1)
        rows.append(OpeningFrequencies(name, float(total), opens, bets, (fold, call, raise_)))
    return tuple(rows)


def _kinds() -> Iterator[tuple[str, npt.NDArray[np.bool_]]]:
    """Yield the types of hands by name, each with a mask of its hand classes."""
    cards = hand_indexing.hand_classes().cards
    strengths = strengths_of_indices(cards.T)
    category = np.array([0, *map(category_of, STRENGTHS)])[strengths]
    top = np.array([0, *(hand_rank_of(strength).ranks[0] for strength in STRENGTHS)])[strengths]
    nothing = category == HandCategory.HIGH_CARD
    suited = np.max([(cards // 13 == suit).sum(axis=0) for suit in range(4)], axis=0) == 4
    yield "four of a suit, no pair", nothing & suited
    yield "ace high, no pair", nothing & ~suited & (top == ACE_HIGH)
    yield "no pair, no ace", nothing & ~suited & (top != ACE_HIGH)
    pair = category == HandCategory.ONE_PAIR
    for name, low, high in PLAIN_PAIRS:
        yield name, pair & (top >= low.value) & (top <= high.value)
    yield "aces", pair & (top == ACE_HIGH)
    yield "two pair", category == HandCategory.TWO_PAIR
    yield "three of a kind", category == HandCategory.THREE_OF_A_KIND
    yield "a straight or better", category >= HandCategory.STRAIGHT


def bluff_frequencies(policy_pair: PolicyPair) -> tuple[BluffFrequencies, ...]:
    """Summarise the first bets after the draw in the solution with two packs, which is exact."""
    policies, model = policy_pair[1], draw_model()
    own, other = (
        compute_reach(model, seat, policies[seat]).closing[""] for seat in (FIRST, DEALER)
    )
    names = [close.name for close in CLOSES]
    rows = []
    for drew, closed in (((3, 3), ("kk", "bc", "brc")), ((0, 1), ("kk", "bc"))):
        for name in closed:
            close_index = names.index(name)
            state = *drew, close_index
            own_reach = own[state]
            bets = own_reach * policies[FIRST][DecisionPoint("closing")][(1, *state)]
            bluff_count = _middle(other[state]) if drew[0] else _first_pair()
            pot = round(2 * FIRST_ROUND_PUT_IN[close_index] * SMALL_BET)
            bet = BETS_SB[1] * SMALL_BET
            bet_share, fair_share = float(bets.sum() / own_reach.sum()), bet / (pot + 2 * bet)
            rows.append(
                BluffFrequencies(
                    drew, pot, bet_share, float(bets[:bluff_count].sum() / bets.sum()), fair_share
                )
            )
    return tuple(rows)


def _middle(others: npt.NDArray[np.float32]) -> int:
    return int(np.searchsorted(np.cumsum(others), others.sum() / 2))


def _first_pair() -> int:
    pairs = (one for one in STRENGTHS if category_of(one) is HandCategory.ONE_PAIR)
    return int(class_of_strength()[next(pairs)])


_SIZES = np.array(HOLD_SIZES)


def algorithm_loss() -> float:
    """Return how much the course's algorithm loses to a perfect opponent, in credits per hand."""
    return discard_loss(algorithm_masks())


def exact_draw_loss() -> float:
    """Return how much the draw that beats the algorithm most often loses, in credits per hand."""
    best: HoldMasks = rate_hands().chances.argmax(axis=0).astype(np.uint8)
    return discard_loss(best)


def discard_loss(masks: HoldMasks) -> float:
    """Return how much a rule loses, in credits per hand, given its hold mask for each hand class.

    This takes several seconds.
    """
    draw_counts = HAND_CARDS - _SIZES[masks]
    counts = {number: final_strength_counts(masks, draw_counts == number) for number in NUMBERS}
    first_seat = _best(np.sum([*counts.values()], axis=0))
    dealer = sum(
        int(count.sum()) / TOTAL_WEIGHT * _best(count) for count in counts.values() if count.any()
    )
    return 2 * ANTE * ((first_seat + dealer) / 2 - 0.5)


def _best(counts: Int64s) -> float:
    """Return how often the best discards beat final hands with these counts, ties counted half."""
    win_chances: npt.NDArray[np.float64] = (np.cumsum(counts) - counts / 2) / counts.sum()
    chances = mean_chances((win_chances * CHANCE_ONE).astype(np.int64))
    return float(chances.max(axis=0) @ hand_indexing.hand_classes().deals / DEAL_COUNT / CHANCE_ONE)
