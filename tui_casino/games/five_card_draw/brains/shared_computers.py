"""The computer players in the free seats of a shared table."""

from __future__ import annotations

from functools import partial

from ....engine.game import Seat
from ....engine.seating import ComputerTurn, TableChoice, seats_choice
from ..machine import game
from ..machine.shared_game import (
    COMPUTERS,
    MOST_SEATS,
    NOBODY,
    Options,
    State,
    computer_seat,
)
from ..machine.state import Action, Stakes
from .levels import PLAYERS, PRESENT
from .players import NAMES

CHOICES = (
    seats_choice(2, MOST_SEATS),
    TableChoice(
        "stakes",
        "Which stakes?",
        {Stakes.LIMIT.value: "fixed limit, bets of 10 and 20", Stakes.ANTE.value: "an ante of 5"},
        Stakes.LIMIT.value,
        Stakes,
    ),
    TableChoice(
        "computers",
        "Who plays in free seats?",
        {NOBODY: "nobody", **{level: f"computers, {level}" for level in COMPUTERS}},
        NOBODY,
    ),
)
"""The choices of a player who makes a table."""
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
    return _NAMES[seat] if options.has_computers else ""
