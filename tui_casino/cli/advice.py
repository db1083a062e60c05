"""Print a recorded session with advice: what each choice cost, and what was best."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from ..gamekit.adviser import Decision
from ..gamekit.definition import AnyDefinition
from ..inputs.errors import BadInput
from ..inputs.numbers import count_noun
from ..inputs.sanitize import plain
from ..records.codec import ascii_json
from ..records.log_review import weigh_decisions
from ..records.session_log import SessionLog

LISTED = 5
"""The maximum number of alternatives that the text lists per choice."""


def advice_lines(definition: AnyDefinition, log: SessionLog, *, as_json: bool) -> Iterator[str]:
    """Yield the advice as text, or as one JSON object per choice.

    Raises :class:`BadInput` immediately for a game without a trainer.
    """
    if not definition.adviser.has_alternatives:
        raise BadInput(f"--advice: there is no trainer for {log.header.game}")
    return (_json if as_json else _text)(definition, log)


def _json(definition: AnyDefinition, log: SessionLog) -> Iterator[str]:
    for choice in weigh_decisions(definition, log):
        values = {
            definition.format_action(choice.view, choice.seat, worth.action): {
                "value": float(worth.value),
                "error": worth.error,
            }
            for worth in choice.values
        }
        yield ascii_json(
            {
                "step": choice.step,
                "seat": choice.seat,
                "choice": definition.format_action(choice.view, choice.seat, choice.action),
                "cost": float(choice.cost),
                "values": values,
            }
        )


def _text(definition: AnyDefinition, log: SessionLog) -> Iterator[str]:
    """Yield each choice with its alternatives below it, and finally the totals for each seat."""
    costs = defaultdict[int, list[float]](list)
    for choice in weigh_decisions(definition, log):
        costs[choice.seat].append(float(choice.cost))
        yield from _lines(definition, log, choice)
    if not costs:
        yield "there are no choices to analyse"
    for seat, own in sorted(costs.items()):
        text = definition.format_amount(sum(own)) + (" points" if definition.points else "")
        wrong = sum(cost > 0 for cost in own)
        counts = f"{count_noun(len(own), 'choice')}, {count_noun(wrong, 'mistake')}"
        sums = f"{counts}, expected cost {text}"
        players = log.header.players
        yield f"seat {seat} ({plain(players[seat])}): {sums}" if len(players) > 1 else sums


def _lines(definition: AnyDefinition, log: SessionLog, choice: Decision[Any, Any]) -> Iterator[str]:
    done = definition.format_action(choice.view, choice.seat, choice.action)
    what = f"costs {definition.format_cost(choice)}" if choice.cost else "best"
    who = f", seat {choice.seat}" if len(log.header.players) > 1 else ""
    yield f"step {choice.step}{who}: {done}: {what}"
    listed = choice.values[:LISTED]
    listed += tuple(one for one in choice.values[LISTED:] if one.action == choice.action)
    for worth in listed:
        mark = ">" if worth.action == choice.action else " "
        words = definition.format_action(choice.view, choice.seat, worth.action)
        error = f"   error {definition.format_amount(worth.error)}" if worth.error else ""
        yield f" {mark} {words:<18}{definition.format_amount(worth.value):>10}{error}"
    if omitted := len(choice.values) - len(listed):
        yield f"   and {omitted} more with a lower EV"
