"""What stands beside the table: the odds of the moment, the last round, and how it goes."""

from __future__ import annotations

from typing import TypeAlias

from ....engine.money import dollars
from ....tui.table.glance import Figures, Glance, Section
from ....tui.table.sections import bankroll
from ..machine.moves import Action
from ..machine.rules import CENTS
from ..machine.state import State
from .tally import Tally

Seen: TypeAlias = Glance[State, Action, Tally]

NOT_YET = "after the bet"


def choices(glance: Seen) -> str:
    """Say what to do, and what each choice is worth."""
    from .advice import advice_lines  # numpy, late

    return "\n".join(advice_lines(glance.view)) or NOT_YET


def dealer(glance: Seen) -> str:
    """Say what the dealer will end on."""
    from .advice import dealer_lines  # numpy, late

    return "\n".join(dealer_lines(glance.view)) or NOT_YET


def last_round(glance: Seen) -> str:
    """Say how the last round ended, as the view has noted it."""
    return "\n".join(glance.story)


def session(glance: Seen) -> str:
    """Say how the session goes, and what mistakes have cost."""
    tally, journal = glance.tally, glance.journal
    return "\n".join(
        (
            f"games    {tally.rounds:>12,}",
            f"won      {tally.wins:>12,}",
            f"on 14    {tally.player_14_won:>5,} of {tally.player_14:>3,}",
            f"net      {dollars(tally.won - tally.wagered):>12}",
            f"mistakes {journal.mistakes:>12,}",
            f"cost     {float(journal.cost) / CENTS:>12.2f}",
        )
    )


PANEL: tuple[Section[State, Action, Tally], ...] = (
    Section("your choices", choices),
    Section("the dealer ends on", dealer),
    Section("last round", last_round),
    Section("session", session),
    Section("bankroll", bankroll),
)


def figures(glance: Seen) -> Figures:
    """Give the odds of the moment on a page, where the panel has no room."""
    from .advice import advice_lines, dealer_lines  # numpy, late

    lines = advice_lines(glance.view)
    if not lines:
        return Figures("There is no hand to weigh now.", ())
    return Figures("Odds", (*lines, "", "What the dealer ends on", *dealer_lines(glance.view)))
