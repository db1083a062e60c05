"""The cards of a choice outside the table: the five cards, and those held."""

from __future__ import annotations

from ....gamekit.adviser import Decision
from ....tui.draw.card_art import CardState
from ....tui.draw.card_groups import CardGroup
from ..machine.game import Action, State
from .words import cards_of


def decision_cards(
    decision: Decision[State, Action], ending: State | None
) -> tuple[CardGroup, ...]:
    """Return the five cards; cards that only the best hold keeps have the caption ``best``."""
    view, seat = decision.view, decision.seat
    held = cards_of(view, seat, decision.action) or ()
    best = cards_of(view, seat, decision.best) or ()
    states = (
        CardState.HELD if card in held else CardState.WINNING if card in best else CardState.NORMAL
        for card in view.hand
    )
    captions = ("HELD" if card in held else "best" if card in best else "" for card in view.hand)
    return (CardGroup("", view.hand, tuple(states), tuple(captions)),)
