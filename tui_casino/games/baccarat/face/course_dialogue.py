"""The dialogue that the course text prescribes: play a coup, then ask whether to play another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import count
from types import MappingProxyType
from typing import TypeAlias

from ....gamekit.table_setup import PrintLine
from ....house.seat_dialogue import Dialogue
from ....records.codec import ascii_json
from ..machine.rules import COUP_CARDS, Options, value_of
from ..machine.state import Action, Event, Play, State, contains_at_least
from .tally import Tally

QUESTION = "Play another coup? (y/n)"
ANSWERS: Mapping[str, bool] = MappingProxyType({"y": True, "yes": True, "n": False, "no": False})
"""The accepted answers, in any case of letters; after any other, the question is repeated."""

CoupDialogue: TypeAlias = Dialogue[Options, State, Action, Event, Tally]


def course_dialogue(
    dialogue: CoupDialogue,
    lines: Iterator[str],
    say: PrintLine,
    warn: PrintLine,
    *,
    as_json: bool,
    yes: bool,
) -> None:
    """Play coups until the shoe has too few cards, the answer is no, or the input ends.

    With ``yes``, continue without asking. With ``as_json``, print one object per coup and ask on
    standard error instead.
    """
    table = dialogue.table
    dialogue.listen()  # skips the messages about the new shoe
    for number in count(1):
        if not contains_at_least(table.state, COUP_CARDS):
            warn("there are not enough cards for another coup")
            return
        table.submit(dialogue.seat, Play())
        messages = dialogue.listen()
        for line in [_object(number, table.state)] if as_json else messages:
            say(line)
        if not contains_at_least(table.state, COUP_CARDS):
            return
        if not yes and not _another(lines, warn if as_json else say):
            return


def _another(lines: Iterator[str], ask: PrintLine) -> bool:
    ask(QUESTION)
    for line in lines:
        if (answer := line.strip().lower()) in ANSWERS:
            return ANSWERS[answer]
        ask(QUESTION)
    return False


def _object(number: int, state: State) -> str:
    player, banker = state.player, state.banker
    coup = {
        "coup": number,
        "player": [str(card) for card in player.cards],
        "banker": [str(card) for card in banker.cards],
        "player_total": value_of(player),
        "banker_total": value_of(banker),
        "outcome": str(state.coups[-1].outcome),
    }
    return ascii_json(coup)
