"""The reason for a verdict in cribbage, for discards and for cards played.

The comparison is between the chosen cards and the best ones; if the best cards were chosen, they
are compared with the next best. The adviser computes the averages. An opponent is assumed to hold
any unseen cards that agree with the play, all equally likely.
"""

from __future__ import annotations

from ....gamekit.adviser import Decision, FigureColumn, Reason
from ..machine.state import Action, Discard, Lay, State
from .discard_reasons import discard_columns, discard_reason
from .pegging_reasons import pegging_columns, pegging_reason


def columns(decision: Decision[State, Action]) -> tuple[FigureColumn[Action], ...]:
    """Return the figures of all choices.

    For discards: the cards kept, the average hand with the starter, and the average crib. For cards
    played: the average points that each player scores in the rest of the play.
    """
    view, seat = decision.view, decision.seat
    match decision.action:
        case Discard():
            return discard_columns(view, seat)
        case Lay():
            return pegging_columns(view, seat)
    return ()


def reason(decision: Decision[State, Action]) -> Reason | None:
    """Explain the cost of a choice, or why it is right; return ``None`` if there is no choice."""
    match decision.action, decision.best:
        case Discard(), Discard():
            return discard_reason(decision)
        case Lay(), Lay():
            return pegging_reason(decision)
    return None
