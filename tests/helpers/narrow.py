"""Functions that check a value and return it with a narrower type."""

from __future__ import annotations

from typing import TypeVar

T = TypeVar("T")


def not_none(value: T | None) -> T:
    assert value is not None
    return value


def instance_of(kind: type[T], value: object) -> T:
    assert isinstance(value, kind)
    return value
