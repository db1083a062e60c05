"""What the hands of a seat came to at this table, and how well it counted them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from ....engine.game import Seat
from ....tui.widgets.meters import Meter
from ..brains.par import PLAYED
from ..machine.moves import HandCounted, RoundPart, Scored
from ..machine.rules import points_of
from ..machine.state import GameForm, Options


@dataclass(frozen=True, slots=True)
class HandCounts:
    """Hands without cribs and what they scored; own counts, those right, and points missed."""

    hands: int = 0
    points: int = 0
    counts: int = 0
    right: int = 0
    missed: int = 0

    def with_hand(self, counted: HandCounted, me: Seat | None, crib: bool) -> HandCounts:
        """Give the counts with a hand that was counted; another's changes nothing."""
        if counted.seat != me:
            return self
        worth, counts = points_of(counted.scores), self
        if not crib:
            counts = replace(counts, hands=counts.hands + 1)
        if counted.said is None:
            return counts
        return replace(
            counts,
            counts=counts.counts + 1,
            right=counts.right + (counted.said == worth),
            missed=counts.missed + max(0, worth - counted.said),
        )

    def with_points(self, scored: Scored, me: Seat | None) -> HandCounts:
        """Give the counts with points of a hand; the last one of a game may score less than all."""
        if scored.seat != me or scored.part is not RoundPart.HAND:
            return self
        return replace(self, points=self.points + scored.points)

    def meters(self, options: Options) -> Iterator[Meter]:
        """Give the average of the hands in a game, beside its par; and the counts."""
        if self.counts:
            yield Meter("counted right", str(self.right), "", f"of {self.counts}")
            yield Meter("given away", str(self.missed), "bad" if self.missed else "")
        elif options.form is GameForm.GAME and self.hands:
            average = f"{self.points / self.hands:.1f}"
            yield Meter("average hand", average, "", f"par {PLAYED['hand']:.1f}")
