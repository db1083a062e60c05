"""The texts of video poker in screen-reader mode."""

from __future__ import annotations

from ....cards.card import format_cards
from ....engine.game import Seat
from ....gamekit.words import Phrase, SpokenWords
from ....inputs.numbers import count_noun
from ..machine.game import BetPlaced, Event, HandDealt, Phase, RoundPaid, State
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


def lines(event: Event, seat: Seat | None) -> tuple[str, ...] | None:
    """Return lines that number the cards of the hand and say what it wins."""
    match event:
        case BetPlaced(coins):
            return (f"You bet {count_noun(coins, 'credit')}.",)
        case HandDealt(hand):
            cards = ", ".join(f"{place}) {card}" for place, card in enumerate(hand, 1))
            return (f"Your cards: {cards}",)
        case RoundPaid(hand, row, _, won, credit):
            result = f"{row.capitalize()}: you win {won:,}" if row else "No win"
            final = f"Your final hand: {format_cards(hand)}"
            return final, f"{result}; your credit is {credit:,}."
    return None


SPOKEN: SpokenWords[State, Event] = SpokenWords(
    {"b": Phrase("bet", "bet"), "d": Phrase("deal", "dealt"), "h": Phrase("hold", "held")},
    {"h": NOTHING},
    question,
    lines,
)
