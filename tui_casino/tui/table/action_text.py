"""Describe actions and mistakes in the words and card symbols of a view."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from msgspec.structs import astuple

from ...cards.card import Card
from ...gamekit.adviser import Decision, Mistake
from ...gamekit.verdict import verdict_lines
from ...structs import replace
from .view import TableView

if TYPE_CHECKING:
    from ...gamekit.definition import AnyDefinition

AnyView = TableView[Any, Any, Any, Any, Any]


def describe_action(view: AnyView, seen: Any, action: Any) -> str:
    """Describe an action in a few words, given the state before it: ``discard A♥ 4♦``."""
    now, view.seen = view.seen, seen
    try:
        return view.meaning(action).partition(",")[0]
    finally:
        view.seen = now


_CARD = re.compile(r"\b([2-9TJQKA])([SHDC])\b")


def with_card_signs(text: str) -> str:
    """Replace card letters, as in console commands, with card symbols: ``AH`` with ``A♥``."""
    return _CARD.sub(lambda match: Card.parse(match[0]).symbol, text)


def describe_command(definition: AnyDefinition, command: str) -> str:
    """Describe a typed command in words and card symbols: ``discard A♥ 4♦``, ``stand pat``."""
    verb, _, rest = command.partition(" ")
    if not rest and verb in definition.words.spoken.without_cards:
        return definition.words.spoken.describe(verb)
    kind = definition.words.verbs.get(verb)
    name = verb if kind is None else getattr(kind, "__name__", verb).lower()
    return with_card_signs(f"{name} {rest}".rstrip())


def mark_typed_values(view: AnyView, action: Any) -> None:
    """Mark the values of a typed action, so that Space carries it out after a warning."""
    slot = view.open_slot()
    for value in astuple(action) if slot else ():
        if isinstance(value, tuple) and slot is not None and {*value} <= {*slot.values}:
            view.selection = value
            view.present(view.seen)


def decision_page(view: AnyView, decision: Decision[Any, Any]) -> str:
    """Return the verdict on a choice as a page: its cost, the best choice, and the reasons."""
    sign = "✓" if decision.mistake is None else "✗"
    verdict, *reasons = map(with_card_signs, verdict_lines(view.definition, decision))
    lines = [view.describe_position(decision.view), "", f"{sign} {verdict}"]
    return "\n".join([*lines, *([""] if reasons else []), *reasons])


def without_shared_verb(done: str, best: str) -> str:
    """Return the text of the best action, without the verb if ``done`` has the same one."""
    verb, _, rest = best.partition(" ")
    return rest if rest and done.partition(" ")[0] == verb else best


def mistake_lines(view: AnyView, mistakes: Iterable[Decision[Any, Any]]) -> Iterator[str]:
    """Yield two lines per mistake, the costliest first: cost, cards, choice, best choice."""
    for decision in sorted(mistakes, key=lambda one: -one.cost):
        words = mistake_in_view_words(view, decision)
        yield f"{view.definition.format_cost(words):>8}  {words.view}"
        yield f"{'':8}  {words.action}, best {words.best}"


def mistake_in_view_words(view: AnyView, decision: Decision[Any, Any]) -> Decision[str, str]:
    """Return a mistake in the words and card symbols of a view: cards, choice and best choice."""
    done = describe_action(view, decision.view, decision.action)
    best = without_shared_verb(done, describe_action(view, decision.view, decision.best))
    mistake = Mistake(decision.cost, best, decision.kind)
    names = {decision.action: done, decision.best: best}
    return replace(
        decision,
        view=view.describe_position(decision.view),
        action=done,
        mistake=mistake,
        values=tuple(
            replace(one, action=names[one.action]) for one in decision.values if one.action in names
        ),
    )
