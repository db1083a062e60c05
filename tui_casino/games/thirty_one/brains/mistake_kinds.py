"""The kinds of mistakes: the chart cell of the hand, and the choice that was made."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from ....engine.game import Seat
from ....gamekit.adviser import MistakeKind
from ..machine.state import Action, Decline, Double, Hit, Insure, Split, Stand, State
from .adviser import ThirtyOnePosition, position_of
from .strategy_chart import UP_CARDS, card_name, chart_cell_of, row_names

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
"""The past tense of each choice."""
INSURANCE = "insurance"


def spot(view: State, seat: Seat) -> str:
    """Name the chart cell of a hand; return an empty text if there is no choice."""
    position = position_of(view)
    return "" if position is None else _spot(position)


def spots() -> tuple[str, ...]:
    """Name all cells of the chart, and insurance."""
    cells = (f"{row} against {card_name(up_card)}" for row in row_names() for up_card in UP_CARDS)
    return (*cells, INSURANCE)


def kind(view: State, seat: Seat, action: Action, better: Action) -> MistakeKind:
    """Return the kind of a mistake. Raises ``ValueError`` if there is no choice."""
    position = position_of(view)
    if position is None:
        raise ValueError(f"there is no choice in {view.phase}")
    return MistakeKind(_spot(position), DONE[type(action)])


def _spot(position: ThirtyOnePosition) -> str:
    if position.insurance_asked:
        return INSURANCE
    return f"{' '.join(chart_cell_of(position))} against {card_name(position.up_card)}"
