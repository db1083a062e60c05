"""A one-line summary of a round that can be resumed."""

from __future__ import annotations

from ....cards.card import BACK
from ....engine.game import Seat
from ..machine.rules import CENTS
from ..machine.state import State


def moment(view: State, seat: Seat) -> str:
    """Return the bet, the player's totals, and the dealer's card."""
    text = f"{sum(hand.bet for hand in view.hands) // CENTS} bet"
    if view.hands and all(hand.cards for hand in view.hands):
        text += f", you have {' and '.join(str(hand.total.points) for hand in view.hands)}"
    open_cards = [card for card in view.dealer if card is not BACK]
    if open_cards:
        text += f" against {open_cards[0].rank.pip}{open_cards[0].suit.symbol}"
    return text
