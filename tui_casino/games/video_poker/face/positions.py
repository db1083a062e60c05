"""Hands of video poker that are asked for outside of a sitting."""

from __future__ import annotations

from dataclasses import replace

from ....cards.card import PACK
from ....engine.game import Seat
from ....gamekit.positions import PracticePositions, cards_typed, placed
from ..brains.kinds import OFF, spot
from ..brains.strategy import LINES
from ..machine.game import POSITIONS, Options, Phase, State
from ..machine.rules import MAX_COINS


def told(view: State, seat: Seat) -> tuple[str, ...]:
    """Tell the bet and the hand."""
    return (
        f"{view.options.paytable.title}, {view.coins} bet.",
        f"Your cards: {placed(view.hand)}. Which do you hold? h 1 2 holds two, h alone none.",
    )


def typed(view: State, seat: Seat, text: str) -> State | None:
    """Deal these five cards, for the bet of the position, or the largest."""
    hand = cards_typed(text, len(POSITIONS), len(POSITIONS))
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
    spot, told, typed, "five cards, like KS KD 9S 6S 2S", lambda: (*LINES, OFF)
)
