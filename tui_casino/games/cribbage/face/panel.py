"""The side panel of cribbage: the choices so far, the points and the log."""

from __future__ import annotations

from typing import TypeAlias

from ....cards.card import Hand
from ....engine.game import Seat
from ....tui.table.snapshot import FiguresPage, PanelSection, TableSnapshot
from ..machine.moves import Action, Discard, Lay
from ..machine.state import State
from .advice import advice, in_a_line, signs
from .tally import Tally

CribbageGlance: TypeAlias = TableSnapshot[State, Action, Tally]

NOTHING_TO_CHOOSE = "There is nothing to choose now."


def figures(glance: CribbageGlance) -> FiguresPage:
    """Return the page that shows the EV and the cost of each choice."""
    lines = advice(glance.view, glance.seat)
    return (
        FiguresPage("EV and cost of each choice, in points", lines)
        if lines
        else FiguresPage(NOTHING_TO_CHOOSE, ())
    )


def answer(glance: CribbageGlance) -> tuple[str, ...]:
    """Return the trainer's advice as one line."""
    return (in_a_line(glance.view, glance.seat, signs) or NOTHING_TO_CHOOSE,)


def _cards(view: State, seat: Seat, action: Action) -> Hand:
    """Return the cards that an action discards or plays."""
    places: tuple[int, ...] = ()
    match action:
        case Discard():
            places = action.places
        case Lay():
            places = (action.place,)
    return tuple(view.hands[seat][place - 1] for place in places)


def _choices(glance: CribbageGlance) -> str:
    journal = glance.totals
    rows = [("choices", f"{journal.choices:,}"), ("mistakes", f"{journal.mistakes:,}")]
    rows.append(("cost in points", f"{journal.displayed_cost():,.2f}"))
    return "\n".join(f"{name:<16}{value:>8}" for name, value in rows)


def _session(glance: CribbageGlance) -> str:
    tally = glance.tally
    rows = [
        ("rounds", tally.rounds),
        ("pegging points", tally.pegged),
        ("hand points", tally.hands),
        ("crib points", tally.cribs),
        ("opponent points", tally.against),
    ]
    if tally.games:
        rows += [("games", tally.games), ("won", tally.games_won)]
    return "\n".join(f"{name:<16}{value:>8,}" for name, value in rows)


def _log(glance: CribbageGlance) -> str:
    return "\n".join(glance.recent_lines)


PANEL: tuple[PanelSection[State, Action, Tally], ...] = (
    PanelSection("your choices", _choices),
    PanelSection("session", _session),
    PanelSection("log", _log, tail=True),
)
