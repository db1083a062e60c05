"""Practice positions as text, and the value of each choice there.

One model for all games and for whatever a position comes from: a recorded mistake, a drill, cards
that were typed in. The state is written as :mod:`~..gamekit.notation` has it, as the seat saw it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, TypeAlias

from ..engine.game import A, E, O, S, Seat
from ..gamekit.adviser import Decision, ValuesScope
from ..gamekit.definition import GameDefinition
from ..gamekit.notation import read_notation, write_notation
from ..gamekit.tally import T
from ..records.cache import Cache
from ..records.log_header import HUMAN
from ..records.playback import Playback
from ..records.replay import log_options
from ..records.summaries import WrittenDecision


@dataclass(frozen=True, slots=True)
class WrittenPosition:
    """A choice of a seat at a game's table, told by texts alone.

    ``players`` are the names of the computer players by seat, :data:`~..records.log_header.HUMAN`
    for humans; ``options`` and ``state`` are lines of the notation, the state as the seat sees it.
    """

    game: str
    seat: int
    players: tuple[str, ...]
    options: str
    state: str


@dataclass(frozen=True, slots=True)
class OpenPosition(Generic[O, S, A, E, T]):
    """A position, read: the game, the table's options, who sits where, and what the seat sees."""

    definition: GameDefinition[O, S, A, E, T]
    options: O
    seat: Seat
    players: tuple[str, ...]
    view: S


AnyOpenPosition: TypeAlias = OpenPosition[Any, Any, Any, Any, Any]


def write_position(
    definition: GameDefinition[O, S, A, E, T], options: O, seat: Seat, names: Any, view: S
) -> WrittenPosition:
    """Write a position down. Raises as :func:`~..gamekit.notation.text_of`."""
    return WrittenPosition(
        definition.game.slug, seat, tuple(names), write_notation(options), write_notation(view)
    )


def read_position(
    definition: GameDefinition[O, S, A, E, T], written: WrittenPosition
) -> OpenPosition[O, S, A, E, T]:
    """Read a position. Raises :class:`~..inputs.errors.BadInput` for a text that is none."""
    options = read_notation(written.options, definition.game.Options)
    start = definition.game.start(options)
    view = read_notation(written.state, type(start))
    return OpenPosition(definition, options, Seat(written.seat), written.players, view)


def position_before_mistake(
    definition: GameDefinition[O, S, A, E, T], mistake: WrittenDecision, cache: Cache
) -> WrittenPosition:
    """Return the position before a mistake, from its log.

    Raises :class:`~..inputs.files.BadFile` if the log is missing or damaged, and ``IndexError`` if
    it has become shorter.
    """
    with Playback(definition, mistake.log, cache) as recording:
        before = recording.moment_at(mistake.step - 1).state
        options = log_options(definition.game, recording.log)
        view = definition.game.view(before, recording.seat)
        return write_position(definition, options, recording.seat, recording.header.players, view)


def weigh_choice(at: OpenPosition[O, S, A, E, T], action: A) -> Decision[S, A] | None:
    """Weigh a choice at a position, with all alternatives; ``None`` if the game cannot.

    It may take long, so screens call it off the loop.
    """
    if not at.definition.adviser.has_judge:
        return None
    return at.definition.decision(at.view, at.seat, action, ValuesScope.OF_ALL)


def computer_names(at: AnyOpenPosition) -> dict[Seat, str | None]:
    """Give the computer players' names by seat, ``None`` for humans."""
    return {Seat(n): None if who == HUMAN else who for n, who in enumerate(at.players)}
