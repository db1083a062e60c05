"""Parse a typed line at a table: an action, a question, a house command or a refusal.

A line is read as an action of the seat, a question or a house command, or it is refused with a
reason. Its meaning depends only on the state of the table, not on the front-end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import Enum
from typing import Generic, TypeAlias

from msgspec import Struct

from ..engine.game import A, E, IllegalAction, O, Refusal, S, Seat, SittingOver, check_legal
from ..engine.offers import Offer
from ..gamekit.action_grammar import insert_space, parse_action, takes_arguments
from ..gamekit.definition import GameDefinition
from ..gamekit.tally import T
from ..gamekit.words import QuestionContext
from ..inputs.numbers import is_integer


class HouseVerb(Enum):
    """The commands that every table understands, regardless of the game."""

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
"""Commands that exist only at tables where choices may be undone."""
NOT_NOW = "not now; you can type "
NOT_YOUR_TURN = "it is not your turn"
"""Precedes the commands that a player in screen-reader mode may type instead."""


class ActionCommand(Struct, Generic[A], frozen=True):
    """A command with which the seat takes an action on offer."""

    action: A


class QuestionAnswer(Struct, frozen=True):
    """A question and the lines of its answer; answering it changes nothing."""

    word: str
    lines: tuple[str, ...]


class RefusedCommand(Struct, frozen=True):
    """A refused command: its first word, and a message with that word and the reason."""

    word: str
    reason: str


ReadCommand: TypeAlias = ActionCommand[A] | QuestionAnswer | RefusedCommand | HouseVerb


class CommandContext(Struct, Generic[O, S, A, E, T], frozen=True):
    """The context in which a line is read: a seat's view of a game, and its tally.

    ``may_undo`` is true if choices may be undone. ``prescribed`` is true for commands from an
    original course text: they are read exactly as written, and refused without a reason.
    """

    definition: GameDefinition[O, S, A, E, T]
    view: S
    seat: Seat
    tally: T
    may_undo: bool = False
    prescribed: bool = False

    @property
    def offers(self) -> tuple[Offer[A], ...]:
        """The offers of the seat."""
        return self.definition.game.offers(self.view, self.seat)


def read_command(
    line: str, context: CommandContext[O, S, A, E, T], check: Callable[[A], None] | None = None
) -> ReadCommand[A]:
    """Read a line of at least one word: an action, an answer, a refusal, or a house command.

    Case is ignored, except in prescribed commands. ``check`` raises :class:`IllegalAction` for an
    action that is not legal now; without it, the action is checked against the offers that the seat
    can see.
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
    """Return the house command that a line contains, ignoring case; ``None`` if there is none."""
    word = line.strip()
    verb = HOUSE_WORDS.get(word) or HOUSE_WORDS.get(word.lower())
    return verb if may_undo or verb not in UNDO_VERBS else None


def _completed(line: str, context: CommandContext[O, S, A, E, T]) -> str:
    """Expand short forms of a command: ``b5``, or only a number."""
    line, verb = (
        insert_space(line, context.definition.words.verbs),
        context.definition.words.number_verb,
    )
    return f"{verb} {line}" if verb is not None and is_integer(line.split()[0]) else line


def _answer(line: str, context: CommandContext[O, S, A, E, T]) -> QuestionAnswer:
    word, *rest = line.split()
    if rest:
        raise IllegalAction(Refusal.WORDS, f"type nothing after {word}")
    text = context.definition.words.questions[word](
        QuestionContext(context.view, context.seat, context.tally)
    )
    if text is None:
        raise IllegalAction(Refusal.MOMENT)
    return QuestionAnswer(word, tuple(text.split("\n")))


def refusal_line(word: str, refused: IllegalAction, context: CommandContext[O, S, A, E, T]) -> str:
    """Return why a command was refused: the game's reason, or a general one if there is none."""
    words = context.definition.words
    if text := words.refusal(word, refused, context.view, context.seat):
        return text
    match refused.kind:
        case Refusal.WORDS if word not in words.verbs and word not in words.questions:
            return f"there is no command {word!r}; type ? for help"
        case Refusal.WORDS if word in words.questions or not takes_arguments(words.verbs[word]):
            return f"{word}: type nothing after {word}"
        case Refusal.WORDS | Refusal.VALUE | Refusal.BARRED:
            return f"{word}: {refused.reason}"
    if possible := possible_words(context):
        return f"{word}: {NOT_NOW}{', '.join(possible)}"
    over = isinstance(context.definition.game.turn(context.view), SittingOver)
    return f"{word}: {'the game is over' if over else NOT_YOUR_TURN}"


def possible_words(context: CommandContext[O, S, A, E, T]) -> list[str]:
    """Return the commands of the actions on offer, in the game's order."""
    kinds: Iterable[object] = {offer.kind for offer in context.offers if offer.barred is None}
    return [word for word, kind in context.definition.words.verbs.items() if kind in kinds]
