"""The field names of dataclasses, cached for each class."""

from __future__ import annotations

from dataclasses import fields
from functools import lru_cache
from typing import Any


@lru_cache(maxsize=1 << 10)  # there are about a hundred classes of actions and events
def field_names(cls: type[Any]) -> tuple[str, ...]:
    """Return the names of a dataclass's fields, in the order in which they are defined."""
    return tuple(field.name for field in fields(cls))
