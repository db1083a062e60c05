"""The reason for a verdict on a bet in baccarat: its house edge and that of the best bet.

A bet is the only choice in baccarat. The table judges none, because every bet has a house edge and
a player may bet on any spot for fun; the question ``why`` and the replay compare the edges.
"""

from __future__ import annotations

from fractions import Fraction

from ....gamekit.adviser import Decision
from ....gamekit.number_formats import percent
from ....gamekit.reason import Reason
from ..machine.moves import Action, Bet
from ..machine.rules import CENTS
from ..machine.state import State


def reason(decision: Decision[State, Action]) -> Reason | None:
    """Return the house edges of a bet and of the best bet with the unseen cards."""
    edges = {
        one.action.spot: -Fraction(one.value) / (CENTS * one.action.credits)
        for one in decision.values
        if isinstance(one.action, Bet) and one.action.credits
    }
    if not isinstance(decision.action, Bet) or decision.action.spot not in edges:
        return None
    spot, best = decision.action.spot, min(edges, key=lambda one: edges[one])
    text = f"With the unseen cards, the house edge of {spot.label} is {_edge(edges[spot])}"
    if edges[spot] == edges[best]:
        cause = f"{text}, the lowest of all spots that take a bet of {decision.action.credits}."
    else:
        cause = f"{text}; the best bet is {best.label} with {_edge(edges[best])}."
    rule = "Every bet loses on average; a low house edge only loses more slowly."
    figures = ("edge", edges[spot]), ("best edge", edges[best])
    return Reason((cause,), rule if min(edges.values()) > 0 else "", figures)


def _edge(edge: Fraction) -> str:
    return percent(edge).replace("-", "\N{MINUS SIGN}")
