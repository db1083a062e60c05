"""The habits of Hit Me: groups of mistakes, named in a player's words."""

from __future__ import annotations

from collections.abc import Mapping

from ....gamekit.adviser import Decision, MistakeKind
from ....gamekit.habits import OTHER_HABIT, ActFrequency, Habit, compare_act
from ..machine.game import offers
from ..machine.state import Action, Decline, Double, Hit, Insure, Split, Stand, State
from .mistake_kinds import DONE, INSURANCE
from .strategy_chart import FIRST, PAIR

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
