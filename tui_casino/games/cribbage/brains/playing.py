"""The play of many deals at once, both sides laying by the policy of `play`.

The segments that come up are the nodes of a tree, one card further each; what each rank scores on
one, and what answers it leaves, is asked of the rules once. A deal is then a walk from node to
node, and all deals walk together.
"""

from __future__ import annotations

from threading import Lock
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from ....cards.card import PACK
from ....cards.once import once
from ..machine.rules import RuleSet
from ..machine.scoring import MOST
from .play import VALUES, Laid, numbering, play_by

Integers: TypeAlias = npt.NDArray[np.int64]
Events: TypeAlias = npt.NDArray[np.int16]
"""What is scored one after the other, a column a deal: pone's points plus, the dealer's minus."""

KINDS = 13
_VALUES = np.array(VALUES[:KINDS])
_ROOT = 0
_NEVER = -(1 << 30)


class Segments:
    """The tree of segments, which grows as deals need it; for rules that see ranks alone."""

    def __init__(self, rules: RuleSet) -> None:
        if max(numbering(rules)) >= KINDS:
            raise ValueError(f"the rules {rules.name} see more than ranks in the play")
        self._play = play_by(rules)
        self._laid: list[Laid] = []
        self._growing = Lock()
        self.child = np.zeros((0, KINDS), np.int32)
        self.gain = np.zeros((0, KINDS), np.int32)
        self.answers = np.zeros((0, KINDS), np.int32)
        self.total = np.zeros(0, np.int32)
        self.end = np.zeros(0, np.int16)
        self._add([()])

    def _add(self, segments: list[Laid]) -> None:
        gain = np.zeros((len(segments), KINDS), np.int32)
        answers = np.zeros_like(gain)
        totals = [sum(VALUES[card] for card in laid) for laid in segments]
        for row, laid in enumerate(segments):
            for card in range(KINDS):
                if totals[row] + VALUES[card] <= MOST and laid.count(card) < len(PACK) // KINDS:
                    gain[row, card] = self._play.gain((*laid, card))
                    answers[row, card] = self._play.answers((*laid, card))
        self._laid += segments
        ends = [self._play.end(laid) if laid and sum_ < MOST else 0
                for laid, sum_ in zip(segments, totals, strict=True)]  # fmt: skip
        self.gain = np.vstack([self.gain, gain])
        self.answers = np.vstack([self.answers, answers])
        self.total = np.append(self.total, np.array(totals, np.int32))
        self.end = np.append(self.end, np.array(ends, np.int16))
        self.child = np.vstack([self.child, np.full_like(gain, -1)])

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
        wanted = np.unique(nodes[new] * KINDS + cards[new]).tolist()
        if wanted:
            first = len(self._laid)
            self._add([(*self._laid[code // KINDS], code % KINDS) for code in wanted])
            self.child.ravel()[wanted] = np.arange(first, first + len(wanted))


@once(most=2)
def _segments(rules: RuleSet) -> Segments:
    return Segments(rules)


def played(pone: Integers, dealer: Integers, rules: RuleSet) -> Events:
    """Play n deals out, from four ranks each, 0 to 12, in shape (n, 4): what is scored, in order.

    Raises ``ValueError`` for rules that see more than ranks in the play.
    """
    tree, n = _segments(rules), len(pone)
    held = np.zeros((2, n, KINDS), np.int8)
    for seat, hands in enumerate((pone, dealer)):
        for column in hands.T:
            held[seat, np.arange(n), column] += 1
    left = np.full((2, n), pone.shape[1])
    node, turn, last = np.zeros((3, n), np.int64)
    alone = np.zeros(n, bool)
    every, told = np.arange(n), []
    while len(every):
        told.append(np.zeros(n, np.int16))
        hand = held[turn[every], every]
        total = tree.total[node[every]]
        able = (hand > 0) & (total[:, None] + _VALUES <= MOST)
        lays = able.any(axis=1)
        _lay(tree, every[lays], able[lays], (held, left, node, turn, last, alone), told[-1])
        _pass(tree, every[~lays], (node, turn, last, alone), told[-1])
        every = every[left[:, every].any(axis=0)]
    return np.array(told)


_Table: TypeAlias = tuple[
    npt.NDArray[np.int8], Integers, Integers, Integers, Integers, npt.NDArray[np.bool_]
]


def _lay(
    tree: Segments, deals: Integers, able: npt.NDArray[np.bool_], table: _Table, told: Events
) -> None:
    held, left, node, turn, last, alone = table
    seat, here = turn[deals], node[deals]
    others = left[1 - seat, deals]
    worth = tree.gain[here] * len(PACK) - others[:, None] * tree.answers[here]
    worth = np.where(able, worth, _NEVER)
    card = KINDS - 1 - worth[:, ::-1].argmax(axis=1)  # of equal ones the highest
    points = tree.gain[here, card]
    there = tree.after(here, card)
    held[seat, deals, card] -= 1
    left[seat, deals] -= 1
    over = ~left[:, deals].any(axis=0)
    points = points + np.where(over, tree.end[there], 0)
    told[deals] = np.where(seat == 0, points, -points)
    full = tree.total[there] == MOST
    node[deals] = np.where(full, _ROOT, there)
    turn[deals] = np.where(full | ~alone[deals], 1 - seat, seat)
    last[deals] = seat
    alone[deals] &= ~full


def _pass(
    tree: Segments,
    deals: Integers,
    table: tuple[Integers, Integers, Integers, npt.NDArray[np.bool_]],
    told: Events,
) -> None:
    """Say go, or end the segment where the other has said it."""
    node, turn, last, alone = table
    ended = alone[deals]
    points = np.where(ended, tree.end[node[deals]], 0)
    told[deals] = np.where(last[deals] == 0, points, -points)
    node[deals] = np.where(ended, _ROOT, node[deals])
    turn[deals] = 1 - turn[deals]
    alone[deals] = ~ended
