"""The texts of video poker in screen-reader mode."""

from __future__ import annotations

from ....engine.game import Seat
from ....gamekit.words import Phrase, SpokenWords
from ..machine.game import Event, Phase, State
from ..machine.rules import MAX_COINS

NOTHING = Phrase("hold nothing", "held nothing")


def question(view: State, seat: Seat) -> str:
    """Return the question of this phase."""
    match view.phase:
        case Phase.BET:
            return f"How much do you bet, 1 to {min(MAX_COINS, view.credit)}?"
        case Phase.DEAL:
            return "Deal the cards?"
        case Phase.HOLD:
            return "Which cards do you hold?"
    return ""


SPOKEN: SpokenWords[State, Event] = SpokenWords(
    {"b": Phrase("bet", "bet"), "d": Phrase("deal", "dealt"), "h": Phrase("hold", "held")},
    {"h": NOTHING},
    question,
)
