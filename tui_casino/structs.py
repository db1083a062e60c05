"""Structs: copies with some fields changed, and texts without secret fields.

The classes of values are ``msgspec`` structs, because a struct is defined in a thirtieth and
created in a sixth of the time of a frozen dataclass.
"""

from __future__ import annotations

from threading import RLock
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:  # type checkers know the fields of a struct only by this name
    from dataclasses import replace
else:
    from msgspec.structs import replace

__all__ = ["DECODER_LOCK", "replace", "repr_without"]

DECODER_LOCK = RLock()
"""The lock under which each decoder is made, of all formats.

The first decoder of a class describes the class and all classes of its fields. Until that is done,
``msgspec`` 0.22 crashes if another thread decodes or converts any of them.
"""


def repr_without(value: Struct, *secrets: str) -> str:
    """Return the usual ``repr`` of a struct, but without its secret fields."""
    names = [name for name in value.__struct_fields__ if name not in secrets]
    fields = ", ".join(f"{name}={getattr(value, name)!r}" for name in names)
    return f"{type(value).__name__}({fields})"
