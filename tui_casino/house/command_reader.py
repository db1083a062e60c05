"""Parse a typed line at a table: an action, a question, a house word or a refusal.

A line is an act of the seat, a question that is answered, a word for the house, or refused with a
reason. What it means depends on the moment alone, not on who reads it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Generic, TypeAlias

from ..engine.game import A, E, IllegalAction, O, Refusal, S, Seat, SittingOver, check_legal
from ..engine.offers import Offer
from ..gamekit.action_grammar import insert_space, parse_action, takes_arguments
from ..gamekit.definition import GameDefinition
from ..gamekit.tally import T
from ..gamekit.words import QuestionContext
from ..inputs.numbers import is_integer


class HouseVerb(Enum):
    """Words that every table understands, whatever is played there."""

    HELP = "help"
    LEAVE = "leave"
    BACK = "back"
    COMPARE = "compare"


HOUSE_WORDS = {
    "?": HouseVerb.HELP,
    "help": HouseVerb.HELP,
    "q": HouseVerb.LEAVE,
    "quit": HouseVerb.LEAVE,
    "u": HouseVerb.BACK,
    "U": HouseVerb.COMPARE,
}
UNDO_VERBS = (HouseVerb.BACK, HouseVerb.COMPARE)
"""Understood only where choices may be taken back."""
NOT_NOW = "not now; possible now: "
"""Before the words that a line-by-line player may type instead."""


@dataclass(frozen=True, slots=True)
class ActionCommand(Generic[A]):
    """The seat does something that is on offer."""

    action: A


@dataclass(frozen=True, slots=True)
class QuestionAnswer:
    """A question by its word, and what is said to it; nothing has changed."""

    word: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RefusedCommand:
    """Nothing was done: which word was refused, and why, in a line that names the word."""

    word: str
    reason: str


ReadCommand: TypeAlias = ActionCommand[A] | QuestionAnswer | RefusedCommand | HouseVerb


@dataclass(frozen=True, slots=True)
class CommandContext(Generic[O, S, A, E, T]):
    """The moment at which a line is read: a seat's view of a game, and what it has counted.

    ``may_undo`` tells whether choices may be taken back. ``prescribed`` is for words that a
    source prescribes: they are read as they are written, and refused without a reason.
    """

    definition: GameDefinition[O, S, A, E, T]
    view: S
    seat: Seat
    tally: T
    may_undo: bool = False
    prescribed: bool = False

    @property
    def offers(self) -> tuple[Offer[A], ...]:
        """What the seat may do."""
        return self.definition.game.offers(self.view, self.seat)


def read_command(
    line: str, context: CommandContext[O, S, A, E, T], check: Callable[[A], None] | None = None
) -> ReadCommand[A]:
    """Read a line of at least a word: an act on offer, an answer, a refusal, or a house word.

    Capitals are read as small letters, but for prescribed words. ``check`` raises
    :class:`IllegalAction` for an action that is not legal now; without it the action is checked
    against the offers in view.
    """
    words = context.definition.words
    if not context.prescribed:
        if house := house_verb(line, may_undo=context.may_undo):
            return house
        line = _completed(line.lower(), context)
    word = line.split()[0]
    try:
        if word in words.questions:
            return _answer(line, context)
        action = parse_action(line, words.verbs, context.offers)
        if check is None:
            check_legal(context.definition.game, context.view, context.seat, action)
        else:
            check(action)
    except IllegalAction as refused:
        return RefusedCommand(word, refusal_line(word, refused, context))
    return ActionCommand(action)


def house_verb(line: str, *, may_undo: bool) -> HouseVerb | None:
    """Read a word for the house, in capitals or not; ``None`` if the line is for the game."""
    word = line.strip()
    verb = HOUSE_WORDS.get(word) or HOUSE_WORDS.get(word.lower())
    return verb if may_undo or verb not in UNDO_VERBS else None


def _completed(line: str, context: CommandContext[O, S, A, E, T]) -> str:
    """Write out what is short for a command: ``b5``, or a number alone."""
    line, verb = (
        insert_space(line, context.definition.words.verbs),
        context.definition.words.number_verb,
    )
    return f"{verb} {line}" if verb is not None and is_integer(line.split()[0]) else line


def _answer(line: str, context: CommandContext[O, S, A, E, T]) -> QuestionAnswer:
    word, *rest = line.split()
    if rest:
        raise IllegalAction(Refusal.WORDS, "it takes no further words")
    text = context.definition.words.questions[word](
        QuestionContext(context.view, context.seat, context.tally)
    )
    if text is None:
        raise IllegalAction(Refusal.MOMENT)
    return QuestionAnswer(word, tuple(text.split("\n")))


def refusal_line(word: str, refused: IllegalAction, context: CommandContext[O, S, A, E, T]) -> str:
    """Say why a word was refused: as the game has it, or else as it is said at every table."""
    words = context.definition.words
    if text := words.refusal(word, refused, context.view, context.seat):
        return text
    match refused.kind:
        case Refusal.WORDS if word not in words.verbs and word not in words.questions:
            return f"there is no command {word!r}; ? helps"
        case Refusal.WORDS if word in words.questions or not takes_arguments(words.verbs[word]):
            return f"{word}: takes no further words"
        case Refusal.WORDS | Refusal.VALUE | Refusal.BARRED:
            return f"{word}: {refused.reason}"
    if possible := possible_words(context):
        return f"{word}: {NOT_NOW}{', '.join(possible)}"
    over = isinstance(context.definition.game.turn(context.view), SittingOver)
    return f"{word}: {'the game is over' if over else 'it is not your turn'}"


def possible_words(context: CommandContext[O, S, A, E, T]) -> list[str]:
    """List the verbs of what may be done now, in the game's order."""
    kinds: Iterable[object] = {offer.kind for offer in context.offers if offer.barred is None}
    return [word for word, kind in context.definition.words.verbs.items() if kind in kinds]
