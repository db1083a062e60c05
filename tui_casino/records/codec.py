"""Convert frozen values to JSON and back: cards as ``TS``, actions with their class names."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, TypeVar

import msgspec

from ..cards.card import Card
from ..structs import DECODER_LOCK

T = TypeVar("T")

Fields = dict[str, Any]

Raw = msgspec.Raw
"""JSON that is not decoded yet, for a field that is read later or never."""


def encode(value: object) -> bytes:
    """Return a value as JSON on one line, without white space."""
    return _ENCODER.encode(value)


def ascii_json(value: object) -> str:
    """Return a value as JSON with only ASCII characters, which any terminal can show."""
    return _BEYOND_ASCII.sub(_escaped, encode(value).decode())


def _escaped(match: re.Match[str]) -> str:
    units = match[0].encode("utf-16-be")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))


def decode(raw: bytes, cls: type[T]) -> T:
    """Return JSON decoded as this type. Raises a ``ValueError`` that mentions the invalid field."""
    try:
        value: T = _decoder(cls).decode(raw)  # type: ignore[arg-type]
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    return value


def name_and_fields(value: object) -> Fields:
    """Return the fields of an action or event, with its class name under the key ``is``.

    Fields with their defaults are left out if the class omits them.
    """
    members = {"is": type(value).__name__}
    for name in value.__struct_fields__:  # type: ignore[attr-defined]
        members[name] = getattr(value, name)
    if value.__struct_config__.omit_defaults:  # type: ignore[attr-defined]
        members = {name: members[name] for name in ("is", *to_builtins(value))}
    return members


def build_named(value: Fields, classes: Iterable[type[T]]) -> T:
    """Build a value of one of these classes from :func:`name_and_fields`. Raises ``ValueError``."""
    rest = dict(value)
    name = rest.pop("is", None)
    for cls in classes:
        if cls.__name__ == name:
            return build_struct(rest, cls)
    raise ValueError(f"{name!r} is not one of {', '.join(cls.__name__ for cls in classes)}")


def build_struct(value: Fields, cls: type[T]) -> T:
    """Build a struct from its fields. Raises ``ValueError`` for unknown or invalid fields."""
    if unknown := value.keys() - {*cls.__struct_fields__}:  # type: ignore[attr-defined]
        raise ValueError(f"{cls.__name__} has no {', '.join(sorted(unknown))}")
    # a conversion without a decoder would describe the class without the lock
    _decoder(cls)  # type: ignore[arg-type]
    return msgspec.convert(value, cls, dec_hook=_from_plain)


def to_builtins(value: object) -> Any:
    """Return a value as the dictionaries, lists, texts and numbers of JSON."""
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


@lru_cache(maxsize=1 << 7)  # all games together have about 30 types of lines, states and tallies
def _decoder(cls: type[Any]) -> msgspec.json.Decoder[Any]:
    with DECODER_LOCK:
        return msgspec.json.Decoder(cls, dec_hook=_from_plain)
