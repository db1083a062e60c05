"""The habits of video poker: groups of mistakes, named in a player's words."""

from __future__ import annotations

from ....gamekit.adviser import MistakeKind
from ....gamekit.habits import OTHER_HABIT, Habit
from .mistake_kinds import OFF
from .strategy import LINES

BREAKING = {
    "High pair": "breaking a high pair",
    "Low pair": "breaking a low pair",
    "Two pair": "breaking two pair",
    "Three aces": "breaking three of a kind",
    "Three of a kind (except aces)": "breaking three of a kind",
    "Straight, flush, full house": "breaking a made hand",
    "Straight flush, four of a kind, royal flush": "breaking a made hand",
}
"""The habit of giving up each hand; the key is the strategy line of the best hold."""
EXTRA = "holding cards that do not fit together"
NOTHING = "holding cards of a worthless hand"
DRAWS = {
    "straight flush": "giving up a straight flush draw",
    "royal flush": "giving up a royal flush draw",
    "flush": "giving up a flush draw",
    "straight": "giving up a straight draw",
}
"""The habits of giving up a draw; the first key that the line's name contains decides."""
HIGH_CARDS = "giving up high cards"


def habit_of(kind: MistakeKind) -> Habit:
    """Return the habit of a kind of mistake."""
    name = _name_of(kind)
    return OTHER_HABIT if name is None else Habit(name)


def _name_of(kind: MistakeKind) -> str | None:
    if kind.spot == LINES[-1]:
        return NOTHING
    if kind.slip == f"held {OFF}":
        return EXTRA
    if kind.spot in BREAKING:
        return BREAKING[kind.spot]
    if kind.spot not in LINES:
        return None
    return next((name for draw, name in DRAWS.items() if draw in kind.spot), HIGH_CARDS)
