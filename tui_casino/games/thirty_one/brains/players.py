"""A computer player for simulations: it plays by the dealer's rule."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ....engine.game import ComputerPlayer, Seat
from ....engine.offers import Dice, Offer
from ..machine.rules import MINIMUM, Rules, dealer_draws
from ..machine.state import Action, Bet, Decline, Hit, Phase, Stand, State

BATTLE = Rules(dealer_hits_soft=True)
"""The dealer's rule as the computer player follows it, which includes hitting a soft 27."""


class DealerRulePlayer:
    """Bets the minimum, stands on 14 and on 27 or more (but hits a soft 27), never insures."""

    def choose(
        self,
        view: State,
        seat: Seat,
        offers: tuple[Offer[Action], ...],
        dice: Dice,
    ) -> Action:
        """Bet, decline insurance, or play by the dealer's rule."""
        match view.phase:
            case Phase.BET:
                return Bet(MINIMUM)
            case Phase.INSURANCE:
                return Decline()
        assert view.active is not None
        return Hit() if dealer_draws(view.hands[view.active].total, BATTLE) else Stand()


PLAYERS: Mapping[str, Callable[[], ComputerPlayer[State, Action]]] = {"dealer": DealerRulePlayer}
"""All players; the keys are their names."""
