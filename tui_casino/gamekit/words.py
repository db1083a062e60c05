"""The texts of a game: its commands, questions, help and messages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Generic

from ..cards.card import Hand
from ..engine.game import A, E, IllegalAction, S, Seat
from .tally import T

SEAT_NAMES = ("North", "South", "East", "West")
"""The default names, by seat, of players who share a keyboard."""


@dataclass(frozen=True, slots=True)
class QuestionContext(Generic[S, T]):
    """The view, seat and tally from which a question is answered."""

    view: S
    seat: Seat
    tally: T


AnswerQuestion = Callable[[QuestionContext[S, T]], str | None]
"""Returns the answer to a question, or ``None`` if it cannot be asked now; it changes nothing."""


@dataclass(frozen=True, slots=True)
class Words(Generic[S, A, E, T]):
    """A game's texts for the console and the screen; the functions return texts and print nothing.

    The first four fields are required. ``verbs`` maps each word for an action to its class, and
    ``questions`` maps each word for a question to its answer. ``help`` explains the rules, the
    stakes of the table and every word. ``lines`` returns the lines that report an event to a seat,
    or for ``None`` to a watcher; it may return none.

    * ``refusal`` returns a line that names the word and the reason for refusing a command, or "" if
      the general reason is enough.
    * ``prompt`` returns what a seat may do, for the console, or "" if the lines have said it.
    * ``number_verb`` is the verb that is meant by a number without a verb.
    * ``moment`` describes in a few words the state of an interrupted session: ``hand 14, call 20
      into 60``. ``hand`` describes the cards from which the seat has to choose.
    * ``cards_of`` returns the cards that an action names by position, given the seat's view before
      it; ``None`` for an action that names no cards.
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
