"""The odds of the moment on a page of their own."""

from __future__ import annotations

from typing import TypeAlias

from ....tui.table.glance import Figures, Glance
from ..machine.moves import Action
from ..machine.state import State
from .advice import odds_lines
from .tally import Tally

Seen: TypeAlias = Glance[State, Action, Tally]


def figures(glance: Seen) -> Figures:
    """Give the odds of the moment."""
    lines = odds_lines(glance.view)
    return Figures("Odds", lines) if lines else Figures("There is no hand to weigh now.", ())
