"""One-line summaries of a cribbage game and of a seat's hand in it."""

from __future__ import annotations

from ....cards.card import Hand, format_cards
from ....engine.game import Seat
from ....gamekit.practice_positions import number_cards
from ....gamekit.words import SEAT_NAMES
from ..machine.moves import Action, Discard, Lay
from ..machine.state import Phase, State


def moment(view: State, seat: Seat) -> str:
    """Return the points, whose crib it is, and in a series the game: ``87 to 79, your crib``."""
    return _moment(view, seat, "your crib" if view.dealer == seat else "their crib")


def public_moment(view: State) -> str:
    """Return a summary for both players, with their names: ``87 to 79, South's crib``."""
    return _moment(view, 0, f"{SEAT_NAMES[view.dealer]}'s crib")


def _moment(view: State, seat: int, crib: str) -> str:
    own, other = view.points[seat], view.points[1 - seat]
    series = view.options.games
    game_text = f"game {view.played + 1} of {series}, " if series > 1 else ""
    return f"{game_text}{own} to {other}, {crib}"


def choosing_from(view: State, seat: Seat) -> str:
    """Return the hand that a seat must choose from or count; otherwise an empty text."""
    if view.phase is Phase.SHOW and view.shown and view.starter is not None:
        owner, cards, is_crib = view.on_show
        name = "Crib" if is_crib else "Hand"
        if owner == seat:
            return f"{name} to count: {format_cards(cards)}, starter {view.starter}"
    return hand_in_words(view, seat) if view.phase in (Phase.DISCARD, Phase.PLAY) else ""


def hand_in_words(view: State, seat: Seat) -> str:
    """Return the points, the count, and the cards of a seat with their places."""
    cards, unplayed = view.hands[seat], view.unplayed(seat)
    points = f"You have {view.points[seat]} points, your opponent {view.points[1 - seat]}"
    if not cards:
        return points
    if view.phase is Phase.PLAY:
        cards_left = " ".join(
            f"{place}) {card}" for place, card in enumerate(cards, 1) if card in unplayed
        )
        count = f"Count {view.count}"
        return f"{points}. {count}. Your cards: {cards_left or 'all played'}"
    return f"{points}. Your cards: {number_cards(cards)}"


def cards_of(view: State, seat: Seat, action: Action) -> Hand | None:
    """Return the cards that an action discards or plays."""
    match action:
        case Discard(places):
            return tuple(view.hands[seat][place - 1] for place in places)
        case Lay(place):
            return (view.hands[seat][place - 1],)
    return None


def needs_private_view(state: State) -> bool:
    """Return whether the player must look at hidden cards next: to discard, play or say go."""
    return not state.options.open and state.phase in (Phase.DISCARD, Phase.PLAY)
