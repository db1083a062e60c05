"""The number that the graph of a session shows: money, points ahead, or a game's own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic

from ..engine.game import S, Seat


@dataclass(frozen=True, slots=True)
class CurveMetric(Generic[S]):
    """A number that a seat has after a step, and how it is told.

    ``value`` gives it from the seat's view; ``None`` where nothing new is known: the one before
    stands. It is told in ``parts`` of it, with the ``unit`` behind. ``ends`` are the least and the
    greatest it can be, where it has such. One ``by_rounds`` is only looked at when a round ends.
    """

    title: str
    value: Callable[[S, Seat], float | None]
    parts: int = 1
    unit: str = ""
    ends: tuple[float, float] | None = None
    by_rounds: bool = False
