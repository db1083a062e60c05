"""The steps of a log that a player can search for: a new round, a bet, a win."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from enum import StrEnum
from typing import Any

from msgspec import Struct, field

from .seat_steps import SeatStep


class ReplayMark(StrEnum):
    """The kinds of marks. A win is a round that paid more than the bets made in it."""

    ROUND = "round"
    BET = "bet"
    WIN = "win"


class MarkIndex(Struct):
    """The steps at which rounds begin and at which the seat bets and wins, in ascending order."""

    round: list[int] = field(default_factory=list)
    bet: list[int] = field(default_factory=list)
    win: list[int] = field(default_factory=list)

    def of(self, mark: ReplayMark) -> list[int]:
        """Return the steps of one kind."""
        steps: list[int] = getattr(self, mark.value)
        return steps

    def after(self, mark: ReplayMark, step: int) -> int | None:
        """Return the first step of a kind after ``step``; ``None`` if there is none."""
        steps = self.of(mark)
        place = bisect_right(steps, step)
        return steps[place] if place < len(steps) else None

    def before(self, mark: ReplayMark, step: int) -> int | None:
        """Return the last step of a kind before ``step``; ``None`` if there is none."""
        steps = self.of(mark)
        place = bisect_left(steps, step)
        return steps[place - 1] if place else None

    def add(self, step: SeatStep[Any, Any, Any, Any]) -> None:
        """Add the marks of the next step."""
        n = step.played.line.n
        if step.bet:
            self.bet.append(n)
        if step.ended is not None:
            self.round.append(n + 1)
            if step.ended.won > step.ended.wagered:
                self.win.append(n)

    def extend(self, other: MarkIndex) -> None:
        """Add the marks of later steps."""
        for mark in ReplayMark:
            self.of(mark).extend(other.of(mark))
