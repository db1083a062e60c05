"""Positions of Hit Me for practice outside a session."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....cards.card import PACK, format_cards
from ....engine.game import Seat
from ....engine.money import dollars
from ....gamekit.definition import PracticePositions, parse_cards
from ....gamekit.lazy_import import LazyModule
from ....inputs.errors import BadInput
from ....structs import replace
from ..machine.rules import DECKS, LIMIT, total_of
from ..machine.state import Options, Phase, PlayerHand, State
from .words import prompt

if TYPE_CHECKING:
    # also imports the adviser, which reading a log does not need
    from ..brains import mistake_kinds
else:
    mistake_kinds = LazyModule("..brains.mistake_kinds", __package__)

AGAINST = "against"
ORDER = "hsdp"
"""The commands in an order that does not depend on the hand, so it does not suggest a choice."""
MOST_CARDS = 10
"""The most cards of a typed hand."""


def position_text(view: State, seat: Seat) -> tuple[str, ...]:
    """Describe the dealer's card, the player's hands, and the possible choices."""
    lines = [f"The dealer shows {format_cards(view.dealer)}."]
    for place, hand in enumerate(view.hands):
        hand_name = "Your hand" if len(view.hands) == 1 else f"Hand {place + 1}"
        suffix = ", to play now" if len(view.hands) > 1 and place == view.active else ""
        cards, bet = format_cards(hand.cards), dollars(hand.bet)
        lines.append(f"{hand_name}: {cards}, {hand.total.points}, with a bet of {bet}{suffix}.")
    if view.phase is Phase.INSURANCE:
        return (*lines, "Do you want insurance? i takes it, n declines.")
    choices = sorted(prompt(view, seat).split(", "), key=lambda choice: ORDER.index(choice[0]))
    return (*lines, f"Your choice? {', '.join(choices)}.")


def typed_position(view: State, seat: Seat, text: str) -> State | None:
    """Return the position with the typed hand and dealer's card, dealt from the same shoe.

    Return ``None`` if the position cannot have that hand and dealer's card.
    """
    hand_text, separator, dealer_text = text.lower().replace("/", f" {AGAINST} ").partition(AGAINST)
    if not separator:
        raise BadInput(f"the dealer's card is missing: give {ACCEPTED_FORM}")
    hand, dealer = (
        parse_cards(hand_text, 1, MOST_CARDS, packs=DECKS),
        parse_cards(dealer_text, 1, 1),
    )
    if total_of(hand).points >= LIMIT:
        raise BadInput(f"a hand of {total_of(hand).points} leaves no choice")
    if view.phase is not Phase.PLAY or view.waiting:
        return None
    bet = view.hands[0].bet
    return with_shoe_of(
        replace(view, hands=(PlayerHand(bet, hand),), dealer=dealer, insurance=0), view
    )


def with_shoe_of(view: State, other: State) -> State | None:
    """Return a position with the cards that were left before the round of another position.

    Return ``None`` if the cards on the table were not left there.
    """
    on_table = (*(card for hand in view.hands for card in hand.cards), *view.dealer)
    seen = (*other.discards, *on_table)
    if any(seen.count(card) > DECKS for card in {*on_table}):
        return None
    return replace(view, discards=other.discards, stock=DECKS * len(PACK) - len(seen))


ACCEPTED_FORM = "your cards and the dealer's, such as TS 4D against TC"
PRACTICE: PracticePositions[Options, State] = PracticePositions(
    mistake_kinds.spot,
    position_text,
    typed_position,
    ACCEPTED_FORM,
    mistake_kinds.spots,
    with_shoe_of=with_shoe_of,
)
