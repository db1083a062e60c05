"""The output and input of screen-reader mode: lines in both directions, never rewritten.

The text for a voice or a Braille display has words for cards, and commas between columns.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from enum import Enum
from fractions import Fraction
from functools import partial

from msgspec import Struct

from ..cards.card import Card, Suit
from ..gamekit.table_catalog import PrintLine
from ..inputs.sanitize import plain
from ..inputs.typed_lines import short_lines

_PIPS = "10|[2-9TJQKA]"
_SIGNS = {suit.symbol: suit.letter for suit in Suit if suit is not Suit.BACK}
_CARD = re.compile(rf"(?<![\w'])({_PIPS})([SHDC{''.join(_SIGNS)}])(?![\w'])")
_ALONE = str.maketrans({suit.symbol: f" {suit.word}" for suit in Suit if suit is not Suit.BACK})
"""Suit symbols that do not belong to a card."""
_DRAWN = re.compile("[\u2500-\u259f\u2800-\u28ff]+")
"""Box drawing, blocks, and graphs of Braille dots."""
_RULE = re.compile(r"[-=_ |+]*[-=_|]{3,}[-=_ |+]*")
"""A line that only separates other lines."""
_COLUMNS = re.compile(r"(?<=[^\s,:;.]) {2,}(?=\S)")
_TIGHT = re.compile(r"(?<= of )([SHDC][a-z]+),(?=\w)")
"""Names of cards separated by a comma without a space."""
_GAPS = re.compile(r" {2,}")
_MINUS = re.compile(r"(?<![\w.)])[-\u2212](?=\d)")
_READ_AS = str.maketrans({"\u2212": "-", "\u00b7": ",", "\u2013": "-", "\u2026": "..."})


def speech_text(line: str, *, cards: bool = True) -> str | None:
    """Return a line for reading aloud; ``None`` if it only separates other lines.

    With ``cards``, cards and minus signs are said in words, otherwise by letters. Drawings are left
    out, and the columns of a table are separated by commas.

    >>> speech_text("player's hand TS 5H")
    "player's hand ten of spades, five of hearts"
    >>> speech_text("You have 1) AD 2) 4S", cards=False)
    'You have 1) AD 2) 4S'
    >>> speech_text("EV \N{MINUS SIGN}5.00")
    'EV minus 5.00'
    >>> speech_text("Rounds                   0   a round")
    'Rounds, 0, a round'
    >>> speech_text("------------") is None
    True
    """
    line = _MINUS.sub("minus ", line) if cards else line
    line = _DRAWN.sub(" ", line.translate(_READ_AS)).strip()
    if not line or _RULE.fullmatch(line):
        return None
    line = _TIGHT.sub(r"\1, ", _GAPS.sub(" ", _COLUMNS.sub(", ", line)))
    return (_named(line) if cards else _CARD.sub(_letters, line)).translate(_ALONE)


def _letters(found: re.Match[str]) -> str:
    return _card(found).rank.letter + _card(found).suit.letter


def _card(found: re.Match[str]) -> Card:
    pip, suit = found.groups()
    return Card.parse(("T" if pip == "10" else pip) + _SIGNS.get(suit, suit))


def _named(line: str) -> str:
    """Replace the cards in a line with their names in words, with commas between adjacent cards."""
    line = _CARD.sub(lambda found: f"\x00{card_in_words(_card(found))}", line)
    first, *rest = re.split(r"(?= (?:\d\) )?\x00)", line)
    joined = first
    for piece in rest:
        follows = re.search(r"\x00\w+ of \w+$", joined) is not None
        joined += f",{piece}" if follows else piece
    return joined.replace("\x00", "")


_FROM_TWO = ("two", "three", "four", "five", "six", "seven", "eight", "nine")
_NUMBERS = {str(number): word for number, word in enumerate(_FROM_TWO, 2)}
_WORDS = {"T": "ten", "J": "jack", "Q": "queen", "K": "king", "A": "ace", **_NUMBERS}


def card_in_words(card: Card) -> str:
    """Return a card's name in words: ``ten of spades``."""
    return f"{_WORDS[card.rank.letter]} of {card.suit.word.lower()}"


class Verbosity(Enum):
    """How much is said: cards as letters, cards in words, or also the current actions."""

    SHORT = "short"
    USUAL = "usual"
    FULL = "full"


REPEAT = ("repeat", "again")
MORE = "more"
WHERE = ("where", "where am i", "where am i?")
LEVELS = {level.value: level for level in Verbosity}
WORDS = frozenset((*REPEAT, MORE, *WHERE, *LEVELS))
"""Commands understood wherever a line is read; no game may use them for itself."""
HELP = """\
repeat: say the last lines again
more: say the next rows of a list
where am i: say what is open, and what you can do there
short, usual, full: how much is said"""


ROWS = {Verbosity.SHORT: 5, Verbosity.USUAL: 5, Verbosity.FULL: 20}
"""The number of rows of a list that are said together."""


def _nothing() -> Iterable[str]:
    return ()


class SpokenRows:
    """The rows of a list, which are said a few at a time. A row is only computed when it is said.

    A single last row is not left for later.
    """

    def __init__(self, rows: Sequence[Callable[[], str]]) -> None:
        self._rows, self._next = rows, 0

    def take(self, count: int) -> Iterator[str]:
        """Yield the next ``count`` rows, then a line with the number of rows that are left."""
        end = self._next + count
        if end + 1 >= len(self._rows):
            end = len(self._rows)
        for row in self._rows[self._next : end]:
            yield row()
        self._next = end
        if left := len(self._rows) - end:
            yield f"Type {MORE} for {left:,} more."

    @property
    def ended(self) -> bool:
        """Whether all rows were said."""
        return self._next >= len(self._rows)


class VoicePlace(Struct, frozen=True):
    """The player's current place: ``describe`` describes it, ``actions`` lists its commands."""

    describe: Callable[[], Iterable[str]]
    actions: Callable[[], Iterable[str]] = _nothing


class InputEnded(Exception):
    """The input has ended, so the player can give no more answers."""


class Voice(Iterator[str]):
    """Says lines of text, and yields typed lines, except the :data:`WORDS` that it answers itself.

    It calls ``on_level`` when the player changes the verbosity. ``ended`` is true once the input
    has ended. The trainer warns before a choice that costs ``warned_share`` of the stake, or never.
    """

    def __init__(
        self,
        typed: Iterable[str],
        write: PrintLine,
        level: Verbosity = Verbosity.USUAL,
        *,
        on_level: Callable[[Verbosity], None] = lambda level: None,
    ) -> None:
        self._typed, self._write = short_lines(typed, self.say), write
        self.level, self._on_level = level, on_level
        self.warned_share: Fraction | None = None
        self._places: list[VoicePlace] = []
        self._last_lines: list[str] = []
        self._rows = SpokenRows(())
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

    def say_rows(self, rows: SpokenRows) -> None:
        """Say the first rows of a list; the player may type ``more`` for the next ones."""
        self._rows = rows
        for row in rows.take(ROWS[self.level]):
            self.say(row)

    def say_list(self, lines: Iterable[str]) -> None:
        """Say the first of these lines, as :meth:`say_rows` does."""
        self.say_rows(SpokenRows([partial(str, line) for line in lines]))

    @contextmanager
    def within(self, place: VoicePlace) -> Iterator[None]:
        """Make a place the current one for the duration of the context."""
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
                self._last_lines, self._rows = [], SpokenRows(())
                return line

    def ask(self, rows: SpokenRows | None = None) -> str:
        """Return the next line without surrounding white space. Raises :class:`InputEnded`.

        ``more`` says the next of these ``rows``, or else of the rows that were said last.
        """
        self._rows = rows or self._rows
        for line in self:
            return line.strip()
        raise InputEnded

    def _answers(self, word: str) -> bool:
        if word in REPEAT:
            for line in self._last_lines or ["there is nothing to repeat yet"]:
                self._write(line)
        elif word == MORE:
            if self._rows.ended:
                self.say("There is nothing more.")
            self._last_lines = []
            self.say_rows(self._rows)
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
