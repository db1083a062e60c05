"""The trainer's advice before a choice; it takes time, so call it off the event loop."""

from __future__ import annotations

from dataclasses import dataclass

from ....engine.game import Seat
from ..brains.adviser import weigh_lays
from ..brains.discard_ranking import DiscardRanking, rank_discards
from ..machine.state import State
from .widgets.play import LayValue


@dataclass(frozen=True, slots=True)
class ChoiceAdvice:
    """All discards in a position ranked by EV, or the EV of each card that can be played."""

    view: State
    ranking: DiscardRanking | None = None
    weights: tuple[LayValue, ...] = ()


def advise_before_choice(view: State, seat: Seat) -> ChoiceAdvice:
    """Return the EV of a seat's choices; without values if only one choice is possible."""
    if (ranked := rank_discards(view, seat)) is not None:
        return ChoiceAdvice(view, ranked)
    if len(view.playable(seat)) < 2:
        return ChoiceAdvice(view)
    advice = weigh_lays(view, seat)
    weights = (LayValue(one.card, one.ev, advice[0].ev - one.ev) for one in advice)
    return ChoiceAdvice(view, None, tuple(weights))
