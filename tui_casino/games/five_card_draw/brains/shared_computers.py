"""The computer players in the free seats of a shared table."""

from __future__ import annotations

from functools import partial

from ....engine.game import Seat
from ....engine.seating import ComputerTurn
from ..machine import game
from ..machine.shared_game import Options, State, computer_seat
from ..machine.state import Action
from .levels import PLAYERS, PRESENT
from .players import NAMES

_NAMES = ("Dora", *NAMES[1:])


def computer_turn(state: State) -> ComputerTurn[Action] | None:
    """Return the turn of a computer, which plays with what its seat may see; otherwise ``None``."""
    if (seat := computer_seat(state)) is None:
        return None
    player = PLAYERS[PRESENT[state.options.computers]]()
    view = game.view(state.play, seat)
    return ComputerTurn(seat, partial(player.choose, view, seat, game.offers(view, seat)))


def computer_name(options: Options, seat: Seat) -> str:
    """Return the name of the computer in a free seat; empty if there is none."""
    return _NAMES[seat] if options.computers else ""
