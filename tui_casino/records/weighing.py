"""A recorded sitting with advice: each choice beside what else could have been done, and its cost.

The cost is what the game's own judge says, as everywhere else. Where a game tells nobody of
mistakes, it is how much more the best was worth, if that is beyond what the figures' errors leave
open.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import hypot
from typing import Generic

from ..engine.game import A, Deal, E, O, S, Seat, Shoe
from ..gamekit.adviser import Worth
from ..gamekit.parts import Parts
from ..gamekit.tally import T
from .log import SessionLog
from .replay import Played, options_of
from .sealed import told, viewer_of
from .watch import judged

SURE = 2
"""So many standard errors make a difference."""


@dataclass(frozen=True, slots=True)
class Weighed(Generic[S, A]):
    """A choice at a step: what the seat saw, what it could have done, the best first, and the cost.

    Values and cost are in the game's units.
    """

    step: int
    seat: Seat
    seen: S
    action: A
    worths: tuple[Worth[A], ...]
    cost: Fraction | float

    @property
    def best(self) -> Worth[A]:
        """What was worth most."""
        return self.worths[0]


def weighed(parts: Parts[O, S, A, E, T], log: SessionLog) -> Iterator[Weighed[S, A]]:
    """Weigh the choices of all seats; of an open sitting those of the seat that may look into it.

    What the adviser knows nothing of, such as a bet at video poker, is left out. Raises as
    :func:`~.replay.replay`.
    """
    viewer = viewer_of(log.header)
    before = parts.game.start(options_of(parts.game, log))
    if not log.over:
        before = parts.game.view(before, viewer)
    for played in told(parts.game, log):
        by = played.line.by
        if by is not None and (log.over or by == viewer):
            found = _weigh(parts, Seat(by), before, played)
            if found is not None:
                yield found
        before = played.state


def _weigh(
    parts: Parts[O, S, A, E, T], seat: Seat, before: S, played: Played[S, A, E]
) -> Weighed[S, A] | None:
    action, adviser = played.action, parts.adviser
    assert not isinstance(action, Shoe | Deal), "a seat chose"
    seen = parts.game.view(before, seat)
    worths = adviser.alternatives(seen, seat, action)
    if not worths:
        return None
    made = next(worth for worth in worths if worth.action == action)
    cost = worths[0].value - made.value
    if not cost:
        pass  # nothing is better, and a judge may take long
    elif adviser.judge is not None:
        mistake = judged(adviser.judge, parts, seat, before, played)
        cost = 0 if mistake is None else mistake.cost
    elif cost <= SURE * hypot(worths[0].error, made.error):
        cost = 0
    return Weighed(played.line.n, seat, seen, action, worths, cost)
