"""The rules lab: the options of a house, and the effect of each on the house edge."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from msgspec import Struct

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
