"""The line over the footer: what can be done now, and what is typed.

It is always focused. While nothing is typed it shows the hints, and keys go past it and act.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from textual import events
from textual.content import Content
from textual.geometry import Region
from textual.message import Message
from textual.strip import Strip
from textual.widgets import Input

from .drawn import Finish, look_of, strip_of
from .hints import Hint, Said, hints_strip, led_by, placed, said_text, typed_text
from .painter import Painted

OPENS_ANY = ":"
HISTORY = 200
EDITS = ("cursor_left", "cursor_right", "home", "end", "delete_left", "delete_right")
"""What keys do to a line, which are the screen's own while there is none."""


def is_function_key(key: str) -> bool:
    """Tell whether a key is F1 and so on, which open windows and are no haste."""
    return key[:1] == "f" and key[1:].isdecimal()


class CommandLine(Input, Painted):
    """The hints, and a line for typed commands; ``openers`` begin commands that take words.

    An empty line lets every other key through to the screen's own bindings; one that does
    nothing now is told to ``unheard``, by its name and its character, so that no key is silent.
    ``:`` opens a command of any kind. Up and down recall what was typed. ``finish_motion`` is
    asked at every key but Escape: true if ending the motion is all that the key shall do, unless
    it belongs to a typed command or is one of the function keys. ``meaning`` says what a line
    would do, ``named`` gives a hint by what its action is called at this moment, and by its keys.
    A key that has ended the motion goes to ``hurried``. Enter on an empty line is ``primary``.
    """

    ALLOW_SELECT = False

    @dataclass
    class Typed(Message):
        """A command was typed and sent with Enter."""

        text: str

    @dataclass
    class Escaped(Message):
        """Escape was pressed on an empty line."""

    def __init__(
        self,
        openers: str,
        finish_motion: Callable[[], bool],
        unheard: Callable[[str, str | None], None] = lambda key, character: None,
        meaning: Callable[[str], str] = lambda line: "",
        named: Callable[[Hint], Hint] = lambda hint: hint,
        hurried: Callable[[events.Key], None] = lambda event: None,
        primary: Callable[[], None] = lambda: None,
    ) -> None:
        super().__init__(compact=True, select_on_focus=False)
        self.cursor_blink = False  # an idle screen writes nothing
        for key in ("up", "down"):  # Textual's own scroll a line, which one line never needs
            self._bindings.key_to_bindings.pop(key, None)
        self._openers = openers + OPENS_ANY
        self._finish_motion, self._unheard = finish_motion, unheard
        self._meaning, self._named, self._hurried = meaning, named, hurried
        self._primary = primary
        self._typed: list[str] = []
        self._recalled = 0
        self._hints: tuple[Hint, ...] = ()
        self._keys = frozenset[str]()
        self._lead = ""
        self.number_word = ""
        """The command that a number means now, as ``c`` where points are counted; "" if none."""
        self.hints: tuple[Hint, ...] = ()
        """What can be done now, by what it is called, as it stands in the line."""
        self._said: Said | None = None
        self._shown: object = None
        self._strip = Strip([])
        self._finish = Finish()

    # ---- what it shows --------------------------------------------------------------------

    def hint(self, hints: tuple[Hint, ...], lead: str, keys: frozenset[str]) -> None:
        """Show what can be done now; ``lead`` is the action that comes first, if it can be done.

        ``keys`` are all those that do something.
        """
        self._hints, self._lead, self._keys = hints, lead, keys
        self.name_again()

    def name_again(self) -> None:
        """Show the hints by what they are called now."""
        if (named := self._named_hints()) != self.hints:
            self.hints = named
            self.refresh()

    def forget(self) -> None:
        """Begin anew: what was typed is none of who types next."""
        self._typed, self._recalled, self.value = [], 0, ""
        self.tell(None)

    def tell(self, said: Said | None) -> None:
        """Show this in place of the hints, until a key is pressed."""
        if said != self._said:
            self._said = said
            self.refresh()

    def forget_refusal(self) -> None:
        """Show the hints again in place of a refusal: something was done, perhaps by a click."""
        if self._said is not None and self._said.mark == "refused":
            self.tell(None)

    def _named_hints(self) -> tuple[Hint, ...]:
        renamed = map(self._named, self._hints)
        return led_by((hint for hint in renamed if hint.words), self._lead)

    @property
    def said(self) -> Said | None:
        """What stands in place of the hints."""
        return self._said

    def _strip_now(self) -> object:
        """Give everything that the line depends on."""
        if self.value:
            low, high = sorted((self.selection.start, self.selection.end))
            typed = self.value, self.cursor_position, (low, high)
            return self.size.width, look_of(self), typed
        return self.size.width, look_of(self), self._said or self.hints

    def finished_lines(self, crop: Region) -> list[Strip]:
        """Draw what is typed, or what is said, or what can be done."""
        now = self._strip_now()
        if now != self._shown:
            self._shown, self._strip = now, self._draw()
        return self._finish.lines(self, [self._strip], crop)

    def _draw(self) -> Strip:
        look, width = look_of(self), self.size.width
        if self.value:
            chosen = sorted((self.selection.start, self.selection.end))
            meaning = self._meaning(self.value.lstrip(OPENS_ANY).strip())
            shown, skipped = self._unopened()
            cursor, low, high = (
                max(0, place - skipped) for place in (self.cursor_position, *chosen)
            )
            return strip_of(typed_text(shown, cursor, (low, high), meaning, width, look))
        if self._said is not None:
            return strip_of(said_text(self._said, width, look))
        return hints_strip(self.hints, width, look)

    def _unopened(self) -> tuple[str, int]:
        """Give what is typed without the colon that opened it, which the line has itself."""
        skipped = int(self.value.startswith(OPENS_ANY))
        return self.value[skipped:], skipped

    def render(self) -> Content:
        """Give nothing for the framework to draw."""
        return Content()

    # ---- keys -----------------------------------------------------------------------------

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Leave the keys that edit a line to the screen while there is none."""
        if not self.value and action in EDITS:
            return False
        return super().check_action(action, parameters)

    def check_consume_key(self, key: str, character: str | None) -> bool:
        """Leave keys to the screen while nothing is being typed; its footer shows them then."""
        if not self.value:
            return character is not None and (
                character in self._openers or self._begins_number(character)
            )
        # the footer asks about some keys without their characters
        return super().check_consume_key(key, character or {"plus": "+", "minus": "-"}.get(key))

    async def _on_key(self, event: events.Key) -> None:
        types = bool(self.value) or self.check_consume_key(event.key, event.character)
        passes = types or is_function_key(event.key)
        self.tell(None)
        if event.key != "escape" and self._finish_motion() and not passes:
            event.stop()
            event.prevent_default()
            self._hurried(event)
            return
        match event.key:
            case "enter" if not self.value:
                event.prevent_default()  # it goes up as others do, or it would overtake them
                return
            case "enter":
                self._send()
            case "escape":
                self._escape()
            case "up" if self._recalls(event):
                self._recall(-1)
            case "down" if self._recalls(event):
                self._recall(1)
            case _ if not self.value and not self._does_something(event):
                event.prevent_default()  # it goes up to the app, where all before it have acted
                return
            case _ if event.is_printable and not self.check_consume_key(event.key, event.character):
                event.prevent_default()  # Input's own handler would take the character
                return
            case _:
                if not self.value and self._begins_number(event.character or ""):
                    self.value = f"{self.number_word} "  # Input adds the digit
                    self.cursor_position = len(self.value)
                return
        event.stop()
        event.prevent_default()

    def _begins_number(self, character: str) -> bool:
        return bool(self.number_word) and character.isdecimal()

    def explain(self, event: events.Key) -> None:
        """Say why a key does nothing, now that all keys struck before it have acted."""
        if not self.value and not self._does_something(event):
            self._unheard(event.key, event.character if event.is_printable else None)

    def _recalls(self, event: events.Key) -> bool:
        """Tell whether an arrow recalls what was typed: not where it is a key of the screen."""
        return bool(self.value or (self._typed and not self._does_something(event)))

    def _does_something(self, event: events.Key) -> bool:
        if self.check_consume_key(event.key, event.character):
            return True
        if event.key in self._keys:
            return True
        active = self.screen.active_bindings  # others may be meanwhile
        for key in event.aliases:
            if (binding := active.get(key)) is not None and binding.node is not self:
                return binding.enabled
        return False

    def _send(self) -> None:
        text = self.value.lstrip(OPENS_ANY).strip()
        self.value = ""
        if text:
            self._typed = [*[line for line in self._typed if line != text], text][-HISTORY:]
            self._recalled = len(self._typed)
            self.post_message(self.Typed(text))

    async def action_submit(self) -> None:
        """Enter on an empty line, now that all keys struck before it have acted."""
        self._primary()

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

    # ---- the mouse ------------------------------------------------------------------------

    def placed(self) -> Iterator[tuple[int, Hint]]:
        """Give the hints that fit, each with the column where it begins."""
        yield from placed(self.hints, self.size.width)

    def on_click(self, event: events.Click) -> None:
        """Press the key of the hint that was clicked on."""
        if self.value or self._said is not None:
            return
        for place, (x, hint) in enumerate(self.placed()):
            if x <= event.x < x + hint.width + 2 * (place == 0):
                self.app.simulate_key(hint.key)
