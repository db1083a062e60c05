"""Positions of five-card draw for practice outside a session."""

from __future__ import annotations

from ....engine.game import Seat
from ....gamekit.definition import PracticePositions, number_cards, parse_cards
from ....inputs.numbers import count_noun
from ....structs import replace
from ..brains.mistakes import spot, spots
from ..brains.players import NAMES
from ..machine.rules import HAND_CARDS
from ..machine.state import Options, Phase, Stakes, State


def position_text(view: State, seat: Seat) -> tuple[str, ...]:
    """Describe a position: opponents, their draws, the pot, the hand, and the choice."""
    when = "After" if view.phase is Phase.CLOSING else "Before"
    if view.phase is Phase.DRAW:
        when = "At"
    lines = [f"{when} the draw: {_opponents(view)} in the hand, {view.pot} credits in the pot."]
    draw_counts = [
        f"{NAMES[other]} drew {count}"
        for other in view.alive
        if other != seat and (count := view.drawn[other]) is not None
    ]
    if draw_counts:
        lines.append(f"{', '.join(draw_counts)}.")
    lines.append(f"Your cards: {number_cards(view.hands[seat])}.")
    if view.phase is Phase.DRAW or view.betting is None:
        return (*lines, "Discard which cards? x 1 3 discards two, x without numbers stands pat.")
    owes = view.betting.owes(seat)
    if owes:
        return (*lines, f"{owes} credits to call: c calls, r raises, f folds.")
    return (*lines, "No bet yet: k checks, b bets.")


def _opponents(view: State) -> str:
    count = len(view.alive) - 1
    return count_noun(count, "opponent")


def typed_position(view: State, seat: Seat, text: str) -> State | None:
    """Return the position with the typed cards as the seat's hand, or ``None`` after the draw."""
    hand = parse_cards(text, HAND_CARDS, HAND_CARDS)
    if view.phase not in (Phase.OPENING, Phase.DRAW):
        return None
    hands = (hand if place == seat else held for place, held in enumerate(view.hands))
    return replace(view, hands=tuple(hands))


def drill_options(options: Options) -> Options:
    """Return options for drills that the trainer can judge: an ante table, or limit for two."""
    return options if options.stakes is Stakes.ANTE else Options(opponents=1)


PRACTICE: PracticePositions[Options, State] = PracticePositions(
    spot,
    position_text,
    typed_position,
    "five cards, such as KS KD 9S 6S 2S",
    spots,
    drill_options,
    opponent="algorithm",
)
