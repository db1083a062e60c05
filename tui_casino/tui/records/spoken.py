"""What was done in a recording, in the words and signs of the game's own view."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...records.course import Slip
from ..table.view import TableView

AnyView = TableView[Any, Any, Any, Any, Any]


@dataclass(frozen=True, slots=True)
class SaidSlip:
    """A mistake in words: before which cards it was made, what was done, and what was best.

    ``cost`` is as the game writes it; ``title`` tells where it was.
    """

    step: int
    title: str
    standing: str
    done: str
    best: str
    cost: str


def spoken(view: AnyView, seen: Any, action: Any) -> str:
    """Say an action from what was seen before it, in a few words: ``throw A♥ 4♦``."""
    now, view.seen = view.seen, seen
    try:
        return view.meaning(action).partition(",")[0]
    finally:
        view.seen = now


def beside(done: str, best: str) -> str:
    """Say the better one of two actions, without the verb that both have."""
    verb, _, rest = best.partition(" ")
    return rest if rest and done.partition(" ")[0] == verb else best


def said_slip(view: AnyView, slip: Slip[Any, Any]) -> SaidSlip:
    """Say a mistake in words."""
    done = spoken(view, slip.seen, slip.action)
    best = spoken(view, slip.seen, slip.mistake.better)
    return SaidSlip(
        slip.step,
        f"round {slip.round:,}",
        view.standing(slip.seen),
        done,
        beside(done, best),
        view.parts.figure(slip.mistake.cost),
    )
