"""The exact odds of the toy: what a card is worth that is kept against one that is not known."""

from __future__ import annotations

from fractions import Fraction

from tui_casino.cards.card import PACK, Rank


def share(rank: Rank) -> Fraction:
    """Give the share of the pot that a card of this rank takes on average from any other card."""
    others = [card.rank for card in PACK if card.rank != rank]
    ties = len(PACK) - len(others) - 1
    return Fraction(2 * sum(other < rank for other in others) + ties, 2 * (len(PACK) - 1))


def worth_keeping(rank: Rank) -> bool:
    """Return whether a card wins more than half of the pot on average."""
    return share(rank) > Fraction(1, 2)
