"""What the adviser tells the console: the best discard, and how often it wins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....cards.poker import rank_hand
from ....engine.game import Seat
from ..brains.algorithm import decide
from ..machine.rules import HAND_CARDS, Positions
from ..machine.state import State

if TYPE_CHECKING:
    from ..brains.adviser import Win


def best_discard(view: State, seat: Seat) -> str | None:
    """Say what to discard, how often that wins, and what the algorithm would do.

    Where there is nothing to discard, say what the hand is; ``None`` without a whole hand.
    """
    from ..brains.adviser import advise  # numpy, late

    hand = view.hands[seat]
    if len(hand) < HAND_CARDS:
        return None
    held, advice = f"You have {rank_hand(hand).name}", advise(view, seat)
    if advice is None:
        return held
    best = advice.best
    wins = _wins(advice.wins[best])
    if len(advice.wins) == 1:
        return f"{held}: {wins}"
    decision = decide(hand)
    usual = "the same" if decision.discards == best else _places(decision.discards)
    return f"Discard {_places(best)}: {wins}. Algorithm: {usual} ({decision.step.words})"


def _wins(win: Win) -> str:
    return f"wins {100 * win.chance:.1f} %, error {100 * win.error:.1f}"


def _places(positions: Positions) -> str:
    return " ".join(map(str, positions)) or "nothing"
