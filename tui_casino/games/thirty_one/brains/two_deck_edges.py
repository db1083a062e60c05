"""The house edge on the first bet from two fresh decks, for all rules of the rules lab.

The figures are shipped with the program. `tests/build_data/thirty_one/two_deck_edges.py` computes
them, and explains the method.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import product
from pathlib import Path

from msgspec import Struct

from ....cards.memo import memoize
from ..machine.rules import Odds, Rules

INSURANCE = tuple(Odds(paid) for paid in range(1, 6))
"""The odds of insurance in the rules lab."""
UNIT = 10**7
"""Edges are stored in units of 1 / ``UNIT`` of a bet."""
FILE = Path(__file__).parents[1] / "data" / "two-decks.json"


class EdgeEstimate(Struct, frozen=True):
    """The house edge of a bet of 1 with perfect play, and its error.

    Everything is exact except the gain of a split from looking at its other hands, which is
    sampled. ``error`` is the sum of the standard errors of all splits, weighted by their chances.
    """

    value: float
    error: float


def lab_houses() -> Iterator[Rules]:
    """Yield all sets of rules of the lab, in the order of the file."""
    yes_no = (False, True)
    for (
        hits_soft,
        double_two_cards,
        split_same_rank,
        most_hands,
        double_after_split,
        insurance,
    ) in product(yes_no, yes_no, yes_no, (2, 3, 4), (True, False), INSURANCE):
        yield Rules(
            hits_soft, double_two_cards, split_same_rank, most_hands, double_after_split, insurance
        )


@memoize()
def read_edges() -> Mapping[Rules, EdgeEstimate]:
    """Read the shipped figures of all sets of rules."""
    rows = json.loads(FILE.read_text(encoding="utf-8"))
    return {
        rules: EdgeEstimate(value / UNIT, error / UNIT)
        for rules, (value, error) in zip(lab_houses(), rows, strict=True)
    }


def edge_of(rules: Rules) -> EdgeEstimate | None:
    """Return the house edge of a rule set, or ``None`` if its insurance odds are not in the lab."""
    return read_edges().get(rules)
