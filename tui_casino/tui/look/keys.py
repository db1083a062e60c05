"""The keys that a screen or a view listens to, its own and those of the classes it is made of."""

from __future__ import annotations

from textual.binding import Binding
from textual.dom import DOMNode


def bindings_of(screen: type[DOMNode], *parts: type[DOMNode]) -> list[Binding]:
    """List the bindings of a screen and of parts in it, which may give the screen's other names."""
    found: list[Binding] = []
    for kind in (*parts, screen):
        taken = {binding.id for binding in found} | {binding.key for binding in found}
        merged = [binding for _, binding in kind._merge_bindings()]
        found += [one for one in merged if one.id not in taken and one.key not in taken]
    return found
