"""The basis of an EV: the solution for two, a solved last round, or a heuristic."""

from __future__ import annotations

from enum import Enum


class EvBasis(Enum):
    """What was reckoned, from the surest to the roughest."""

    SOLUTION = "the solution for two"
    LAST_ROUND = "the last round of bets solved anew, from rough readings of both hands"
    ROUGH = "a rough reckoning"
