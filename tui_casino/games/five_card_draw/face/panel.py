"""What is told of a moment of five-card draw: in the side panel, and on pages of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from ....cards.poker import rank_hand
from ....tui.table.glance import Figures, Glance, Section
from ....tui.table.sections import bankroll
from ..machine.moves import Action
from ..machine.rules import HAND_CARDS
from ..machine.state import State
from .advice import best_discard, discard_lines
from .tally import Tally

if TYPE_CHECKING:
    from ..brains.adviser import Advice

DrawGlance: TypeAlias = Glance[State, Action, Tally]
NO_HAND = "There is no hand to weigh now."


def figures(glance: DrawGlance) -> Figures:
    """Give what the panel says of the hand, for a window that has no room for the panel."""
    advice = _weighed(glance)
    if advice is None:
        return Figures(NO_HAND, ())
    return Figures("Your hand", discard_lines(advice, glance.draft))


def answer(glance: DrawGlance) -> tuple[str, ...]:
    """Say in a line what the adviser would discard."""
    best = best_discard(glance.view, glance.seat)
    return (best,) if best else ()


def _weighed(glance: DrawGlance) -> Advice | None:
    from ..brains.adviser import advise  # numpy, late

    return advise(glance.view, glance.seat)


def _your_hand(glance: DrawGlance) -> str:
    advice = _weighed(glance)
    if advice is not None:
        return "\n".join(discard_lines(advice, glance.draft))
    hand = glance.view.hands[glance.seat]
    return rank_hand(hand).name if len(hand) == HAND_CARDS else ""


def _session(glance: DrawGlance) -> str:
    tally = glance.tally
    return "\n".join(
        (
            f"hands    {tally.rounds:>10,}",
            f"won      {tally.won_hands:>10,}",
            f"net      {tally.won - tally.wagered:>+10,}",
        )
    )


PANEL: tuple[Section[State, Action, Tally], ...] = (
    Section("your hand", _your_hand),
    Section("session", _session),
    Section("bankroll", bankroll),
)
