"""The adviser's text for the console: the best discard, and how often it wins."""

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


def _rank_name(hand: Hand) -> str:
    return rank_hand(hand).name


def best_discard(
    view: State, seat: Seat, hand_name: Callable[[Hand], str] = _rank_name
) -> str | None:
    """Say what to discard, how often that wins, and what the algorithm would do.

    If there is nothing to discard, name the hand by ``hand_name``. Return ``None`` without a full
    hand.
    """
    from ..brains.limit_adviser import advise_limit  # late: numpy

    hand = view.hands[seat]
    if len(hand) < HAND_CARDS:
        return None
    intro, advice = f"You have {hand_name(hand)}", adviser.advise(view, seat)
    if advice is None:
        return intro
    if (limit_advice := advise_limit(view, seat)) is not None:
        return f"{intro}. {_limit_advice(limit_advice, hand)}"
    best = advice.best
    wins = _wins(advice.wins[best])
    if len(advice.wins) == 1:
        return f"{intro}: {wins}"
    decision = decide(hand)
    algorithm_discards = "the same" if decision.discards == best else _places(decision.discards)
    return (
        f"Discard {_places(best)}: {wins}. Algorithm: {algorithm_discards} ({decision.step.words})"
    )


_ROUGHLY = {
    EvBasis.SOLUTION: "",
    EvBasis.LAST_ROUND: "; the last round solved anew",
    EvBasis.ROUGH: "; a rough reckoning",
}


def _limit_advice(advice: LimitAdvice, hand: Hand) -> str:
    """Say what the coach of the limit table does, and what the other choices are worth."""
    chance = f"wins {percent(advice.win_chance, 1)}"
    if advice.pot_odds is not None:
        chance += f", needs {percent(advice.pot_odds.need, 1)}"
    best = advice.best.action
    note = _ROUGHLY[advice.basis]
    if isinstance(best, Discard):
        decision = decide(hand)
        same = decision.discards == best.positions
        usual = "the same" if same else _places(decision.discards)
        ev_text = f"worth {advice.best.value:+.2f}, error {advice.error:.2f}, {chance}"
        return f"Discard {_places(best.positions)}: {ev_text}. Algorithm: {usual}{note}"
    acts = ", ".join(
        f"{type(one.action).__name__.lower()} {one.value:+.2f} ({percent(one.frequency, 0)})"
        for one in advice.choices
    )
    error = f"error {advice.error:.2f}"
    return f"Worth, and how often the solution does it: {acts}; {error}; {chance}{note}"


def _wins(win: WinEstimate) -> str:
    return f"wins {100 * win.chance:.1f} %, error {100 * win.error:.1f}"


def _places(positions: Positions) -> str:
    return " ".join(map(str, positions)) or "nothing"
