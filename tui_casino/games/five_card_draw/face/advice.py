"""What the adviser tells the console: the best discard, and how often it wins."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ....cards.card import Hand
from ....cards.poker import rank_hand
from ....engine.game import Seat
from ....gamekit.number_formats import percent
from ..brains.course_algorithm import decide
from ..brains.ev_basis import EvBasis
from ..brains.lazy import adviser
from ..machine.moves import Discard
from ..machine.rules import HAND_CARDS, Positions
from ..machine.state import State

if TYPE_CHECKING:
    from ..brains.adviser import WinEstimate
    from ..brains.limit_choices import LimitAdvice


def _usual(hand: Hand) -> str:
    return rank_hand(hand).name


def best_discard(view: State, seat: Seat, named: Callable[[Hand], str] = _usual) -> str | None:
    """Say what to discard, how often that wins, and what the algorithm would do.

    Where there is nothing to discard, say what the hand is, as it is ``named``; ``None`` without a
    whole hand.
    """
    from ..brains.limit_adviser import advise_limit  # late: numpy

    hand = view.hands[seat]
    if len(hand) < HAND_CARDS:
        return None
    held, advice = f"You have {named(hand)}", adviser.advise(view, seat)
    if advice is None:
        return held
    if (coach := advise_limit(view, seat)) is not None:
        return f"{held}. {_coached(coach, hand)}"
    best = advice.best
    wins = _wins(advice.wins[best])
    if len(advice.wins) == 1:
        return f"{held}: {wins}"
    decision = decide(hand)
    usual = "the same" if decision.discards == best else _places(decision.discards)
    return f"Discard {_places(best)}: {wins}. Algorithm: {usual} ({decision.step.words})"


_ROUGHLY = {
    EvBasis.SOLUTION: "",
    EvBasis.LAST_ROUND: "; the last round solved anew",
    EvBasis.ROUGH: "; a rough reckoning",
}


def _coached(coach: LimitAdvice, hand: Hand) -> str:
    """Say what the coach of the limit table does, and what the other choices are worth."""
    chance = f"wins {percent(coach.chance, 1)}"
    if coach.price is not None:
        chance += f", needs {percent(coach.price.need, 1)}"
    best = coach.best.action
    roughly = _ROUGHLY[coach.basis]
    if isinstance(best, Discard):
        decision = decide(hand)
        same = decision.discards == best.positions
        usual = "the same" if same else _places(decision.discards)
        worth = f"worth {coach.best.value:+.2f}, error {coach.error:.2f}, {chance}"
        return f"Discard {_places(best.positions)}: {worth}. Algorithm: {usual}{roughly}"
    acts = ", ".join(
        f"{type(one.action).__name__.lower()} {one.value:+.2f} ({percent(one.often, 0)})"
        for one in coach.choices
    )
    error = f"error {coach.error:.2f}"
    return f"Worth, and how often the solution does it: {acts}; {error}; {chance}{roughly}"


def _wins(win: WinEstimate) -> str:
    return f"wins {100 * win.chance:.1f} %, error {100 * win.error:.1f}"


def _places(positions: Positions) -> str:
    return " ".join(map(str, positions)) or "nothing"
