"""What stands in the panels of several games."""

from __future__ import annotations

from ...engine.game import A, S
from ...gamekit.tally import T
from ..draw.plots import sparkline
from ..widgets.panel import PANEL_WIDTH
from .glance import Glance


def bankroll(glance: Glance[S, A, T]) -> str:
    """Plot what the seat had after each of its rounds."""
    return sparkline(glance.journal.bankroll, PANEL_WIDTH, glance.plain)
