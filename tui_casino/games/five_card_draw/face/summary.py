"""One-line summaries of a hand that can be resumed."""

from __future__ import annotations

from ....cards.card import Hand, format_cards
from ....engine.game import Seat
from ....gamekit.practice_positions import number_cards
from ..machine.state import Action, Discard, Phase, State


def moment(view: State, seat: Seat) -> str:
    """Return the number of the hand and the price to stay in: ``hand 14, call 20 into 60``."""
    hand = f"hand {view.played}"
    owes = view.betting.owes(seat) if view.betting else 0
    if owes and seat in view.alive:
        return f"{hand}, call {owes} into {view.pot}"
    return f"{hand}, {view.pot} in the pot"


def discard_in_words(view: State, seat: Seat, action: Action) -> Hand | None:
    """Return the cards that an action discards, or ``None`` for other actions."""
    if isinstance(action, Discard):
        return tuple(view.hands[seat][place - 1] for place in action.positions)
    return None


def hand_in_words(view: State, seat: Seat) -> str:
    """Describe the seat's cards during a hand; return an empty text at other times."""
    if view.phase not in (Phase.OPENING, Phase.DRAW, Phase.CLOSING) or seat not in view.alive:
        return ""
    cards = view.hands[seat]
    return (
        f"Your hand is {number_cards(cards) if view.phase is Phase.DRAW else format_cards(cards)}"
    )
