"""What the player may choose: bets, moves, and what the house asks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from textual.content import Content
from textual.message import Message

from .....tui.widgets.painter import Painted

if TYPE_CHECKING:
    from textual import events


class Entry(NamedTuple):
    """Something to choose: its key, if it has one, and its words; whether it can be, or is."""

    key: str
    words: str
    able: bool = True
    chosen: bool = False


class Choices(Painted):
    """What can be chosen now, side by side; each can be clicked on.

    With a title it is framed: the house asks something that must not be missed.
    """

    class Pressed(Message):
        """An entry was clicked on."""

        def __init__(self, key: str) -> None:
            super().__init__()
            self.key = key

    def __init__(self) -> None:
        super().__init__()
        self._entries: tuple[Entry, ...] = ()
        self._title = ""

    def show(self, entries: Sequence[Entry], title: str = "") -> None:
        """Show these entries, framed under a title if there is one."""
        if (tuple(entries), title) == (self._entries, self._title):
            return
        self._entries, self._title = tuple(entries), title
        self.set_class(bool(title), "-asking")
        self.border_title = Content.styled(f" {title} ", "reverse") if title else ""
        self.refresh()

    @property
    def _roomy(self) -> bool:
        return sum(len(entry.words) + 6 for entry in self._entries) <= self.size.width

    def _texts(self) -> Iterator[tuple[str, Entry]]:
        for entry in self._entries:
            name = f"{entry.key} {entry.words}".strip() if self._roomy else entry.words
            yield f"[{name}]" if entry.chosen else f" {name} ", entry

    def _placed(self) -> Iterator[tuple[int, str, Entry]]:
        """Give each entry and the column where it begins, all in the middle of the line."""
        texts = [*self._texts()]
        gap = 2 if self._roomy else 0
        width = sum(len(text) + gap for text, _ in texts) - gap
        x = max(0, (self.size.width - width) // 2)
        for text, entry in texts:
            yield x, text, entry
            x += len(text) + gap

    def render(self) -> Content:
        """Draw the entries."""
        parts: list[tuple[str, str]] = []
        end = 0
        for x, text, entry in self._placed():
            parts.append((" " * (x - end), ""))
            dim = " dim" if self.app.theme in ("sixteen", "none") else ""
            style = "bold $gold" if entry.able else f"$muted{dim}"
            parts.append((text, style + (" reverse" if entry.chosen else "")))
            end = x + len(text)
        return Content.assemble(*parts)

    def on_click(self, event: events.Click) -> None:
        """Tell which entry was clicked on."""
        offset = event.get_content_offset(self)
        if offset is None:
            return
        for x, text, entry in self._placed():
            if entry.key and entry.able and x <= offset.x < x + len(text):
                self.post_message(self.Pressed(entry.key))
