"""The cards of a choice outside the table: the hand with the cards chosen from it."""

from __future__ import annotations

from ....gamekit.adviser import Decision
from ....tui.draw.card_art import CardState
from ....tui.draw.card_groups import CardGroup
from ..machine.state import Action, Phase, State
from .words import cards_of


def decision_cards(
    decision: Decision[State, Action], ending: State | None
) -> tuple[CardGroup, ...]:
    """Return the hand with the discards or the card played, and the cards of the segment.

    Cards that only the best choice names have the caption ``best``; cards played before are dimmed.
    """
    view, seat = decision.view, decision.seat
    hand, playing = view.hands[seat], view.phase is Phase.PLAY
    own = cards_of(view, seat, decision.action) or ()
    best = cards_of(view, seat, decision.best) or ()
    left = view.unplayed(seat)
    states = (
        CardState.HELD
        if card in own
        else CardState.WINNING
        if card in best
        else CardState.NORMAL
        if card in left
        else CardState.DIMMED
        for card in hand
    )
    name = "PLAY" if playing else "CRIB"
    captions = (name if card in own else "best" if card in best else "" for card in hand)
    crib = "your crib" if view.dealer == seat else "your opponent's crib"
    cards = CardGroup("YOU", hand, tuple(states), tuple(captions), "" if playing else crib)
    if not playing:
        return (cards,)
    groups = [cards]
    if view.segment:
        groups.append(CardGroup("PLAYED", view.segment, note=f"count {view.count}"))
    if view.starter is not None:
        groups.append(CardGroup("STARTER", (view.starter,)))
    return tuple(groups)
