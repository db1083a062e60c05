"""What a game of cribbage came to: averages against par, skunks, points given away."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ....records.slips import Slip, cost_of
from ..brains.kinds import OTHERS, OWN
from ..brains.par import PAR_CRIB, PAR_HAND
from .tally import Tally


def ending(tally: Tally, slips: Sequence[Slip], weighed: bool) -> Iterator[tuple[str, str]]:
    """Give the rows of a sitting that is over; of points given away once they are weighed."""
    parts = (
        ("hand", tally.hands, tally.shown, PAR_HAND),
        ("crib", tally.cribs, tally.own, PAR_CRIB),
    )
    for name, points, count, par in parts:
        if count:
            yield f"average {name}", f"{points / count:.1f}, par {par}"
    if tally.rounds:
        yield "pegged a round", f"{tally.pegged / tally.rounds:.1f}"
    if tally.skunks or tally.skunked:
        yield "skunks", f"{tally.skunks} won, {tally.skunked} lost"
    if weighed:
        thrown = [slip for slip in slips if slip.spot in (OWN, OTHERS)]
        laid = [slip for slip in slips if slip.spot not in (OWN, OTHERS)]
        yield "given away in discards", f"{float(cost_of(thrown)):.2f} points"
        yield "given away in the play", f"{float(cost_of(laid)):.2f} points"
