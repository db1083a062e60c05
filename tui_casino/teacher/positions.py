"""Practice positions as text, and the judgement of choices in them.

All games use this model, whether a position comes from a recorded mistake, a drill, or typed cards.
The state is written as the seat sees it, in the notation of
:mod:`~..gamekit.position_notation`.
"""

from __future__ import annotations

from typing import Any, Generic, TypeAlias

from msgspec import Struct

from ..engine.game import A, E, O, S, Seat
from ..gamekit.adviser import Decision, ValuesScope
from ..gamekit.definition import GameDefinition
from ..gamekit.position_notation import read_notation, write_notation
from ..gamekit.tally import T
from ..records.cache import Cache
from ..records.log_header import HUMAN
from ..records.playback import Playback
from ..records.replay import log_options
from ..records.summaries import WrittenDecision


class WrittenPosition(Struct, frozen=True):
    """A seat's choice at a table, written as texts.

    ``players`` are the names of the computer players by seat, or
    :data:`~..records.log_header.HUMAN`; ``options`` and ``state`` are lines of the notation, the
    state as the seat sees it.
    """

    game: str
    seat: int
    players: tuple[str, ...]
    options: str
    state: str


class OpenPosition(Struct, Generic[O, S, A, E, T], frozen=True):
    """A parsed position: the game, the table's options, the players, and the seat's view."""

    definition: GameDefinition[O, S, A, E, T]
    options: O
    seat: Seat
    players: tuple[str, ...]
    view: S


AnyOpenPosition: TypeAlias = OpenPosition[Any, Any, Any, Any, Any]


def write_position(
    definition: GameDefinition[O, S, A, E, T], options: O, seat: Seat, names: Any, view: S
) -> WrittenPosition:
    """Write a position as text; raises the errors of :func:`write_notation`."""
    return WrittenPosition(
        definition.game.slug, seat, tuple(names), write_notation(options), write_notation(view)
    )


def read_position(
    definition: GameDefinition[O, S, A, E, T], written: WrittenPosition
) -> OpenPosition[O, S, A, E, T]:
    """Parse a position. Raises :class:`~..inputs.errors.BadInput` for invalid texts."""
    options = read_notation(written.options, definition.game.Options)
    start = definition.game.start(options)
    view = read_notation(written.state, type(start))
    return OpenPosition(definition, options, Seat(written.seat), written.players, view)


def position_before_mistake(
    definition: GameDefinition[O, S, A, E, T], mistake: WrittenDecision, cache: Cache
) -> WrittenPosition:
    """Read the position before a mistake from the log that contains the mistake.

    Raises :class:`~..inputs.files.BadFile` if the log is missing or damaged, and ``IndexError`` if
    the log no longer contains the step.
    """
    with Playback(definition, mistake.log, cache) as recording:
        before = recording.moment_at(mistake.step - 1).state
        options = log_options(definition.game, recording.log)
        view = definition.game.view(before, recording.seat)
        return write_position(definition, options, recording.seat, recording.header.players, view)


def weigh_choice(at: OpenPosition[O, S, A, E, T], action: A) -> Decision[S, A] | None:
    """Judge a choice in a position and all alternatives; ``None`` if the game has no trainer.

    This may take a long time, so screens call it on another thread.
    """
    if not at.definition.adviser.has_judge:
        return None
    return at.definition.decision(at.view, at.seat, action, ValuesScope.OF_ALL)


def computer_names(at: AnyOpenPosition) -> dict[Seat, str | None]:
    """Return the computer players' names by seat, and ``None`` for humans."""
    return {Seat(n): None if who == HUMAN else who for n, who in enumerate(at.players)}
