"""The cards of a choice outside the table: the hand, and the hands at the end."""

from __future__ import annotations

from ....cards.card import BACK, Hand
from ....cards.poker import rank_hand
from ....gamekit.adviser import Decision
from ....tui.draw.card_art import CardState
from ....tui.draw.card_groups import CardGroup
from ..brains.players import names_at
from ..machine.state import Action, State
from .words import discard_in_words


def decision_cards(
    decision: Decision[State, Action], ending: State | None
) -> tuple[CardGroup, ...]:
    """Return the hand of the choice, the winner's hand or the opponent's, and the own final hand.

    Kept cards have the caption ``kept``, discards are dimmed; cards that only the best choice keeps
    have the caption ``best``.
    """
    view, seat = decision.view, decision.seat
    hand = view.hands[seat]
    out = discard_in_words(view, seat, decision.action)
    best = discard_in_words(view, seat, decision.best) or ()
    states, captions = list[CardState](), list[str]()
    for card in hand if out is not None else ():
        kept = card not in (out or ())
        states.append(CardState.NORMAL if kept else CardState.DIMMED)
        captions.append("kept" if kept else "best" if card not in best else "")
    now = CardGroup("YOU", hand, tuple(states), tuple(captions), _name(hand))
    if ending is None:
        return (now,)
    others = [other for other in ending.dealt_in if other != seat]
    shown = sorted(others, key=lambda other: other not in ending.winners)[:1]
    groups = [now, *(_final(ending, other, names_at(ending.options)[other]) for other in shown)]
    if {*ending.hands[seat]} != {*hand}:
        groups.append(_final(ending, seat, "YOUR FINAL HAND"))
    return tuple(groups)


def _final(ending: State, seat: int, name: str) -> CardGroup:
    """Return a seat's hand at the end, dimmed if it folded."""
    cards = ending.hands[seat]
    if seat in ending.folded:
        return CardGroup(name.upper(), cards, (CardState.DIMMED,) * len(cards), (), "folded")
    is_winner = seat in ending.winners
    state = CardState.WINNING if is_winner else CardState.NORMAL
    note = " ".join(filter(None, (_name(cards), "wins" * is_winner)))
    return CardGroup(name.upper(), cards, (state,) * len(cards), (), note)


def _name(hand: Hand) -> str:
    return "" if BACK in hand or len(hand) != 5 else rank_hand(hand).name
