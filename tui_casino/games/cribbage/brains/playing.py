"""The play of many deals at once, both sides laying by the policy of `play`.

A deal is a walk through the tree of `segments`, and all deals walk together: from their first
card, or from where the play has come to.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from ....cards.card import PACK
from ..machine.rules import RuleSet
from ..machine.scoring import MOST
from .play import VALUES, Laid
from .segments import KINDS, ROOT, Segments, segments

Integers: TypeAlias = npt.NDArray[np.int64]
Events: TypeAlias = npt.NDArray[np.int16]
"""What is scored one after the other, a column a deal: the first player's points plus, the other's
minus. In a deal that is played out pone is the first."""

_VALUES = np.array(VALUES[:KINDS])
_NEVER = -(1 << 30)


def played(pone: Integers, dealer: Integers, rules: RuleSet) -> Events:
    """Play n deals out, from four ranks each, 0 to 12, in shape (n, 4): what is scored, in order.

    Raises ``ValueError`` for rules that see more than ranks in the play.
    """
    tree, n = segments(rules), len(pone)
    return _played(tree, (pone, dealer), np.full(n, ROOT), np.zeros(n, bool), None)


def played_on(
    mine: Laid, theirs: Integers, laid: Laid, go: bool, firsts: Sequence[int], rules: RuleSet
) -> Events:
    """Go on from the middle of the play by each of some cards against each of n hands.

    ``theirs`` are ranks, (n, k). ``go`` tells that the other has said go in the segment ``laid``.
    A column is a card and a hand, all hands for the first card first. Raises as :func:`played`.
    """
    tree, columns = segments(rules), len(firsts) * len(theirs)
    node = np.full(1, ROOT)
    for card in laid:
        node = tree.after(node, np.full(1, card))
    hands = np.tile(np.array(mine), (columns, 1)), np.tile(theirs, (len(firsts), 1))
    first = np.repeat(np.array(firsts), len(theirs))
    return _played(tree, hands, np.repeat(node, columns), np.full(columns, go), first)


def _played(
    tree: Segments,
    hands: tuple[Integers, Integers],
    node: Integers,
    alone: npt.NDArray[np.bool_],
    first: Integers | None,
) -> Events:
    """Play on from the nodes; ``first`` are the cards laid first, if the policy does not choose."""
    n = len(node)
    held = np.zeros((2, n, KINDS), np.int8)
    left = np.empty((2, n), np.int64)
    for seat, cards in enumerate(hands):
        left[seat] = cards.shape[1]
        for column in cards.T:
            held[seat, np.arange(n), column] += 1
    turn, last = np.zeros((2, n), np.int64)
    every, told = np.arange(n), []
    while len(every):
        told.append(np.zeros(n, np.int16))
        hand = held[turn[every], every]
        total = tree.total[node[every]]
        able = (hand > 0) & (total[:, None] + _VALUES <= MOST)
        if first is not None:
            able, first = np.arange(KINDS) == first[:, None], None
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
    node[deals] = np.where(full, ROOT, there)
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
    node[deals] = np.where(ended, ROOT, node[deals])
    turn[deals] = 1 - turn[deals]
    alone[deals] = ~ended
