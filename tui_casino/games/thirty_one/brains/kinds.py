"""Kinds of mistakes: the cell of the chart that a hand stands in, and what was done there."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from ....engine.game import Seat
from ....gamekit.adviser import Kind
from ..machine.moves import Action, Decline, Double, Hit, Insure, Split, Stand
from ..machine.state import State
from .adviser import position_of
from .chart import card_name, place_of

DONE: Mapping[type, str] = MappingProxyType(
    {
        Hit: "hit",
        Stand: "stood",
        Double: "doubled",
        Split: "split",
        Insure: "insured",
        Decline: "went without",
    }
)
"""What each choice is called when it has been made."""


def kind(view: State, seat: Seat, action: Action, better: Action) -> Kind:
    """Name a choice that was not the best. Raises ``ValueError`` where there is none to make."""
    position = position_of(view)
    if position is None:
        raise ValueError(f"there is nothing to decide in {view.phase}")
    if position.asked:
        return Kind("insurance", DONE[type(action)])
    spot = f"{' '.join(place_of(position))} against {card_name(position.up)}"
    return Kind(spot, DONE[type(action)])
