"""A few words of the opponents when a hand is over: of nothing but what all have seen.

Each has a voice of its own, whatever its level and style, so that no word gives these away. Who
says something, and which of its phrases, follows from the hand: a replay hears the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum, auto

from ....cards.poker import Category, rank_hand
from ....engine.game import Seat
from ..brains.players import NAMES
from ..machine.moves import HandOver
from ..machine.state import Stakes, State

EVERY = 3
"""Of so many hands that an opponent could speak of, it speaks of one."""


class Cue(Enum):
    """What may be spoken of, from the rarest to the most common."""

    BLUFFED = auto()
    """One showed a pat hand without a pair."""
    BEATEN = auto()
    """One showed three of a kind or more, and lost."""
    WON = auto()
    """One's hand was shown, and won."""
    TOOK = auto()
    """All others folded to one."""


PHRASES: Mapping[int, Mapping[Cue, tuple[str, ...]]] = {
    1: {
        Cue.BLUFFED: ("Somebody had to bet.", "It looked better face down."),
        Cue.BEATEN: ("That was a good hand, once.", "I would play it again."),
        Cue.WON: ("I shall take that.", "As it should be."),
        Cue.TOOK: ("Nobody? Thank you.", "You will never know."),
    },
    2: {
        Cue.BLUFFED: ("Ha! It was worth a try.", "You had to see it."),
        Cue.BEATEN: ("Oh no, with that hand!", "Who has cards like these?"),
        Cue.WON: ("Lovely cards today!", "Now we are talking."),
        Cue.TOOK: ("All mine!", "What, no callers?"),
    },
    3: {
        Cue.BLUFFED: ("Hm. Caught.", "One day it works."),
        Cue.BEATEN: ("Of course.", "It is always me."),
        Cue.WON: ("About time.", "For once."),
        Cue.TOOK: ("Good.", "I was hoping for that."),
    },
}
"""By seat."""


def banter(view: State, seat: Seat, over: HandOver) -> str:
    """Give what an opponent of the seat says of a hand, with its name; mostly nothing."""
    if view.options.stakes is Stakes.NOTHING:
        return ""
    for cue, who in sorted(_cues(view, seat, over), key=lambda one: one[0].value):
        phrases = PHRASES[who][cue]
        turn, silent = divmod(view.played + who, EVERY)
        if not silent:
            return f"{NAMES[who]}: {phrases[turn % len(phrases)]}"
    return ""


def _cues(view: State, seat: Seat, over: HandOver) -> Iterator[tuple[Cue, int]]:
    alive = view.alive
    for other in alive:
        if other == seat:
            continue
        wins = other in over.winners
        if len(alive) == 1:
            yield Cue.TOOK, other
            continue
        category = rank_hand(view.hands[other]).category
        if category is Category.HIGH_CARD and view.drawn[other] == 0:
            yield Cue.BLUFFED, other
        elif wins:
            yield Cue.WON, other
        elif category >= Category.THREE_OF_A_KIND:
            yield Cue.BEATEN, other
