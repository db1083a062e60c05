"""A recorded sitting at which a game's own screen can sit: it shows, and nobody can play."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from enum import Enum
from typing import Any

from ...chance import Origin
from ...core import Dice, Shoe
from ...dialogue import Dialogue
from ...lobby import AnyParts
from ...records.recording import Moment, Recording
from ...records.replay import table_of
from ...table import Table


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
    staked = takes_back = False

    def __init__(self, recording: Recording[Any, Any, Any, Any]) -> None:
        """Sit down at the beginning. Raises :class:`~tui_casino.files.BadFile`."""
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

    def lines(self, moment: Moment[Any, Any, Any]) -> list[str]:
        """Say what the seat heard at a step."""
        seat, game, words = self.dialogue.seat, self.parts.game, self.parts.words
        heard = (game.hear(moment.state, event, seat) for event in moment.events)
        return [line for event in heard for line in words.lines(event, seat)]

    def deed(self, moment: Moment[Any, Any, Any]) -> str:
        """Say in a few words what was done at a step; not what the seat could not see."""
        seat = self.dialogue.seat
        said = "; ".join(self.lines(moment))
        if moment.action is None:
            return "the beginning"
        if moment.by is None:
            return said or ("a new shoe" if isinstance(moment.action, Shoe) else "a card is dealt")
        if moment.by != seat:
            return said or f"seat {moment.by} has acted"
        return f"you: {typed(moment.action, self.parts.words.verbs)}"


def typed(action: object, verbs: dict[str, Callable[..., Any]] | Any) -> str:
    """Write an action as the command that would be typed for it."""
    word = next((word for word, kind in verbs.items() if kind is type(action)), "")
    values = (getattr(action, field.name) for field in fields(action))  # type: ignore[arg-type]
    return " ".join([word or type(action).__name__, *filter(None, map(_in_words, values))])


def _in_words(value: object) -> str:
    if isinstance(value, tuple):
        return " ".join(map(_in_words, value))
    return str(value.value if isinstance(value, Enum) else value)
