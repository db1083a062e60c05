"""The kinds of mistakes, and the habits: groups of kinds, named in a player's words.

The kinds of a mistake are the strategy lines of the best hold, and of the hold made instead.
"""

from __future__ import annotations

from ....cards.card import Card
from ....engine.game import Seat
from ....gamekit.adviser import OTHER_HABIT, Habit, MistakeKind
from ..machine.game import Action, Hold, Phase, State
from .adviser import hand_odds_of
from .strategy import LINES, line_of

OFF = "cards that match no line"


def kind(view: State, seat: Seat, action: Action, better: Action) -> MistakeKind:
    """Return the kind of mistake that a hold was. Raises ``TypeError`` for other actions."""
    if not (isinstance(action, Hold) and isinstance(better, Hold)):
        raise TypeError(f"only holds have kinds of mistakes, not {action} and {better}")
    held_name = held_line_name(_held_cards(view, action))
    return MistakeKind(
        held_line_name(_held_cards(view, better)),
        held_name if held_name == LINES[-1] else f"held {held_name}",
    )


def spot(view: State, seat: Seat) -> str:
    """Return the name of the best hold's strategy line; "" if there is no hand to hold."""
    if view.phase is not Phase.HOLD:
        return ""
    try:
        _, best = hand_odds_of(view.options.paytable, view.coins).cost_and_best(view.hand, ())
    except ValueError:  # a card file may repeat cards
        return ""
    return held_line_name(_held_cards(view, Hold(best)))


def held_line_name(held: tuple[Card, ...]) -> str:
    """Return the name of the strategy line that holds exactly these cards, or :data:`OFF`."""
    line = line_of(held) if len(set(held)) == len(held) else None
    return OFF if line is None else LINES[line - 1]


def _held_cards(view: State, hold: Hold) -> tuple[Card, ...]:
    return tuple(view.hand[place - 1] for place in hold.positions)


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
