"""Structs: copies with some fields changed, and texts without secret fields.

The classes of values are ``msgspec`` structs, because a struct is defined in a thirtieth and
created in a sixth of the time of a frozen dataclass.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:  # type checkers know the fields of a struct only by this name
    from dataclasses import replace
else:
    from msgspec.structs import replace

__all__ = ["replace", "repr_without"]


def repr_without(value: Struct, *secrets: str) -> str:
    """Return the usual ``repr`` of a struct, but without its secret fields."""
    names = [name for name in value.__struct_fields__ if name not in secrets]
    fields = ", ".join(f"{name}={getattr(value, name)!r}" for name in names)
    return f"{type(value).__name__}({fields})"
