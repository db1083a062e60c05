"""The rules lab: the options of a house, and their effects on the house edge.

`two-decks.json` holds the house edge with two fresh decks for all rules of the lab.
`tests/build_data/thirty_one/two_deck_edges.py` computes this file, and explains the method.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

from msgspec import Struct

from ....cards.memo import memoize
from ....structs import replace
from ..machine.rules import Odds, Rules
from .odds import house_edge

USUAL = Rules()


class LabOption(Struct, frozen=True):
    """A rule that can replace the game's own rule: its field, and its value."""

    words: str
    field: str
    value: bool | int | Odds

    def holds(self, rules: Rules) -> bool:
        """Return whether the rules have this option."""
        return bool(getattr(rules, self.field) == self.value)

    def switched(self, rules: Rules) -> Rules:
        """Return the rules with this option or, if they have it, with the game's own rule again.

        If options exclude each other, such as the odds of insurance, the last one counts.
        """
        value = getattr(USUAL, self.field) if self.holds(rules) else self.value
        change: dict[str, Any] = {self.field: value}
        return replace(rules, **change)


OPTIONS = (
    LabOption("the dealer hits a soft 27", "dealer_hits_soft", True),
    LabOption("double only on two cards", "double_two_cards", True),
    LabOption("no double after a split", "double_after_split", False),
    LabOption("split to 4 hands", "most_hands", 4),
    LabOption("insurance pays 4:1", "insurance", Odds(4)),
    LabOption("insurance pays 5:1", "insurance", Odds(5)),
    LabOption("split to 3 hands", "most_hands", 3),
    LabOption("split equal ranks, not K-10", "split_same_rank", True),
)
"""The options, those with the largest effect on the house edge first."""


def edge_effects(rules: Rules) -> Iterator[tuple[LabOption, Fraction]]:
    """Yield each option with the amount that it adds to the house edge of these rules.

    For an option that the rules do not have, this is what the option would add.
    """
    edge = house_edge(rules)
    for option in OPTIONS:
        other = house_edge(option.switched(rules))
        yield option, edge - other if option.holds(rules) else other - edge


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


def lab_rules() -> Iterator[tuple[str, Rules]]:
    """Yield the game's own rules and the rules with each single option, all with their names.

    The names are keys in JSON output, so they must not change.
    """
    yield "the rules as they are", Rules()
    yield "the dealer draws to a soft 27", Rules(dealer_hits_soft=True)
    yield "double on two cards only", Rules(double_two_cards=True)
    yield "split two of a rank only", Rules(split_same_rank=True)
    yield "split to 3 hands", Rules(most_hands=3)
    yield "split to 4 hands", Rules(most_hands=4)
    yield "no double after a split", Rules(double_after_split=False)
    for paid in (2, 3, 4, 5):
        yield f"insurance pays {paid}:1", Rules(insurance=Odds(paid))


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
