"""Video poker hands for practice: drills and hands that the player types."""

from __future__ import annotations

from ....cards.card import PACK
from ....engine.game import Seat
from ....gamekit.definition import PracticePositions, number_cards, parse_cards
from ....structs import replace
from ..brains.mistake_kinds import OFF, spot
from ..brains.strategy import LINES
from ..machine.game import POSITIONS, Options, Phase, State
from ..machine.rules import MAX_COINS


def position_text(view: State, seat: Seat) -> tuple[str, ...]:
    """Return the bet and the hand as lines."""
    return (
        f"{view.options.paytable.title}, bet {view.coins}.",
        f"Your cards: {number_cards(view.hand)}. Which do you hold? "
        "h 1 2 holds cards 1 and 2; h without numbers holds none.",
    )


def typed_position(view: State, seat: Seat, text: str) -> State | None:
    """Return the position with these five cards and the same bet, or the largest bet if none."""
    hand = parse_cards(text, len(POSITIONS), len(POSITIONS))
    coins = view.coins or MAX_COINS
    return replace(
        view,
        phase=Phase.HOLD,
        coins=coins,
        last=coins,
        stock=len(PACK) - len(hand),
        hand=hand,
        held=(),
        waiting=(),
    )


PRACTICE: PracticePositions[Options, State] = PracticePositions(
    spot, position_text, typed_position, "five cards, like KS KD 9S 6S 2S", lambda: (*LINES, OFF)
)
