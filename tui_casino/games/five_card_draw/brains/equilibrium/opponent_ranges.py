"""What the solution says of one hand: how likely the other's hands are, and what comes of it.

The other seat is taken to play the blueprint, so that its bets and draws tell of its hand by Bayes'
rule; from here on both are. Its hands before the draw are weighed by the kernel with the cards that
this seat was dealt, and its finals by the kernel with the cards that it has seen. Where this seat
has still to draw, the kernel of finals says what its own final makes of that.
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
from .second_round_reach import trembling
from .second_round_values import DrawState, end_values, expected_ends, round_policy, round_values
from .traversal import DRAW, Policy, back_up_values, propagate_reach

SAMPLES = 40_000
"""Hands dealt for each number drawn, to know what cards finals have seen."""

_NODES = {node.name: node for node in NODES}
_RARE = 0.002
"""What is drawn less often than this is left out of what a bet before the draw is worth."""
_SELDOM = 0.0005
"""And so is an end of the first round to which the other comes less often."""


class BlueprintRanges:
    """The blueprint as one looks at it who holds a hand."""

    def __init__(self, book: Blueprint) -> None:
        known = hand_buckets()
        self.policies = book.policies
        self.dealt: Floats = known.by_bucket(known.deals).astype(np.float32)
        self.others = tuple(map(trembling, self.policies))
        self.reached = tuple(
            _somewhere(came, seat) for seat, came in enumerate(second_round_reach.read_reach())
        )
        self.all: npt.NDArray[np.int32] = np.arange(hand_classes.class_count(), dtype=np.int32)
        self._draws = DirectDrawCounts(hand_classes.class_of_strength(), hand_classes.class_count())

    # ---- the other's hands ------------------------------------------------------------------

    def buckets(self, cards: Sequence[Card]) -> Floats:
        """Give how likely the other's buckets are as dealt to who was dealt these cards."""
        likely = np.ones(len(kernel.rank_sets()[0]))
        for rank, count in enumerate(_ranks(cards)):
            likely *= kernel.SHARES[count, kernel.rank_sets()[0][:, rank]]
        weights: Floats = (self.dealt * kernel.mean_by_bucket(likely)).astype(np.float32)
        return weights

    def opened(self, other: int, cards: Sequence[Card]) -> dict[str, Floats]:
        """Give how often the other's buckets come to each place of the first round."""
        return propagate_reach(ROOT, other, self.others[other], "opening", self.buckets(cards))

    def finals(self, other: int, at: DrawState, cards: Sequence[Card]) -> Floats:
        """Give how likely the other's finals are as the second round begins: (finals,)."""
        likely: Floats = self.reached[other][at] * _removed(tuple(_ranks(cards)), at[other])
        return likely

    def after(self, other: int, at: DrawState, likely: Floats, name: str) -> Floats:
        """Give how likely finals are where a decision of the second round has come."""
        policy = round_policy(self.others[other], at, self.all)
        return propagate_reach(ROOT, other, policy, "closing", likely)[name]

    def shown(self, at: DrawState) -> Floats:
        """Give how often two finals come together, the first seat's along the first axis."""
        return _show(at[FIRST], at[1 - FIRST])

    def beats(self, likely: Floats) -> Floats:
        """Give for each own final how often it beats the other's, a tie counted half: (finals,)."""
        upto = np.cumsum(likely)
        wins: Floats = (upto - likely / 2) / upto[-1]
        return wins

    # ---- one's own ----------------------------------------------------------------------------

    def becomes(self, hand: Hand) -> Floats:
        """Give how a hand ends after each hold mask: (32, finals)."""
        return _becomes(self._draws, hand)

    def final_of(self, hand: Hand) -> int:
        """Give the class of a final hand."""
        return int(hand_classes.class_of_strength()[strength_of(hand)])

    def drawing(self, seat: int, way: int, seen: int | None, hand: Hand) -> Floats:
        """Give how often a hand draws each number."""
        policy, bucket = self.policies[seat][DRAW], bucket_of(hand)
        shares: Floats = policy[:, way, bucket] if seat == FIRST else policy[:, seen, way, bucket]
        return shares

    # ---- the second round ---------------------------------------------------------------------

    def closing(
        self, seat: int, at: DrawState, hand: Hand, cards: Sequence[Card], name: str
    ) -> Floats:
        """Give what each act of a decision is worth with a final hand, all cards seen: in sb.

        All worths are counted from the beginning of the hand: to fold loses what was put in.
        """
        own = np.array([self.final_of(hand)], np.int32)
        likely = self.finals(1 - seat, at, cards)
        met = expected_ends(self.others[1 - seat], seat, at, own, likely[None])
        worths = end_values(seat, at[2], met)
        decide = follow_policy(round_policy(self.policies[seat], at, own))
        acts = [
            back_up_values(act, seat, "closing", worths, decide)[0] for act in _NODES[name].children
        ]
        worth: Floats = np.array(acts) / self.after(1 - seat, at, likely, name).sum()
        return worth

    # ---- the draw -----------------------------------------------------------------------------

    def drawn(self, seat: int, way: int, seen: int | None, hand: Hand, number: int) -> Floats:
        """Give what each final is worth to who draws so many of a hand, in sb: (finals,)."""
        if seat == FIRST:
            return self._drawn_first(way, hand, number)
        return self._second(seat, (seen or 0, number, way), hand, number)

    def _drawn_first(self, way: int, hand: Hand, number: int) -> Floats:
        """Weigh what the dealer may draw then by how often he does."""
        often = self.opened(1 - FIRST, hand)[CLOSES[way].name]
        answers = (self.others[1 - FIRST][DRAW][:, number, way] @ often) / often.sum()
        worth = np.zeros(len(self.all), np.float32)
        for other in NUMBERS:
            if answers[other] > _RARE:
                worth += answers[other] * self._second(FIRST, (number, other, way), hand, number)
        found: Floats = worth / answers[answers > _RARE].sum()
        return found

    def _second(self, seat: int, at: DrawState, hand: Hand, number: int) -> Floats:
        """Give what each own final is worth as the second round begins."""
        ends = self.becomes(hand)[hold_mask(hand, discard_positions(hand, number))]
        show = _show(at[seat], at[1 - seat])
        likely = self.finals(1 - seat, at, hand)
        met = likely * show / np.maximum(ends @ show, _NEVER)
        met /= np.maximum(ends @ met.sum(axis=1), _NEVER)
        expected = expected_ends(self.others[1 - seat], seat, at, self.all, met)
        return round_values(
            seat, at[2], expected, follow_policy(round_policy(self.policies[seat], at, self.all))
        )

    # ---- the first round ----------------------------------------------------------------------

    def opening(self, seat: int, hand: Hand, name: str) -> Floats:
        """Give what each act of the first round is worth, in sb, as :meth:`closing` counts it."""
        met = self.opened(1 - seat, hand)
        node = _NODES[name]
        worths = {}
        for fold in FOLDS:
            paid = np.float32(fold.bets * BETS_SB[0] + FIRST_ROUND_PUT_IN[0])
            worths[fold.name] = met[fold.name].sum() * (-paid if fold.seat == seat else paid)
        here = met[name].sum()
        for way, close in enumerate(CLOSES):
            worths[close.name] = np.float32(0)
            if close.name.startswith(name) and met[close.name].sum() > _SELDOM * here:
                worths[close.name] = met[close.name].sum() * self._way(seat, way, hand, met)
        own = follow_policy(_opening(self.policies[seat], bucket_of(hand)))
        acts = [back_up_values(act, seat, "opening", worths, own) for act in node.children]
        worth: Floats = np.array(acts) / here
        return worth

    def _way(self, seat: int, way: int, hand: Hand, met: dict[str, Floats]) -> np.float32:
        """Give what it is worth to come to the draw in a way, and to draw as the solution does."""
        if seat == FIRST:
            return self._drawing(seat, way, None, hand)
        often = met[CLOSES[way].name]
        answers = (self.others[FIRST][DRAW][:, way] @ often) / max(often.sum(), _NEVER)
        seen = [number for number in NUMBERS if answers[number] > _RARE]
        worth = sum(answers[number] * self._drawing(seat, way, number, hand) for number in seen)
        return np.float32(worth / max(answers[seen].sum(), _NEVER))

    def _drawing(self, seat: int, way: int, seen: int | None, hand: Hand) -> np.float32:
        often, becomes = self.drawing(seat, way, seen, hand), self.becomes(hand)
        some = [number for number in NUMBERS if often[number] > _RARE]
        worth = sum(
            often[number]
            * (
                becomes[hold_mask(hand, discard_positions(hand, number))]
                @ self.drawn(seat, way, seen, hand, number)
            )
            for number in some
        )
        return np.float32(worth / often[some].sum())


_NEVER = 1e-12


@memoize(maxsize=8)
def _becomes(draws: DirectDrawCounts, hand: Hand) -> Floats:
    counts = draws.after_each_hold(hand)
    shares: Floats = (counts / np.array(DRAWS_BY_HOLD)[:, None]).astype(np.float32)
    return shares


def node_by_name(name: str) -> DecisionNode:
    """Give a decision by its name."""
    return _NODES[name]


def _opening(policy: Policy, bucket: int) -> Policy:
    return {
        place: shares[:, bucket] for place, shares in policy.items() if place.phase == "opening"
    }


def _somewhere(reached: Floats, seat: int) -> Floats:
    """Give each state a trace of the finals that come with its number drawn."""
    own = np.moveaxis(reached, seat, 0)
    usual = own.sum(axis=(1, 2), keepdims=True)
    own += second_round_reach.TREMBLE * second_round_reach.TREMBLE * usual
    return reached


@memoize(maxsize=32)
def _removed(ranks: tuple[int, ...], number: int) -> Floats:
    """Give the kernel of cards seen, so many of each rank, with each final that drew so many."""
    seen = kernel.cards_seen(SAMPLES)[number][0]
    found: Floats = np.ones(len(seen), np.float32)
    for rank, count in enumerate(ranks):
        if count:
            found *= (seen[:, rank] @ kernel.SHARES[count]).astype(np.float32)
    return found


def _ranks(cards: Sequence[Card]) -> list[int]:
    indices = [card.index % kernel.RANKS for card in cards]
    return [indices.count(rank) for rank in range(kernel.RANKS)]


@memoize(maxsize=len(NUMBERS) ** 2)
def _show(own: int, other: int) -> Floats:
    """Give the kernel of two finals that drew so many, not brought to a mean."""
    one, two = (kernel.cards_seen(SAMPLES)[number][0] for number in (own, other))
    ranks = (one @ kernel.SHARES).astype(np.float32).swapaxes(0, 1).copy()
    others = two.astype(np.float32).transpose(1, 2, 0).copy()
    here: Floats = np.ones((len(one), len(two)), np.float32)
    for start in range(0, len(one), _FEW):
        few = slice(start, start + _FEW)
        for rank, of_other in zip(ranks, others, strict=True):
            here[few] *= rank[few] @ of_other
    return here


_FEW = 32  # rows at a time: so small a product is not shared out to threads that wait for it


@memoize()
def blueprint_ranges() -> BlueprintRanges:
    """Read the files that ship. Takes a third of a second, once."""
    return BlueprintRanges(blueprint())
