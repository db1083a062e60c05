"""Frozen values to JSON and back: cards as ``TS``, actions by their class name."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, TypeVar

import msgspec

from ..cards.card import Card
from ..engine.dataclass_fields import field_names

T = TypeVar("T")

Fields = dict[str, Any]

Raw = msgspec.Raw
"""A part of JSON that is left as it is, for a field that is read later or never."""


def encode(value: object) -> bytes:
    """Write as JSON on one line, without white space."""
    return _ENCODER.encode(value)


def ascii_json(value: object) -> str:
    """Write as JSON of ASCII alone, to be printed: any terminal and any locale can show it."""
    return _BEYOND_ASCII.sub(_escaped, encode(value).decode())


def _escaped(match: re.Match[str]) -> str:
    units = match[0].encode("utf-16-be")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))


def decode(raw: bytes, cls: type[T]) -> T:
    """Read JSON as a value of this type. Raises ``ValueError`` that names the field."""
    try:
        value: T = _decoder(cls).decode(raw)  # type: ignore[arg-type]
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    return value


def name_and_fields(value: object) -> Fields:
    """Give an action or event as its class name, under ``is``, and its fields."""
    members = {"is": type(value).__name__}
    for name in field_names(type(value)):  # type: ignore[arg-type]
        members[name] = getattr(value, name)
    return members


def build_named(value: Fields, classes: Iterable[type[T]]) -> T:
    """Make what :func:`name_and_fields` described, one of these kinds. Raises ``ValueError``."""
    rest = dict(value)
    name = rest.pop("is", None)
    for cls in classes:
        if cls.__name__ == name:
            return build_dataclass(rest, cls)
    raise ValueError(f"{name!r} is not one of {', '.join(cls.__name__ for cls in classes)}")


def build_dataclass(value: Fields, cls: type[T]) -> T:
    """Make a dataclass from exactly its fields. Raises ``ValueError``."""
    if unknown := value.keys() - field_names(cls):  # type: ignore[arg-type]
        raise ValueError(f"{cls.__name__} has no {', '.join(sorted(unknown))}")
    return msgspec.convert(value, cls, dec_hook=_from_plain)


def to_builtins(value: object) -> Any:
    """Give the dictionaries, lists, texts and numbers that JSON would hold."""
    return msgspec.to_builtins(value, enc_hook=_to_plain)


def _to_plain(value: object) -> str:
    if isinstance(value, Card):
        return str(value)
    raise NotImplementedError(f"no JSON form for {type(value).__name__}")


def _from_plain(cls: type[Any], value: Any) -> Any:
    if cls is Card:
        return Card.parse(value)
    raise NotImplementedError(f"no JSON form for {cls.__name__}")


_BEYOND_ASCII = re.compile("[^ -~]")
_ENCODER = msgspec.json.Encoder(enc_hook=_to_plain)


@lru_cache(maxsize=1 << 7)  # lines, states and tallies of all games are some thirty types
def _decoder(cls: type[Any]) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(cls, dec_hook=_from_plain)
