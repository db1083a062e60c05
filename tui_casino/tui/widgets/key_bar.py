"""The last line of a screen: what the keys do now."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from textual import events
from textual.binding import ActiveBinding
from textual.content import Content
from textual.geometry import Region
from textual.screen import Screen

from .painter import Painted

GAP = 2
SHARED = "game."
"""So begin the names of the keys that are the same at every table."""


class Entry(NamedTuple):
    """A key, as it is shown, and what it does; greyed if it cannot be used now."""

    key: str
    display: str
    words: str
    enabled: bool

    @property
    def width(self) -> int:
        """Columns."""
        return len(self.display) + 1 + len(self.words)


class KeyBar(Painted):
    """The keys of the screen's bindings, one for each action; a click is the key.

    Textual's own footer makes its parts anew each time a key is greyed; this repaints the
    entries that differ. What does not fit is left out.
    """

    ALLOW_SELECT = False
    DEFAULT_CSS = "KeyBar { dock: bottom; width: 1fr; height: 1; }"

    def __init__(self) -> None:
        super().__init__()
        self._entries: tuple[Entry, ...] = ()

    def on_mount(self) -> None:
        """Follow the bindings."""
        self.screen.bindings_updated_signal.subscribe(self, self._follow)

    def on_unmount(self) -> None:
        """Follow them no more."""
        self.screen.bindings_updated_signal.unsubscribe(self)

    def _follow(self, screen: Screen[object]) -> None:
        if not self.is_attached or not self.app.app_focus:
            return
        before = {*self.placed()}
        entries: dict[str, Entry] = {}
        # what is the same at all tables comes first, then what the game adds
        active = sorted(screen.active_bindings.values(), key=lambda active: not _shared(active))
        for _, binding, enabled, _ in active:
            if binding.show and binding.action not in entries:
                display = self.app.get_key_display(binding)
                entries[binding.action] = Entry(binding.key, display, binding.description, enabled)
        self._entries = tuple(entries.values())
        if changed := before ^ {*self.placed()}:
            self.refresh(*(Region(x, 0, entry.width, 1) for x, entry in changed))

    def placed(self) -> Iterator[tuple[int, Entry]]:
        """Give the entries that fit, each with the column where it begins."""
        x = 1
        for entry in self._entries:
            if x + entry.width > self.size.width:
                return
            yield x, entry
            x += entry.width + GAP

    def render(self) -> Content:
        """Draw them all."""
        parts: list[tuple[str, str]] = []
        for x, entry in self.placed():
            parts.append((" " * (GAP if parts else x), ""))
            if entry.enabled:
                parts.append((entry.display, "bold $footer-key-foreground"))
                parts.append((f" {entry.words}", "$footer-description-foreground"))
            else:  # not dimmed where there is a colour for it: it shall be readable still
                dim = " dim" if self.app.theme in ("sixteen", "none") else ""
                parts.append((f"{entry.display} {entry.words}", f"$muted{dim}"))
        return Content.assemble(*parts)

    def on_click(self, event: events.Click) -> None:
        """Press the key of the entry."""
        for x, entry in self.placed():
            if x <= event.x < x + entry.width:
                if entry.enabled:
                    self.app.simulate_key(entry.key)
                else:
                    self.app.bell()


def _shared(active: ActiveBinding) -> bool:
    return (active.binding.id or "").startswith(SHARED)
