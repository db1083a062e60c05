"""The number that the graph of a session shows: money, lead in points, or a game's own number."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic

from msgspec import Struct

from ..engine.game import S, Seat


class CurveMetric(Struct, Generic[S], frozen=True):
    """A number that a seat has after each step, and how to display it.

    ``value`` returns it from the seat's view, or ``None`` if it has not changed. It is divided by
    ``parts`` for display and followed by ``unit``. ``ends`` holds the number's minimum and maximum,
    if there are such limits. With ``by_rounds``, the number is read only when a round ends.
    """

    title: str
    value: Callable[[S, Seat], float | None]
    parts: int = 1
    unit: str = ""
    ends: tuple[float, float] | None = None
    by_rounds: bool = False
