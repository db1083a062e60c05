"""The points of a seat's hands at this table, and how well the player counted them."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ....engine.game import Seat
from ....structs import replace
from ....tui.widgets.meters import Meter
from ..brains.par import PLAYED
from ..machine.moves import HandCounted, RoundPart, Scored
from ..machine.rules import points_of
from ..machine.state import GameForm, Options


class CountingStatistics(Struct, frozen=True):
    """A seat's hands and their points, without cribs; the player's own counts and missed points."""

    hands: int = 0
    points: int = 0
    counts: int = 0
    right: int = 0
    missed: int = 0

    def with_hand(self, counted: HandCounted, me: Seat | None, crib: bool) -> CountingStatistics:
        """Return the statistics with a hand added if it belongs to ``me`` and has been counted."""
        if counted.seat != me:
            return self
        total, counts = points_of(counted.scores), self
        if not crib:
            counts = replace(counts, hands=counts.hands + 1)
        if counted.said is None:
            return counts
        return replace(
            counts,
            counts=counts.counts + 1,
            right=counts.right + (counted.said == total),
            missed=counts.missed + max(0, total - counted.said),
        )

    def with_points(self, scored: Scored, me: Seat | None) -> CountingStatistics:
        """Return the statistics with the points that a hand scored; a win ends the count early."""
        if scored.seat != me or scored.part is not RoundPart.HAND:
            return self
        return replace(self, points=self.points + scored.points)

    def meters(self, options: Options) -> Iterator[Meter]:
        """Yield how well the player counts or, in games, the average hand with par."""
        if self.counts:
            yield Meter("counted right", str(self.right), "", f"of {self.counts}")
            yield Meter("given away", str(self.missed), "bad" if self.missed else "")
        elif options.form is GameForm.GAME and self.hands:
            average = f"{self.points / self.hands:.1f}"
            yield Meter("average hand", average, "", f"par {PLAYED['hand']:.1f}")
