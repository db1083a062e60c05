"""How an EV was computed: the solution for two, a solved last round, or a heuristic."""

from __future__ import annotations

from enum import Enum


class EvBasis(Enum):
    """How an EV was computed, from the most to the least accurate."""

    SOLUTION = "the solution for two"
    LAST_ROUND = "the last betting round re-solved, from rough estimates of both hands"
    ROUGH = "a rough estimate"
