"""The dialogue of the course's own program: deal a hand, ask for discards, show everything."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from .... import __version__
from ....engine.game import is_asked
from ....gamekit.table_setup import PrintLine
from ....house.command_reader import HouseVerb, house_verb
from ....house.dialogue import Dialogue
from ....inputs.numbers import is_integer
from ..machine.moves import Action, Discard, Event, Play
from ..machine.rules import MOST_OPPONENTS, fault_of
from ..machine.state import HUMAN, Options, Phase, State
from .tally import Tally

HOW_MANY = f"How many computer opponents? (1-{MOST_OPPONENTS})"
WHICH = "List the card numbers you wish to discard, or 0 for none."
THANKS = f"Thank you for playing five-card draw. This is TUI Casino {__version__}."

ABOUT = f"""\
Each computer draws against you by the algorithm of the course; the best hand wins.
Type how many of them shall play, from 1 to {MOST_OPPONENTS}; q leaves."""
ABOUT_DISCARDS = """\
Type the numbers of the cards that you throw away, like 1 3 5: up to three, or four to keep an ace.
0 or an empty line keeps all; q leaves."""

DrawDialogue: TypeAlias = Dialogue[Options, State, Action, Event, Tally]


class DialogueLeft(Exception):
    """The player would rather leave."""


def ask_opponents(lines: Iterator[str], say: PrintLine) -> int | None:
    """Ask how many opponents until the answer is a number that can be; ``None`` if none comes.

    Raises :class:`DialogueLeft` if the player would rather leave than play.
    """
    say(HOW_MANY)
    for line in lines:
        answer = line.strip()
        if is_integer(answer) and 1 <= int(answer[:9]) <= MOST_OPPONENTS:
            return int(answer)
        match house_verb(line, may_undo=False):
            case HouseVerb.LEAVE:
                raise DialogueLeft
            case HouseVerb.HELP:
                say(ABOUT)
            case _:
                say(f"{answer!r} is not 1 to {MOST_OPPONENTS}.")
        say(HOW_MANY)
    return None


def course_dialogue(
    dialogue: DrawDialogue, lines: Iterator[str], say: PrintLine, warn: PrintLine
) -> None:
    """Play one hand; where the lines end, the human stands pat."""
    table = dialogue.table
    dialogue.listen()
    table.submit(dialogue.seat, Play())
    _tell(dialogue, say)
    while is_asked(table.game.turn(table.state), HUMAN) and table.state.phase is Phase.DRAW:
        try:
            positions = _ask_discards(table.state, lines, say)
        except DialogueLeft:
            break
        table.submit(dialogue.seat, Discard(positions))
        _tell(dialogue, say)
    say(THANKS)


def _tell(dialogue: DrawDialogue, say: PrintLine) -> None:
    for line in dialogue.listen():
        say(line)


def _ask_discards(state: State, lines: Iterator[str], say: PrintLine) -> tuple[int, ...]:
    say(WHICH)
    for line in lines:
        words = line.split()
        if words in ([], ["0"]):
            return ()
        if house_verb(line, may_undo=False) is HouseVerb.LEAVE:
            raise DialogueLeft
        if house_verb(line, may_undo=False) is HouseVerb.HELP:
            say(ABOUT_DISCARDS)
            say(WHICH)
            continue
        wrong = next((word for word in words if not is_integer(word)), None)
        if wrong is not None:
            say(f"{wrong!r} is not a number: give numbers from 1 to 5, like 1 3 5.")
        else:
            positions = tuple(sorted(int(word[:9]) for word in words))
            fault = fault_of(state.hands[HUMAN], positions)
            if fault is None:
                return positions
            say(f"{' '.join(words)}: {fault.value}.")
        say(WHICH)
    return ()
