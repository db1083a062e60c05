"""The view of a seat: its own cards, and the cards played or shown.

A watcher has no cards and sees neither hand.
"""

from __future__ import annotations

from ....cards.card import BACK, Hand
from ....engine.game import Seat
from ....structs import replace
from .moves import CardDealt, Discarded, Event, HandDealt
from .rules import HANDS
from .state import SEATS, State, pair_with


def view(state: State, seat: Seat | None) -> State:
    """Hide the other player's cards until they are played or shown, unless all are open.

    The other player's hand becomes the cards played, in the order of play, followed by backs: the
    place of a card in the sorted hand would reveal something about its neighbours.
    """
    if state.options.open:
        return state
    hands, discards = state.hands, state.discards
    for other in SEATS:
        if other == seat:
            continue
        if state.shown < (1 if other == state.pone else 2):
            played = tuple(placed.card for placed in state.laid if placed.seat == other)
            hands = pair_with(hands, other, played + _backs(len(hands[other]) - len(played)))
        if state.shown < HANDS:
            discards = pair_with(discards, other, _backs(len(discards[other])))
    return replace(state, hands=hands, discards=discards)


def _backs(count: int) -> Hand:
    return (BACK,) * count


def hear(state: State, event: Event, seat: Seat | None) -> Event:
    """Hide the cards that the other player is dealt or discards."""
    if state.options.open:
        return event
    match event:
        case CardDealt(other, _) if other != seat:
            return CardDealt(other, BACK)
        case HandDealt(other, hand) if other != seat:
            return HandDealt(other, _backs(len(hand)))
        case Discarded(other, cards, kept_cards) if other != seat:
            return Discarded(other, _backs(len(cards)), _backs(len(kept_cards)))
    return event
