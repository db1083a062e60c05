"""The ranges of an opponent that plays the blueprint, and the EVs of one hand against them.

The opponent's bets and draws determine its range by Bayes' rule. From the current decision on, the
opponent plays the blueprint, and this seat makes the best choices against it. At decisions that the
blueprint reaches with this seat's hand, these are the blueprint's own, up to its exploitability; at
all others the blueprint has no meaningful frequencies, so it cannot be followed there.

The opponent's hands before the draw are weighted by the kernel with the cards that this seat was
dealt, and its final hands by the kernel with the cards that this seat has seen. If this seat has
not drawn yet, the kernel of final hands also includes the effect of its own final hand.

*Card removal* is how likely two hands are from one pack, compared with two packs. If one hand has
n1 cards of a rank, then n2 other cards of that rank can be chosen in C(4-n1, n2) ways, compared
with C(4, n2) ways from a second pack. The product of these quotients over the thirteen ranks is the
*kernel* of the two hands. Suits are ignored. After the draw, card removal depends on all cards that
a player has seen: those kept, drawn and discarded. A final hand does not determine these cards, but
their distribution by rank is known. For two classes, the mean quotient of each rank is computed,
and the kernel is the product of these means, as if ranks were independent.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from math import comb
from threading import Lock
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from .....cards.card import Card, Hand
from .....cards.draw_odds import DRAWS_BY_HOLD, DirectDrawCounts
from .....cards.memo import memoize
from ...machine.rules import Positions, allowed_draw_counts
from ..odds import hold_mask
from . import betting_tree as tree
from . import traversal
from .blueprint import (
    TREMBLE,
    Blueprint,
    add_tremble,
    blueprint,
    bucket_of,
    discard_positions,
    mix_tremble,
    read_arrivals,
)
from .hand_buckets import NUMBERS, Floats, class_count, class_of_hand, hand_buckets, play_tables

RANKS, SUITS = 13, 4

SHARES = np.array(
    [
        [comb(SUITS - one, other) / comb(SUITS, other) for other in range(SUITS + 1)]
        for one in range(SUITS + 1)
    ]
)
"""The kernel of a single rank, for each number of its cards in each of the two hands."""


class BucketRanks(NamedTuple):
    """The sets of ranks that occur in each bucket, and their shares of the bucket."""

    bucket: npt.NDArray[np.int64]
    ranks: npt.NDArray[np.int64]
    share: Floats


def bucket_ranks() -> BucketRanks:
    """Return the shipped sets of ranks of each bucket."""
    tables = play_tables()
    return BucketRanks(tables.pair_buckets, tables.pair_sets, tables.pair_shares)


def mean_by_bucket(by_ranks: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return the mean over the hands of each bucket of values by rank set, in shape (6175,)."""
    bucket, ranks, share = bucket_ranks()
    return np.bincount(bucket, by_ranks[ranks] * share, hand_buckets().buckets).astype(np.float64)


@memoize(maxsize=8)
def bucket_removal_weights(ranks: tuple[int, ...]) -> Floats:
    """Return the kernel of seen cards, counted by rank, with each bucket."""
    sets = play_tables().rank_sets
    rank_weights = np.ones(len(sets))
    for rank, count in enumerate(ranks):
        rank_weights *= SHARES[count, sets[:, rank]]
    weights: Floats = mean_by_bucket(rank_weights).astype(np.float32)
    return weights


@memoize(maxsize=32)
def final_removal_weights(ranks: tuple[int, ...], number: int) -> Floats:
    """Return the kernel of seen cards, counted by rank, with each final hand after a draw."""
    rank_shares = play_tables().seen[number]
    weights: Floats = np.ones(len(rank_shares), np.float32)
    for rank, count in enumerate(ranks):
        if count:
            weights *= (rank_shares[:, rank] @ SHARES[count]).astype(np.float32)
    return weights


def rank_counts(cards: Sequence[Card]) -> list[int]:
    """Return the number of cards of each of the thirteen ranks."""
    counts = [0] * RANKS
    for card in cards:
        counts[card.index % RANKS] += 1
    return counts


class FinalKernel:
    """The kernel of two final hands after two draws, without scaling its mean.

    The rows are computed when they are first needed, some together, because a single hand can
    become only a part of all final hands.
    """

    def __init__(self, own: int, other: int) -> None:
        self._own, self._others = _own_ranks(own), _other_ranks(other)
        finals = self._own.shape[1]
        self._rows: Floats = np.empty((finals, finals), np.float32)
        self._missing = {*range(0, finals, _FEW)}
        self._lock = Lock()

    def rows(self, finals: npt.NDArray[np.int32]) -> Floats:
        """Return the rows of some of the own final hands, as a copy."""
        with self._lock:
            for start in self._missing & {*(finals // _FEW * _FEW).tolist()}:
                block = slice(start, start + _FEW)
                by_rank = self._own[:, block] @ self._others
                np.multiply.reduce(by_rank, axis=0, out=self._rows[block])
                self._missing.remove(start)
        return self._rows[finals]


_FEW = 8  # rows at a time: most hands need few rows, and such products stay on one thread


@memoize(maxsize=len(NUMBERS) ** 2)
def final_kernel(own: int, other: int) -> FinalKernel:
    """Return the kernel of two final hands by the numbers drawn."""
    return FinalKernel(own, other)


@memoize(maxsize=len(NUMBERS))
def _own_ranks(number: int) -> Floats:
    shares: Floats = (play_tables().seen[number] @ SHARES).astype(np.float32)
    return shares.swapaxes(0, 1).copy()


@memoize(maxsize=len(NUMBERS))
def _other_ranks(number: int) -> Floats:
    seen: Floats = play_tables().seen[number].astype(np.float32)
    return seen.transpose(1, 2, 0).copy()


_NODES = {node.name: node for node in tree.NODES}
_RARE = 0.002
"""Less likely draws are ignored in the EV of a bet before the draw."""
_TREMBLING = 1e-6
"""Final hands reach a state less often than this only if the seat trembles on the way."""
_SELDOM = 0.0005
"""Ends of the first round that the opponent reaches less often are ignored."""


class Response(NamedTuple):
    """An opponent's act after a seat's own: its letter, its frequency, and the seat's value.

    ``reply`` is the letter of the seat's best act after it, or "" if the seat does not act again.
    """

    letter: str
    share: float
    value: float
    reply: str = ""


class ActValue(NamedTuple):
    """An act of a seat: its letter, its value, and how the opponent responds to it.

    Values are in sb from the beginning of the hand, so folding loses what was put in. There are no
    responses to an act that ends the hand or the betting round.
    """

    letter: str
    value: float
    responses: tuple[Response, ...]


class OwnFinals(NamedTuple):
    """Final hands that a seat can have after a draw, and how often it then has each of them."""

    finals: npt.NDArray[np.int32]
    shares: Floats


class BlueprintRanges:
    """Compute the ranges and EVs that the blueprint gives a player who holds a known hand."""

    def __init__(self, strategy: Blueprint) -> None:
        hands = hand_buckets()
        self.policies = strategy.policies
        self.dealt: Floats = hands.by_bucket(hands.deals).astype(np.float32)
        self.opponent_policy = lru_cache(maxsize=2)(self._first_round_policy)
        self._all_end_shares = lru_cache(maxsize=50)(  # all draws of both seats, 180 KB each
            lambda seat, drawn: traversal.end_shares(
                self.opponent_round(1 - seat, drawn),
                seat,
                (len(tree.CLOSES), class_count()),
            )
        )
        self.second_round_reach = tuple(
            _add_tremble(reach, seat) for seat, reach in enumerate(read_arrivals())
        )
        self.all_finals: npt.NDArray[np.int32] = np.arange(class_count(), dtype=np.int32)
        self._draws = DirectDrawCounts(play_tables().class_of_strength, play_tables().small_sets)

    # ---- the opponent's hands ---------------------------------------------------------------

    def _first_round_policy(self, seat: int) -> traversal.Policy:
        policy = self.policies[seat]
        return add_tremble({point: policy[point] for point in policy if point.phase == "opening"})

    def draw_policy(self, seat: int, *state: int) -> Floats:
        """Return how often the opponent draws each number of cards in a state: (5, buckets).

        The state is the number that the first seat drew, which only the dealer knows, and how the
        first round closed.
        """
        return mix_tremble(traversal.state_shares(self.policies[seat], traversal.DRAW, *state))

    def opponent_round(self, other: int, state: tuple[int, ...]) -> traversal.Policy:
        """Return the opponent's second-round policy in a state for each final hand.

        A state may lack its last number, as in :func:`.round_policy`.
        """
        return add_tremble(traversal.round_policy(self.policies[other], state, self.all_finals))

    def _end_shares(self, seat: int, state: traversal.DrawState) -> tuple[Floats, Floats]:
        *drawn, close_index = state
        folds, closes = self._all_end_shares(seat, tuple(drawn))
        return folds[close_index], closes[close_index]

    def bucket_weights(self, cards: Sequence[Card]) -> Floats:
        """Return the opponent's weight of each dealt bucket, given the cards of this seat."""
        weights: Floats = self.dealt * bucket_removal_weights(tuple(rank_counts(cards)))
        return weights

    def opening_reach(self, other: int, cards: Sequence[Card]) -> dict[str, Floats]:
        """Return the opponent's weight of each bucket at each node of the first round."""
        return traversal.propagate_reach(
            tree.ROOT, other, self.opponent_policy(other), "opening", self.bucket_weights(cards)
        )

    def final_weights(
        self, other: int, state: traversal.DrawState, cards: Sequence[Card]
    ) -> Floats:
        """Return the opponent's weight of each final hand when the second round begins."""
        weights: Floats = self.second_round_reach[other][state] * final_removal_weights(
            tuple(rank_counts(cards)), state[other]
        )
        return weights

    def closing_reach(
        self, other: int, state: traversal.DrawState, weights: Floats
    ) -> dict[str, Floats]:
        """Return the opponent's weights by final hand at each node of the second round."""
        return traversal.propagate_reach(
            tree.ROOT, other, self.opponent_round(other, state), "closing", weights
        )

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
        return class_of_hand(hand)

    # ---- how often the blueprint makes each choice; 0 if it never comes there with the hand --

    def opening_frequencies(self, seat: int, hand: Hand, name: str) -> Floats:
        """Return how often a hand makes each act of the first round."""
        place = traversal.DecisionPoint("opening", name)
        shares = traversal.state_shares(self.policies[seat], place, bucket_of(hand))
        return shares * self._own_opening(seat, hand, name)

    def draw_frequencies(
        self, seat: int, close_index: int, first_drew: int | None, hand: Hand
    ) -> Floats:
        """Return how often a hand draws each number of cards."""
        known = () if seat == tree.FIRST else (first_drew or 0,)
        state = (*known, close_index, bucket_of(hand))
        shares = traversal.state_shares(self.policies[seat], traversal.DRAW, *state)
        return shares * self._own_opening(seat, hand, tree.CLOSES[close_index].name)

    def closing_frequencies(
        self, seat: int, state: traversal.DrawState, final: int, name: str
    ) -> Floats:
        """Return how often a final hand makes each act of the second round."""
        own = traversal.round_policy(self.policies[seat], state, np.array([final], np.int32))
        start = self.second_round_reach[seat][state][[final]]
        reach = traversal.propagate_reach(tree.ROOT, seat, own, "closing", start)[name]
        shares: Floats = own[traversal.DecisionPoint("closing", name)][:, 0]
        return shares * bool(reach[0] > _TREMBLING)

    def _own_opening(self, seat: int, hand: Hand, name: str) -> bool:
        """Return whether the blueprint ever takes a hand to a node of the first round."""
        policy, bucket = self.policies[seat], bucket_of(hand)
        own = {
            point: traversal.state_shares(policy, point, bucket)[:, None]
            for point in policy
            if point.phase == "opening"
        }
        return bool(
            traversal.propagate_reach(tree.ROOT, seat, own, "opening", np.ones(1, np.float32))[
                name
            ][0]
        )

    # ---- the second round ---------------------------------------------------------------------

    def closing_values(
        self, seat: int, state: traversal.DrawState, hand: Hand, cards: Sequence[Card], name: str
    ) -> tuple[ActValue, ...]:
        """Return the value of each act that a seat with this final hand can choose.

        ``cards`` are all cards that the seat has seen.
        """
        own = np.array([self.final_of(hand)], np.int32)
        weights = self.final_weights(1 - seat, state, cards)
        end_reach = traversal.weigh_ends(self._end_shares(seat, state), own, weights[None])
        terminal_values = traversal.end_values(seat, state[2], end_reach)
        reach = self.closing_reach(1 - seat, state, weights)
        return _act_values(_NODES[name], "closing", terminal_values, reach)

    # ---- the draw -----------------------------------------------------------------------------

    def discard_values(
        self,
        seat: int,
        close_index: int,
        first_drew: int | None,
        hand: Hand,
        discards: Iterable[Positions],
    ) -> dict[Positions, float]:
        """Return the value, in sb, of each of these discards."""
        reach = self.opening_reach(1 - seat, hand)[tree.CLOSES[close_index].name]
        return {
            each: self._discard_value(seat, close_index, first_drew, hand, each, reach)
            for each in discards
        }

    def _discard_value(
        self,
        seat: int,
        close_index: int,
        first_drew: int | None,
        hand: Hand,
        discards: Positions,
        close_reach: Floats,
    ) -> float:
        """Return the value of a discard, from the final hands that it can make.

        The same final hand has different values after other discards, because the kernel is scaled
        to the mean of all final hands that the discard can make.
        """
        shares = self.final_shares(hand)[hold_mask(hand, discards)]
        finals = np.flatnonzero(shares).astype(np.int32)
        own = OwnFinals(finals, shares[finals])
        values = self._draw_values(
            seat, close_index, first_drew, hand, len(discards), own, close_reach
        )
        return float(own.shares @ values)

    def _draw_values(
        self,
        seat: int,
        close_index: int,
        first_drew: int | None,
        hand: Hand,
        number: int,
        own: OwnFinals,
        close_reach: Floats,
    ) -> Floats:
        """Return the values of own final hands, which include all that the drawn cards can make.

        Values for the first seat are averages over the dealer's draws, weighted by how often the
        dealer chooses them, given the reach of each dealt bucket.
        """
        if seat != tree.FIRST:
            states = [(first_drew or 0, number, close_index)]
            (only_values,) = self._second_round_values(seat, states, hand, own)
            return np.asarray(only_values)
        dealer_draws = (
            self.draw_policy(1 - tree.FIRST, number, close_index) @ close_reach
        ) / close_reach.sum()
        others = [other for other in NUMBERS if dealer_draws[other] > _RARE]
        states = [(number, other, close_index) for other in others]
        values = np.zeros(len(own.finals), np.float32)
        for other, row in zip(
            others, self._second_round_values(tree.FIRST, states, hand, own), strict=True
        ):
            values += dealer_draws[other] * row
        mean_values: Floats = values / dealer_draws[others].sum()
        return mean_values

    def _second_round_values(
        self, seat: int, states: Sequence[traversal.DrawState], hand: Hand, own: OwnFinals
    ) -> Floats:
        """Return the values of own final hands at the start of the second round: (states, finals).

        In all states, the first round closed in the same way.
        """
        ends = []
        for state in states:
            final_weights = final_kernel(state[seat], state[1 - seat]).rows(own.finals)
            scales = np.maximum(own.shares @ final_weights, _NEVER)
            final_weights *= self.final_weights(1 - seat, state, hand)
            final_weights /= scales
            final_weights /= np.maximum(own.shares @ final_weights.sum(axis=1), _NEVER)
            ends.append(
                traversal.weigh_ends(self._end_shares(seat, state), own.finals, final_weights)
            )
        expected = {name: np.array([each[name] for each in ends]) for name in ends[0]}
        return traversal.round_values(seat, states[0][2], expected, traversal.take_best_act)

    # ---- the first round ----------------------------------------------------------------------

    def opening_values(self, seat: int, hand: Hand, name: str) -> tuple[ActValue, ...]:
        """Return the value of each act of the first round."""
        opponent_reach = self.opening_reach(1 - seat, hand)
        node = _NODES[name]
        terminal_values = {}
        for fold in tree.FOLDS:
            paid = np.float32(fold.bets * tree.BETS_SB[0] + tree.FIRST_ROUND_PUT_IN[0])
            terminal_values[fold.name] = opponent_reach[fold.name].sum() * (
                -paid if fold.seat == seat else paid
            )
        decision_reach = opponent_reach[name].sum()
        for close_index, close in enumerate(tree.CLOSES):
            terminal_values[close.name] = np.float32(0)
            if (
                close.name.startswith(name)
                and opponent_reach[close.name].sum() > _SELDOM * decision_reach
            ):
                terminal_values[close.name] = opponent_reach[close.name].sum() * self._close_value(
                    seat, close_index, hand, opponent_reach
                )
        return _act_values(node, "opening", terminal_values, opponent_reach)

    def _close_value(
        self, seat: int, close_index: int, hand: Hand, opponent_reach: dict[str, Floats]
    ) -> np.float32:
        """Return the value of reaching the draw."""
        close_reach = opponent_reach[tree.CLOSES[close_index].name]
        if seat == tree.FIRST:
            return self._draw_value(seat, close_index, None, hand, close_reach)
        first_draws = (self.draw_policy(tree.FIRST, close_index) @ close_reach) / max(
            close_reach.sum(), _NEVER
        )
        likely_draws = [number for number in NUMBERS if first_draws[number] > _RARE]
        value = sum(
            first_draws[number] * self._draw_value(seat, close_index, number, hand, close_reach)
            for number in likely_draws
        )
        return np.float32(value / max(first_draws[likely_draws].sum(), _NEVER))

    def _draw_value(
        self,
        seat: int,
        close_index: int,
        first_drew: int | None,
        hand: Hand,
        close_reach: Floats,
    ) -> np.float32:
        """Return the value of the best draw."""
        usual = (discard_positions(hand, number) for number in allowed_draw_counts(hand))
        return np.float32(
            max(
                self._discard_value(seat, close_index, first_drew, hand, each, close_reach)
                for each in usual
            )
        )


_NEVER = 1e-12


def _act_values(
    node: tree.DecisionNode,
    phase: traversal.SolverPhase,
    terminal_values: Mapping[str, Floats],
    opponent_reach: Mapping[str, Floats],
) -> tuple[ActValue, ...]:
    """Return the values of the acts at a node, given those of the ends, weighted by the reach."""

    def value_of(child: tree.Child, reached: str) -> float:
        value = traversal.back_up_values(
            child, node.seat, phase, terminal_values, traversal.take_best_act
        )
        return float(value.sum() / max(opponent_reach[reached].sum(), _NEVER))

    def responses(child: tree.Child) -> Iterator[Response]:
        for letter, answer in _children(child):
            share = opponent_reach[answer.name].sum() / opponent_reach[child.name].sum()
            replies = {act: value_of(end, answer.name) for act, end in _children(answer)}
            reply = max(replies, key=lambda act: replies[act], default="")
            yield Response(letter, float(share), value_of(answer, answer.name), reply)

    return tuple(
        ActValue(letter, value_of(child, node.name), tuple(responses(child)))
        for letter, child in _children(node)
    )


def _children(child: tree.Child) -> Iterator[tuple[str, tree.Child]]:
    if isinstance(child, tree.DecisionNode):
        yield from zip(child.acts, child.children, strict=True)


@memoize(maxsize=8)
def _final_shares(draws: DirectDrawCounts, hand: Hand) -> Floats:
    counts = draws.after_each_hold(hand)
    shares: Floats = (counts / np.array(DRAWS_BY_HOLD)[:, None]).astype(np.float32)
    return shares


def node_by_name(name: str) -> tree.DecisionNode:
    """Return a decision by its name."""
    return _NODES[name]


def _add_tremble(reached: Floats, seat: int) -> Floats:
    """Add to every final hand a small part of its reach summed over all states with its draw."""
    own = np.moveaxis(reached, seat, 0)
    draw_reach = own.sum(axis=(1, 2), keepdims=True)
    own += TREMBLE * TREMBLE * draw_reach
    return reached


@memoize()
def blueprint_ranges() -> BlueprintRanges:
    """Read the files that ship with the game. The first call takes a twentieth of a second."""
    return BlueprintRanges(blueprint())
