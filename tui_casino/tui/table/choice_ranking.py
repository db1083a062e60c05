"""The choices of a position with their EVs, as a game gives them to the trainer's list."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Generic

from msgspec import Struct

from ...engine.game import A, Seat
from ...gamekit.adviser import SURE_ERRORS, ActionValue
from ...gamekit.definition import AnyDefinition
from ...gamekit.number_formats import percent, rounded_cost
from ..draw.canvas import TonedLine
from ..draw.choice_list import BEST, EITHER, SPACE, ChoiceList, ChoiceRow
from ..draw.text import with_sign


class RankedChoice(Struct, Generic[A], frozen=True):
    """A choice with its EV in the table's unit; equal choices share one.

    ``short`` is its name where there is little room, ``figures`` are texts for the headings of the
    ranking, and ``key`` is the key that makes it. With ``ties_best``, it may be as good as the best
    choice.
    """

    actions: tuple[A, ...]
    name: str
    value: Fraction | float
    short: str = ""
    figures: tuple[str, ...] = ()
    key: str = ""
    ties_best: bool = False


class ChoiceRanking(Struct, Generic[A], frozen=True):
    """The choices, best first; the other fields are those of :class:`.ChoiceList`.

    With ``in_percent``, the values are chances and not EVs. The ``impossible`` choices follow the
    others. ``chosen`` are the actions of the highlighted choice with its label; without them, it is
    the choice that Space makes. Costs are those against the ``best`` action, by default the first.
    """

    kind: str
    choices: tuple[RankedChoice[A], ...]
    note: str = ""
    headings: tuple[str, ...] = ()
    value: str = "EV"
    details: tuple[TonedLine, ...] = ()
    in_percent: bool = False
    impossible: tuple[ChoiceRow, ...] = ()
    chosen: tuple[str, tuple[A, ...]] | None = None
    best: A | None = None

    @property
    def best_choice(self) -> RankedChoice[A]:
        """The choice with the ``best`` action."""
        return next((one for one in self.choices if self.best in one.actions), self.choices[0])

    def as_list(self, spaced: Sequence[A]) -> ChoiceList:
        """Return the list to draw; ``spaced`` are the actions of Space, the last one counts."""
        label, lit = (SPACE, spaced[-1:]) if self.chosen is None else self.chosen
        best = self.best_choice
        widest = float(best.value - min(choice.value for choice in self.choices)) or 1.0
        rows = tuple(
            ChoiceRow(
                choice.name,
                self._value_text(choice.value),
                self._cost_text(choice, best),
                choice.short,
                max(0.0, float(best.value - choice.value) / widest),
                choice.figures,
                choice.key,
                label if any(action in lit for action in choice.actions) else "",
            )
            for choice in self.choices
        )
        return ChoiceList(
            self.kind,
            (*rows, *self.impossible),
            self.note,
            self.headings,
            self.value,
            self.details,
        )

    def _value_text(self, value: Fraction | float) -> str:
        if self.in_percent:
            return percent(value, 0)
        size = abs(float(value))
        figure = f"{size:,.{2 if size < 1000 else 0}f}"
        return with_sign(float(value) if round(size, 2) else 0, figure)

    def _cost_text(self, choice: RankedChoice[A], best: RankedChoice[A]) -> str:
        if choice.value == best.value:
            return BEST
        if choice.ties_best:
            return EITHER
        if self.in_percent:
            return f"{round(100 * best.value) - round(100 * choice.value)}%"
        cost = rounded_cost(best.value, choice.value)
        return f"{cost:,.{2 if cost < 1000 else 0}f}"


def rank_values(
    definition: AnyDefinition, view: Any, seat: Seat, values: Sequence[ActionValue[A]]
) -> ChoiceRanking[A]:
    """Return the ranking of the values that an adviser gives, best first."""
    best, words = values[0], definition.words.spoken
    choices = (
        RankedChoice(
            (one.action,),
            words.describe(definition.format_action(view, seat, one.action)),
            definition.in_units(one.value),
            ties_best=float(best.value - one.value) <= SURE_ERRORS * max(best.error, one.error),
        )
        for one in values
    )
    return ChoiceRanking("choices", tuple(choices), f"in {definition.unit_name}")
