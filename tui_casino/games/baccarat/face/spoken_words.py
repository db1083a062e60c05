"""The texts of baccarat in screen-reader mode."""

from __future__ import annotations

from ....engine.game import Seat
from ....gamekit.words import Phrase, SpokenWords
from ..machine.moves import Event
from ..machine.state import State


def question(view: State, seat: Seat) -> str:
    """Return the question between two coups."""
    return "Deal, or bet more?" if any(view.bets) else "Bet, or deal without a bet?"


SPOKEN: SpokenWords[State, Event] = SpokenWords(
    {
        "b": Phrase("bet", "bet"),
        "d": Phrase("deal", "dealt"),
        "r": Phrase("repeat the bets", "repeated the bets"),
        "c": Phrase("clear the bets", "cleared the bets"),
    },
    question=question,
)
