"""The dialogue of the course's program: deal a hand, ask for discards, show all hands."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from ....engine.game import is_asked
from ....gamekit.table_setup import PrintLine
from ....house.seat_dialogue import Dialogue
from ....house.table_commands import HouseVerb, house_verb
from ....inputs.numbers import is_integer
from ..machine.rules import MOST_OPPONENTS, fault_of
from ..machine.state import HUMAN, Action, Discard, Event, Options, Phase, Play, State
from .tally import Tally
from .words import THANKS

HOW_MANY = f"How many computer opponents? (1-{MOST_OPPONENTS})"
WHICH = "List the card numbers you wish to discard, or 0 for none."

ABOUT = f"""\
Each computer opponent draws by a fixed algorithm; the best hand wins.
Type the number of opponents, from 1 to {MOST_OPPONENTS}, or q to leave."""
ABOUT_DISCARDS = """\
Type the numbers of the cards to discard, such as 1 3 5: up to three, or four if you keep an ace.
Type 0 or an empty line to keep all cards, or q to leave."""

DrawDialogue: TypeAlias = Dialogue[Options, State, Action, Event, Tally]


class DialogueLeft(Exception):
    """Raised when the player types a word that ends the dialogue."""


def ask_opponents(lines: Iterator[str], say: PrintLine) -> int | None:
    """Ask for the number of opponents until the answer is valid; return ``None`` if input ends.

    Raises :class:`DialogueLeft` if the player quits.
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
                say(f"{answer!r} is not a number from 1 to {MOST_OPPONENTS}.")
        say(HOW_MANY)
    return None


def course_dialogue(
    dialogue: DrawDialogue, lines: Iterator[str], say: PrintLine, warn: PrintLine
) -> None:
    """Play one hand; if the input ends, the player stands pat."""
    table = dialogue.table
    dialogue.listen()
    table.submit(dialogue.seat, Play())
    _print_events(dialogue, say)
    while is_asked(table.game.turn(table.state), HUMAN) and table.state.phase is Phase.DRAW:
        try:
            positions = _ask_discards(table.state, lines, say)
        except DialogueLeft:
            break
        table.submit(dialogue.seat, Discard(positions))
        _print_events(dialogue, say)
    say(THANKS)


def _print_events(dialogue: DrawDialogue, say: PrintLine) -> None:
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
            say(f"{wrong!r} is not a number; give numbers from 1 to 5, such as 1 3 5.")
        else:
            positions = tuple(sorted(int(word[:9]) for word in words))
            fault = fault_of(state.hands[HUMAN], positions)
            if fault is None:
                return positions
            say(f"{' '.join(words)}: {fault.value}.")
        say(WHICH)
    return ()
