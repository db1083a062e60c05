"""The steps of a log that a player looks for: a round begins, a bet is placed, a round is won."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from .walk import SeatStep


class Mark(StrEnum):
    """What can be looked for. A win is a round that brought back more than was bet on it."""

    ROUND = "round"
    BET = "bet"
    WIN = "win"


@dataclass(slots=True)
class Marks:
    """The steps at which rounds begin, the seat bets and wins; each list rises."""

    round: list[int] = field(default_factory=list)
    bet: list[int] = field(default_factory=list)
    win: list[int] = field(default_factory=list)

    def of(self, mark: Mark) -> list[int]:
        """Return the steps of one kind."""
        steps: list[int] = getattr(self, mark.value)
        return steps

    def after(self, mark: Mark, step: int) -> int | None:
        """Return the first step of a kind after another; ``None`` if there is none."""
        steps = self.of(mark)
        place = bisect_right(steps, step)
        return steps[place] if place < len(steps) else None

    def before(self, mark: Mark, step: int) -> int | None:
        """Return the last step of a kind before another; ``None`` if there is none."""
        steps = self.of(mark)
        place = bisect_left(steps, step)
        return steps[place - 1] if place else None

    def add(self, seen: SeatStep[Any, Any, Any, Any]) -> None:
        """Mark a step."""
        step = seen.played.line.n
        if seen.bet:
            self.bet.append(step)
        if seen.ended is not None:
            self.round.append(step + 1)
            if seen.ended.won > seen.ended.wagered:
                self.win.append(step)

    def extend(self, more: Marks) -> None:
        """Add the marks of later steps."""
        for mark in Mark:
            self.of(mark).extend(more.of(mark))
