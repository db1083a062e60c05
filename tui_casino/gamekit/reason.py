"""The reason for a verdict: sentences with checked figures that explain a choice's cost.

The figures of all alternatives are columns, which a list of alternatives shows next to the EV.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Generic, TypeAlias

from msgspec import Struct

from ..engine.game import A

Figure: TypeAlias = tuple[str, Fraction | float]
"""The name of a figure that a sentence states, and its exact value, not rounded."""


class Reason(Struct, frozen=True):
    """Why a choice is a mistake, or why it is right.

    ``cause`` has one or two sentences, and ``rule`` a rule of thumb that holds in this position, or
    "". ``figures`` holds all figures of the sentences, so that tests can compare them with
    independent computations.
    """

    cause: tuple[str, ...]
    rule: str = ""
    figures: tuple[Figure, ...] = ()

    @property
    def sentences(self) -> tuple[str, ...]:
        """The sentences of the cause, then the rule of thumb."""
        return (*self.cause, self.rule) if self.rule else self.cause


class FigureColumn(Struct, Generic[A], frozen=True):
    """A column of a list of alternatives: its heading, and a text for each action.

    An action without a figure is missing in ``texts``.
    """

    heading: str
    texts: Mapping[A, str]
