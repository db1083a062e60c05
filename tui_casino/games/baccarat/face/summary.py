"""A one-line summary of an unfinished baccarat session."""

from __future__ import annotations

from ....engine.game import Seat
from ..machine.state import State


def moment(view: State, seat: Seat) -> str:
    """Return the number of the coup and the credits bet on it."""
    bets = sum(view.bets)
    bets_text = f"bets of {bets} credits" if bets else "no bets yet"
    return f"coup {len(view.coups) + 1}, {bets_text}"
