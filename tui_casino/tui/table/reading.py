"""A recorded sitting at which a game's own screen can sit: it shows, and nobody can play."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...engine.chance import Origin
from ...engine.game import Shoe, asks
from ...engine.offers import Dice
from ...engine.table import Table
from ...gamekit.grammar import command_of
from ...gamekit.words import Question
from ...house.dialogue import Dialogue
from ...house.lobby import AnyParts
from ...records.playback import Moment, Recording, heard
from ...records.replay import table_of

ADVICE = "a"
"""The question that every game's adviser answers."""


@dataclass(frozen=True, slots=True)
class Sealed:
    """Says where a recorded shuffle came from, and gives no chance."""

    origin: Origin
    seed: None = None

    def dice(self, occasion: str, /) -> Dice:
        """Refuse: nothing is dealt from a recording. Raises ``RuntimeError``."""
        raise RuntimeError(f"no dice for {occasion}: this table is only shown")


class Reading:
    """Stands in for a sitting on a screen that shows a recording.

    Its table has the state of the moment that is shown, its dialogue the tally.
    """

    lent = 0
    staked = takes_back = practice = False

    def __init__(self, recording: Recording[Any, Any, Any, Any]) -> None:
        """Sit down at the beginning. Raises :class:`~tui_casino.inputs.files.BadFile`."""
        self.parts: AnyParts = recording.parts
        source = Sealed(recording.header.source)
        self.table: Table[Any, Any, Any, Any] = table_of(self.parts, recording.log, source)
        self.dialogue = Dialogue(self.table, self.parts, recording.seat)

    def turn_to(self, moment: Moment[Any, Any, Any]) -> None:
        """Show another moment."""
        self.table.state, self.dialogue.tally = moment.state, moment.tally

    @property
    def cents(self) -> int:
        """What the seat has at this moment, free and staked, in cents."""
        money = self.parts.game.money(self.table.state, self.dialogue.seat)
        return self.parts.game.unit * (money.free + money.staked)

    def advice(self, moment: Moment[Any, Any, Any]) -> list[str]:
        """Ask the game's adviser what the seat should do next; nothing where it may do nothing."""
        game, seat = self.parts.game, self.dialogue.seat
        answer = self.parts.words.questions.get(ADVICE)
        if answer is None or not asks(game.turn(moment.state), seat):
            return []
        said = answer(Question(game.view(moment.state, seat), seat, moment.tally))
        return [] if said is None else said.split("\n")

    def deed(self, moment: Moment[Any, Any, Any]) -> str:
        """Say in a few words what was done at a step; not what the seat could not see."""
        seat = self.dialogue.seat
        said = "; ".join(heard(self.parts, seat, moment))
        if moment.action is None:
            return "the beginning"
        if moment.by is None:
            return said or ("a new shoe" if isinstance(moment.action, Shoe) else "a card is dealt")
        if moment.by != seat:
            return said or f"seat {moment.by} has acted"
        return f"you: {command_of(moment.action, self.parts.words.verbs)}"
