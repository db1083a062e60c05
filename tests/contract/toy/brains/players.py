"""Computer players of the toy."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tui_casino.engine.game import ComputerPlayer, Seat
from tui_casino.engine.offers import Dice, Offer

from ..machine.game import Action, State


class Keeper:
    """Takes the first offer: antes, and keeps any card."""

    def choose(
        self, view: State, seat: Seat, offers: tuple[Offer[Action], ...], dice: Dice
    ) -> Action:
        """Ante, or keep."""
        return offers[0].kind()


PLAYERS: Mapping[str, Callable[[], ComputerPlayer[State, Action]]] = {"keeper": Keeper}
