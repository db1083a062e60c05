"""Readable ids for the parameters of tests, for values to which pytest gives only a number."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from enum import Enum
from fractions import Fraction

from msgspec import NODEFAULT, Struct
from msgspec.structs import fields

from tui_casino.cards.card import Card

LONGEST = 100
"""The most characters of an id; pytest numbers ids that are equal after the cut."""


def size_id(value: object) -> str | None:
    """Return the size of a terminal as columns and rows, such as 80x24."""
    match value:
        case (int(columns), int(rows)):
            return f"{columns}x{rows}"
    return None


def labelled(text: str) -> Callable[[object], str]:
    """Return a function that puts a value into a text with a pair of braces, such as "seed {}"."""
    return text.format


def value_id(value: object) -> str | None:
    """Return the contents of a value as an id, or None if pytest's own id shows them."""
    if value is None or isinstance(value, str | bytes | bool | int | float | type):
        return None
    if isinstance(
        value, Struct | Mapping | list | tuple | set | frozenset | range | Fraction | date
    ):
        text = _text(value)
        return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."
    return None if isinstance(value, Enum) or callable(value) else type(value).__name__


def _text(value: object) -> str:
    match value:
        case Card() | Fraction() | date():
            return str(value)
        case Struct():
            return f"{type(value).__name__}({', '.join(_changed_fields(value))})"
        case Mapping():
            return ", ".join(f"{key}={_text(each)}" for key, each in value.items()) or "nothing"
        case range():
            return f"{value.start} to {value.stop - 1}" if value else "nothing"
        case set() | frozenset():
            return " ".join(sorted(map(_text, value))) or "nothing"
        case list() | tuple():
            return " ".join(map(_text, value)) or "nothing"
    return str(value)


def _changed_fields(value: Struct) -> list[str]:
    """Return the fields of a struct that differ from their defaults."""
    found = []
    for field in fields(value):
        now, usual = getattr(value, field.name), field.default
        if field.default_factory is not NODEFAULT:
            usual = field.default_factory()
        if now != usual:
            found.append(f"{field.name}={_text(now)}")
    return found
