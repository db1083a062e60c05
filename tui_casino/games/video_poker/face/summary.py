"""A one-line summary of an unfinished round."""

from __future__ import annotations

from ....cards.card import Hand
from ....engine.game import Seat
from ..machine.game import Action, Hold, State


def moment(view: State, seat: Seat) -> str:
    """Return the bet and, once the cards are dealt, the cards."""
    cards = " ".join(f"{card.rank.pip}{card.suit.symbol}" for card in view.hand)
    return f"bet {view.coins}" + (f", {cards}" if cards else "")


def cards_of(view: State, seat: Seat, action: Action) -> Hand | None:
    """Return the cards that an action holds; ``None`` for other actions."""
    if isinstance(action, Hold):
        return tuple(view.hand[place - 1] for place in action.positions)
    return None
