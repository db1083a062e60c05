"""The tree of segments: the score of each next card, and of the answers to it.

Each segment of the play is a node of the tree; a child node has one more card. Rules that see only
ranks depend on a segment's total, on how many cards of equal rank are at its end, and on the runs
of its last cards. The tree stores these for each node, so a batch of new nodes is scored together.
`play_policy` applies the rules themselves, card by card; both modules must agree.
"""

from __future__ import annotations

from collections.abc import Iterable
from threading import Lock
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from ....cards.card import PACK
from ....cards.memo import memoize
from ..machine.rules import RuleSet
from ..machine.scoring import MOST, LastCard, PlayPair, PlayRun, TotalReached
from .known_rules import check_known
from .play_policy import VALUES

Integers: TypeAlias = npt.NDArray[np.int64]
Small: TypeAlias = npt.NDArray[np.int32]

KINDS = 13
ROOT = 0
SUITS = len(PACK) // KINDS
LONGEST = 7
"""The length of the longest run: ace to seven makes a count of 28."""
_SIZES = np.arange(1, LONGEST + 1, dtype=np.int32)
_VALUES = np.array(VALUES, np.int32)
_VALUES_OR_NONE = np.append(_VALUES, 0)
_RANKS = np.arange(KINDS)
_AFTER = np.arange(MOST + 1 + _VALUES[-1])[:, None] + _VALUES
"""The total after a card, for each total before it (up to one card beyond 31) and each rank."""
_BITS: Small = 1 << np.arange(KINDS, dtype=np.int32)
NONE = KINDS
"""The number that represents no card."""
TOO_MUCH = -(1 << 18)
"""The score if no card is played, or if a card would exceed 31; lower than any possible score."""
_FULL = 1 << 17
"""The number of nodes (about 40 MB) after which a new tree is started."""


def _run_completing_ranks(rank_bits: int) -> list[int]:
    """Return the ranks that complete a run with the given ranks (as bits); at most two."""
    if not rank_bits or rank_bits.bit_count() >= LONGEST:
        return []
    others = (rank for rank in range(KINDS) if not rank_bits >> rank & 1)
    return [rank for rank in others if _in_sequence(rank_bits | 1 << rank)]


def _in_sequence(rank_bits: int) -> bool:
    return rank_bits // (rank_bits & -rank_bits) == (1 << rank_bits.bit_count()) - 1


@memoize()
def _run_tables() -> tuple[Small, Integers, Integers]:
    """Return tables by ranks as bits: the ranks that complete a run, the lowest, the highest.

    The completing ranks are also bits. With a single bit, the highest is `NONE`; without bits, both
    the lowest and the highest are `NONE`.
    """
    nexts, low, high = np.zeros((3, 1 << KINDS), np.int64)
    low[:], high[:] = NONE, NONE
    for rank_bits in range(1 << KINDS):
        if ranks := _run_completing_ranks(rank_bits):
            nexts[rank_bits] = sum(1 << rank for rank in ranks)
            for group in (ranks, ranks[:1], ranks[-1:]):
                bits = sum(1 << rank for rank in group)
                low[bits], high[bits] = group[0], group[-1] if len(group) > 1 else NONE
    return nexts.astype(np.int32), low, high


class SegmentTails(NamedTuple):
    """The features of segments that rules depend on: the total, and the last cards.

    The last ``alike`` cards have the rank ``last``. ``runs`` contains the ranks of the last card,
    the last two cards, and so on, as bits; 0 if a rank is repeated or there are fewer cards. All
    arrays have the same shape; ``runs`` has a first axis of 7.
    """

    total: Small
    last: Small
    alike: Small
    runs: Small

    def select(self, rows: Integers | slice) -> SegmentTails:
        """Return the selected segments."""
        total, last, alike, runs = self
        return SegmentTails(total[rows], last[rows], alike[rows], runs[:, rows])

    def with_each(self) -> SegmentTails:
        """Return the segments after one more card of each rank, along a new last axis."""
        total, last, alike, runs = (each[..., None] for each in self)
        ranks = np.broadcast_to(np.arange(KINDS, dtype=np.int32), (*self.total.shape, KINDS))
        return SegmentTails(total, last, alike, runs).with_one(ranks)

    def with_one(self, rank: Small) -> SegmentTails:
        """Return the segments after one more card of these ranks."""
        alike = (self.last == rank) * self.alike + np.int32(1)
        runs = np.empty((LONGEST, *rank.shape), np.int32)
        bits, earlier_runs = _BITS[rank], self.runs[:-1]
        runs[0], runs[1:] = (
            bits,
            (earlier_runs | bits) * ((earlier_runs > 0) & (earlier_runs & bits == 0)),
        )
        return SegmentTails(self.total + _VALUES[rank], rank, alike, runs)


class SegmentScores:
    """Tables of the points that some rules give for the last card of a segment.

    ``of_total`` is indexed by the total, up to one card beyond 31, and ``of_alike`` by the number
    of cards of the last rank that end the segment. ``of_runs`` has a table for each rule of runs,
    indexed by ranks as bits, and the rule. Raises ``TypeError`` for an unknown rule.
    """

    def __init__(self, rules: Iterable[object]) -> None:
        self.of_total = np.zeros(MOST + 1 + _VALUES[-1], np.int32)
        self.of_alike = np.zeros(1 + SUITS, np.int32)
        self.of_runs: list[tuple[Small, PlayRun]] = []
        totals = np.arange(len(self.of_total))
        for rule in rules:
            match rule:
                case TotalReached():
                    self.of_total[totals == rule.total] += rule.points
                case LastCard():
                    self.of_total[totals != MOST] += rule.points
                case PlayPair():
                    self.of_alike[2:] += rule.points
                case PlayRun():
                    sizes = [
                        ranks.bit_count() if ranks and _in_sequence(ranks) else 0
                        for ranks in range(1 << KINDS)
                    ]
                    long = np.array(sizes, np.int32)
                    self.of_runs.append((rule.points * long * (long >= rule.min_length), rule))
                case _:
                    raise TypeError(f"{rule!r} is not a rule of the play that sees only ranks")

    def score(self, tails: SegmentTails) -> Small:
        """Return the points of the last card of each segment."""
        points = self.of_total.take(tails.total) + self.of_alike.take(tails.alike, mode="clip")
        for of_run, rule in self.of_runs:
            points += of_run.take(tails.runs[rule.min_length - 1 :]).max(axis=0)
        return points

    def next_scores(self, next_tails: SegmentTails, unplayed: Small) -> Small:
        """Return the sum of the scores of all possible next cards after each card: (nodes, 13).

        ``unplayed`` counts the cards of each rank that were not played before that card.
        """
        of_next = np.where(_AFTER <= MOST, self.of_total.take(_AFTER, mode="clip"), 0)
        sums = unplayed @ of_next.T  # by node, and by the total before the next card
        points = sums[np.arange(len(unplayed))[:, None], next_tails.total]
        points -= of_next[next_tails.total, _RANKS]  # the card itself is no longer left
        pair_points = self.of_alike.take(next_tails.alike + 1, mode="clip") * (unplayed - 1)
        points += pair_points * (next_tails.total + _VALUES <= MOST)
        if self.of_runs:
            of_rank = np.hstack([unplayed, np.zeros((len(unplayed), 1), np.int32)])
            for _, rule in self.of_runs:
                points += rule.points * _runs_after(next_tails, of_rank, rule.min_length)
        return points


class PeggingTree:
    """A tree of segments for rules that see only ranks; nodes are added when deals reach them.

    These arrays are indexed by node and next card: ``child``, ``gain``, ``answers``, and ``ends``,
    the points if the card is the last one. These are indexed by node: ``total``, and ``end``, the
    points if the segment ends here. The arrays by card have a column for `NONE`. A child that does
    not exist yet is below 0; a card that cannot be played gains `TOO_MUCH`.
    """

    def __init__(self, rules: RuleSet) -> None:
        check_known(rules)
        self._play, self._last, self._growing = (
            SegmentScores(rules.play),
            SegmentScores(rules.last),
            Lock(),
        )
        none = np.zeros(1, np.int32)
        self._tails = SegmentTails(none, none - 1, none, np.zeros((LONGEST, 1), np.int32))
        self._played = np.zeros((1, KINDS), np.int32)
        self.count = 0
        self.child = self.gain = self.answers = self.ends = np.zeros((0, 1 + KINDS), np.int32)
        self.total = self.end = np.zeros(0, np.int32)
        self._add(self._tails, self._played, none)

    @property
    def full(self) -> bool:
        """Whether the tree should not grow much more."""
        return self.count > _FULL

    def child_nodes(self, nodes: Integers, cards: Integers) -> Integers:
        """Return the nodes after one more card; safe to call from several threads."""
        children = self.child[nodes, cards]
        if (children < 0).any():
            with self._growing:
                self._grow(nodes, cards)
                children = self.child[nodes, cards]
        return children.astype(np.int64)

    def _grow(self, nodes: Integers, cards: Integers) -> None:
        new = self.child[nodes, cards] < 0
        wanted = np.unique(nodes[new] * KINDS + cards[new])
        if len(wanted):
            parents, ranks = np.divmod(wanted, KINDS)
            own = self._tails.select(parents).with_one(ranks.astype(np.int32))
            played = self._played[parents]
            played[np.arange(len(wanted)), ranks] += 1
            first = self.count
            self._add(own, played, self.ends[parents, ranks])
            self.child[parents, ranks] = np.arange(first, self.count)

    def _add(self, tails: SegmentTails, played: Small, ends: Small) -> None:
        """Add nodes, and the points of the cards after them."""
        next_tails = tails.with_each()
        playable = (next_tails.total <= MOST) & (played < SUITS)
        begin, end = self.count, self.count + len(played)
        self._make_room(end)
        new = slice(begin, end)
        self.child[new] = -1
        self.gain[new, :NONE] = np.where(playable, self._play.score(next_tails), 0)
        self.gain[new, :NONE][next_tails.total > MOST] = TOO_MUCH
        self.gain[new, NONE] = TOO_MUCH
        self.answers[new, :NONE] = np.where(
            playable, self._play.next_scores(next_tails, SUITS - played), 0
        )
        self.ends[new, :NONE] = np.where(next_tails.total < MOST, self._last.score(next_tails), 0)
        self.total[new], self.end[new] = tails.total, ends
        self._played[new] = played
        for stored, added in zip(self._tails[:-1], tails[:-1], strict=True):
            stored[new] = added
        self._tails.runs[:, new] = tails.runs
        self.count = end

    def _make_room(self, nodes: int) -> None:
        """Enlarge the arrays for ``nodes`` nodes; concurrent readers keep valid older arrays."""
        if nodes > len(self.child):
            size = max(1024, 2 * nodes)
            self._played, self.gain, self.answers, self.ends, self.total, self.end = (
                _resized(array, size)
                for array in (
                    *(self._played, self.gain, self.answers),
                    *(self.ends, self.total, self.end),
                )
            )
            total, last, alike, runs = self._tails
            total, last, alike = (_resized(array, size) for array in (total, last, alike))
            self._tails = SegmentTails(total, last, alike, _resized(runs.T, size).T)
            self.child = _resized(self.child, size)


def _runs_after(next_tails: SegmentTails, unplayed: Small, shortest: int) -> Small:
    """Return the lengths of the longest runs after each next card, summed over the cards left."""
    nexts, low, high = _run_tables()
    makes = nexts[next_tails.runs[shortest - 2 : -1]][::-1]
    sizes = _SIZES[shortest - 1 :][::-1]
    longer = np.bitwise_or.accumulate(makes, axis=0)
    makes[1:] &= ~longer[:-1]
    size, row, card = np.nonzero(makes)
    rank_bits = makes[size, row, card]
    points = np.zeros((len(unplayed), KINDS), np.int32)
    for of_bits in (low, high):
        rank = of_bits[rank_bits]
        playable = next_tails.total[row, card] + _VALUES_OR_NONE[rank] <= MOST
        np.add.at(points, (row, card), sizes[size] * playable * unplayed[row, rank])
    return points


def _resized(array: Small, size: int) -> Small:
    longer = np.zeros((size, *array.shape[1:]), np.int32)
    longer[: len(array)] = array
    return longer


def tree_for(rules: RuleSet) -> PeggingTree:
    """Return the tree for these rules, or a new one if it has grown too large."""
    holder = _holder(rules)
    with holder.changing:
        if holder.tree.full:
            holder.tree = PeggingTree(rules)
        return holder.tree


class _TreeHolder:
    """The current tree of a rule set, and the lock for replacing it."""

    def __init__(self, rules: RuleSet) -> None:
        self.changing, self.tree = Lock(), PeggingTree(rules)


@memoize(maxsize=2)  # two rule sets are shipped
def _holder(rules: RuleSet) -> _TreeHolder:
    return _TreeHolder(rules)
