"""Hide cards from a seat, which may see only its own cards and those shown at the showdown.

An observer without a seat sees only the cards shown at the showdown.
"""

from __future__ import annotations

from ....cards.card import BACK, Hand
from ....engine.game import Seat
from ....structs import replace
from .moves import CardDealt, Discarded, DrawAsked, Event, HandHeld
from .state import State


def view(state: State, seat: Seat | None) -> State:
    """Return the state with all cards hidden except the seat's own and those of the showdown."""
    open_to = {seat, *state.open}
    return replace(
        state,
        hands=tuple(
            hand if place in open_to else _backs(hand) for place, hand in enumerate(state.hands)
        ),
        thrown=tuple(
            cards if place == seat else _backs(cards) for place, cards in enumerate(state.thrown)
        ),
    )


def _backs(cards: Hand) -> Hand:
    return (BACK,) * len(cards)


def hear(state: State, event: Event, seat: Seat | None) -> Event:
    """Return the event with other seats' dealt, held and discarded cards hidden."""
    match event:
        case CardDealt(other, _) if other != seat:
            return CardDealt(other, BACK)
        case HandHeld(other, hand) if other != seat:
            return HandHeld(other, _backs(hand))
        case DrawAsked(other, hand) if other != seat:
            return DrawAsked(other, _backs(hand))
        case Discarded(other, cards) if other != seat:
            return Discarded(other, _backs(cards))
    return event
