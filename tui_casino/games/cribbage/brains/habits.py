"""The habits of cribbage: groups of mistakes, named in a player's words."""

from __future__ import annotations

from collections.abc import Mapping

from ....gamekit.adviser import Decision, MistakeKind
from ....gamekit.habits import OTHER_HABIT, ActFrequency, Habit, compare_act
from ..machine.moves import Action, Discard
from ..machine.state import State
from .mistake_kinds import CUTS, LEFT, LESS, MISSED, MORE, OTHERS, OWN, PAIR, POINTS, RUN, breaks

DISCARDS = {
    PAIR: Habit("breaking a pair for the crib", "break a pair"),
    RUN: Habit("breaking a run for the crib", "break a run"),
    POINTS: Habit("breaking up scoring cards for the crib"),
    CUTS: Habit("keeping cards few starters improve"),
}
BY_CRIB = {
    OWN: {**DISCARDS, LESS: Habit("discarding too little to your own crib")},
    OTHERS: {**DISCARDS, MORE: Habit("discarding too much to their crib")},
}
IN_THE_PLAY = {
    MISSED: Habit("missing points in the play"),
    LEFT: Habit("letting the opponent score in the play"),
}


def habit_of(kind: MistakeKind) -> Habit:
    """Return the habit of a kind of mistake."""
    return BY_CRIB.get(kind.spot, IN_THE_PLAY).get(kind.slip, OTHER_HABIT)


def act_frequencies(decision: Decision[State, Action]) -> Mapping[str, ActFrequency]:
    """Return which pairs and runs a discard breaks, and which of them the best discard breaks."""
    view, seat, action, best = decision.view, decision.seat, decision.action, decision.best
    if not (isinstance(action, Discard) and isinstance(best, Discard)):
        return {}
    perfect = breaks(view, seat, best)
    return {
        slip: compare_act(done=broken, benchmark=perfect[slip])
        for slip, broken in breaks(view, seat, action).items()
    }
