"""The tree of segments: what each card scores next, and what answers it leaves.

The segments of the play that come up are the nodes of a tree, one card further each. The rules
that see ranks alone look at a segment's total, at how many cards of a rank end it, and at the runs
that its last cards make; these are kept of each node, so that a batch of new ones is scored at
once. `play` asks the rules themselves, card by card, and both must agree.
"""

from __future__ import annotations

from collections.abc import Iterable
from threading import Lock
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from ....cards.card import PACK
from ....cards.once import once
from ..machine.rules import RuleSet
from ..machine.scoring import MOST, LastCard, PlayPair, PlayRun, Reaches
from .play import VALUES, numbering

Integers: TypeAlias = npt.NDArray[np.int64]
Small: TypeAlias = npt.NDArray[np.int32]

KINDS = 13
ROOT = 0
SUITS = len(PACK) // KINDS
LONGEST = 7
"""Cards of the longest run: ace to seven count 28."""
_VALUES = np.array(VALUES[:KINDS], np.int32)
_BITS: Small = 1 << np.arange(KINDS, dtype=np.int32)
_FULL = 1 << 17
"""Nodes of a tree beyond which another one is begun: some 40 MB."""


class Tails(NamedTuple):
    """What rules see of segments, each in one shape: the total, and how the cards end.

    ``alike`` cards of the rank ``last`` end it; ``runs`` has the ranks of the last card, of the
    last two, … as bits, 0 where one comes twice or there are not so many.
    """

    total: Small
    last: Small
    alike: Small
    runs: tuple[Small, ...]

    def of(self, rows: Integers | slice) -> Tails:
        """Give some of them."""
        total, last, alike, runs = self
        return Tails(total[rows], last[rows], alike[rows], tuple(run[rows] for run in runs))

    def with_each(self) -> Tails:
        """Give what they become by one more card, of each rank: one axis more."""
        ranks = np.arange(KINDS, dtype=np.int32)
        alike = np.where(self.last[..., None] == ranks, self.alike[..., None] + 1, 1)
        runs = [np.broadcast_to(_BITS, alike.shape)]
        for run in self.runs[: LONGEST - 1]:
            more = run[..., None]
            runs.append(np.where((more > 0) & (more & _BITS == 0), more | _BITS, 0))
        last = np.broadcast_to(ranks, alike.shape)
        return Tails(self.total[..., None] + _VALUES, last, alike.astype(np.int32), tuple(runs))

    def points(self, rules: Iterable[object]) -> Small:
        """Give what the last card scores. Raises ``TypeError`` for a rule that is not known."""
        came = np.zeros(self.total.shape, np.int32)
        for rule in rules:
            match rule:
                case Reaches():
                    came += np.where(self.total == rule.total, rule.points, 0)
                case LastCard():
                    came += np.where(self.total != MOST, rule.points, 0)
                case PlayPair():
                    of_alike = np.array([0, 0, *rule.points])
                    came += of_alike[np.minimum(self.alike, SUITS)].astype(np.int32)
                case PlayRun():
                    scored = np.zeros_like(came)
                    for size in range(rule.least, LONGEST + 1):
                        run = self.runs[size - 1]
                        whole = (run > 0) & (run == (run & -run) * ((1 << size) - 1))
                        scored[whole] = rule.points * size
                    came += scored
                case _:
                    raise TypeError(f"{rule!r} is no rule of the play that sees ranks alone")
        return came


class Segments:
    """The tree, which grows as deals need it; for rules that see ranks alone.

    By node: ``child``, ``gain`` and ``answers`` of each next card (nodes, 13), the ``total`` and
    what its ``end`` scores. A child that is not there yet is below 0.
    """

    def __init__(self, rules: RuleSet) -> None:
        if max(numbering(rules)) >= KINDS:
            raise ValueError(f"the rules {rules.name} see more than ranks in the play")
        self._rules, self._growing = rules, Lock()
        none = np.zeros(1, np.int32)
        self._tails = Tails(none, none - 1, none, (none,) * LONGEST)
        self._laid = np.zeros((1, KINDS), np.int32)
        self.count = 0
        self.child = self.gain = self.answers = np.zeros((0, KINDS), np.int32)
        self.total = self.end = np.zeros(0, np.int32)
        self._add(self._tails, self._laid, none)

    @property
    def full(self) -> bool:
        """Whether it should not grow much more."""
        return self.count > _FULL

    def after(self, nodes: Integers, cards: Integers) -> Integers:
        """Give the nodes that one more card leads to; several threads may ask."""
        found = self.child[nodes, cards]
        if (found < 0).any():
            with self._growing:
                self._grow(nodes, cards)
                found = self.child[nodes, cards]
        return found.astype(np.int64)

    def _grow(self, nodes: Integers, cards: Integers) -> None:
        new = self.child[nodes, cards] < 0
        wanted = np.unique(nodes[new] * KINDS + cards[new])
        if len(wanted):
            parents, drawn = np.divmod(wanted, KINDS)
            every = np.arange(len(wanted))
            tails = self._tails.of(parents).with_each()
            total, last, alike, runs = tails
            own = Tails(
                total[every, drawn],
                last[every, drawn],
                alike[every, drawn],
                tuple(run[every, drawn] for run in runs),
            )
            laid = self._laid[parents]
            laid[every, drawn] += 1
            ends = np.where(own.total < MOST, own.points(self._rules.last), 0)
            first = self.count
            self._add(own, laid, ends.astype(np.int32))
            self.child[parents, drawn] = np.arange(first, self.count)

    def _add(self, tails: Tails, laid: Small, ends: Small) -> None:
        """Add nodes, and what the cards after them score."""
        then = tails.with_each()
        able = (then.total <= MOST) & (laid < SUITS)
        gain = np.where(able, then.points(self._rules.play), 0)
        again = then.with_each()
        rest = SUITS - laid[:, None] - np.eye(KINDS, dtype=np.int32)
        counts = np.where(again.total <= MOST, rest, 0)
        answers = np.where(able, (again.points(self._rules.play) * counts).sum(axis=2), 0)
        begin, end = self.count, self.count + len(laid)
        self._make_room(end)
        self.child[begin:end], self.gain[begin:end], self.answers[begin:end] = -1, gain, answers
        self.total[begin:end], self.end[begin:end] = tails.total, ends
        self._laid[begin:end] = laid
        for kept, more in zip(_flat(self._tails), _flat(tails), strict=True):
            kept[begin:end] = more
        self.count = end

    def _make_room(self, nodes: int) -> None:
        """Have room for so many nodes; who reads the arrays meanwhile has what he knows of."""
        if nodes > len(self.child):
            size = max(1024, 2 * nodes)
            self._laid, self.gain, self.answers, self.total, self.end = (
                _longer(kept, size)
                for kept in (self._laid, self.gain, self.answers, self.total, self.end)
            )
            total, last, alike, *runs = (_longer(kept, size) for kept in _flat(self._tails))
            self._tails = Tails(total, last, alike, tuple(runs))
            self.child = _longer(self.child, size)


def _flat(tails: Tails) -> tuple[Small, ...]:
    return tails.total, tails.last, tails.alike, *tails.runs


def _longer(kept: Small, size: int) -> Small:
    more = np.zeros((size, *kept.shape[1:]), np.int32)
    more[: len(kept)] = kept
    return more


def segments(rules: RuleSet) -> Segments:
    """Give the tree under these rules, or a new one if it has grown too large."""
    holder = _holder(rules)
    with holder.changing:
        if holder.tree.full:
            holder.tree = Segments(rules)
        return holder.tree


class _Holder:
    """Where a tree stands."""

    def __init__(self, rules: RuleSet) -> None:
        self.changing, self.tree = Lock(), Segments(rules)


@once(most=2)  # two rule sets ship
def _holder(rules: RuleSet) -> _Holder:
    return _Holder(rules)
