"""The texts of cribbage in screen-reader mode."""

from __future__ import annotations

from ....engine.game import Seat
from ....gamekit.words import Phrase, SpokenWords, list_words
from ..machine.moves import Event
from ..machine.state import CountingMode, Phase, State


def question(view: State, seat: Seat) -> str:
    """Return the question at the seat's turn, with the cards that it may play."""
    match view.phase:
        case Phase.DISCARD:
            owner = "your" if view.dealer == seat else "your opponent's"
            return f"Which two cards do you discard to {owner} crib?"
        case Phase.PLAY:
            return _play_question(view, seat)
        case Phase.SHOW if view.options.counting is not CountingMode.TABLE:
            return "How many points do you count?"
        case Phase.SHOW:
            return "Continue to the next hand?"
        case Phase.REST:
            return "Continue to the next deal?"
    return ""


def _play_question(view: State, seat: Seat) -> str:
    playable = view.playable(seat)
    if not playable:
        return "You must say go."
    numbered = [
        f"{place}) {card}" for place, card in enumerate(view.hands[seat], 1) if card in playable
    ]
    if len(numbered) == 1:
        return f"You can only play {numbered[0]}."
    return f"Which card do you play: {list_words(numbered, 'or')}?"


SPOKEN: SpokenWords[State, Event] = SpokenWords(
    {
        "x": Phrase("discard", "discarded"),
        "p": Phrase("play", "played"),
        "g": Phrase("say go", "said go"),
        "c": Phrase("count", "counted"),
        "n": Phrase("continue", "continued"),
    },
    question=question,
)
