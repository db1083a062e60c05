"""Computer players of baccarat; they bet the minimum and never leave."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from ....engine.game import ComputerPlayer, Seat
from ....engine.offers import Dice, Offer
from ..machine.rules import SPOTS, BetSpot
from ..machine.state import Action, Bet, Play, State


class Backer:
    """Bets the minimum on one spot in every coup, while the credit lasts."""

    def __init__(self, spot: BetSpot) -> None:
        self.spot = spot

    def choose(
        self,
        view: State,
        seat: Seat,
        offers: tuple[Offer[Action], ...],
        dice: Dice,
    ) -> Action:
        """Bet once, then ask for the deal."""
        bet = Bet(self.spot.min_bet, self.spot)
        may_bet = not any(view.bets) and any(offer.contains(bet) for offer in offers)
        return bet if may_bet else Play()


PLAYERS: Mapping[str, Callable[[], ComputerPlayer[State, Action]]] = {
    spot.label.lower().replace(" ", "-"): partial(Backer, spot) for spot in SPOTS
}
"""The players and their names: one player for each spot, such as ``banker`` and ``player-pair``."""
