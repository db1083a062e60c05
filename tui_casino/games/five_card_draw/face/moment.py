"""Where a hand stands that was left, in a few words."""

from __future__ import annotations

from ....engine.game import Seat
from ..machine.state import State


def moment(view: State, seat: Seat) -> str:
    """Tell the hand, and what it takes to stay: ``hand 14, call 20 into 60``."""
    hand = f"hand {view.played}"
    owes = view.betting.owes(seat) if view.betting else 0
    if owes and seat in view.alive:
        return f"{hand}, call {owes} into {view.pot}"
    return f"{hand}, {view.pot} in the pot"
