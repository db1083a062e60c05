"""Positions: a choice that somebody has to make, as text, and what each way to choose is worth.

One model for all games and for whatever a position comes from: a recorded mistake, a drill, cards
that were typed in. The state is written as :mod:`~..gamekit.notation` has it, as the seat saw it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, TypeAlias

from ..engine.game import A, E, O, S, Seat
from ..gamekit.adviser import Decision, Values
from ..gamekit.definition import GameDefinition
from ..gamekit.notation import state_of, text_of
from ..gamekit.tally import T
from ..records.cache import Cache
from ..records.header import HUMAN
from ..records.playback import Playback
from ..records.replay import options_of
from ..records.summaries import WrittenDecision


@dataclass(frozen=True, slots=True)
class Position:
    """A choice of a seat at a game's table, told by texts alone.

    ``players`` are the names of the computer players by seat, :data:`~..records.header.HUMAN` for
    humans; ``options`` and ``state`` are lines of the notation, the state as the seat sees it.
    """

    game: str
    seat: int
    players: tuple[str, ...]
    options: str
    state: str


@dataclass(frozen=True, slots=True)
class Posed(Generic[O, S, A, E, T]):
    """A position, read: the game, the table's options, who sits where, and what the seat sees."""

    definition: GameDefinition[O, S, A, E, T]
    options: O
    seat: Seat
    players: tuple[str, ...]
    seen: S


AnyPosed: TypeAlias = Posed[Any, Any, Any, Any, Any]


def position(
    definition: GameDefinition[O, S, A, E, T], options: O, seat: Seat, names: Any, seen: S
) -> Position:
    """Write a position down. Raises as :func:`~..gamekit.notation.text_of`."""
    return Position(definition.game.slug, seat, tuple(names), text_of(options), text_of(seen))


def posed(definition: GameDefinition[O, S, A, E, T], written: Position) -> Posed[O, S, A, E, T]:
    """Read a position. Raises :class:`~..inputs.errors.BadInput` for a text that is none."""
    options = state_of(written.options, definition.game.Options)
    start = definition.game.start(options)
    seen = state_of(written.state, type(start))
    return Posed(definition, options, Seat(written.seat), written.players, seen)


def of_mistake(
    definition: GameDefinition[O, S, A, E, T], mistake: WrittenDecision, cache: Cache
) -> Position:
    """Return the position before a mistake, from its log.

    Raises :class:`~..inputs.files.BadFile` if the log is missing or damaged, and ``IndexError`` if
    it has become shorter.
    """
    with Playback(definition, mistake.log, cache) as recording:
        before = recording.at(mistake.step - 1).state
        options = options_of(definition.game, recording.log)
        seen = definition.game.view(before, recording.seat)
        return position(definition, options, recording.seat, recording.header.players, seen)


def weigh(at: Posed[O, S, A, E, T], action: A) -> Decision[S, A] | None:
    """Weigh a choice at a position, with all alternatives; ``None`` if the game cannot.

    It may take long, so screens call it off the loop.
    """
    if not at.definition.adviser.judges:
        return None
    return at.definition.decision(at.seen, at.seat, action, Values.OF_ALL)


def computers(at: AnyPosed) -> dict[Seat, str | None]:
    """Give the computer players' names by seat, ``None`` for humans."""
    return {Seat(n): None if who == HUMAN else who for n, who in enumerate(at.players)}
