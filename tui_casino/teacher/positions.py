"""Positions: a choice that somebody has to make, as text, and what each way to choose is worth.

One model for all games and for whatever a position comes from: a recorded mistake, a drill, cards
that were typed in. The state is written as :mod:`~..gamekit.notation` has it, as the seat saw it.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Generic, TypeAlias

from ..engine.game import A, E, O, S, Seat
from ..gamekit.adviser import Kind, Mistake
from ..gamekit.notation import state_of, text_of
from ..gamekit.parts import Parts
from ..gamekit.tally import T
from ..records.cache import Cache
from ..records.header import HUMAN
from ..records.playback import Playback
from ..records.replay import options_of
from ..records.slips import UNNAMED
from .lessons import Lesson


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

    parts: Parts[O, S, A, E, T]
    options: O
    seat: Seat
    players: tuple[str, ...]
    seen: S


AnyPosed: TypeAlias = Posed[Any, Any, Any, Any, Any]


def position(parts: Parts[O, S, A, E, T], options: O, seat: Seat, names: Any, seen: S) -> Position:
    """Write a position down. Raises as :func:`~..gamekit.notation.text_of`."""
    return Position(parts.game.slug, seat, tuple(names), text_of(options), text_of(seen))


def posed(parts: Parts[O, S, A, E, T], written: Position) -> Posed[O, S, A, E, T]:
    """Read a position. Raises :class:`~..inputs.errors.BadInput` for a text that is none."""
    options = state_of(written.options, parts.game.Options)
    start = parts.game.start(options)
    seen = state_of(written.state, type(start))
    return Posed(parts, options, Seat(written.seat), written.players, seen)


def of_lesson(parts: Parts[O, S, A, E, T], lesson: Lesson, cache: Cache) -> Position:
    """Give the position before a mistake, from its log.

    Raises :class:`~..inputs.files.BadFile` for a log that is gone or damaged meanwhile, and
    ``IndexError`` for one that is shorter now.
    """
    with Playback(parts, lesson.log, cache, judges=False) as recording:
        before = recording.at(lesson.step - 1).state
        options = options_of(parts.game, recording.log)
        seen = parts.game.view(before, recording.seat)
        return position(parts, options, recording.seat, recording.header.players, seen)


@dataclass(frozen=True, slots=True)
class Alternative(Generic[A]):
    """A way to choose: in words that name cards, its worth with the error of that, and its cost.

    Worth and cost are in the game's units; the cost of what is as good as the best is 0.
    """

    action: A
    words: str
    value: float
    error: float
    cost: float


@dataclass(frozen=True, slots=True)
class Verdict(Generic[A]):
    """What a choice was: all alternatives, the best first, the one that was chosen, and its kind.

    It is ``right`` if the game's judge knows nothing better. ``cost`` is what that judge says, as
    in the statistics, the replay and the list of mistakes.
    """

    rows: tuple[Alternative[A], ...]
    chosen: Alternative[A]
    right: bool
    cost: Fraction
    best: Alternative[A]
    kind: Kind


def weigh(at: Posed[O, S, A, E, T], action: A) -> Verdict[A] | None:
    """Judge a choice at a position; ``None`` where the game knows nothing of it.

    May take as long as the game's judge does: to be called off a screen's own thread.
    """
    adviser, seen, seat = at.parts.adviser, at.seen, at.seat
    worths = adviser.alternatives(seen, seat, action)
    if not worths or adviser.judge is None:
        return None
    mistake: Mistake[A] | None = adviser.judge(seen, seat, action)
    cost = Fraction(0) if mistake is None else mistake.cost
    better = action if mistake is None else mistake.better
    top = float(next((one.value for one in worths if one.action == better), worths[0].value))
    top = max(top, float(worths[0].value))
    rows = tuple(
        Alternative(
            one.action,
            at.parts.spoken(seen, seat, one.action),
            float(one.value),
            one.error,
            float(cost) if one.action == action else max(0.0, top - float(one.value)),
        )
        for one in worths
    )
    chosen = next(row for row in rows if row.action == action)
    best = next((row for row in rows if row.action == better), rows[0])
    if mistake is None:
        best = chosen
    kind = UNNAMED if adviser.kind is None else adviser.kind(seen, seat, action, better)
    return Verdict(rows, chosen, mistake is None, cost, best, kind)


def computers(at: AnyPosed) -> dict[Seat, str | None]:
    """Give the computer players' names by seat, ``None`` for humans."""
    return {Seat(n): None if who == HUMAN else who for n, who in enumerate(at.players)}
