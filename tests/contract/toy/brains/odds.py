"""The exact odds of the toy game: the value of a kept card against an unknown card."""

from __future__ import annotations

from fractions import Fraction

from tui_casino.cards.card import PACK, Rank


def share(rank: Rank) -> Fraction:
    """Return the average share of the pot for a card of this rank against any other card."""
    others = [card.rank for card in PACK if card.rank != rank]
    ties = len(PACK) - len(others) - 1
    return Fraction(2 * sum(other < rank for other in others) + ties, 2 * (len(PACK) - 1))


def worth_keeping(rank: Rank) -> bool:
    """Return whether a card wins more than half of the pot on average."""
    return share(rank) > Fraction(1, 2)
