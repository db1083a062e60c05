"""The texts of five-card draw in screen-reader mode."""

from __future__ import annotations

from ....engine.game import Seat
from ....gamekit.words import Phrase, SpokenWords, list_words
from ..machine.game import offers
from ..machine.state import Call, Event, Phase, Raise, State

STAND_PAT = Phrase("stand pat", "stood pat")


def question(view: State, seat: Seat) -> str:
    """Return the question at the seat's turn, with the price of a call."""
    match view.phase:
        case Phase.REST:
            return f"Deal the {'next' if view.played else 'first'} hand?"
        case Phase.DRAW:
            return "Which cards do you discard?"
    possible = {offer.kind for offer in offers(view, seat) if offer.barred is None}
    if Call not in possible or view.betting is None:
        return "Check or bet?" if possible else ""
    price = min(view.betting.owes(seat), view.stacks[seat])
    choices = [f"Call {price}", *(["raise"] if Raise in possible else []), "fold"]
    return f"{list_words(choices, 'or')}?"


SPOKEN: SpokenWords[State, Event] = SpokenWords(
    {
        "d": Phrase("deal", "dealt"),
        "x": Phrase("discard", "discarded"),
        "k": Phrase("check", "checked"),
        "b": Phrase("bet", "bet"),
        "c": Phrase("call", "called"),
        "r": Phrase("raise", "raised"),
        "f": Phrase("fold", "folded"),
    },
    {"x": STAND_PAT},
    question,
)
