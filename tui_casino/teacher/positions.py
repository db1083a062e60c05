"""Practice positions, and the judgement of choices in them.

All games use this model, whether a position comes from a recorded mistake, a drill, or typed cards.
"""

from __future__ import annotations

from typing import Any, Generic, TypeAlias

from msgspec import Struct

from ..engine.game import A, E, O, S, Seat
from ..gamekit.adviser import Decision, ValuesScope
from ..gamekit.definition import GameDefinition
from ..gamekit.tally import T
from ..records.cache import Cache
from ..records.log_header import HUMAN
from ..records.playback import Playback
from ..records.replay import log_options
from ..records.summaries import WrittenDecision


class PracticePosition(Struct, Generic[O, S, A, E, T], frozen=True):
    """A seat's choice at a table: the game, the table's options, and the state as the seat sees it.

    ``players`` are the names of the computer players by seat, or
    :data:`~..records.log_header.HUMAN`.
    """

    definition: GameDefinition[O, S, A, E, T]
    options: O
    seat: Seat
    players: tuple[str, ...]
    view: S


AnyPracticePosition: TypeAlias = PracticePosition[Any, Any, Any, Any, Any]


def position_before_mistake(
    definition: GameDefinition[O, S, A, E, T], mistake: WrittenDecision, cache: Cache
) -> PracticePosition[O, S, A, E, T]:
    """Read the position before a mistake from the log that contains the mistake.

    Raises :class:`~..inputs.files.BadFile` if the log is missing or damaged, and ``IndexError`` if
    the log no longer contains the step.
    """
    with Playback(definition, mistake.log, cache) as recording:
        before = recording.moment_at(mistake.step - 1).state
        options = log_options(definition.game, recording.log)
        view = definition.game.view(before, recording.seat)
        return PracticePosition(definition, options, recording.seat, recording.header.players, view)


def weigh_choice(at: PracticePosition[O, S, A, E, T], action: A) -> Decision[S, A] | None:
    """Judge a choice in a position and all alternatives; ``None`` if the game has no trainer.

    This may take a long time, so screens call it on another thread.
    """
    if not at.definition.adviser.has_judge:
        return None
    return at.definition.decision(at.view, at.seat, action, ValuesScope.OF_ALL)


def computer_names(at: AnyPracticePosition) -> dict[Seat, str | None]:
    """Return the computer players' names by seat, and ``None`` for humans."""
    return {Seat(n): None if who == HUMAN else who for n, who in enumerate(at.players)}
