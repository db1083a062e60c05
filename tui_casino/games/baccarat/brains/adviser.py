"""The adviser of baccarat: the exact odds of the next coup."""

from __future__ import annotations

from ....engine.game import Seat
from ....gamekit.adviser import ActionValue
from ..machine.moves import Action, Bet
from ..machine.rules import CENTS, COUP_CARDS, SPOTS
from ..machine.state import State
from .odds import Odds, odds_of, rank_counts


def next_odds(view: State) -> Odds | None:
    """Weigh the cards that have not been shown, of a finished shoe all those of the next one.

    Gives ``None`` if they are too few for a coup.
    """
    if view.finished and view.options.decks:
        return odds_of(rank_counts(view.options.pack))
    return odds_of(view.unseen) if sum(view.unseen) >= COUP_CARDS else None


def spot_values(view: State, seat: Seat, action: Action) -> tuple[ActionValue[Action], ...]:
    """Give what a bet is worth on each spot that would have taken it, in cents, exactly.

    No bet is best of all, and never among them: what is weighed is where to put the chips.
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
