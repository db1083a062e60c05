"""The ranges of an opponent that plays the blueprint, and the EVs of one hand against them.

The opponent's bets and draws determine its range by Bayes' rule. From the current decision on, both
players play the blueprint. The opponent's hands before the draw are weighted by the kernel with the
cards that this seat was dealt, and its final hands by the kernel with the cards that this seat has
seen. If this seat has not drawn yet, the kernel of final hands also includes the effect of its own
final hand.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from .....cards.card import Card, Hand
from .....cards.draw_odds import DRAWS_BY_HOLD, DirectDrawCounts
from .....cards.memo import memoize
from .....cards.poker import strength_of
from ..odds import hold_mask
from . import hand_classes, kernel, second_round_reach
from .best_response import follow_policy
from .betting_tree import (
    BETS_SB,
    CLOSES,
    FIRST,
    FIRST_ROUND_PUT_IN,
    FOLDS,
    NODES,
    ROOT,
    DecisionNode,
)
from .blueprint_lookup import Blueprint, blueprint, bucket_of, discard_positions
from .hand_buckets import NUMBERS, Floats, hand_buckets
from .second_round_reach import add_tremble
from .second_round_values import DrawState, end_values, expected_ends, round_policy, round_values
from .traversal import DRAW, Policy, back_up_values, propagate_reach

SAMPLES = 40_000
"""Hands sampled for each number drawn, to estimate the cards seen by final hands."""

_NODES = {node.name: node for node in NODES}
_RARE = 0.002
"""Less likely draws are ignored in the EV of a bet before the draw."""
_SELDOM = 0.0005
"""Ends of the first round that the opponent reaches less often are ignored."""


class BlueprintRanges:
    """Compute the ranges and EVs that the blueprint gives a player who holds a known hand."""

    def __init__(self, strategy: Blueprint) -> None:
        hands = hand_buckets()
        self.policies = strategy.policies
        self.dealt: Floats = hands.by_bucket(hands.deals).astype(np.float32)
        self.opponent_policies = tuple(map(add_tremble, self.policies))
        self.second_round_reach = tuple(
            _add_tremble(reach, seat) for seat, reach in enumerate(second_round_reach.read_reach())
        )
        self.all_finals: npt.NDArray[np.int32] = np.arange(
            hand_classes.class_count(), dtype=np.int32
        )
        self._draws = DirectDrawCounts(hand_classes.class_of_strength(), hand_classes.class_count())

    # ---- the opponent's hands ---------------------------------------------------------------

    def bucket_weights(self, cards: Sequence[Card]) -> Floats:
        """Return the opponent's weight of each dealt bucket, given the cards of this seat."""
        rank_weights = np.ones(len(kernel.rank_sets()[0]))
        for rank, count in enumerate(_ranks(cards)):
            rank_weights *= kernel.SHARES[count, kernel.rank_sets()[0][:, rank]]
        weights: Floats = (self.dealt * kernel.mean_by_bucket(rank_weights)).astype(np.float32)
        return weights

    def opening_reach(self, other: int, cards: Sequence[Card]) -> dict[str, Floats]:
        """Return the opponent's weight of each bucket at each node of the first round."""
        return propagate_reach(
            ROOT, other, self.opponent_policies[other], "opening", self.bucket_weights(cards)
        )

    def final_weights(self, other: int, state: DrawState, cards: Sequence[Card]) -> Floats:
        """Return the opponent's weight of each final hand when the second round begins."""
        weights: Floats = self.second_round_reach[other][state] * _removal_weights(
            tuple(_ranks(cards)), state[other]
        )
        return weights

    def reach_after(self, other: int, state: DrawState, weights: Floats, name: str) -> Floats:
        """Return the opponent's weights by final hand at a decision of the second round."""
        policy = round_policy(self.opponent_policies[other], state, self.all_finals)
        return propagate_reach(ROOT, other, policy, "closing", weights)[name]

    def final_kernel(self, state: DrawState) -> Floats:
        """Return the kernel of two final hands, with the first seat's hand on the first axis."""
        return _final_kernel(state[FIRST], state[1 - FIRST])

    def win_chances(self, weights: Floats) -> Floats:
        """Return how often each final hand beats the range; a tie counts half."""
        cumulative = np.cumsum(weights)
        wins: Floats = (cumulative - weights / 2) / cumulative[-1]
        return wins

    # ---- the player's hand --------------------------------------------------------------------

    def final_shares(self, hand: Hand) -> Floats:
        """Return the shares of a hand's final hands after each hold mask, in shape (32, finals)."""
        return _final_shares(self._draws, hand)

    def final_of(self, hand: Hand) -> int:
        """Return the class of a final hand."""
        return int(hand_classes.class_of_strength()[strength_of(hand)])

    def draw_frequencies(
        self, seat: int, close_index: int, first_drew: int | None, hand: Hand
    ) -> Floats:
        """Return how often a hand draws each number of cards."""
        policy, bucket = self.policies[seat][DRAW], bucket_of(hand)
        shares: Floats = (
            policy[:, close_index, bucket]
            if seat == FIRST
            else policy[:, first_drew, close_index, bucket]
        )
        return shares

    # ---- the second round ---------------------------------------------------------------------

    def closing_values(
        self, seat: int, state: DrawState, hand: Hand, cards: Sequence[Card], name: str
    ) -> Floats:
        """Return the value, in sb, of each act that a seat with this final hand can choose.

        ``cards`` are all cards that the seat has seen. Values are counted from the beginning of the
        hand, so folding loses what was put in.
        """
        own = np.array([self.final_of(hand)], np.int32)
        weights = self.final_weights(1 - seat, state, cards)
        end_reach = expected_ends(self.opponent_policies[1 - seat], seat, state, own, weights[None])
        terminal_values = end_values(seat, state[2], end_reach)
        rule = follow_policy(round_policy(self.policies[seat], state, own))
        acts = [
            back_up_values(act, seat, "closing", terminal_values, rule)[0]
            for act in _NODES[name].children
        ]
        values: Floats = np.array(acts) / self.reach_after(1 - seat, state, weights, name).sum()
        return values

    # ---- the draw -----------------------------------------------------------------------------

    def draw_values(
        self, seat: int, close_index: int, first_drew: int | None, hand: Hand, number: int
    ) -> Floats:
        """Return the value, in sb, of each final hand after drawing ``number`` cards."""
        if seat == FIRST:
            return self._first_seat_draw_values(close_index, hand, number)
        return self._second_round_values(seat, (first_drew or 0, number, close_index), hand, number)

    def _first_seat_draw_values(self, close_index: int, hand: Hand, number: int) -> Floats:
        """Average over the dealer's draws, weighted by how often the dealer chooses them."""
        close_reach = self.opening_reach(1 - FIRST, hand)[CLOSES[close_index].name]
        dealer_draws = (
            self.opponent_policies[1 - FIRST][DRAW][:, number, close_index] @ close_reach
        ) / close_reach.sum()
        values = np.zeros(len(self.all_finals), np.float32)
        for other in NUMBERS:
            if dealer_draws[other] > _RARE:
                values += dealer_draws[other] * self._second_round_values(
                    FIRST, (number, other, close_index), hand, number
                )
        mean_values: Floats = values / dealer_draws[dealer_draws > _RARE].sum()
        return mean_values

    def _second_round_values(self, seat: int, state: DrawState, hand: Hand, number: int) -> Floats:
        """Return the value of each own final hand at the start of the second round."""
        final_shares = self.final_shares(hand)[hold_mask(hand, discard_positions(hand, number))]
        final_kernel = _final_kernel(state[seat], state[1 - seat])
        weights = self.final_weights(1 - seat, state, hand)
        final_weights = weights * final_kernel / np.maximum(final_shares @ final_kernel, _NEVER)
        final_weights /= np.maximum(final_shares @ final_weights.sum(axis=1), _NEVER)
        expected = expected_ends(
            self.opponent_policies[1 - seat], seat, state, self.all_finals, final_weights
        )
        return round_values(
            seat,
            state[2],
            expected,
            follow_policy(round_policy(self.policies[seat], state, self.all_finals)),
        )

    # ---- the first round ----------------------------------------------------------------------

    def opening_values(self, seat: int, hand: Hand, name: str) -> Floats:
        """Return the value of each act of the first round, in sb, as in :meth:`closing_values`."""
        opponent_reach = self.opening_reach(1 - seat, hand)
        node = _NODES[name]
        terminal_values = {}
        for fold in FOLDS:
            paid = np.float32(fold.bets * BETS_SB[0] + FIRST_ROUND_PUT_IN[0])
            terminal_values[fold.name] = opponent_reach[fold.name].sum() * (
                -paid if fold.seat == seat else paid
            )
        decision_reach = opponent_reach[name].sum()
        for close_index, close in enumerate(CLOSES):
            terminal_values[close.name] = np.float32(0)
            if (
                close.name.startswith(name)
                and opponent_reach[close.name].sum() > _SELDOM * decision_reach
            ):
                terminal_values[close.name] = opponent_reach[close.name].sum() * self._close_value(
                    seat, close_index, hand, opponent_reach
                )
        rule = follow_policy(_opening(self.policies[seat], bucket_of(hand)))
        acts = [
            back_up_values(act, seat, "opening", terminal_values, rule) for act in node.children
        ]
        values: Floats = np.array(acts) / decision_reach
        return values

    def _close_value(
        self, seat: int, close_index: int, hand: Hand, opponent_reach: dict[str, Floats]
    ) -> np.float32:
        """Return the value of reaching the draw if the seat then draws like the solution."""
        if seat == FIRST:
            return self._draw_value(seat, close_index, None, hand)
        close_reach = opponent_reach[CLOSES[close_index].name]
        first_draws = (self.opponent_policies[FIRST][DRAW][:, close_index] @ close_reach) / max(
            close_reach.sum(), _NEVER
        )
        likely_draws = [number for number in NUMBERS if first_draws[number] > _RARE]
        value = sum(
            first_draws[number] * self._draw_value(seat, close_index, number, hand)
            for number in likely_draws
        )
        return np.float32(value / max(first_draws[likely_draws].sum(), _NEVER))

    def _draw_value(
        self, seat: int, close_index: int, first_drew: int | None, hand: Hand
    ) -> np.float32:
        frequencies, final_shares = (
            self.draw_frequencies(seat, close_index, first_drew, hand),
            self.final_shares(hand),
        )
        likely_draws = [number for number in NUMBERS if frequencies[number] > _RARE]
        value = sum(
            frequencies[number]
            * (
                final_shares[hold_mask(hand, discard_positions(hand, number))]
                @ self.draw_values(seat, close_index, first_drew, hand, number)
            )
            for number in likely_draws
        )
        return np.float32(value / frequencies[likely_draws].sum())


_NEVER = 1e-12


@memoize(maxsize=8)
def _final_shares(draws: DirectDrawCounts, hand: Hand) -> Floats:
    counts = draws.after_each_hold(hand)
    shares: Floats = (counts / np.array(DRAWS_BY_HOLD)[:, None]).astype(np.float32)
    return shares


def node_by_name(name: str) -> DecisionNode:
    """Return a decision by its name."""
    return _NODES[name]


def _opening(policy: Policy, bucket: int) -> Policy:
    return {
        place: shares[:, bucket] for place, shares in policy.items() if place.phase == "opening"
    }


def _add_tremble(reached: Floats, seat: int) -> Floats:
    """Add to every final hand a small part of its reach summed over all states with its draw."""
    own = np.moveaxis(reached, seat, 0)
    draw_reach = own.sum(axis=(1, 2), keepdims=True)
    own += second_round_reach.TREMBLE * second_round_reach.TREMBLE * draw_reach
    return reached


@memoize(maxsize=32)
def _removal_weights(ranks: tuple[int, ...], number: int) -> Floats:
    """Return the kernel of seen cards, counted by rank, with each final hand after a draw."""
    rank_shares = kernel.cards_seen(SAMPLES)[number][0]
    weights: Floats = np.ones(len(rank_shares), np.float32)
    for rank, count in enumerate(ranks):
        if count:
            weights *= (rank_shares[:, rank] @ kernel.SHARES[count]).astype(np.float32)
    return weights


def _ranks(cards: Sequence[Card]) -> list[int]:
    indices = [card.index % kernel.RANKS for card in cards]
    return [indices.count(rank) for rank in range(kernel.RANKS)]


@memoize(maxsize=len(NUMBERS) ** 2)
def _final_kernel(own: int, other: int) -> Floats:
    """Return the kernel of two final hands by the numbers drawn, without scaling its mean."""
    one, two = (kernel.cards_seen(SAMPLES)[number][0] for number in (own, other))
    ranks = (one @ kernel.SHARES).astype(np.float32).swapaxes(0, 1).copy()
    others = two.astype(np.float32).transpose(1, 2, 0).copy()
    pair_kernel: Floats = np.ones((len(one), len(two)), np.float32)
    for start in range(0, len(one), _FEW):
        rows = slice(start, start + _FEW)
        for rank, of_other in zip(ranks, others, strict=True):
            pair_kernel[rows] *= rank[rows] @ of_other
    return pair_kernel


_FEW = 32  # rows at a time: products this small stay on one thread


@memoize()
def blueprint_ranges() -> BlueprintRanges:
    """Read the files that ship with the game. The first call takes a third of a second."""
    return BlueprintRanges(blueprint())
