"""Debug mode: run commands from one file on cards from another, with the course's output."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ....cards.card import Card
from ....engine.chance import SeededSource
from ....engine.croupier import FixedShoe
from ....engine.table import Table
from ....house.seat_dialogue import Dialogue
from ....inputs.numbers import is_integer
from ....structs import replace
from .. import DEFINITION
from ..machine.game import PLAYER, Options
from . import words

WORDS = replace(words.WORDS, refusal=words.course_refusal)


_TAKE_NUMBERS = ("b", "h")


def split_commands(words: Sequence[str]) -> Iterator[list[str]]:
    """Split words into commands; whole numbers after ``b`` or ``h`` belong to that command."""
    command: list[str] = []
    for word in words:
        if command and command[0] in _TAKE_NUMBERS and is_integer(word):
            command.append(word)
            continue
        if command:
            yield command
        command = [word]
    if command:
        yield command


def command_outputs(words: Sequence[str], cards: Sequence[Card], options: Options) -> Iterator[str]:
    """Play the commands; yield the echo and the answer of each, without a final newline."""
    no_chance = SeededSource(0)  # never used: the cards are given and nobody rolls dice
    table = Table(DEFINITION.game, options, FixedShoe(cards), no_chance, {PLAYER: None})
    dialogue = Dialogue(table, replace(DEFINITION, words=WORDS), PLAYER, prescribed=True)
    for command in split_commands(words):
        line = " ".join(command)
        yield "\n".join([f"-cmd {line}", *dialogue.answer(line)])
