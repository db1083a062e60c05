"""The keys that a screen or a view listens to, its own and those of the classes it is made of."""

from __future__ import annotations

from textual.binding import Binding
from textual.dom import DOMNode


def bindings_of(kind: type[DOMNode]) -> list[Binding]:
    """List the bindings of a class as its instances have them."""
    return [binding for _, binding in kind._merge_bindings()]
