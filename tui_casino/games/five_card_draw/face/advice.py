"""The trainer's advice for the console: the best discard and how often it wins."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ....cards.card import Hand
from ....cards.poker import rank_hand
from ....engine.game import Seat
from ....gamekit.number_formats import percent
from ..brains.lazy import adviser
from ..brains.players import decide
from ..brains.pot_odds import EvBasis
from ..machine.rules import HAND_CARDS, Positions
from ..machine.state import Discard, State

if TYPE_CHECKING:
    from ..brains.adviser import WinEstimate
    from ..brains.limit_choices import LimitAdvice


def _rank_name(hand: Hand) -> str:
    return rank_hand(hand).name


def best_discard(
    view: State, seat: Seat, hand_name: Callable[[Hand], str] = _rank_name
) -> str | None:
    """Describe the best discard, how often it wins, and the algorithm's discard.

    If there is nothing to discard, describe the hand with ``hand_name``. Return ``None`` without a
    full hand.
    """
    from ..brains.limit_adviser import advise_limit  # late: needs numpy

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
        f"Discard {_places(best)}: {wins}. "
        f"The algorithm discards {algorithm_discards} (it keeps {decision.step.words})"
    )


_ROUGHLY = {
    EvBasis.SOLUTION: "",
    EvBasis.LAST_ROUND: "; the last betting round is re-solved",
    EvBasis.ROUGH: "; a rough estimate",
}


MEANING = (
    "The EV is the average gain over folding if your opponent plays like the GTO level and you "
    "make the best choices from here on; the percentage is how often the GTO level makes this "
    "choice"
)


def _limit_advice(advice: LimitAdvice, hand: Hand) -> str:
    """Describe the best choice at the limit table; for bets, list the EV of each choice."""
    chance = f"wins {percent(advice.win_chance, 1)}"
    if advice.pot_odds is not None:
        chance += f", needs {percent(advice.pot_odds.need, 1)}"
    best = advice.best.action
    note = _ROUGHLY[advice.basis]
    if isinstance(best, Discard):
        decision = decide(hand)
        same = decision.discards == best.positions
        usual = "the same" if same else _places(decision.discards)
        ev_text = (
            f"EV {advice.best.value:+.2f} credits (standard error {advice.error:.2f}), {chance}"
        )
        return f"Discard {_places(best.positions)}: {ev_text}{note}. The algorithm discards {usual}"
    acts = ", ".join(
        f"{type(one.action).__name__.lower()} {one.value:+.2f} "
        f"({percent(one.frequency, 0) if advice.has_frequencies else 'never here'})"
        for one in advice.choices
    )
    error = f"standard error {advice.error:.2f} credits"
    text = f"EV in credits (how often the solution plays it): {acts}; {error}; {chance}{note}"
    return f"{text}. {MEANING}" if advice.basis is EvBasis.SOLUTION else text


def _wins(win: WinEstimate) -> str:
    return f"wins {percent(win.chance, 1)} (standard error {percent(win.error, 1)})"


def _places(positions: Positions) -> str:
    return " ".join(map(str, positions)) or "nothing"
