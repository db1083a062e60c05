"""The grammar of typed commands: convert a line to an action, and an action to a line."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any, get_args, get_origin, get_type_hints

from msgspec.structs import astuple

from ..cards.card import Card
from ..engine.game import A, IllegalAction, Refusal
from ..engine.offers import Offer, Subset
from ..inputs.numbers import is_integer, parse_integer


def takes_arguments(cls: Callable[..., object]) -> bool:
    """Return whether an action has fields, so that its verb can have arguments."""
    return bool(cls.__struct_fields__)  # type: ignore[attr-defined]


def insert_space(line: str, verbs: Mapping[str, object]) -> str:
    """Insert the missing space in ``b5``, if the letter is a verb and the rest is a number."""
    word, *rest = line.split(maxsplit=1)
    if word in verbs or word[0] not in verbs or not is_integer(word[1:]):
        return line
    return " ".join((word[0], word[1:], *rest))


def parse_action(
    line: str, verbs: Mapping[str, Callable[..., A]], offers: tuple[Offer[A], ...]
) -> A:
    """Parse a verb and its arguments as an action, whether it is offered or not.

    A verb without arguments means the offer's defaults. Raises :class:`IllegalAction` of the kind
    ``WORDS`` for words that cannot be understood, and of the kind ``MOMENT`` for a verb without
    arguments if its action is not offered.
    """
    verb, *words = line.split()
    if verb not in verbs:
        raise IllegalAction(Refusal.WORDS, f"there is no command {verb!r}")
    cls = verbs[verb]
    hints = get_type_hints(cls)
    field_types = [hints[name] for name in cls.__struct_fields__]  # type: ignore[attr-defined]
    if words or not field_types:
        return cls(*_read(words, field_types, [o for o in offers if o.kind is cls]))
    defaults = [offer.defaults for offer in offers if offer.kind is cls]
    if not defaults:
        raise IllegalAction(Refusal.MOMENT)
    if defaults[0] is None:
        raise IllegalAction(Refusal.WORDS, f"{verb!r} needs more arguments")
    return cls(*defaults[0])


def _read(words: list[str], field_types: list[Any], offers: list[Offer[Any]]) -> list[Any]:
    values: list[Any] = []
    rest = list(words)
    for place, hint in enumerate(field_types):
        if get_origin(hint) is tuple:  # takes all remaining words, in any order
            several = [_value(word, get_args(hint)[0]) for word in rest]
            values.append(_in_order(several, [offer.domains[place] for offer in offers]))
            rest = []
        elif rest:
            values.append(_value(rest.pop(0), hint))
        else:
            raise IllegalAction(Refusal.WORDS, "an argument is missing")
    if rest:
        raise IllegalAction(Refusal.WORDS, f"{rest[0]!r} is not expected here")
    return values


def _value(word: str, hint: Any) -> Any:
    readers: dict[Any, Callable[[str], Any]] = {int: parse_integer, Card: _card, str: str}
    try:
        return readers.get(hint, hint)(word)  # the enumeration member with this value
    except ValueError as error:
        raise IllegalAction(Refusal.WORDS, str(error)) from None


def _card(word: str) -> Card:
    return Card.parse(word.upper())  # the console converts typed lines to lower case


def _in_order(values: list[Any], domains: list[Any]) -> tuple[Any, ...]:
    """Sort values in the order of a domain that contains all of them, otherwise by value."""
    for domain in domains:
        if isinstance(domain, Subset) and all(value in domain.values for value in values):
            return tuple(sorted(values, key=domain.values.index))
    return tuple(sorted(values))


def format_command(action: Any, verbs: Mapping[str, Callable[..., Any]]) -> str:
    """Format an action as the command that a player types; the inverse of :func:`parse_action`."""
    word = next((word for word, cls in verbs.items() if cls is type(action)), "")
    return " ".join([word or type(action).__name__, *filter(None, map(_in_words, astuple(action)))])


def _in_words(value: object) -> str:
    if isinstance(value, tuple):
        return " ".join(map(_in_words, value))
    return str(value.value if isinstance(value, Enum) else value)
