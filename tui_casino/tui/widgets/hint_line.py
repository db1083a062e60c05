"""Hint lines: each action with its key, messages, and typed commands.

A hint is a key and its action, greyed out while disabled. The leading hint comes first. The widget
is that of the screens without a command line; it also says why a key is disabled.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any, Protocol, cast

from msgspec import Struct
from textual import events
from textual.app import App
from textual.binding import ActiveBinding
from textual.events import Key
from textual.geometry import Size
from textual.strip import Strip

from ...structs import replace
from ..draw.look import Look, line_styles_of
from ..draw.segments import LineBuilder
from ..terminal.detection import GlyphSet
from .key_names import key_name_of_binding, pressed_key_name
from .line_widget import LineWidget, look_of

GAP = 3
"""Columns between two hints."""
DOT = " · "
"""The separator between parts of a text; the last parts are left out if space is short."""
LEFT = 3
"""Columns before the first hint: a space, the mark, a space."""
MARKS = {
    GlyphSet.UNICODE: {"now": "›", "refused": "!", "told": "✓", "typed": ":"},
    GlyphSet.CP437: {"now": ">", "refused": "!", "told": "√", "typed": ":"},
    GlyphSet.ASCII: {"now": ">", "refused": "!", "told": "*", "typed": ":"},
}
CLICK_ONE = "press one of these keys, or click its place on the table."


class Hint(Struct, frozen=True):
    """A key with its label, and the action of the key with its name."""

    key: str
    display: str
    words: str
    enabled: bool = True
    action: str = ""

    @property
    def width(self) -> int:
        """The width in columns."""
        return len(self.display) + (1 + len(self.words) if self.words else 0)

    @property
    def has_digits(self) -> bool:
        """Whether the hint stands for several digits, such as ``1-5``."""
        first, dash, last = self.display.partition("-")
        return bool(dash) and first.isdigit() and last.isdigit()


class HintMessage(Struct, frozen=True):
    """A message shown instead of the hints: a mark, a word, and a text about the word.

    ``mark`` is ``refused``, ``told`` or ``typed``; ``details`` says in grey what would be accepted.
    """

    mark: str
    word: str = ""
    text: str = ""
    details: str = ""


def click_hint(app: App[Any], hint: Hint) -> HintMessage | None:
    """Press the key of a hint; for several digits, return what to do, as a click chooses none."""
    if hint.has_digits:
        return HintMessage("refused", hint.display, CLICK_ONE)
    app.simulate_key(hint.key)
    return None


STRAY_SECONDS = 0.8
"""The pause that ends a stray line: text that follows sooner belongs to it."""
STRAY_ENDS = "Esc or a pause ends it"


def follows_soon(last: float, time: float) -> bool:
    """Return whether no pause lies between a key at ``last`` and one at ``time``, in seconds."""
    return time - last <= STRAY_SECONDS


class StrayInput:
    """Text typed where it is not a command; it begins with a letter without an action.

    The text has no effect. A pause ends it, and so does Enter, Escape, or a key without a
    character, which works as usual. Without the pause, a player who pressed a key that is not
    available would keep typing into the stray line.
    """

    REFUSAL = "you cannot type commands here.", "Esc clears"
    MAX_SHOWN = 12
    """The maximum number of characters shown; a longer text is cut at the front."""

    def __init__(self) -> None:
        self._text, self._last, self._is_open = "", 0.0, False

    def is_open(self, time: float) -> bool:
        """Return whether the last refused key is so recent that no key may commit to a choice."""
        return self._is_open and follows_soon(self._last, time)

    def text_before(self, time: float) -> str:
        """Return the text to which a character of this time belongs; empty after a pause."""
        return self._text if self.is_open(time) else ""

    def replace(self, text: str, time: float) -> None:
        """Replace the text, whose last character came at ``time``; an empty text ends the input."""
        self._text, self._last, self._is_open = text, time, bool(text)

    def interrupt(self) -> None:
        """End the text, because a key acted; choices are still refused until the pause."""
        self._text = ""

    def prolong(self, time: float) -> None:
        """Let the pause begin again at ``time``, because a key without a text was refused."""
        self._last = time

    @property
    def visible_text(self) -> str:
        text, room = self._text, self.MAX_SHOWN
        return text if len(text) <= room else f"…{text[1 - room :]}"

    def accept(self, event: Key, *, known: bool) -> bool:
        """Add a key to the text, or end the text; return false if the key should work as usual.

        ``known`` says whether the key has an action here.
        """
        typed = (event.character or "") if event.is_printable else ""
        begun = self.text_before(event.time)
        if typed and (begun or (typed.isalpha() and not known)):
            self.replace(begun + typed, event.time)
        else:
            self.replace("", event.time)
            if not (begun and event.key in {"enter", "escape"}):
                return False
        event.stop()
        return True


def mark_disabled(hint: Hint, look: Look) -> Hint:
    """Put a disabled hint in parentheses if the colours cannot grey it out."""
    if hint.enabled or look.palette.faint.startswith("#"):
        return hint
    if not hint.words:
        return replace(hint, display=f"({hint.display})")
    return replace(hint, display=f"({hint.display}", words=f"{hint.words})")


def place_hints(hints: Iterable[Hint], width: int, look: Look) -> Iterator[tuple[int, Hint]]:
    """Yield the hints that fit, with their columns; greyed-out ones are left out first."""
    room, visible = width - LEFT, [mark_disabled(hint, look) for hint in hints]
    while len(visible) > 1 and _total(visible) > room:
        greyed = [place for place, hint in enumerate(visible) if place and not hint.enabled]
        del visible[greyed[-1] if greyed else -1]
    x = LEFT
    for place, hint in enumerate(visible):
        yield x, hint
        x += hint.width + GAP + 2 * (place == 0)  # the block of the first hint is two columns wider


def _total(hints: Sequence[Hint]) -> int:
    return sum(hint.width for hint in hints) + GAP * (len(hints) - 1) + 2


@lru_cache(128)
def hints_strip(hints: tuple[Hint, ...], width: int, look: Look, details: str = "") -> Strip:
    """Draw the hints that fit, followed in grey by the parts of ``details`` that also fit.

    The strip is cached, because the same hints recur.
    """
    inks = line_styles_of(look.palette)
    line = LineBuilder(look.tier)
    line.add(" " + MARKS[look.tier]["now"], inks.gold)
    for place, (x, hint) in enumerate(place_hints(hints, width, look)):
        line.pad_to(x)
        if not hint.enabled:
            line.add(f"{hint.display} {hint.words}", inks.faint)
        elif place == 0:
            line.add(f" {hint.display} ", inks.block)
            line.add(f" {hint.words}", inks.strong)
        else:
            line.add(hint.display, inks.gold)
            line.add(f" {hint.words}", inks.text)
    parts = details.split(DOT)
    while parts and line.width + GAP + len(DOT.join(parts)) > width:
        parts.pop()
    if parts:
        line.pad_to(line.width + GAP)
        line.add(DOT.join(parts), inks.muted)
    return line.cut(width, at_word=True).strip(width)


def said_strip(message: HintMessage, width: int, look: Look) -> Strip:
    """Draw a message; after a full sentence, details are left out if they do not fit."""
    inks = line_styles_of(look.palette)
    colour = inks.bad if message.mark == "refused" else inks.good
    line = LineBuilder(look.tier)
    line.add(f" {MARKS[look.tier][message.mark]} ", colour)
    if message.word:
        line.add(message.word, inks.strong)
        line.add("  ", inks.text)
    line.add(message.text, colour if message.mark == "refused" else inks.text)
    parts = message.details.split(DOT)
    while parts and line.width + 1 + len(DOT.join(parts)) > width and message.text.endswith("."):
        parts.pop()
    if any(parts):
        line.add(f" {DOT.join(parts)}", inks.muted)
    return line.cut(width, at_word=True).strip(width)


def typed_strip(
    value: str, cursor: int, selected: tuple[int, int], meaning: HintMessage, width: int, look: Look
) -> Strip:
    """Draw the typed text, its effect or why it is refused, and the keys that run or clear it."""
    inks = line_styles_of(look.palette)
    line, shown = LineBuilder(look.tier), f"{value} "
    room = max(8, width - 4)
    start = max(0, cursor - room + 1)
    line.add(f" {MARKS[look.tier]['typed']} ", inks.gold)
    low, high = sorted(selected)
    for place, letter in enumerate(shown[start : start + room], start):
        lit = place == cursor or low <= place < high
        line.add(letter, inks.block if lit else inks.strong)
    keys = [("Enter", " runs it  "), ("Esc", " clears")]
    if meaning.mark == "refused":
        del keys[0]
        line.add(f"  {MARKS[look.tier]['refused']} {meaning.text}", inks.bad)
        if line.width + 1 + len(meaning.details) <= width or not meaning.text.endswith("."):
            line.add(f" {meaning.details}".rstrip(), inks.muted)
    else:
        line.add("  " + meaning.text, inks.muted)
    if line.width + 3 + _length(keys) > width:  # Esc ends the line: name it, but cut nothing for it
        keys = [("Esc", " clears")] if line.width + 13 <= width else [("Esc", "")]
        if width - 3 - _length(keys) < line.width < width:
            keys = []
    if keys:
        line.cut(width - 3 - _length(keys), at_word=True).pad_to(width - _length(keys) - 1)
    for key, words in keys:
        line.add(key, inks.gold)
        line.add(words, inks.text)
    return line.strip(width)


def _length(keys: Iterable[tuple[str, str]]) -> int:
    return sum(len(key) + len(words) for key, words in keys)


def lead_with_action(hints: Iterable[Hint], action: str) -> tuple[Hint, ...]:
    """Put the hint of an action first if it is available, otherwise the first available hint."""
    every = tuple(hints)
    able = [hint for hint in every if hint.enabled]
    lead = next((hint for hint in able if hint.action == action), able[0] if able else None)
    return every if lead is None else (lead, *(hint for hint in every if hint is not lead))


class HintScreen(Protocol):
    """A screen with a hint line; it provides the names of the actions."""

    def hint_label(self, action: str, /) -> str | None:
        """Return an action's current name if it differs from that of its binding.

        An empty name hides the action.
        """

    def disabled_reason(self, action: str, /) -> str:
        """Return why the action of a greyed-out key is disabled."""


class HintLine(LineWidget):
    """The actions of a screen with their keys; a click on a hint presses its key.

    The screen's :class:`~.key_bar.KeyBar` passes the hints to :meth:`hint`. The screen's
    ``on_key`` passes every key to :meth:`process_key`, which clears the message and shows why a
    key does nothing. A letter that does nothing starts a stray line, as at a table; that line has
    no effect. The screen provides the current names of actions, and why they are disabled
    (:class:`HintScreen`). :attr:`details` follows the hints in grey.

    A screen yields it above its key bar, below a widget that fills the remaining height::

        yield HintLine()
        yield KeyBar(lambda *hints: self.query_one(HintLine).hint(*hints))
    """

    def __init__(
        self,
        lead: str = "",
    ) -> None:
        super().__init__()
        self._lead = lead
        self._hints: tuple[Hint, ...] = ()
        self._able: frozenset[str] = frozenset()
        self._message: HintMessage | None = None
        self._stray = StrayInput()
        self._details = ""
        self._last_state: object = None

    # ---- display --------------------------------------------------------------------------

    def hint(self, hints: tuple[Hint, ...], keys: frozenset[str] = frozenset()) -> None:
        """Show what the player can do now; the leading action comes first if it is available.

        ``keys`` are all active keys.
        """
        self._hints, self._able = hints, keys
        self.refresh_hints()

    def refresh_hints(self) -> None:
        if self.is_attached and self._last_state != (now := self._shown()):
            self._last_state = now
            self.refresh()

    def show_message(self, message: HintMessage | None) -> None:
        """Show a message instead of the hints, until a key is pressed."""
        self._message = message
        self.refresh_hints()

    @property
    def details(self) -> str:
        """The grey text after the hints, if there is room."""
        return self._details

    @details.setter
    def details(self, text: str) -> None:
        self._details = text
        self.refresh_hints()

    @property
    def hints(self) -> tuple[Hint, ...]:
        """The current hints, with the current names of their actions."""
        owner = cast(HintScreen, self.screen)
        renamed = (
            hint if (words := owner.hint_label(hint.action)) is None else replace(hint, words=words)
            for hint in self._hints
        )
        return lead_with_action((hint for hint in renamed if hint.words), self._lead)

    @property
    def current_message(self) -> HintMessage | None:
        return self._message

    def _shown(self) -> object:
        return self._message or (self.hints, self._details)

    def _draw(self, look: Look, area: Size) -> Iterable[Strip]:
        if self._message is not None:
            yield said_strip(self._message, area.width, look)
        else:
            yield hints_strip(self.hints, area.width, look, self._details)

    # ---- keys and the mouse ---------------------------------------------------------------

    def process_key(self, event: events.Key) -> bool:
        """Clear the message, and show why a key does nothing; return true if the key is used up.

        A key is used up if it belongs to a stray line, or only clears a refusal.
        """
        refused = self._message is not None and self._message.mark == "refused"
        active = self.screen.active_bindings
        bindings = [active[key] for key in event.aliases if key in active]
        acts = not self._able.isdisjoint(event.aliases) or any(one.enabled for one in bindings)
        begun = self._stray.text_before(event.time)
        if (takes := self._stray.accept(event, known=acts)) and begun:
            self.refuse_words(self._stray.text_before(event.time), event.time)
        elif acts:
            self.show_message(None)
            if refused and event.key == "escape":
                event.stop()
                return True
        elif bindings:
            self._refuse(pressed_key_name(event), bindings[0])
        else:
            key_list = ", ".join(f"{hint.display} {hint.words}" for hint in self.hints)
            right = (
                f"{helps} lists the keys"
                if (helps := key_name_of_binding(self, ".help"))
                else key_list
            )
            self.show_message(
                HintMessage(
                    "refused", pressed_key_name(event), "this key has no action here.", right
                )
            )
        return takes

    def refuse_words(self, words: str, time: float) -> None:
        """Show that typed words have no effect here; empty words end the message."""
        self._stray.replace(words, time)
        self.show_message(
            HintMessage("refused", self._stray.visible_text, *StrayInput.REFUSAL) if words else None
        )

    def _refuse(self, key: str, active: ActiveBinding) -> None:
        binding = active.binding
        reason = (
            cast(HintScreen, self.screen).disabled_reason(binding.action)
            or f"{binding.description}: not available now."
        )
        self.show_message(HintMessage("refused", key, reason))

    def placed(self) -> Iterator[tuple[int, Hint]]:
        """Yield the hints that fit, each with its first column."""
        yield from place_hints(self.hints, self.size.width, look_of(self))

    def on_click(self, event: events.Click) -> None:
        if self._message is not None:
            self._stray.replace("", event.time)
            self.show_message(None)
            return
        for place, (x, hint) in enumerate(self.placed()):
            if x <= event.x < x + hint.width + 2 * (place == 0):
                self.show_message(click_hint(self.app, hint))
