"""A one-line summary of an unfinished round."""

from __future__ import annotations

from ....cards.card import Hand
from ....engine.game import Seat
from ....gamekit.practice_positions import number_cards
from ..machine.game import Action, Hold, Phase, State


def moment(view: State, seat: Seat) -> str:
    """Return the bet and, once the cards are dealt, the cards."""
    cards = " ".join(f"{card.rank.pip}{card.suit.symbol}" for card in view.hand)
    return f"bet {view.coins}" + (f", {cards}" if cards else "")


def hand_in_words(view: State, seat: Seat) -> str:
    """Return the cards with their places while the player chooses; otherwise an empty text."""
    return f"Your cards: {number_cards(view.hand)}" if view.phase is Phase.HOLD else ""


def cards_of(view: State, seat: Seat, action: Action) -> Hand | None:
    """Return the cards that an action holds; ``None`` for other actions."""
    if isinstance(action, Hold):
        return tuple(view.hand[place - 1] for place in action.positions)
    return None
