"""Positions of five-card draw for practice outside of a session."""

from __future__ import annotations

from dataclasses import replace

from ....engine.game import Seat
from ....gamekit.practice_positions import PracticePositions, number_cards, parse_cards
from ..brains.mistake_kinds import spot, spots
from ..machine.rules import HAND_CARDS
from ..machine.state import Options, Phase, Stakes, State


def position_text(view: State, seat: Seat) -> tuple[str, ...]:
    """Tell who is in, what they drew, the pot, the hand, and what is asked."""
    when = "After" if view.phase is Phase.CLOSING else "Before"
    if view.phase is Phase.DRAW:
        when = "At"
    lines = [f"{when} the draw, {len(view.alive) - 1} against you, {view.pot} in the pot."]
    draw_counts = [
        f"{count} by seat {other}"
        for other in view.alive
        if other != seat and (count := view.drawn[other]) is not None
    ]
    if draw_counts:
        lines.append(f"Drawn: {', '.join(draw_counts)}.")
    lines.append(f"Your cards: {number_cards(view.hands[seat])}.")
    if view.phase is Phase.DRAW or view.betting is None:
        return (*lines, "What do you throw? x 1 3 throws two, x alone stands pat.")
    owes = view.betting.owes(seat)
    if owes:
        return (*lines, f"{owes} to call: c calls, r raises, f folds.")
    return (*lines, "No bet yet: k checks, b bets.")


def typed_position(view: State, seat: Seat, text: str) -> State | None:
    """Have these five cards in place of those that were dealt, before the draw."""
    hand = parse_cards(text, HAND_CARDS, HAND_CARDS)
    if view.phase not in (Phase.OPENING, Phase.DRAW):
        return None
    hands = (hand if place == seat else held for place, held in enumerate(view.hands))
    return replace(view, hands=tuple(hands))


def drill_options(options: Options) -> Options:
    """Deal drills where bets are judged: between two; at the table with an ante as it is."""
    return options if options.stakes is Stakes.ANTE else Options(opponents=1)


PRACTICE: PracticePositions[Options, State] = PracticePositions(
    spot,
    position_text,
    typed_position,
    "five cards, like KS KD 9S 6S 2S",
    spots,
    drill_options,
    opponent="algorithm",
)
