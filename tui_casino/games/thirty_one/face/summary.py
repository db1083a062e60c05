"""Where a round stands that was left, in a few words."""

from __future__ import annotations

from ....cards.card import BACK
from ....engine.game import Seat
from ..machine.rules import CENTS
from ..machine.state import State


def moment(view: State, seat: Seat) -> str:
    """Tell the bet, what one has, and what the dealer shows."""
    said = f"{sum(hand.bet for hand in view.hands) // CENTS} bet"
    if view.hands and all(hand.cards for hand in view.hands):
        said += f", you have {' and '.join(str(hand.total.points) for hand in view.hands)}"
    shown = [card for card in view.dealer if card is not BACK]
    if shown:
        said += f" against {shown[0].rank.pip}{shown[0].suit.symbol}"
    return said
