"""A betting round for two players at fixed limit, as a tree.

>>> [node.name for node in NODES]
['', 'k', 'kb', 'kbr', 'kbrr', 'kbrrr', 'b', 'br', 'brr', 'brrr']
>>> [(close.name, close.bets) for close in CLOSES][:3]
[('kk', 0), ('kbc', 1), ('kbrc', 2)]

A node's name lists the acts so far, one letter each: k check, b bet, c call, r raise, f fold. A
round has ten decisions, eight ends after a fold, and nine ends without a fold, called closes.
"""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from ...machine.betting import ANTE, LIMITS, MOST_RAISES

FIRST, DEALER = 0, 1
SEATS = (FIRST, DEALER)

SMALL_BET = LIMITS[0]
"""Credits in one small bet (sb)."""

ANTE_SB = ANTE / SMALL_BET
BETS_SB = tuple(limit / SMALL_BET for limit in LIMITS)
"""The size of a bet before and after the draw, in sb."""


class FoldNode(Struct, frozen=True):
    """A fold: the seat that folded, and the number of bets that it had put in during this round."""

    name: str
    seat: int
    bets: int


class CloseNode(Struct, frozen=True):
    """The end of a round without a fold, and the number of bets that each player has put in."""

    name: str
    bets: int


class DecisionNode(Struct, frozen=True):
    """A decision: the seat to act, and its acts by letter, each with its child node."""

    name: str
    seat: int
    acts: str
    children: tuple[DecisionNode | FoldNode | CloseNode, ...]


Child: TypeAlias = DecisionNode | FoldNode | CloseNode


def _grow(name: str, bets: int) -> DecisionNode:
    """Build the tree below a decision that follows a number of bets and raises."""
    seat = len(name) % 2
    if not bets:
        passed: Child = CloseNode("kk", 0) if name else _grow("k", 0)
        return DecisionNode(name, seat, "kb", (passed, _grow(name + "b", 1)))
    fold, call = FoldNode(name + "f", seat, bets - 1), CloseNode(name + "c", bets)
    if bets > MOST_RAISES:
        return DecisionNode(name, seat, "fc", (fold, call))
    return DecisionNode(name, seat, "fcr", (fold, call, _grow(name + "r", bets + 1)))


def _walk(child: Child) -> tuple[Child, ...]:
    below = child.children if isinstance(child, DecisionNode) else ()
    return (child, *(deeper for each in below for deeper in _walk(each)))


ROOT = _grow("", 0)
_ALL = _walk(ROOT)
NODES = tuple(child for child in _ALL if isinstance(child, DecisionNode))
FOLDS = tuple(child for child in _ALL if isinstance(child, FoldNode))
CLOSES = tuple(child for child in _ALL if isinstance(child, CloseNode))
ENDS: tuple[FoldNode | CloseNode, ...] = (*FOLDS, *CLOSES)

FIRST_ROUND_PUT_IN = tuple(ANTE_SB + BETS_SB[0] * close.bets for close in CLOSES)
"""The amount that each seat has put in before the draw, in sb, for each close of the round."""

MOST_PUT_IN = round(
    (max(FIRST_ROUND_PUT_IN) + BETS_SB[1] * max(close.bets for close in CLOSES)) * SMALL_BET
)
"""The most that a seat can put in, in credits: 125."""
