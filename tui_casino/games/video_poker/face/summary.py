"""A one-line summary of a waiting machine."""

from __future__ import annotations

from ....cards.card import Hand
from ....engine.game import Seat
from ..machine.game import Action, Hold, State


def moment(view: State, seat: Seat) -> str:
    """Tell the bet, and the cards once they lie there."""
    cards = " ".join(f"{card.rank.pip}{card.suit.symbol}" for card in view.hand)
    return f"{view.coins} bet" + (f", {cards}" if cards else "")


def cards_of(view: State, seat: Seat, action: Action) -> Hand | None:
    """Give the cards that are held."""
    if isinstance(action, Hold):
        return tuple(view.hand[place - 1] for place in action.positions)
    return None
