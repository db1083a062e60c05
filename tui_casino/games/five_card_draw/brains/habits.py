"""The habits of five-card draw: groups of mistakes, named in a player's words."""

from __future__ import annotations

from ....gamekit.adviser import MistakeKind
from ....gamekit.habits import OTHER_HABIT, Habit
from ..machine.state import Bet, Call, Check, Fold, Raise
from .mistake_kinds import AFTER, BEFORE, DONE, FACING, MADE, PAIRS, PAT

STRONG = (*MADE, PAIRS[0])
"""With these hands, the mistake of a call may be that it was not a raise."""
TIMIDLY = {DONE[Call]: "calling strong hands"}
OPENING = {DONE[Check]: ("checking too often", "check"), DONE[Bet]: ("betting too often", "bet")}
ANSWERS = {
    DONE[Fold]: ("folding too often", "fold"),
    DONE[Call]: ("calling too loosely", "call"),
    DONE[Raise]: ("raising too often", "raise"),
}
STANDING_PAT = Habit("standing pat too often", "stand pat")
WRONG_CARDS = Habit("discarding the wrong cards")


def habit_of(kind: MistakeKind) -> Habit:
    """Return the habit of a kind of mistake."""
    if kind.spot.startswith("the draw with "):
        return STANDING_PAT if kind.slip == PAT else WRONG_CARDS
    when = BEFORE if f" {BEFORE} " in kind.spot else AFTER
    acts = OPENING if kind.spot.startswith(FACING[0]) else ANSWERS
    if kind.slip not in acts:
        return OTHER_HABIT
    name, act = acts[kind.slip]
    if kind.spot.partition(" with ")[2] in STRONG:
        name = TIMIDLY.get(kind.slip, name)
    return Habit(f"{name} {when}", act)
