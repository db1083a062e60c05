"""What stands in the panels of several games."""

from __future__ import annotations

from ...engine.game import A, S
from ...gamekit.tally import T
from ..widgets.panel import PANEL_WIDTH
from ..widgets.plots import sparkline
from .glance import Glance


def bankroll(glance: Glance[S, A, T]) -> str:
    """Plot what the seat had after each of its rounds."""
    return sparkline(glance.journal.bankroll, PANEL_WIDTH, glance.plain)
