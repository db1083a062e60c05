"""The texts of a game: its commands, questions, help and messages."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from re import Pattern
from typing import Generic

from msgspec import Struct, field

from ..cards.card import Hand
from ..engine.game import A, E, IllegalAction, S, Seat
from ..inputs.numbers import list_words
from .tally import T

SEAT_NAMES = ("North", "South", "East", "West")
"""The default name for each seat, for players who share a keyboard."""


def with_names(line: str, names: Sequence[str], usual: Sequence[str] = SEAT_NAMES) -> str:
    """Replace the usual names of the seats with the players' names, as far as these are given.

    >>> with_names("87 to 79, South's crib", ("Bob", "Ann"))
    "87 to 79, Ann's crib"
    """
    given = dict(zip(usual, names, strict=False))
    words = "|".join(map(re.escape, given))
    return re.sub(rf"\b(?:{words})\b", lambda found: given[found[0]], line) if given else line


class QuestionContext(Struct, Generic[S, T], frozen=True):
    """The view, seat and tally that are used to answer a question."""

    view: S
    seat: Seat
    tally: T


AnswerQuestion = Callable[[QuestionContext[S, T]], str | None]
"""Returns the answer to a question, or ``None`` if it cannot be asked now; it changes nothing."""


FILLERS = ("and", "on", "card", "cards", "nothing", "none")
"""Words that a player may type between a verb and numbers."""


class Phrase(Struct, frozen=True):
    """An action in a player's words, as an instruction and in the past tense."""

    do: str
    did: str


class SpokenWords(Struct, Generic[S, E], frozen=True):
    """The texts of a game for screen-reader mode, which has words instead of letters.

    * ``phrases`` maps each word for an action to its phrase: ``"x": Phrase("discard",
      "discarded")``. ``without_cards`` does the same for actions that name no cards although they
      could: ``"x": Phrase("stand pat", "stood pat")``.
    * ``question`` returns the question at a seat's turn, such as ``Check or bet?``.
    * ``lines`` returns the lines that report an event, or ``None`` for those of :class:`Words`.
    * ``position`` returns lines that describe everything a seat sees; by default, the moment and
      the hand of :class:`Words`.
    * ``answers`` maps ``yes`` and ``no`` to the words of the actions that answer a yes-or-no
      question.
    * ``names`` maps names that a player may type after a verb to those of the commands.
    """

    phrases: Mapping[str, Phrase] = field(default_factory=dict)
    without_cards: Mapping[str, Phrase] = field(default_factory=dict)
    question: Callable[[S, Seat], str] = lambda view, seat: ""
    lines: Callable[[E, Seat | None], tuple[str, ...] | None] = lambda event, seat: None
    answers: Mapping[str, str] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    position: Callable[[S, Seat], tuple[str, ...]] | None = None

    def describe(self, command: str, *, past: bool = False) -> str:
        """Return a command in a player's words: ``discard AC and 5C`` for ``x AC 5C``."""
        word, *rest = command.split() or [""]
        phrase = self.phrases.get(word, Phrase(word, word))
        if not rest:
            phrase = self.without_cards.get(word, phrase)
        return " ".join(filter(None, (phrase.did if past else phrase.do, list_words(rest))))

    def as_command(self, line: str) -> str:
        """Replace a phrase at the start of a typed line by its command.

        For example, ``discard 1 and 2`` becomes ``x 1 2``. A line that begins with no phrase is
        returned unchanged. The last word of a phrase is enough on its own, such as ``go``.
        """
        first, *rest = line.lower().replace(",", " ").split() or [""]
        for command, phrase in self.without_cards.items():
            if [first, *rest] == phrase.do.split():
                return command
        for command, phrase in self.phrases.items():
            words = phrase.do.split()
            if first == words[0] or (first == words[-1] and not rest):
                kept = [word for word in rest if word not in FILLERS and word not in words]
                return " ".join((command, *self._renamed(kept)))
        kept = [word for word in rest if word not in FILLERS]
        renamed = self._renamed(kept)
        return line if renamed == kept else " ".join((first, *renamed))

    def _renamed(self, words: list[str]) -> list[str]:
        """Replace names of one or two words by those of the commands."""
        renamed, rest = list[str](), words
        while rest:
            count = 2 if " ".join(rest[:2]) in self.names and len(rest) > 1 else 1
            name = " ".join(rest[:count])
            renamed.append(self.names.get(name, name))
            rest = rest[count:]
        return renamed


class Words(Struct, Generic[S, A, E, T], frozen=True):
    """A game's texts for the console and the screen; the functions return texts and print nothing.

    The first four fields are required. ``verbs`` maps each word for an action to its class, and
    ``questions`` maps each word for a question to its answer. ``help`` explains the rules, the
    stakes of the table and every word. ``lines`` returns the lines, if any, that report an event to
    a seat, or to a watcher (``None``).

    * ``refusal`` returns a line with the word and the reason for refusing a command, or "" if the
      general reason is enough.
    * ``prompt`` returns what a seat may do, for the console, or "" if the lines already say it.
    * ``number_verb`` is the verb that is implied if a player types only a number.
    * ``moment`` describes in a few words the state of an interrupted session: ``hand 14, call 20
      into 60``. ``hand`` describes the cards from which the seat has to choose.
    * ``cards_of`` returns the cards that an action names by position, given the seat's view before
      it; ``None`` for an action without cards.
    * ``spoken`` holds the texts that differ in screen-reader mode.
    * ``advice`` are the questions that are not answered where nobody is helped. ``tips`` matches
      the advice in lines and in the help, which is left out there.
    * ``seat_names`` are the names of the seats in the lines.
    """

    verbs: Mapping[str, Callable[..., A]]
    questions: Mapping[str, AnswerQuestion[S, T]]
    help: Callable[[S], str]
    lines: Callable[[E, Seat | None], tuple[str, ...]]
    refusal: Callable[[str, IllegalAction, S, Seat], str] = lambda word, refused, view, seat: ""
    prompt: Callable[[S, Seat], str] = lambda view, seat: ""
    number_verb: str | None = None
    moment: Callable[[S, Seat], str] = lambda view, seat: ""
    hand: Callable[[S, Seat], str] = lambda view, seat: ""
    cards_of: Callable[[S, Seat, A], Hand | None] = lambda view, seat, action: None
    spoken: SpokenWords[S, E] = field(default_factory=SpokenWords)
    advice: tuple[str, ...] = ("a",)
    tips: Pattern[str] | None = None
    seat_names: tuple[str, ...] = SEAT_NAMES

    def position(self, view: S, seat: Seat) -> tuple[str, ...]:
        """Return lines that describe everything a seat sees, for screen-reader mode."""
        if self.spoken.position is not None:
            return self.spoken.position(view, seat)
        return tuple(filter(None, (self.moment(view, seat), self.hand(view, seat))))
