"""The words of a game: its commands, questions, help and messages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Generic

from ..cards.card import Hand
from ..engine.game import A, E, IllegalAction, S, Seat
from .tally import T

SEAT_NAMES = ("North", "South", "East", "West")
"""The names of players, by seat, who have no other: those who share a keyboard."""


@dataclass(frozen=True, slots=True)
class QuestionContext(Generic[S, T]):
    """What a question of a seat is answered from."""

    view: S
    seat: Seat
    tally: T


AnswerQuestion = Callable[[QuestionContext[S, T]], str | None]
"""Answers a question, which changes nothing; ``None`` if it cannot be asked at this moment."""


@dataclass(frozen=True, slots=True)
class Words(Generic[S, A, E, T]):
    """How a game is spoken with, on the console and the screen: text only, nothing prints.

    The first four are required: ``verbs`` are the words that act, each with its kind of action, and
    ``questions`` those that ask. ``help`` explains every word, with the rules in short and the
    stakes of this table. ``lines`` says what happened to a seat, or to a watcher for ``None``;
    nothing if it is not worth a line.

    * ``refusal`` says to a seat why its command was refused, in a line that names the word. Nothing
      where the general reason is enough.
    * ``prompt`` says to a seat what it may do, for the console; nothing where lines have said it.
    * ``number_verb`` is the verb that a number alone stands for.
    * ``moment`` says to a seat in a few words where an interrupted session stands: ``hand 14, call
      20 into 60``. ``hand`` says what it holds and has to choose from.
    * ``cards_of`` returns the cards that an action names by their positions, given the seat's view
      before it; ``None`` for an action that names none.
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
