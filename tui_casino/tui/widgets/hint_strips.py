"""Draw the hint line: each action with its key, messages, and typed commands.

A hint is a key and its action, greyed while disabled. The leading hint comes first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from textual.events import Key
from textual.strip import Strip

from ..draw.segments import LineBuilder
from ..draw.styles import Look, line_styles_of
from ..terminal.detection import GlyphSet

GAP = 3
"""Columns between two hints."""
DOT = " · "
"""What stands between the parts of a text, the last of which give way."""
LEFT = 3
"""Columns before the first: a blank, the mark, a blank."""
MARKS = {
    GlyphSet.UNICODE: {"now": "›", "refused": "!", "told": "✓", "typed": ":"},
    GlyphSet.CP437: {"now": ">", "refused": "!", "told": "√", "typed": ":"},
    GlyphSet.ASCII: {"now": ">", "refused": "!", "told": "*", "typed": ":"},
}


class Hint(NamedTuple):
    """A key, as it is pressed and as it is shown, what it does, and by which action."""

    key: str
    display: str
    words: str
    enabled: bool = True
    action: str = ""

    @property
    def width(self) -> int:
        """Columns."""
        return len(self.display) + (1 + len(self.words) if self.words else 0)


@dataclass(frozen=True, slots=True)
class HintMessage:
    """What stands in the line in place of the hints: by its mark, a word, and text about it.

    ``mark`` is ``refused``, ``told`` or ``typed``; ``details`` says in grey what would be right.
    """

    mark: str
    word: str = ""
    text: str = ""
    details: str = ""


class StrayInput:
    """What is typed where no words are read, from a letter that is not a key to Enter or Escape.

    None of it acts, as at a table: only keys without a character do, and they end it.
    """

    REFUSAL = "no commands are typed here.", "Esc clears"
    MAX_SHOWN = 12
    """Characters that are shown, the last ones of longer words."""

    def __init__(self) -> None:
        self.text = ""

    @property
    def visible_text(self) -> str:
        """The words as far as there is room for them."""
        return (
            self.text if len(self.text) <= self.MAX_SHOWN else f"…{self.text[1 - self.MAX_SHOWN :]}"
        )

    def accept(self, event: Key, *, known: bool) -> bool:
        """Take a key that belongs to the words; ``known`` is one that acts here by itself."""
        typed = (event.character or "") if event.is_printable else ""
        begun = bool(self.text)
        if typed and (begun or (typed.isalpha() and not known)):
            self.text += typed
        else:
            self.text = ""
            if not (begun and event.key in {"enter", "escape"}):
                return False
        event.stop()
        return True


def place_hints(hints: Sequence[Hint], width: int) -> Iterator[tuple[int, Hint]]:
    """Give the hints that fit, each with its column: greyed ones give way to those that act."""
    room, visible = width - LEFT, list(hints)
    while len(visible) > 1 and _total(visible) > room:
        greyed = [place for place, hint in enumerate(visible) if place and not hint.enabled]
        del visible[greyed[-1] if greyed else -1]
    x = LEFT
    for place, hint in enumerate(visible):
        yield x, hint
        x += hint.width + GAP + 2 * (place == 0)  # the block of the first is wider by two


def _total(hints: Sequence[Hint]) -> int:
    return sum(hint.width for hint in hints) + GAP * (len(hints) - 1) + 2


@lru_cache(128)
def hints_strip(hints: tuple[Hint, ...], width: int, look: Look, details: str = "") -> Strip:
    """Draw the hints that fit, and behind them in grey those parts of ``details`` that also fit.

    The strip is shared: the same moments come again.
    """
    inks = line_styles_of(look.palette)
    line = LineBuilder(look.tier)
    line.add(" " + MARKS[look.tier]["now"], inks.gold)
    for place, (x, hint) in enumerate(place_hints(hints, width)):
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
    """Draw what stands in place of the hints; behind a sentence, what is right has room or goes."""
    inks = line_styles_of(look.palette)
    colour = inks.bad if message.mark == "refused" else inks.good
    line = LineBuilder(look.tier)
    line.add(f" {MARKS[look.tier][message.mark]} ", colour)
    if message.word:
        line.add(message.word, inks.strong)
        line.add("  ", inks.text)
    line.add(message.text, colour if message.mark == "refused" else inks.text)
    fits = line.width + 1 + len(message.details) <= width
    if message.details and (fits or not message.text.endswith(".")):
        line.add(f" {message.details}", inks.muted)
    return line.cut(width, at_word=True).strip(width)


def typed_strip(
    value: str, cursor: int, selected: tuple[int, int], meaning: HintMessage, width: int, look: Look
) -> Strip:
    """Draw what is being typed, what it would do or why not, and how to send or clear it."""
    inks = line_styles_of(look.palette)
    line, shown = LineBuilder(look.tier), f"{value} "
    room = max(8, width - 4)
    start = max(0, cursor - room + 1)
    line.add(f" {MARKS[look.tier]['typed']} ", inks.gold)
    low, high = sorted(selected)
    for place, letter in enumerate(shown[start : start + room], start):
        lit = place == cursor or low <= place < high
        line.add(letter, inks.block if lit else inks.strong)
    keys = [("Enter", " does it  "), ("Esc", " clears")]
    if meaning.mark == "refused":
        del keys[0]
        line.add(f"  {MARKS[look.tier]['refused']} {meaning.text}", inks.bad)
        if line.width + 1 + len(meaning.details) <= width or not meaning.text.endswith("."):
            line.add(f" {meaning.details}".rstrip(), inks.muted)
    else:
        line.add("  " + meaning.text, inks.muted)
    length = sum(len(key) + len(words) for key, words in keys)
    if line.width + 2 + length < width:
        line.pad_to(width - length - 1)
        for key, words in keys:
            line.add(key, inks.gold)
            line.add(words, inks.text)
    return line.cut(width, at_word=True).strip(width)


def lead_with_action(hints: Iterable[Hint], action: str) -> tuple[Hint, ...]:
    """Put the hint of an action first, if it can be used; else the first that can be."""
    every = tuple(hints)
    able = [hint for hint in every if hint.enabled]
    lead = next((hint for hint in able if hint.action == action), able[0] if able else None)
    return every if lead is None else (lead, *(hint for hint in every if hint is not lead))
