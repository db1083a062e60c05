"""The play of many deals at once, both sides laying by the policy of `play`.

A deal is a walk through the tree of `segments`, and all deals walk together: from their first
card, or from where the play has come to.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from ....cards.card import PACK
from ..machine.rules import RuleSet
from ..machine.scoring import MOST
from .play_policy import VALUES, Laid
from .segment_tree import KINDS, NONE, ROOT, TOO_MUCH, SegmentTree, tree_for

Integers: TypeAlias = npt.NDArray[np.int64]
Small: TypeAlias = npt.NDArray[np.int32]
Flags: TypeAlias = npt.NDArray[np.bool_]
Events: TypeAlias = npt.NDArray[np.int16]
"""What is scored one after the other, a column a deal: the first player's points plus, the other's
minus. In a deal that is played out pone is the first."""

_VALUES = np.array([*VALUES[:KINDS], 0], np.int32)
_RANK_BITS, _PLACE_BITS = 4, 2  # worth, rank and place are packed into one number


def play_out(pone: Integers, dealer: Integers, rules: RuleSet) -> Events:
    """Play n deals out, from four ranks each, 0 to 12, in shape (n, 4): what is scored, in order.

    Raises ``ValueError`` for rules that see more than ranks in the play.
    """
    tree, n = tree_for(rules), len(pone)
    return _played(tree, (pone, dealer), np.full(n, ROOT), np.zeros(n, bool), None)


def continue_play(
    mine: Laid, theirs: Integers, laid: Laid, go: bool, firsts: Sequence[int], rules: RuleSet
) -> Events:
    """Go on from the middle of the play by each of some cards against each of n hands.

    ``theirs`` are ranks, (n, k). ``go`` tells that the other has said go in the segment ``laid``.
    A column is a card and a hand, all hands for the first card first. Raises as :func:`play_out`.
    """
    tree, columns = tree_for(rules), len(firsts) * len(theirs)
    node = np.full(1, ROOT)
    for card in laid:
        node = tree.after(node, np.full(1, card))
    hands = np.tile(np.array(mine), (columns, 1)), np.tile(theirs, (len(firsts), 1))
    first = np.repeat(np.array(firsts), len(theirs))
    return _played(tree, hands, np.repeat(node, columns), np.full(columns, go), first)


def _played(
    tree: SegmentTree,
    hands: tuple[Integers, Integers],
    node: Integers,
    alone: Flags,
    first: Integers | None,
) -> Events:
    """Play on from the nodes; ``first`` are the cards laid first, if the policy does not choose."""
    n = len(node)
    cards = np.full((2, max(each.shape[1] for each in hands), n), NONE, np.int32)
    for seat, each in enumerate(hands):
        cards[seat, : each.shape[1]] = each.T
    mine, his = (np.full(n, each.shape[1], np.int32) for each in hands)
    turn, last = np.zeros((2, n), np.bool_)
    deals = _Deals(cards, mine, his, node, turn, last, alone)
    every, told = np.arange(n), []
    while len(every):
        now = np.zeros(n, np.int16)
        deals, now[every] = _step(tree, deals, first)
        told.append(now)
        first = None
        going = deals.left + deals.left_of_other > 0
        if not going.all():
            every, deals = every[going], deals.of(going)
    return np.array(told)


class _Deals(NamedTuple):
    """Deals side by side: the ``cards`` of both players (2, places, deals).

    ``left`` counts the cards of the first player, ``left_of_other`` those of the second. ``turn``:
    the second player is to play. ``last``: the second player played the last card. ``alone``: the
    player who is not to play has said go.
    """

    cards: Small
    left: Small
    left_of_other: Small
    node: Integers
    turn: Flags
    last: Flags
    alone: Flags

    def of(self, some: Flags) -> _Deals:
        """Give some of them."""
        cards, left, left_of_other, node, turn, last, alone = self
        return _Deals(
            cards[:, :, some],
            left[some],
            left_of_other[some],
            node[some],
            turn[some],
            last[some],
            alone[some],
        )


def _step(tree: SegmentTree, deals: _Deals, first: Integers | None) -> tuple[_Deals, Events]:
    """Play a card or say go in each deal; return the new deals and the points scored."""
    cards, left, left_of_other, node, turn, last, alone = deals
    hand = np.where(turn, cards[1], cards[0])
    places = np.arange(len(hand), dtype=np.int32)[:, None]
    at = node * (1 + KINDS) + hand
    worth = len(PACK) * tree.gain.take(at)
    worth -= np.where(turn, left, left_of_other) * tree.answers.take(at)
    if first is not None:
        worth[hand != first] = TOO_MUCH * len(PACK)
    best = (worth << _RANK_BITS + _PLACE_BITS | hand << _PLACE_BITS | places).max(axis=0)
    # the highest of equal cards; no value exceeds this bound if no card may be played
    lays = best > TOO_MUCH * len(PACK) << _RANK_BITS + _PLACE_BITS - 1
    place = best & (1 << _PLACE_BITS) - 1
    card = np.where(lays, best >> _PLACE_BITS & (1 << _RANK_BITS) - 1, NONE)
    there = node * (1 + KINDS) + card
    full = tree.total.take(node) + _VALUES.take(card) == MOST
    left, left_of_other = left - (lays & ~turn), left_of_other - (lays & turn)
    over = left + left_of_other == 0
    goes_on = lays & ~(full | over)
    points = np.where(lays, tree.gain.take(there), tree.end.take(node) * alone)
    if over.any():
        points += tree.ends.take(there) * over
    last = np.where(lays, turn, last)
    ended = lays | alone
    then = np.where(ended, ROOT, node)
    then[goes_on] = tree.after(node[goes_on], card[goes_on])
    laid = np.flatnonzero(lays)
    cards[turn.view(np.int8)[laid], place[laid], laid] = NONE
    stays = lays & alone & ~full
    return _Deals(cards, left, left_of_other, then, turn == stays, last, stays | ~ended), np.where(
        last, -points, points
    ).astype(np.int16)
