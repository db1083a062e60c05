"""Where a game stands that was left, in a few words."""

from __future__ import annotations

from ....engine.game import Seat
from ..machine.state import State


def moment(view: State, seat: Seat) -> str:
    """Tell the points, whose crib it is, and of several games which: ``87 to 79, your crib``."""
    own, other = view.points[seat], view.points[1 - seat]
    crib = "your crib" if view.dealer == seat else "their crib"
    series = view.options.games
    which = f"game {view.played + 1} of {series}, " if series > 1 else ""
    return f"{which}{own} to {other}, {crib}"
