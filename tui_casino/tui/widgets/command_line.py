"""The command line: always focused; while it is empty, keys go past it and act at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from textual import events
from textual.message import Message
from textual.widgets import Input

OPENS_ANY = ":"
HISTORY = 200


def is_function_key(key: str) -> bool:
    """Tell whether a key is F1 and so on, which open windows and are no haste."""
    return key[:1] == "f" and key[1:].isdecimal()


class CommandLine(Input):
    """A line for typed commands; ``openers`` are the letters whose commands take words.

    An empty line lets every other key through to the screen's own bindings. ``:`` opens a
    command of any kind. Up and down recall what was typed. ``finish_motion`` is asked at every
    key but Escape: true if ending the motion is all that the key shall do, unless it belongs to
    a typed command or is one of the function keys.
    """

    @dataclass
    class Typed(Message):
        """A command was typed and sent with Enter."""

        text: str

    @dataclass
    class Primary(Message):
        """Enter was pressed on an empty line."""

    @dataclass
    class Escaped(Message):
        """Escape was pressed on an empty line."""

    def __init__(self, openers: str, placeholder: str, finish_motion: Callable[[], bool]) -> None:
        super().__init__(placeholder=placeholder, compact=True, select_on_focus=False)
        self.cursor_blink = False  # an idle screen writes nothing
        self._openers = openers + OPENS_ANY
        self._finish_motion = finish_motion
        self._typed: list[str] = []
        self._recalled = 0

    def check_consume_key(self, key: str, character: str | None) -> bool:
        """Leave keys to the screen while nothing is being typed; its footer shows them then."""
        if not self.value:
            return character is not None and character in self._openers
        # the footer asks about some keys without their characters
        return super().check_consume_key(key, character or {"plus": "+", "minus": "-"}.get(key))

    async def _on_key(self, event: events.Key) -> None:
        types = bool(self.value) or self.check_consume_key(event.key, event.character)
        passes = types or is_function_key(event.key)
        if event.key != "escape" and self._finish_motion() and not passes:
            event.stop()
            event.prevent_default()
            return
        match event.key:
            case "enter":
                self._send()
            case "escape":
                self._escape()
            case "up" if self.value or self._typed:
                self._recall(-1)
            case "down" if self.value or self._typed:
                self._recall(1)
            case _ if event.is_printable and not self.check_consume_key(event.key, event.character):
                event.prevent_default()  # Input's own handler would take the character
                return
            case _:
                return
        event.stop()
        event.prevent_default()

    def _send(self) -> None:
        text = self.value.lstrip(OPENS_ANY).strip()
        opened = bool(self.value)
        self.value = ""
        if text:
            self._typed = [*[line for line in self._typed if line != text], text][-HISTORY:]
            self._recalled = len(self._typed)
            self.post_message(self.Typed(text))
        elif not opened:
            self.post_message(self.Primary())

    def _escape(self) -> None:
        if self.value:
            self.value = ""
        else:
            self.post_message(self.Escaped())

    def _recall(self, step: int) -> None:
        self._recalled = min(max(self._recalled + step, 0), len(self._typed))
        self.value = self._typed[self._recalled] if self._recalled < len(self._typed) else ""
        self.cursor_position = len(self.value)

    def watch_value(self, before: str, value: str) -> None:
        """Show other keys in the footer when typing begins or ends."""
        if bool(before) != bool(value) and self.is_mounted:
            self.screen.refresh_bindings()
