"""Where a machine stands that was left, in a few words."""

from __future__ import annotations

from ....engine.game import Seat
from ..machine.game import State


def moment(view: State, seat: Seat) -> str:
    """Tell the bet, and the cards once they lie there."""
    cards = " ".join(f"{card.rank.pip}{card.suit.symbol}" for card in view.hand)
    return f"{view.coins} bet" + (f", {cards}" if cards else "")
