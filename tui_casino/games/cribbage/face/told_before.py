"""What the trainer tells of a choice before it is made; it weighs, so it is asked off the loop."""

from __future__ import annotations

from dataclasses import dataclass

from ....engine.game import Seat
from ..brains.adviser import advised
from ..brains.ranking import Ranking, ranking
from ..machine.state import State
from .widgets.play import Weight


@dataclass(frozen=True, slots=True)
class Before:
    """All discards of a moment by their worth, or all cards that may be laid."""

    view: State
    ranking: Ranking | None = None
    weights: tuple[Weight, ...] = ()


def told_before(view: State, seat: Seat) -> Before:
    """Weigh a seat's choices; where there is only one there is nothing to tell."""
    if (ranked := ranking(view, seat)) is not None:
        return Before(view, ranked)
    if len(view.able(seat)) < 2:
        return Before(view)
    advice = advised(view, seat)
    weights = (Weight(one.card, one.ev, advice[0].ev - one.ev) for one in advice)
    return Before(view, None, tuple(weights))
