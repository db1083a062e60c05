"""The adviser of baccarat: the exact odds of the next coup and the EV of bets."""

from __future__ import annotations

from ....engine.game import Seat
from ....gamekit.adviser import ActionValue
from ..machine.moves import Action, Bet
from ..machine.rules import CENTS, COUP_CARDS, SPOTS
from ..machine.state import State
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
    chips, commission = action.credits, view.options.commission
    return tuple(
        ActionValue(Bet(chips, spot), -CENTS * chips * odds.edge(spot, commission))
        for spot in SPOTS
        if spot is action.spot or spot.min_bet <= chips <= spot.max_bet
    )
