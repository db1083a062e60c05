"""The odds of the moment on a page of their own."""

from __future__ import annotations

from typing import TypeAlias

from ....tui.table.glance import Figures, Glance
from ..machine.moves import Action
from ..machine.state import State
from .tally import Tally

Seen: TypeAlias = Glance[State, Action, Tally]


def figures(glance: Seen) -> Figures:
    """Give the odds of the moment."""
    from .advice import advice_lines, dealer_lines  # numpy, late

    lines = advice_lines(glance.view)
    if not lines:
        return Figures("There is no hand to weigh now.", ())
    return Figures("Odds", (*lines, "", "What the dealer ends on", *dealer_lines(glance.view)))
