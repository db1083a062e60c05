"""The walk over a log: its steps as one seat lives them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Generic

from ..engine.game import A, E, O, S, Seat
from ..gamekit.parts import Parts
from ..gamekit.tally import T
from .header import HUMAN, Header
from .replay import Played


@dataclass(frozen=True, slots=True)
class Round:
    """A round that is over, in the game's units."""

    wagered: int
    won: int


@dataclass(frozen=True, slots=True)
class SeatStep(Generic[S, A, E, T]):
    """A step of a log as one seat lives it.

    ``before`` is the whole state before the step and ``number`` the round that it belongs to, from
    1. ``tally`` is the seat's after it, ``staked`` what the seat has at stake then, in the game's
    units. ``bet`` says that this is more than before; ``ended`` is the round that the step ended.
    """

    played: Played[S, A, E]
    before: S
    number: int
    tally: T
    staked: int
    bet: bool
    ended: Round | None


def seat_of(header: Header) -> Seat:
    """Return the seat that a log is reviewed for: the first human's, or else the first."""
    return Seat(header.players.index(HUMAN) if HUMAN in header.players else 0)


def walk(
    parts: Parts[O, S, A, E, T], seat: Seat, state: S, tally: T, steps: Iterable[Played[S, A, E]]
) -> Iterator[SeatStep[S, A, E, T]]:
    """Go through steps from the state and the seat's tally before them: the one walk over a log."""
    game = parts.game
    staked = game.money(state, seat).staked
    for played in steps:
        had, before = tally, state
        for event in played.events:
            tally = tally.add(game.hear(played.state, event, seat))
        state = played.state
        now = game.money(state, seat).staked
        ended = tally is not had and tally.rounds > had.rounds
        over = Round(tally.wagered - had.wagered, tally.won - had.won) if ended else None
        yield SeatStep(played, before, had.rounds + 1, tally, now, now > staked, over)
        staked = now
