"""The page that shows the odds of the current position."""

from __future__ import annotations

from typing import TypeAlias

from ....tui.table.snapshot import FiguresPage, TableSnapshot
from ..machine.state import Action, State
from .advice import odds_lines
from .tally import Tally

ThirtyOneSnapshot: TypeAlias = TableSnapshot[State, Action, Tally]


def figures(snapshot: ThirtyOneSnapshot) -> FiguresPage:
    """Return the page that shows the odds of the current position."""
    lines = odds_lines(snapshot.view)
    return (
        FiguresPage("Odds", lines) if lines else FiguresPage("There is no hand to analyse now.", ())
    )
