"""The adviser of baccarat: the odds of the next coup, the EV of bets, and the reason for a verdict.

A bet is the only choice in baccarat. The table judges none, because every bet has a house edge and
a player may bet on any spot for fun; the question ``why`` and the replay compare the edges.
"""

from __future__ import annotations

from fractions import Fraction

from ....engine.game import Seat
from ....gamekit.adviser import ActionValue, Decision, Reason
from ....gamekit.number_formats import percent
from ..machine.rules import CENTS, COUP_CARDS, SPOTS
from ..machine.state import Action, Bet, State
from .odds import Odds, odds_of, rank_counts


def next_odds(view: State) -> Odds | None:
    """Return the odds of the next coup from the unseen cards; after the last coup, from a new shoe.

    Return ``None`` if too few cards are left for a coup.
    """
    if view.finished and view.options.decks:
        return odds_of(rank_counts(view.options.pack))
    return odds_of(view.unseen) if sum(view.unseen) >= COUP_CARDS else None


def spot_values(view: State, seat: Seat, action: Action) -> tuple[ActionValue[Action], ...]:
    """Return the exact EV, in cents, of the same bet on each spot whose limits allow that bet.

    Not betting would be best, but is not included: the EVs show which spot is best for a bet.
    """
    odds = next_odds(view)
    if not isinstance(action, Bet) or odds is None:
        return ()
    chips = action.credits
    return tuple(
        ActionValue(Bet(chips, spot), -CENTS * chips * odds.edge(spot, view.options))
        for spot in SPOTS
        if spot is action.spot or spot.min_bet <= chips <= spot.max_bet
    )


def reason(decision: Decision[State, Action], rival: Action | None = None) -> Reason | None:
    """Return the house edges of a bet and of the best bet with the unseen cards.

    ``rival`` has no effect, because no bet is called a mistake.
    """
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
