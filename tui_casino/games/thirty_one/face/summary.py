"""Short texts about hands: names, totals, and a summary of an interrupted round."""

from __future__ import annotations

from ....cards.card import BACK
from ....engine.game import Seat
from ..machine.rules import CENTS, LIMIT, Total
from ..machine.state import DEALER, Phase, State


def moment(view: State, seat: Seat) -> str:
    """Return the bet, the player's totals, and the dealer's card."""
    if view.phase is Phase.BET:
        return "no bet yet"
    text = f"{sum(hand.bet for hand in view.hands) // CENTS} bet"
    if view.hands and all(hand.cards for hand in view.hands):
        text += f", you have {' and '.join(str(hand.total.points) for hand in view.hands)}"
        if len(view.hands) > 1 and view.active is not None:
            text += f", hand {view.active + 1} to play,"
    open_cards = [card for card in view.dealer if card is not BACK]
    if open_cards:
        text += f" against {open_cards[0].rank.pip}{open_cards[0].suit.symbol}"
    return text


def say_total(total: Total) -> str:
    """Describe a total: ``soft 21``, ``hard 14``, ``soft 22, two aces at 11``."""
    if total.bust:
        return f"{total.points}, bust"
    if total.points == LIMIT:
        return str(LIMIT)
    if total.soft > 1:
        return f"soft {total.points}, two aces at 11"
    return f"{'soft' if total.soft else 'hard'} {total.points}"


def hand_owner(place: int, hands: int) -> str:
    """Name a hand by its place and the number of hands: ``Dealer``, ``You``, ``Hand 2``."""
    if place == DEALER:
        return "Dealer"
    return "You" if hands == 1 else f"Hand {place + 1}"
