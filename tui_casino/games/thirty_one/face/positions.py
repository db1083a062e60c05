"""Hands of 31 that are asked for outside of a sitting."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ....cards.card import PACK, show
from ....engine.game import Seat
from ....engine.money import dollars
from ....gamekit.lazy import LazyModule
from ....gamekit.positions import PracticePositions, cards_typed
from ....inputs.errors import BadInput
from ..machine.rules import DECKS, LIMIT, total_of
from ..machine.state import Options, Phase, PlayerHand, State
from .words import prompt

if TYPE_CHECKING:
    from ..brains import kinds  # and the adviser, which a log does not need
else:
    kinds = LazyModule("..brains.kinds", __package__)

AGAINST = "against"
MOST = 10
"""Cards of a hand that is typed in."""


def told(view: State, seat: Seat) -> tuple[str, ...]:
    """Tell the dealer's card, one's hands, and what may be done."""
    said = [f"The dealer shows {show(view.dealer)}."]
    for place, held in enumerate(view.hands):
        now = "Your hand" if len(view.hands) == 1 else f"Hand {place + 1}"
        here = ", to play now" if len(view.hands) > 1 and place == view.active else ""
        cards, bet = show(held.cards), dollars(held.bet)
        said.append(f"{now}: {cards}, {held.total.points}, with {bet} bet{here}.")
    if view.phase is Phase.INSURANCE:
        return (*said, "Do you insure? i insures, n goes without.")
    return (*said, f"What do you do? {prompt(view, seat)}.")


def typed(view: State, seat: Seat, text: str) -> State | None:
    """Deal this hand against this card of the dealer's, from the shoe of the position."""
    mine, word, up = text.lower().replace("/", f" {AGAINST} ").partition(AGAINST)
    if not word:
        raise BadInput(f"say against which card the hand plays: {RIGHT}")
    hand, dealer = cards_typed(mine, 1, MOST, packs=DECKS), cards_typed(up, 1, 1)
    if total_of(hand).points >= LIMIT:
        raise BadInput(f"a hand of {total_of(hand).points} has nothing to decide")
    if view.phase is not Phase.PLAY or view.waiting:
        return None
    shoe = DECKS * len(PACK) - len(view.discards)
    if any((*view.discards, *hand, *dealer).count(card) > DECKS for card in {*hand, *dealer}):
        return None  # they are gone from this shoe
    bet = view.hands[0].bet
    return replace(
        view,
        hands=(PlayerHand(bet, hand),),
        dealer=dealer,
        insurance=0,
        stock=shoe - len(hand) - len(dealer),
    )


RIGHT = "your cards and the dealer's, like TS 4D against TC"
PRACTICE: PracticePositions[Options, State] = PracticePositions(
    kinds.spot, told, typed, RIGHT, kinds.spots
)
