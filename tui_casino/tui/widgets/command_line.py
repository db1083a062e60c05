"""The command line above the key bar: hints while empty, otherwise the typed command.

It is always focused. While nothing is typed, it shows the hints, and keys belong to the screen.
"""

from __future__ import annotations

from collections.abc import Iterator
from time import monotonic
from typing import Protocol, TypeAlias, cast

from msgspec import Struct
from textual import events
from textual.binding import ActiveBinding
from textual.content import Content
from textual.geometry import Region
from textual.strip import Strip
from textual.widgets import Input

from ...inputs.sanitize import LINE_TOO_LONG, LONGEST_LINE
from ...structs import replace
from ..terminal.input_reader import RepeatedKey
from .hint_line import (
    DOT,
    STRAY_ENDS,
    Hint,
    HintMessage,
    StrayInput,
    click_hint,
    follows_soon,
    hints_strip,
    lead_with_action,
    place_hints,
    said_strip,
    typed_strip,
)
from .key_names import key_name, pressed_key_name
from .line_widget import StripCache, look_of
from .painter import PaintedWidget

OPENS_ANY = ":"
HISTORY = 200
EDITS = ("cursor_left", "cursor_right", "home", "end", "delete_left", "delete_right")
"""Actions of editing keys; the keys belong to the screen while nothing is typed."""
TOO_SOON = "was pressed too soon after a refused key."
TOO_EARLY = "was pressed before you could read the question."
AGAIN = "Press it again."
SCROLLS = ("scroll_up", "scroll_down")
"""Actions of Up and Down in a scrolling widget; a single line never scrolls."""


def is_function_key(key: str) -> bool:
    """Return whether a key is a function key; these open windows and do not end a motion."""
    return key[:1] == "f" and key[1:].isdecimal()


class LineSubmitted(Struct, frozen=True):
    """The player entered a line."""

    line: str


class EscapePressed(Struct, frozen=True):
    """The player pressed Escape on an empty command line."""


class MotionSkipped(Struct, frozen=True):
    """A key ended the motion on the screen; it acts once the motion has ended."""

    event: events.Key


class UnboundKey(Struct, frozen=True):
    """A key does nothing now; ``label`` is the key's name."""

    key: str
    label: str


LineRequest: TypeAlias = LineSubmitted | EscapePressed | MotionSkipped | UnboundKey


class CommandLabels(Protocol):
    """Explains typed lines, and names the current actions."""

    def meaning(self, line: str, /) -> HintMessage:
        """Describe what a line would do, or why it would be refused."""

    def opens(self, letter: str, /) -> bool:
        """Return whether a letter opens the line, because its command takes arguments now."""

    def begins_command(self, text: str, /) -> bool:
        """Return whether a text can still become a command that is possible now."""

    def can_be_command(self, text: str, /) -> bool:
        """Return whether a typed text begins with a command word, or with the start of one."""

    def commits(self, action: str, text: str, /) -> bool:
        """Return whether the action of a key with this character may be a final choice."""

    def label(self, hint: Hint, /) -> Hint:
        """Return a hint with the current name and keys of its action."""


class CommandScreen(Protocol):
    """The screen around a command line, which handles everything that the player enters there.

    The line calls these methods directly. A message would wait in the screen's queue, and keys that
    were pressed after it would be handled first.
    """

    @property
    def labels(self) -> CommandLabels:
        """The texts for the line."""

    def handle(self, request: LineRequest, /) -> None:
        """Carry out a request of the player."""

    @property
    def is_reading(self) -> bool:
        """Whether any key without a function only continues."""

    def finish_motion(self) -> bool:
        """End all motion; return true if something moved, so that the key has to wait."""

    def is_new_question(self, time: float, /) -> bool:
        """Return whether a key of this time is too early to answer the question on the screen."""


class CommandLine(Input, PaintedWidget):
    """Shows hints or a typed command.

    While the line is empty, a key's screen action runs immediately. The app would run it only after
    all keys already in the queue. ``:`` and a letter that begins a command open the line instead.
    Then every character belongs to the line, until Enter submits it, Escape clears it, or its first
    word cannot begin a command: it is then refused, or after a pause dropped. Any other
    letter is refused, together with the letters and choices that follow it quickly: they are the
    rest of a wrong line, and must not act as keys. If they make it a command after all, the line
    opens. Keys that only mark or show something act even then.

    Enter on an empty line does nothing. Escape first clears a refusal, then leaves. Up and Down
    recall earlier lines. Any other key that does nothing is reported to the screen, so that every
    key gets feedback.

    A key that is held down does not continue where the table waits for a key.

    Every key except Escape, and Enter on an empty line, first ends the motion on the screen. The
    key then waits for the screen, unless it belongs to a typed command or is a function key.
    """

    def __init__(self) -> None:
        super().__init__(compact=True, select_on_focus=False, max_length=LONGEST_LINE)
        self.cursor_blink = False  # an idle screen writes nothing
        self._history: list[str] = []
        self._history_place = 0
        self._hints: tuple[Hint, ...] = ()
        self._lead = ""
        self.number_word = ""
        """The command that a digit begins now, such as ``c`` when points are counted; empty if
        none."""
        self.hints: tuple[Hint, ...] = ()
        """The current hints, with the current names of their actions."""
        self._message: HintMessage | None = None
        self.replaced_message: HintMessage | None = None
        """The message that the last key cleared."""
        self._pressed: events.Key | None = None
        self._stray = StrayInput()
        self._typed_at = 0.0
        self._shown: object = None
        self._strip = Strip([])
        self._finish = StripCache()

    @property
    def _owner(self) -> CommandScreen:
        return cast(CommandScreen, self.screen)

    # ---- display --------------------------------------------------------------------------

    def hint(self, hints: tuple[Hint, ...], lead: str) -> None:
        """Show what the player can do now; the action ``lead`` comes first if it is available."""
        self._hints, self._lead = hints, lead
        self.refresh_hints()

    def refresh_hints(self) -> None:
        if (named := self._named_hints()) != self.hints:
            self.hints = named
            self.refresh()

    def reset(self) -> None:
        """Clear the line and its history, so that the next player does not see either."""
        self._history, self._history_place, self.value = [], 0, ""
        self.show_message(None)

    def show_message(self, message: HintMessage | None) -> None:
        """Show a message instead of the hints, until a key is pressed."""
        if message != self._message:
            self._message = message
            self.refresh()

    @property
    def after_refusal(self) -> bool:
        """Whether the key that is being handled directly follows a refused one."""
        before = self.replaced_message
        return before is not None and before.mark == "refused" and before.details != AGAIN

    def clear_refusal(self) -> None:
        """Replace a refusal with the hints, because the player did something else.

        A key that acted during the pause after a refused key leaves the refusal on the screen.
        """
        if self._stray.is_open(monotonic()):
            return
        if self._message is not None and self._message.mark == "refused":
            self.show_message(None)

    def _named_hints(self) -> tuple[Hint, ...]:
        renamed = map(self._owner.labels.label, self._hints)
        return lead_with_action((hint for hint in renamed if hint.words), self._lead)

    @property
    def current_message(self) -> HintMessage | None:
        return self._message

    def _strip_now(self) -> object:
        """Return all values on which the drawn line depends."""
        if self.value:
            low, high = sorted((self.selection.start, self.selection.end))
            typed = self.value, self.cursor_position, (low, high)
            return self.size.width, look_of(self), typed
        return self.size.width, look_of(self), self._message or self.hints

    def finished_lines(self, crop: Region) -> list[Strip]:
        """Draw the typed text, the message, or the hints."""
        now = self._strip_now()
        if now != self._shown:
            self._shown, self._strip = now, self._draw()
        return self._finish.lines(self, [self._strip], crop)

    def _draw(self) -> Strip:
        look, width = look_of(self), self.size.width
        if self.value:
            chosen = sorted((self.selection.start, self.selection.end))
            shown, skipped = self._unopened()
            cursor, low, high = (
                max(0, place - skipped) for place in (self.cursor_position, *chosen)
            )
            return typed_strip(shown, cursor, (low, high), self.meaning, width, look)
        if self._message is not None:
            return said_strip(self._message, width, look)
        return hints_strip(self.hints, width, look)

    @property
    def meaning(self) -> HintMessage:
        """A description of what the line would do, or why it would be refused."""
        return self._owner.labels.meaning(self.value.lstrip(OPENS_ANY).strip())

    def _unopened(self) -> tuple[str, int]:
        """Return the typed text without the opening colon, which the line draws itself."""
        skipped = int(self.value.startswith(OPENS_ANY))
        return self.value[skipped:], skipped

    def render(self) -> Content:
        """Return an empty text, because the framework does not draw this widget."""
        return Content()

    # ---- keys -----------------------------------------------------------------------------

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Leave scrolling keys to the screen, and editing keys while nothing is typed."""
        if action in SCROLLS or (not self.value and action in EDITS):
            return False
        return super().check_action(action, parameters)

    def check_consume_key(self, key: str, character: str | None) -> bool:
        """Leave keys to the screen while nothing is typed, so that the key bar shows them."""
        if not self.value:
            return character is not None and (
                character == OPENS_ANY
                or self._owner.labels.opens(character)
                or self._begins_number(character)
            )
        # the key bar asks about some keys without their characters
        return super().check_consume_key(key, character or {"plus": "+", "minus": "-"}.get(key))

    async def on_key(self, event: events.Key) -> None:
        """Type a character, recall a line, or do what the key is bound to."""
        event.stop()
        event.prevent_default()  # each class's handler runs, and Input's would type the character
        text = (event.character or "") if event.is_printable else ""
        if text and self._rules_out(text):
            line, self.value = f"{self.value}{text}", ""
            if follows_soon(self._typed_at, event.time):
                self._refuse(event, line)
                return
        bound = None if self.value and text else self._bound(event)
        early = self._owner.is_new_question(event.time)
        commits = (early or self._stray.is_open(event.time)) and self._commits(bound, text)
        if self._continues_refused(event, text, acts=_acts(bound), commits=commits) or (
            event.key == "enter" and not self.value
        ):
            return
        if commits and early:
            self._ask_again(event, TOO_EARLY)
            return
        refused = self._message is not None and self._message.mark == "refused"
        self.replaced_message = self._message
        self.show_message(None)
        if event.key == "escape":
            if self.value:
                self.value = ""
            elif not refused:
                self._owner.handle(EscapePressed())
            return
        letter = text.isalpha()
        types = bool(text) and self.check_consume_key(event.key, text)
        types = types or (letter and bound is None and self._owner.labels.begins_command(text))
        types = types or (letter and bool(self.value))
        refuses = letter and bound is None and not types
        continues = self._owner.is_reading and not self.value
        if continues and isinstance(event, RepeatedKey):
            self.refuse_held_key(event)
            return
        waits = self._owner.finish_motion()
        types, refuses = types and not continues, refuses and not continues
        if waits and not (self.value or types or refuses or is_function_key(event.key)):
            self._owner.handle(MotionSkipped(event))
        elif types:
            begins = f"{self.number_word} " if self._begins_number(text) else ""
            self._typed_at = event.time
            self.replace(begins + text, *self.selection)
        elif event.key == "enter":
            self._enter()
        elif event.key in {"up", "down"} and (self.value or (self._history and not _acts(bound))):
            self._recall(-1 if event.key == "up" else 1)
        elif bound is not None and bound.enabled:
            if refused and self._stray.is_open(event.time):  # the key answers no refusal
                self.show_message(self.replaced_message)
            await self._press(event, bound)
        elif letter:
            self._refuse(event, text)
        else:
            self._owner.handle(UnboundKey(event.key, pressed_key_name(event)))

    def on_paste(self, event: events.Paste) -> None:
        """Add a pasted text to the line, or refuse it like a letter that begins no command."""
        text = event.text.strip("\r\n")
        typed = bool(self.value) or text.startswith(OPENS_ANY)
        if len(self.value) + len(text) > LONGEST_LINE:
            event.prevent_default()
            self.value = ""
            self.show_message(HintMessage("refused", text=f"{LINE_TOO_LONG}."))
        elif self._continues_refused(event, text):
            event.prevent_default()
        elif self._rules_out(text):
            event.prevent_default()
            line, self.value = f"{self.value}{text}", ""
            self._refuse(event, line)
        elif text.strip() and not (typed or self._owner.labels.begins_command(text)):
            event.prevent_default()
            self._refuse(event, text)

    def _rules_out(self, text: str) -> bool:
        """Return whether the line can be no command any more with this text at its end.

        A line that was opened by a colon stays, and so does one whose middle is being edited.
        """
        line, at_end = self.value, self.selection.start == self.selection.end == len(self.value)
        return (
            bool(line.strip())
            and at_end
            and not line.startswith(OPENS_ANY)
            and not self._owner.labels.can_be_command(line + text)
        )

    def _refuse(self, event: events.Key | events.Paste, text: str) -> None:
        """Say why a line is refused; what follows soon belongs to it."""
        self._stray.replace(text, event.time)
        if (meaning := self._owner.labels.meaning(text.rstrip())).mark == "refused":
            self.show_message(meaning)
        else:
            self._owner.handle(UnboundKey(text, text))

    def _continues_refused(
        self,
        event: events.Key | events.Paste,
        text: str,
        *,
        acts: bool = False,
        commits: bool = False,
    ) -> bool:
        """Return whether a text belongs to the refused line, and add it; Enter ends the line.

        A key that ``acts`` still acts, unless it ``commits`` to a choice.
        """
        stray = self._stray
        if not stray.is_open(event.time):
            return False
        if not text:
            stray.replace("", event.time)
            return isinstance(event, events.Key) and event.key == "enter"
        refused = stray.text_before(event.time)
        if refused and self._owner.labels.begins_command(line := refused + text):
            stray.replace("", event.time)
            self.show_message(None)
            self.value = line
            self.cursor_position = len(line)
        elif acts and not commits:
            stray.interrupt()
            return False
        elif commits and not refused:
            stray.prolong(event.time)
            self._ask_again(event, TOO_SOON)
        else:
            self._refuse(event, refused + text)
            message = self._message
            if message is not None and (not message.details or message.text.endswith(".")):
                details = f"{message.details}{DOT}{STRAY_ENDS}".strip()
                if message.text.endswith("."):
                    details = details.removeprefix(DOT.lstrip())
                self.show_message(replace(message, details=details))
        return True

    def _commits(self, bound: ActiveBinding | None, text: str) -> bool:
        if bound is None or not bound.enabled:
            return False
        return self._owner.labels.commits(bound.binding.action, text)

    def _ask_again(self, event: events.Key | events.Paste, reason: str) -> None:
        name = pressed_key_name(event) if isinstance(event, events.Key) else event.text.strip()
        self.show_message(HintMessage("refused", name, reason, AGAIN))

    def _begins_number(self, text: str) -> bool:
        return bool(self.number_word) and not self.value and text.isdecimal()

    def _bound(self, event: events.Key) -> ActiveBinding | None:
        """Return the screen's binding for a key, or the line's while something is typed."""
        active = self.screen.active_bindings
        bindings = (active[key] for key in event.aliases if key in active)
        return next((one for one in bindings if self.value or one.node is not self), None)

    @property
    def is_held(self) -> bool:
        """Whether the key that is being handled is only repeated, because it is held down."""
        return isinstance(self._pressed, RepeatedKey)

    def refuse_held_key(self, event: events.Key | None = None) -> None:
        """Say that a key must be pressed again; by default the key that is being handled."""
        name = self.pressed if event is None else pressed_key_name(event)
        self.show_message(HintMessage("refused", name, "is held down. Press it again."))

    @property
    def pressed(self) -> str:
        """The name of the key that is being handled."""
        return pressed_key_name(self._pressed) if self._pressed is not None else ""

    async def _press(self, event: events.Key, bound: ActiveBinding) -> None:
        self._pressed = event
        try:
            await self.app.run_action(bound.binding.action, bound.node)
        finally:
            self._pressed = None

    def _enter(self) -> None:
        text = self.value.lstrip(OPENS_ANY).strip()
        self.value = ""
        if text:
            self._history = [*[line for line in self._history if line != text], text][-HISTORY:]
            self._history_place = len(self._history)
            self._owner.handle(LineSubmitted(text))

    def _recall(self, step: int) -> None:
        self._history_place = min(max(self._history_place + step, 0), len(self._history))
        self.value = (
            self._history[self._history_place] if self._history_place < len(self._history) else ""
        )
        self.cursor_position = len(self.value)

    def watch_value(self, before: str, value: str) -> None:
        """Update the key bar when typing begins or ends."""
        if bool(before) != bool(value) and self.is_mounted:
            self.screen.refresh_bindings()

    # ---- the mouse ------------------------------------------------------------------------

    def placed(self) -> Iterator[tuple[int, Hint]]:
        """Yield the hints that fit, each with its first column."""
        yield from place_hints(self.hints, self.size.width, look_of(self))

    def on_click(self, event: events.Click) -> None:
        """Press the key of the hint that was clicked on; for a greyed-out one, show the reason."""
        if self.value or self._message is not None:
            return
        for place, (x, hint) in enumerate(self.placed()):
            if x <= event.x < x + hint.width + 2 * (place == 0):
                if hint.enabled:
                    self.show_message(click_hint(self.app, hint))
                else:
                    self._owner.handle(UnboundKey(hint.key, key_name(hint.key)))


def _acts(bound: ActiveBinding | None) -> bool:
    return bound is not None and bound.enabled
