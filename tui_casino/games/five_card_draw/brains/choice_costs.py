"""The cost of choices: from the limit adviser at fixed limit, otherwise from the adviser.

Both advisers know only what the player knew: the player's cards, and how many cards the opponents
drew.
"""

from __future__ import annotations

from fractions import Fraction

from ....engine.game import Seat
from ....gamekit.adviser import ActionValue, Mistake
from ..machine.state import Action, Discard, Phase, Stakes, State
from .pot_odds import discard_values, winnable_chips

SURE = 2
"""A discard is a mistake if it falls behind the best by more than this many standard errors."""


def judge(view: State, seat: Seat, action: Action) -> Mistake[Action] | None:
    """Return the cost of a bet or discard in credits, or ``None`` if it is as good as the best."""
    from . import limit_adviser  # late: needs numpy
    from .adviser import advise

    if view.options.stakes is not Stakes.ANTE:
        return limit_adviser.judge(view, seat, action)
    advice = advise(view, seat) if _draws(view, seat) else None
    if advice is None or not isinstance(action, Discard) or action.positions not in advice.wins:
        return None
    chosen, best = advice.wins[action.positions], advice.wins[advice.best]
    if best.chance - chosen.chance <= SURE * chosen.error_behind_best:
        return None
    cost = winnable_chips(view.put_in, seat, 0) * (best.chance - chosen.chance)
    return Mistake(Fraction(round(1000 * cost), 1000), Discard(advice.best))


def action_values(view: State, seat: Seat) -> tuple[ActionValue[Action], ...]:
    """Return all choices of a seat with their EV in credits, best first."""
    from . import limit_adviser  # late: needs numpy

    if view.options.stakes is Stakes.LIMIT:
        return limit_adviser.action_values(view, seat)
    if view.options.stakes is Stakes.NOTHING or not _draws(view, seat):
        return ()
    return tuple(sorted(discard_values(view, seat), key=lambda entry: -entry.value))


def _draws(view: State, seat: Seat) -> bool:
    """Return whether it is the seat's turn to discard."""
    return view.phase is Phase.DRAW and view.drawing[:1] == (seat,) and not view.waiting
