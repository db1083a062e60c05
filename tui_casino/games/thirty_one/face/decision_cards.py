"""The cards of a choice outside the table: the hands and the dealer's at the end of the round."""

from __future__ import annotations

from ....cards.card import Hand
from ....gamekit.adviser import Decision
from ....tui.draw.card_art import CardState
from ....tui.draw.card_groups import CardGroup
from ..machine.rules import total_of
from ..machine.state import Action, State
from .words import say_total


def decision_cards(
    decision: Decision[State, Action], ending: State | None
) -> tuple[CardGroup, ...]:
    """Return the hand of the choice, the dealer's cards, and the other hands after a split.

    Cards that were dealt after the choice have the caption ``new``.
    """
    view, end = decision.view, ending or decision.view
    active = view.active or 0
    order = sorted(range(len(end.hands)), key=lambda place: place != active)
    hands = [
        _group("YOU" if len(order) == 1 else f"HAND {place + 1}", end.hands[place].cards, before)
        for place in order
        for before in (view.hands[place].cards if place < len(view.hands) else (),)
    ]
    dealer = _group("DEALER", end.dealer, view.dealer)
    return (*hands[:1], dealer, *hands[1:])


def _group(title: str, cards: Hand, before: Hand) -> CardGroup:
    """Return a hand with its total; ``before`` are the cards at the time of the choice."""
    total = total_of(cards)
    same = cards[: len(before)] == before
    captions = tuple("new" * (same and place >= len(before)) for place in range(len(cards)))
    state = CardState.DIMMED if total.bust else CardState.NORMAL
    return CardGroup(title, cards, (state,) * len(cards), captions, say_total(total))
