"""The output and input of screen-reader mode: lines in both directions, never rewritten."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum

from ..gamekit.table_setup import PrintLine
from ..inputs.sanitize import plain
from .speech_text import speech_text


class Verbosity(Enum):
    """How much is said: cards as letters, cards in words, or also what can be done now."""

    SHORT = "short"
    USUAL = "usual"
    FULL = "full"


REPEAT = ("repeat", "again")
WHERE = ("where", "where am i", "where am i?")
LEVELS = {level.value: level for level in Verbosity}
WORDS = frozenset((*REPEAT, *WHERE, *LEVELS))
"""Commands understood wherever a line is read; no game may use them for itself."""
HELP = """\
repeat: say the last lines again
where am i: say what is open, and what you can do there
short, usual, full: how much is said"""


def _nothing() -> Iterable[str]:
    return ()


@dataclass(frozen=True, slots=True)
class VoicePlace:
    """The player's place: ``describe`` returns its lines, ``actions`` the lines of its actions."""

    describe: Callable[[], Iterable[str]]
    actions: Callable[[], Iterable[str]] = _nothing


class InputEnded(Exception):
    """The input has ended, so nobody can answer any more."""


class Voice(Iterator[str]):
    """Says lines, and yields those that are typed, except the :data:`WORDS` that it answers itself.

    Calls ``on_level`` when the player changes the verbosity. ``ended`` is true once the input has
    ended.
    """

    def __init__(
        self,
        typed: Iterable[str],
        write: PrintLine,
        level: Verbosity = Verbosity.USUAL,
        *,
        on_level: Callable[[Verbosity], None] = lambda level: None,
    ) -> None:
        self._typed, self._write = iter(typed), write
        self.level, self._on_level = level, on_level
        self._places: list[VoicePlace] = []
        self._last_lines: list[str] = []
        self.ended = False

    def say(self, text: str) -> None:
        """Say a text, line by line; control sequences in it have no effect."""
        for line in map(plain, text.split("\n")):
            if (spoken := speech_text(line, cards=self.level is not Verbosity.SHORT)) is not None:
                self._last_lines.append(spoken)
                self._write(spoken)

    def say_detail(self, text: str) -> None:
        """Say a text unless the verbosity is short."""
        if self.level is not Verbosity.SHORT:
            self.say(text)

    @contextmanager
    def within(self, place: VoicePlace) -> Iterator[None]:
        """Make a place the current one while the context lasts."""
        self._places.append(place)
        try:
            yield
        finally:
            self._places.pop()

    def __next__(self) -> str:
        """Return the next line. Raises ``StopIteration`` at the end of the input."""
        if self.level is Verbosity.FULL:
            self._say_now()
        while True:
            try:
                line = next(self._typed)
            except StopIteration:
                self.ended = True
                raise
            if not self._answers(" ".join(line.lower().split())):
                self._last_lines = []
                return line

    def ask(self) -> str:
        """Return the next line without white space around it. Raises :class:`InputEnded`."""
        for line in self:
            return line.strip()
        raise InputEnded

    def _answers(self, word: str) -> bool:
        if word in REPEAT:
            for line in self._last_lines or ["there is nothing to repeat yet"]:
                self._write(line)
        elif word in WHERE:
            for place in self._places[-1:]:
                for line in place.describe():
                    self.say(line)
            self._say_now()
        elif word in LEVELS:
            self.level = LEVELS[word]
            self._on_level(self.level)
            self.say(f"verbosity: {word}")
        else:
            return False
        return True

    def _say_now(self) -> None:
        for place in self._places[-1:]:
            for line in place.actions():
                self.say(line)
