"""The computer player of the toy game."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tui_casino.engine.game import ComputerPlayer, Seat
from tui_casino.engine.offers import Dice, Offer

from ..machine.game import Action, State


class Keeper:
    """Chooses the first offer: always antes, and keeps every card."""

    def choose(
        self, view: State, seat: Seat, offers: tuple[Offer[Action], ...], dice: Dice
    ) -> Action:
        """Return the first offered action."""
        return offers[0].kind()


PLAYERS: Mapping[str, Callable[[], ComputerPlayer[State, Action]]] = {"keeper": Keeper}
