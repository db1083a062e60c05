"""The adviser of baccarat: the exact odds of the next coup."""

from __future__ import annotations

from ..machine.rules import COUP_CARDS
from ..machine.state import State
from .odds import Odds, by_rank, odds_of


def next_odds(view: State) -> Odds | None:
    """Weigh the cards that have not been shown, of a finished shoe all those of the next one.

    Gives ``None`` if they are too few for a coup.
    """
    if view.finished and view.options.decks:
        return odds_of(by_rank(view.options.pack))
    return odds_of(view.unseen) if sum(view.unseen) >= COUP_CARDS else None
