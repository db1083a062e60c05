"""A choice in words: its position and verdict, the reasons, and the EV of the alternatives."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from ..engine.game import Seat
from .adviser import SURE_ERRORS, ActionValue, Decision, ValuesScope, gap_error
from .definition import AnyDefinition
from .number_formats import rounded_cost

SMALLEST = 0.005
"""Smaller amounts would be 0.00."""


def amount_text(definition: AnyDefinition, amount: Fraction | float) -> str:
    """Return an amount in points or credits with two decimals, without the unit."""
    value = definition.in_units(amount)
    return f"{value:.2f}" if abs(value) >= SMALLEST or not value else "less than 0.01"


def difference_text(
    definition: AnyDefinition, best: Fraction | float, other: Fraction | float
) -> str:
    """Return what a choice costs, as the difference of the rounded EVs; "" if it costs nothing."""
    if other >= best:
        return ""
    cost = rounded_cost(definition.in_units(best), definition.in_units(other))
    return f"{cost:.2f}" if cost >= SMALLEST else "less than 0.01"


def alternative_cost(
    definition: AnyDefinition, decision: Decision[Any, Any], one: ActionValue[Any]
) -> str:
    """Return the cost of an alternative, such as ``0.31``, or "" if it is as good as the best.

    If the choice was no mistake, the alternatives are compared with the highest EV.
    """
    best = decision.values[0]
    if decision.mistake is not None:
        best = next((each for each in decision.values if each.action == decision.best), best)
    return difference_text(definition, best.value, one.value)


def own_cost(definition: AnyDefinition, decision: Decision[Any, Any]) -> str:
    """Return the cost of the choice that was made, without the unit."""
    cost = decision.displayed_cost(definition.in_units)
    return f"{cost:.2f}" if cost >= SMALLEST or not decision.cost else "less than 0.01"


def cost_text(definition: AnyDefinition, decision: Decision[Any, Any]) -> str:
    """Return the cost of the choice that was made, with its unit: ``7.65 points``."""
    return f"{own_cost(definition, decision)} {definition.unit_name}"


def action_text(
    definition: AnyDefinition, decision: Decision[Any, Any], action: Any, *, past: bool = False
) -> str:
    """Return an action in a player's words: ``discard AC and 5C``."""
    command = definition.format_action(decision.view, decision.seat, action)
    return definition.words.spoken.describe(command, past=past)


def describe_position(definition: AnyDefinition, view: Any, seat: Seat) -> tuple[str, ...]:
    """Return lines that describe a position and ask what to do in it."""
    if definition.positions is None:
        return (definition.words.moment(view, seat),)
    return definition.positions.describe(view, seat)


def verdict_sentence(definition: AnyDefinition, decision: Decision[Any, Any]) -> str:
    """Return what the player did, what it cost, and the best choice."""
    did = action_text(definition, decision, decision.action, past=True)
    if decision.mistake is None:
        values = {one.value for one in decision.values}
        if len(decision.values) > 1 and len(values) == 1:
            how = "and every other choice is as good"
        elif near := _nearest_rival(decision):
            return _close_sentence(definition, decision, did, *near)
        elif not decision.values or decision.action == decision.values[0].action:
            how = "the best choice"
        elif decision.value == decision.values[0].value:
            how = "as good as the best"
        else:
            return _unusual_sentence(definition, decision, did)
        return f"Right: you {did}, {how}."
    best = action_text(definition, decision, decision.best)
    return f"You {did}; that cost {cost_text(definition, decision)}. Best: {best}."


def _nearest_rival(
    decision: Decision[Any, Any],
) -> tuple[ActionValue[Any], ActionValue[Any]] | None:
    """Return the choice made and the closest other, if standard errors cannot separate the two.

    For a choice below the highest EV, this is the choice with the highest EV.
    """
    own = next((one for one in decision.values if one.action == decision.action), None)
    others = [one for one in decision.values if one.action != decision.action]
    if own is None or not others:
        return None
    gap = float(others[0].value) - float(own.value)
    is_close = 0 < abs(gap) <= SURE_ERRORS * gap_error(own, others[0])
    return (own, others[0]) if is_close else None


def _close_call(own: ActionValue[Any], rival: ActionValue[Any]) -> str:
    """Return how a choice compares with its nearest rival, from which no error separates it."""
    return "Best, but close" if own.value > rival.value else "No clear difference"


def gerund(words: str) -> str:
    """Return an action in a player's words as a noun: ``holding JS`` for ``hold JS``."""
    verb, space, rest = words.partition(" ")
    if verb in ("bet", "hit", "split"):
        verb += verb[-1]
    return f"{verb.removesuffix('e')}ing{space}{rest}"


def _close_sentence(
    definition: AnyDefinition,
    decision: Decision[Any, Any],
    did: str,
    own: ActionValue[Any],
    rival: ActionValue[Any],
) -> str:
    """Return what the player did, and how the EV of the closest choice may differ from it."""
    name = action_text(definition, decision, rival.action)
    low, high = sorted((float(own.value), float(rival.value)))
    start = f"{_close_call(own, rival)}: you {did}; {gerund(name)}"
    if definition.in_units(high - low) < SMALLEST:
        return f"No clear difference: you {did}; {gerund(name)} is equally good."
    margin = amount_text(definition, SURE_ERRORS * gap_error(own, rival))
    how = "better" if rival.value > own.value else "worse"
    gap = difference_text(definition, high, low)
    return f"{start} looks {how} by {gap}, but EVs may be off by {margin}."


def _unusual_sentence(definition: AnyDefinition, decision: Decision[Any, Any], did: str) -> str:
    """Return what the player did, and the higher EV of a choice that would be unusual."""
    best, own = decision.values[0], decision.value
    assert own is not None, "the choice was compared with the best"
    name = action_text(definition, decision, best.action)
    gain = difference_text(definition, best.value, own)
    return f"You {did}, no mistake, although {gerund(name)} has an EV that is {gain} higher."


def costly_mistake(
    definition: AnyDefinition, view: Any, seat: Seat, action: Any, share: Fraction
) -> Decision[Any, Any] | None:
    """Return an action as a decision if it costs at least this share of the stake, or ``None``."""
    decision = definition.decision(view, seat, action, ValuesScope.OF_ALL)
    staked = definition.game.money(view, seat).staked
    if decision is None or decision.mistake is None or decision.cost < share * staked:
        return None
    return decision


def short_verdicts(definition: AnyDefinition, decision: Decision[Any, Any]) -> tuple[str, ...]:
    """Return texts of the verdict on a choice for a single line, from the longest to the shortest.

    A mistake has its cost, the best choice and, in the longest text, the reason; a right choice has
    only one text.
    """
    did = action_text(definition, decision, decision.action, past=True)
    if decision.mistake is None:
        is_best = not decision.values or decision.value == decision.values[0].value
        start = "Right" if is_best else "No mistake"
        if (near := _nearest_rival(decision)) is not None:
            own, rival = near
            start = _close_call(own, rival)
        return (f"{start}: you {did}",)
    best = action_text(definition, decision, decision.best)
    cost = own_cost(definition, decision)
    cost = f"−{cost}" if cost[0].isdigit() else cost
    reason = next(iter(definition.reasons(decision)), "")
    return (
        f"You {did}: {cost} {definition.unit_name}. Best: {best}. {reason}".rstrip(),
        f"You {did}: {cost}. Best: {best}",
        f"{cost}. Best: {best}",
    )


def earlier_sentence(when: str, did: str, cost: str) -> str:
    """Return what the player did earlier, and its cost if it was a mistake."""
    return f"{when} you {did}; that {f'cost {cost}' if cost else 'was right'}."


def verdict_lines(
    definition: AnyDefinition, decision: Decision[Any, Any], rival: Any = None
) -> Iterator[str]:
    """Yield the verdict on a choice, then the reasons, which may compare it with a ``rival``."""
    yield verdict_sentence(definition, decision)
    yield from definition.reasons(decision, rival)


def alternative_line(definition: AnyDefinition, name: str, one: ActionValue[Any], cost: str) -> str:
    """Return a line with the EV and the cost of a choice, and the standard error if there is one.

    The cost of the best choice is "".
    """
    costs = f"costs {cost}" if cost else "best"
    error = f", error {amount_text(definition, one.error)}" if one.error else ""
    return f"{name}: {costs}, EV {amount_text(definition, one.value)}{error}"


def alternative_lines(
    definition: AnyDefinition, decision: Decision[Any, Any], last_time: str = ""
) -> Iterator[str]:
    """Return each choice with its EV: the best one, then the player's, then the others by EV.

    ``last_time`` is the command that the player chose earlier in the same position.
    """
    own, others = list[str](), list[str]()
    for place, one in enumerate(decision.values):
        command = definition.format_action(decision.view, decision.seat, one.action)
        name = definition.words.spoken.describe(command)
        cost = alternative_cost(definition, decision, one)
        marks = ", your choice" if one.action == decision.action else ""
        marks += ", your choice last time" if command == last_time else ""
        line = f"  {alternative_line(definition, name, one, cost)}{marks}"
        (own if marks or not place else others).append(line)
    return iter((*own, *others))
