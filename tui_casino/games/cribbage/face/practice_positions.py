"""Positions of cribbage for practice: drills and typed hands."""

from __future__ import annotations

from ....cards.card import BACK, format_cards
from ....engine.game import Seat
from ....gamekit.definition import PracticePositions, parse_cards
from ....structs import replace
from ..brains.lazy import mistake_kinds
from ..machine.rules import DEALT
from ..machine.state import GameForm, Options, Phase, State
from .words import hand_in_words

MINE, THEIRS = "own", "other"
"""The words for the owner of the crib in a typed position."""


def spots() -> tuple[str, ...]:
    """Return the names of all kinds of choices that can be practised."""
    return (
        *(mistake_kinds.OWN, mistake_kinds.OTHERS, mistake_kinds.LEAD),
        *(mistake_kinds.NEW_COUNT, mistake_kinds.BELOW, mistake_kinds.BEYOND),
    )


def position_text(view: State, seat: Seat) -> tuple[str, ...]:
    """Return the points, whose crib it is, the cards on the table, and the hand."""
    crib_owner = "your own" if view.dealer == seat else "your opponent's"
    sentences = [f"{hand_in_words(view, seat)}."]
    if view.phase is Phase.DISCARD:
        question = "Which two cards do you discard? x 1 2 discards cards 1 and 2."
        return (*sentences, f"The crib is {crib_owner}. {question}")
    if view.starter is not None:
        sentences.append(f"The starter is {view.starter}, the crib is {crib_owner}.")
    segment = format_cards(view.segment)
    sentences.append(f"Played so far: {segment}." if segment else "No card has been played yet.")
    return (*sentences, "Which card do you play? Type its number.")


def typed_position(view: State, seat: Seat, text: str) -> State | None:
    """Return the position with these six cards and the given crib, at the same score.

    Return ``None`` if the position is not a discard, or if its crib belongs to the other player.
    """
    *cards, last = text.split() or [""]
    crib_owner = last.lower() if last.lower() in (MINE, THEIRS) else None
    parsed = parse_cards(" ".join(cards) if crib_owner else text, DEALT, DEALT)
    if view.phase is not Phase.DISCARD or (
        crib_owner and (view.dealer == seat) != (crib_owner == MINE)
    ):
        return None
    six = tuple(sorted(parsed))
    hands = tuple(six if place == seat else (BACK,) * DEALT for place in (0, 1))
    return replace(view, hands=(hands[0], hands[1]))


def drill_options(options: Options) -> Options:
    """Return the options of drills: whole games in which the table counts and cards are hidden."""
    return Options(rules=options.rules if not options.open else "acc", form=GameForm.GAME)


PRACTICE: PracticePositions[Options, State] = PracticePositions(
    mistake_kinds.spot,
    position_text,
    typed_position,
    f"six cards, and whose crib it is ({MINE} or {THEIRS}), such as AH 4D 7H 8D KC KS {THEIRS}",
    spots,
    drill_options,
    opponent="greedy",
)
