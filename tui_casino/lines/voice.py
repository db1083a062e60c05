"""What a session by lines says and hears: one stream of lines each way, nothing ever rewritten."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum

from ..gamekit.table_setup import PrintLine
from ..inputs.sanitize import plain
from .speech_text import speech_text


class Verbosity(Enum):
    """How much is said: cards by letters, cards in words, and what can be done now as well."""

    SHORT = "short"
    USUAL = "usual"
    FULL = "full"


REPEAT = ("repeat", "again")
WHERE = ("where", "where am i", "where am i?")
LEVELS = {level.value: level for level in Verbosity}
WORDS = frozenset((*REPEAT, *WHERE, *LEVELS))
"""Words that are understood wherever a line is read; no game may have them as its own."""
HELP = """\
repeat, says the last lines again
where am i, says what is open, and what you can do there
short, usual, full: how much is said"""


def _nothing() -> Iterable[str]:
    return ()


@dataclass(frozen=True, slots=True)
class VoicePlace:
    """Where the player is: ``where`` says that, ``now`` what can be done there."""

    where: Callable[[], Iterable[str]]
    now: Callable[[], Iterable[str]] = _nothing


class InputEnded(Exception):
    """There is nobody any more who could answer: the input has ended."""


class Voice(Iterator[str]):
    """Says lines, and gives those that are typed, but for the :data:`WORDS` it answers itself.

    ``on_level`` is told a verbosity that is chosen, and ``gone`` tells that the input has ended.
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
        self._said: list[str] = []
        self.gone = False

    def say(self, text: str) -> None:
        """Say a text, line by line; what was typed may be in it, and does nothing there."""
        for line in map(plain, text.split("\n")):
            if (said := speech_text(line, cards=self.level is not Verbosity.SHORT)) is not None:
                self._said.append(said)
                self._write(said)

    def more(self, text: str) -> None:
        """Say what only matters to who wants it said at length, or asks for help."""
        if self.level is not Verbosity.SHORT:
            self.say(text)

    @contextmanager
    def at(self, place: VoicePlace) -> Iterator[None]:
        """Be somewhere, for as long as this is the context."""
        self._places.append(place)
        try:
            yield
        finally:
            self._places.pop()

    def __next__(self) -> str:
        """Give the next line. Raises ``StopIteration`` at the end of the input."""
        if self.level is Verbosity.FULL:
            self._say_now()
        while True:
            try:
                line = next(self._typed)
            except StopIteration:
                self.gone = True
                raise
            if not self._answers(" ".join(line.lower().split())):
                self._said = []
                return line

    def ask(self) -> str:
        """Give the next line without white space around it. Raises :class:`InputEnded`."""
        for line in self:
            return line.strip()
        raise InputEnded

    def _answers(self, word: str) -> bool:
        if word in REPEAT:
            for line in self._said or ["nothing was said yet"]:
                self._write(line)
        elif word in WHERE:
            for place in self._places[-1:]:
                for line in place.where():
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
            for line in place.now():
                self.say(line)
