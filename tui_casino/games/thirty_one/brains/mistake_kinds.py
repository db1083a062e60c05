"""The kinds of mistakes, by chart cell and choice, and the habits that group them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from ....engine.game import Seat
from ....gamekit.adviser import OTHER_HABIT, ActFrequency, Decision, Habit, MistakeKind, compare_act
from ..machine.game import offers
from ..machine.state import Action, Decline, Double, Hit, Insure, Split, Stand, State
from .adviser import ThirtyOnePosition, position_of
from .strategy_chart import FIRST, PAIR, UP_CARDS, card_name, chart_cell_of, row_names

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


STOPPING = Habit("stopping or doubling on the first card", "stop or double")
BY_CHOICE = {
    DONE[Hit]: Habit("hitting when you should not", "hit"),
    DONE[Stand]: Habit("standing too early", "stand"),
    DONE[Double]: Habit("doubling when you should not", "double"),
}
SPLITTING = {DONE[Split]: Habit("splitting when you should not", "split")}
INSURING = {
    DONE[Insure]: Habit("buying insurance", "insure"),
    DONE[Decline]: Habit("refusing insurance", "refuse"),
}


def habit_of(kind: MistakeKind) -> Habit:
    """Return the habit of a kind of mistake."""
    first_word = kind.spot.partition(" ")[0]
    if kind.spot == INSURANCE:
        return INSURING.get(kind.slip, OTHER_HABIT)
    if kind.spot.startswith(f"{FIRST} ") and kind.slip in (DONE[Stand], DONE[Double]):
        return STOPPING
    choices = {**BY_CHOICE, **SPLITTING} if first_word == PAIR else BY_CHOICE
    return choices.get(kind.slip, OTHER_HABIT)


def act_frequencies(decision: Decision[State, Action]) -> Mapping[str, ActFrequency]:
    """Return the player's choice and that of perfect play; of equal choices, the player's own."""
    mine, best = type(decision.action), type(decision.best)
    possible = {offer.kind for offer in offers(decision.view, decision.seat)}
    return {
        slip: compare_act(done=kind is mine, benchmark=kind is best)
        for kind, slip in DONE.items()
        if kind in possible
    }
