"""What the adviser tells in words: the best discard, and what each makes of the hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....cards.poker import Category, rank_hand
from ....engine.game import Seat
from ..brains.algorithm import decide
from ..machine.rules import HAND_CARDS, Positions
from ..machine.state import State

if TYPE_CHECKING:
    from ..brains.adviser import Advice, Win


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


def discard_lines(advice: Advice, gone: Positions) -> tuple[str, ...]:
    """Give the hand in words, and of a discard the categories and the chance to win."""
    lines = [rank_hand(advice.hand).name]
    if gone not in advice.wins:
        return *lines, "May not be discarded"
    chances = advice.chances[gone]
    for category in reversed(Category):
        if chances.count(category):
            share = 100 * float(chances.chance(category))
            lines.append(f"{category.words:<16}{share:>8.3f} %")
    lines.append(_wins(advice.wins[gone]))
    if len(advice.wins) > 1:
        best = advice.wins[advice.best].chance
        lines.append(f"best: {_places(advice.best, 'stand pat')}, {100 * best:.1f} %")
    return tuple(lines)


def _wins(win: Win) -> str:
    return f"wins {100 * win.chance:.1f} %, error {100 * win.error:.1f}"


def _places(positions: Positions, none: str = "nothing") -> str:
    return " ".join(map(str, positions)) or none
