"""A one-line summary of a waiting baccarat table."""

from __future__ import annotations

from ....engine.game import Seat
from ..machine.state import State


def moment(view: State, seat: Seat) -> str:
    """Tell the coup, and what lies on the table."""
    return f"coup {len(view.coups) + 1}, {sum(view.bets)} on the table"
