"""The texts of Hit Me in screen-reader mode: only the new card of a hand, and its total."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ....engine.game import Seat
from ....engine.money import dollars
from ....gamekit.words import Phrase, SpokenWords, list_words
from ..machine.game import offers
from ..machine.rules import CENTS, MAXIMUM, MINIMUM, total_of
from ..machine.state import Action, CardDealt, Double, Event, Hit, Phase, Split, Stand, State
from .summary import hand_owner, say_total


def question(view: State, seat: Seat) -> str:
    """Return the question at the player's turn; the offer of insurance is a question itself."""
    if view.phase is Phase.BET:
        repeat = f" b repeats {view.last}." if view.last else ""
        return f"How much do you bet, {MINIMUM} to {min(MAXIMUM, view.credit // CENTS)}?{repeat}"
    if view.active is None:
        return ""
    bet = dollars(view.hands[view.active].bet)
    names: Mapping[Callable[..., Action], str] = {
        Hit: "hit",
        Stand: "stand",
        Double: f"double for {bet}",
        Split: f"split for {bet}",
    }
    possible = [one.kind for one in offers(view, seat) if one.barred is None]
    choices = [names[kind] for kind in names if kind in possible]
    question = f"{list_words(choices, 'or').capitalize()}?"
    if len(view.hands) == 1:
        return question
    total = say_total(view.hands[view.active].total)
    return f"Hand {view.active + 1} of {len(view.hands)}, {total}: {question}"


def lines(event: Event, seat: Seat | None) -> tuple[str, ...] | None:
    """If a hand gets another card, say only this card and the new total."""
    match event:
        case CardDealt(place, (_, *_, card) as cards, hands):
            name = hand_owner(place, hands)
            verb = "get" if name == "You" else "gets"
            return (f"{name} {verb} {card}: {say_total(total_of(cards))}",)
    return None


SPOKEN: SpokenWords[State, Event] = SpokenWords(
    {
        "b": Phrase("bet", "bet"),
        "h": Phrase("hit", "hit"),
        "s": Phrase("stand", "stood"),
        "d": Phrase("double", "doubled"),
        "p": Phrase("split", "split"),
        "i": Phrase("take insurance", "took insurance"),
        "n": Phrase("decline insurance", "declined insurance"),
    },
    question=question,
    lines=lines,
)
