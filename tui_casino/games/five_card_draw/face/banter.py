"""Short remarks by the opponents after a hand, based only on what everybody has seen.

An opponent's voice does not depend on its level or style, so a remark never reveals either. The
speaker and the phrase depend only on the hand, so a replay shows the same remarks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum, auto

from ....cards.poker import HandCategory, rank_hand
from ....engine.game import Seat
from ..brains.players import NAMES
from ..machine.state import HandOver, Stakes, State

BANTER_INTERVAL = 3
"""An opponent comments on every third hand that gives it a cue."""


class BanterCue(Enum):
    """An occasion for a remark, from the rarest to the most common."""

    BLUFFED = auto()
    """An opponent who stood pat showed less than a pair."""
    BEATEN = auto()
    """An opponent showed three of a kind or more, and lost."""
    WON = auto()
    """An opponent won with a hand that was shown."""
    TOOK = auto()
    """Everybody else folded to an opponent."""


PHRASES: Mapping[int, Mapping[BanterCue, tuple[str, ...]]] = {
    1: {
        BanterCue.BLUFFED: ("Somebody had to bet.", "It looked better face down."),
        BanterCue.BEATEN: ("That was a good hand, once.", "I'd play it again."),
        BanterCue.WON: ("I'll take that.", "As it should be."),
        BanterCue.TOOK: ("Nobody? Thank you.", "You will never know."),
    },
    2: {
        BanterCue.BLUFFED: ("Ha! It was worth a try.", "You had to see it."),
        BanterCue.BEATEN: ("Oh no, with that hand!", "Who gets cards like these?"),
        BanterCue.WON: ("Lovely cards today!", "Now we are talking."),
        BanterCue.TOOK: ("All mine!", "What, no callers?"),
    },
    3: {
        BanterCue.BLUFFED: ("Hm. Caught.", "It works sometimes."),
        BanterCue.BEATEN: ("Of course.", "It's always me."),
        BanterCue.WON: ("About time.", "For once."),
        BanterCue.TOOK: ("Good.", "I was hoping for that."),
    },
}
"""The phrases of the opponent in each seat."""


def banter(view: State, seat: Seat, over: HandOver) -> str:
    """Return an opponent's name and its remark about a hand, or "" for no remark."""
    if view.options.stakes is Stakes.NOTHING:
        return ""
    for cue, who in sorted(_cues(view, seat, over), key=lambda one: one[0].value):
        phrases = PHRASES[who][cue]
        turn, silent = divmod(view.played + who, BANTER_INTERVAL)
        if not silent:
            return f"{NAMES[who]}: {phrases[turn % len(phrases)]}"
    return ""


def _cues(view: State, seat: Seat, over: HandOver) -> Iterator[tuple[BanterCue, int]]:
    alive = view.alive
    for other in alive:
        if other == seat:
            continue
        is_winner = other in over.winners
        if len(alive) == 1:
            yield BanterCue.TOOK, other
            continue
        category = rank_hand(view.hands[other]).category
        if category is HandCategory.HIGH_CARD and view.drawn[other] == 0:
            yield BanterCue.BLUFFED, other
        elif is_winner:
            yield BanterCue.WON, other
        elif category >= HandCategory.THREE_OF_A_KIND:
            yield BanterCue.BEATEN, other
