"""What choices cost: at the limit table by its coach, at the table with an ante by exact chances.

With an ante alone the draw decides all, and the opponents are taken to end with hands of the
course's algorithm, whatever cards are gone: the pot is worth as much as one beats them.
"""

from __future__ import annotations

from fractions import Fraction

from ....engine.game import Seat
from ....gamekit.adviser import Mistake, Worth
from ..machine.moves import Action, Discard
from ..machine.rules import HAND_CARDS, every_discard
from ..machine.state import Phase, Stakes, State

LEAST = Fraction(1, 100)
"""Credits: discards that differ by less are alike."""


def judge(view: State, seat: Seat, action: Action) -> Mistake[Action] | None:
    """Say what a bet or a discard costs beside the best, in credits; nothing for one as good."""
    from . import coach  # numpy, late

    if view.options.stakes is not Stakes.ANTE:
        return coach.judge(view, seat, action)
    ranked = worths(view, seat)
    chosen = next((one.value for one in ranked if one.action == action), None)
    if chosen is None:
        return None
    cost = Fraction(ranked[0].value - chosen)
    return Mistake(cost, ranked[0].action) if cost >= LEAST else None


def worths(view: State, seat: Seat) -> tuple[Worth[Action], ...]:
    """Give all that a seat may choose with its worth in credits, the best first."""
    from . import coach  # numpy, late

    if view.options.stakes is Stakes.LIMIT:
        return coach.worths(view, seat)
    hand = view.hands[seat] if view.hands else ()
    drawing = view.phase is Phase.DRAW and view.drawing[:1] == (seat,) and not view.waiting
    if not drawing or view.options.stakes is not Stakes.ANTE or len({*hand}) < HAND_CARDS:
        return ()
    from .equilibrium.hands import ONE, chances_to_beat
    from .equilibrium.lookup import mask_of

    chances = chances_to_beat(len(view.alive) - 1)
    worth: list[Worth[Action]] = []
    for gone in every_discard(hand):
        place, mask = mask_of(hand, gone)
        chance = Fraction(int(chances[mask, place]), ONE)
        worth.append(Worth(Discard(gone), chance * view.pot))
    return tuple(sorted(worth, key=lambda one: -one.value))
