"""The output and input of screen-reader mode: lines in both directions, never rewritten.

The text for a voice or a Braille display has words for cards, and commas between columns.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from enum import Enum
from fractions import Fraction
from functools import partial
from typing import NamedTuple

from msgspec import Struct

from ..cards.card import Card, Suit
from ..gamekit.table_catalog import PrintLine
from ..inputs.numbers import is_integer, parse_integer
from ..inputs.sanitize import plain, short_lines

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
_ODDS = re.compile(r"(?<=\d):1\b(?!:)")
_WHOLE = re.compile(r"(?<![\d.,])(?!1\.00 [a-z]+s\b)(\d[\d,]*)\.00(?!\.?\d)")
"""A whole number with two zeros behind the point, except before a noun in the plural."""
_QUESTION_MARK = re.compile(r"(?<!\S)\?(?=\s)")
_MINUS = re.compile(r"(?<![\w.)])[-\u2212](?=\d)")
_READ_AS = str.maketrans({"\u2212": "-", "\u00b7": ",", "\u2013": "-", "\u2026": "..."})


def speech_text(line: str, *, cards: bool = True) -> str | None:
    """Return a line for reading aloud; ``None`` if it only separates other lines.

    With ``cards``, cards and minus signs are said in words, otherwise by letters. Drawings are left
    out, as are two zeros behind the point, and the columns of a table are separated by commas. The
    signs in ``?`` and ``8:1`` become words, which a voice would leave out or spell.

    >>> speech_text("player's hand TS 5H")
    "player's hand ten of spades, five of hearts"
    >>> speech_text("You have 1) AD 2) 4S", cards=False)
    'You have 1) AD 2) 4S'
    >>> speech_text("EV \N{MINUS SIGN}5.00")
    'EV minus 5'
    >>> speech_text("Type ? for help; 400.00 at 0.95:1 is 380.00")
    'Type help for help; 400 at 0.95 to 1 is 380'
    >>> speech_text("Rounds                   0   a round")
    'Rounds, 0, a round'
    >>> speech_text("------------") is None
    True
    """
    line = _MINUS.sub("minus ", line) if cards else line
    line = _QUESTION_MARK.sub("help", _ODDS.sub(" to 1", _WHOLE.sub(r"\1", line)))
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
    """The player's current place.

    ``describe`` describes it, ``actions`` lists its commands, ``question`` returns what is asked
    there, or "", and ``help`` explains everything that can be typed.
    """

    describe: Callable[[], Iterable[str]]
    actions: Callable[[], Iterable[str]] = _nothing
    question: Callable[[], str] = str
    help: Callable[[], Iterable[str]] = _nothing


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
        self._said_actions: list[str] = []  # not said again with each question
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
        """Say the first rows of a list; the player may type ``more`` for the next ones.

        If no rows are left, ``more`` still continues an earlier list.
        """
        for row in rows.take(ROWS[self.level]):
            self.say(row)
        if self._rows.ended or not rows.ended:
            self._rows = rows

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
            if (actions := self._actions()) != self._said_actions:
                self._say_actions(actions)
            self._ask()
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

        ``more`` says the next of the rows that were said last, or else of these ``rows``.
        """
        if rows is not None and self._rows.ended:
            self._rows = rows
        for line in self:
            return line.strip()
        raise InputEnded

    def _answers(self, word: str) -> bool:
        if word in REPEAT:
            for line in self._last_lines or ["there is nothing to repeat yet"]:
                self._write(line)
            return True
        if word not in WORDS:
            return False
        self._last_lines = []
        if word == MORE:
            if self._rows.ended:
                self.say("There is nothing more.")
            self.say_rows(self._rows)
        elif word in WHERE:
            for place in self._places[-1:]:
                for line in place.describe():
                    self.say(line)
            self._say_actions(self._actions())
        else:
            self.level = LEVELS[word]
            self._on_level(self.level)
            self.say(f"Level of detail: {word}.")
        self._ask()
        return True

    def ask_last(self, question: str) -> None:
        """Say a question before a line is read, unless it is empty or was the last line.

        In full detail, the question of a place follows its actions, so it is not said before them.
        """
        if self.level is not Verbosity.FULL:
            self._say_once(question)

    def _say_once(self, question: str) -> None:
        asked = speech_text(question, cards=self.level is not Verbosity.SHORT)
        if asked is not None and self._last_lines[-1:] != [asked]:
            self.say(question)

    def _ask(self) -> None:
        """Say the question of the current place last."""
        for place in self._places[-1:]:
            self._say_once(place.question())

    def _actions(self) -> list[str]:
        return [line for place in self._places[-1:] for line in place.actions()]

    def _say_actions(self, actions: list[str]) -> None:
        self._said_actions = actions
        for line in actions:
            self.say(line)


QUIT = ("q", "quit")
BACK = ("b", "back", *QUIT)
HELPS = ("?", "help")


class PromptOption(NamedTuple):
    """An option with a name and a description; ``alias`` is an earlier name that still works.

    The ``result``, such as the money that was won, is said before the description, and also if
    little is said. A text that takes time to compute may be a function.
    """

    name: str
    description: str | Callable[[], str] = ""
    alias: str = ""
    result: str | Callable[[], str] = ""


def choose(voice: Voice, title: str, options: Sequence[PromptOption]) -> int | None:
    """Let the player choose an option by number or by the first letters of its name.

    Say the name of the chosen option and return its index, or return ``None`` to go back. Raises
    :class:`InputEnded` if the input ends first.
    """
    with closing(browse(voice, title, lambda: options)) as choices:
        return next(choices, None)


def browse(
    voice: Voice,
    title: str,
    options: Callable[[], Sequence[PromptOption]],
    *,
    is_top: bool = False,
    lists: bool = True,
    tells: Callable[[], str] = str,
) -> Generator[int, None, None]:
    """Let the player choose options, one after another, until they go back.

    The list is said once, a few rows at a time, unless ``lists`` is false; after that and after
    each choice, only a single line is said. The options may change from choice to choice. At the
    top there is nothing to go back to, and ``q`` quits. ``tells`` returns what the player hears
    about this place, besides its title. Raises :class:`InputEnded`.
    """
    offered = options()

    def rows() -> SpokenRows:
        return SpokenRows([partial(_row, voice, *each) for each in enumerate(offered, 1)])

    def hint() -> str:
        numbers = f"a number from 1 to {len(offered)}" if len(offered) > 1 else "1"
        return f"type {numbers}; {'q quits' if is_top else 'b goes back'}"

    def list_all() -> SpokenRows:
        said = rows()
        voice.say(title if title.endswith("?") else f"{title}:")
        voice.say_rows(said)
        return said

    def describe() -> Iterable[str]:
        yield title if title.endswith("?") else f"{title}."
        yield from filter(None, (tells(),))
        yield f"{capitalized(hint())}; help says the list."

    def say_place() -> None:
        voice.say(f"{title.rstrip('?')}. Type a number, or help for the list.")

    with voice.within(VoicePlace(describe)):
        if lists:
            said = list_all()
            voice.say_detail(capitalized(hint()))
        else:
            said = rows()
            say_place()
        while True:
            typed = voice.ask(said)
            if typed.lower() in BACK:
                if not is_top or typed.lower() in QUIT:
                    return
                voice.say("This is the menu; q quits.")
            elif typed.lower() in HELPS:
                said = list_all()
                voice.say(HELP)
                voice.say(capitalized(hint()))
            elif (place := _match_choice(typed, offered)) is not None:
                voice.say(f"Chosen: {offered[place].name}")
                yield place
                if voice.ended:
                    raise InputEnded
                offered = options()
                say_place()
            elif typed:
                voice.say(f"{typed} is not one of the choices; {hint()}")
            else:
                voice.say(capitalized(hint()))


def _row(voice: Voice, number: int, option: PromptOption) -> str:
    short = voice.level is Verbosity.SHORT
    texts = [option.result] if short else [option.result, option.description]
    details = ", ".join(filter(None, (text if isinstance(text, str) else text() for text in texts)))
    return f"{number}. {option.name}" + (f": {details}" if details else "")


def capitalized(text: str) -> str:
    """Return a text with its first letter in upper case."""
    return text[:1].upper() + text[1:]


def _match_choice(typed: str, options: Sequence[PromptOption]) -> int | None:
    if is_integer(typed):
        place = parse_integer(typed) - 1
        return place if 0 <= place < len(options) else None
    begin, names = typed.casefold(), [one.name.casefold() for one in options]
    if begin in names:
        return names.index(begin)
    named = [place for place, name in enumerate(names) if name.startswith(begin)]
    if typed and len(named) == 1:
        return named[0]
    former = [place for place, one in enumerate(options) if one.alias.casefold() == begin]
    return former[0] if typed and former else None


def confirm(voice: Voice, question: str, yes: str) -> bool:
    """Ask whether to do what the option ``yes`` describes; going back means no."""
    voice.say(question)
    return choose(voice, f"{yes}?", [PromptOption("Yes"), PromptOption("No")]) == 0


def ask_text(voice: Voice, question: str) -> str:
    """Ask for a line of text, which may be empty. Raises :class:`InputEnded`."""
    with voice.within(VoicePlace(lambda: (question,))):
        voice.say(question)
        return voice.ask()
