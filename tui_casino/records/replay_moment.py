"""The table after one step of a recorded session, and the lines that a seat saw at this step."""

from __future__ import annotations

from typing import Generic

from msgspec import Struct

from ..engine.game import A, Chance, E, O, S, Seat
from ..gamekit.definition import GameDefinition
from ..gamekit.tally import T


class ReplayMoment(Struct, Generic[S, A, E, T], frozen=True):
    """The table after a step; step 0 is the beginning, before any action.

    ``by`` is the seat that acted (``None``: the croupier). ``state`` and ``events`` contain all
    cards; ``definition.game.view`` and ``hear`` return what a seat may see. ``tally`` is the tally
    of the watched seat, and ``at`` the time of the step in milliseconds since 1970.
    """

    step: int
    at: int
    by: int | None
    action: A | Chance | None
    state: S
    events: tuple[E, ...]
    tally: T


def describe_events(
    definition: GameDefinition[O, S, A, E, T], seat: Seat, moment: ReplayMoment[S, A, E, T]
) -> list[str]:
    """Return the lines that a seat saw at a step."""
    events = (definition.game.hear(moment.state, event, seat) for event in moment.events)
    return [line for event in events for line in definition.words.lines(event, seat)]
