"""The rules lab: the options of a house, and the effect of each on the house edge."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from ..machine.rules import Odds, Rules
from .odds import house_edge

USUAL = Rules()


@dataclass(frozen=True, slots=True)
class LabOption:
    """A rule that a house may have instead of the game's own: the field, and its value."""

    words: str
    field: str
    value: bool | int | Odds

    def holds(self, rules: Rules) -> bool:
        """Tell whether a house has it."""
        return bool(getattr(rules, self.field) == self.value)

    def switched(self, rules: Rules) -> Rules:
        """Give the house with it, or again with the game's own rule in its place.

        Of options that exclude each other, such as what insurance pays, the last one counts.
        """
        value = getattr(USUAL, self.field) if self.holds(rules) else self.value
        change: dict[str, Any] = {self.field: value}
        return replace(rules, **change)


OPTIONS = (
    LabOption("the dealer draws to a soft 27", "dealer_hits_soft", True),
    LabOption("double on two cards only", "double_two_cards", True),
    LabOption("no double after a split", "double_after_split", False),
    LabOption("split to 4 hands", "most_hands", 4),
    LabOption("insurance pays 4:1", "insurance", Odds(4)),
    LabOption("insurance pays 5:1", "insurance", Odds(5)),
    LabOption("split to 3 hands", "most_hands", 3),
    LabOption("split two of a rank only", "split_same_rank", True),
)
"""What can be switched, what moves the edge most before what moves it less or not."""


def edge_effects(rules: Rules) -> Iterator[tuple[LabOption, Fraction]]:
    """Give by option what it adds to the edge of a house that is otherwise as it is.

    Of one that does not hold, it is what it would add.
    """
    edge = house_edge(rules)
    for option in OPTIONS:
        other = house_edge(option.switched(rules))
        yield option, edge - other if option.holds(rules) else other - edge
