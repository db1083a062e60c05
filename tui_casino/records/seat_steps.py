"""The steps of a log as one seat saw them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Generic

from msgspec import Struct

from ..engine.game import A, E, O, S, Seat
from ..gamekit.definition import GameDefinition
from ..gamekit.tally import T
from .log_header import HUMAN, LogHeader
from .replay import ReplayedStep


class FinishedRound(Struct, frozen=True):
    """A round that is over, in the game's units."""

    wagered: int
    won: int


class SeatStep(Struct, Generic[S, A, E, T], frozen=True):
    """A step of a log as one seat saw it.

    ``before`` is the whole state before the step; ``number`` is the number of its round, from 1.
    ``tally`` is the seat's tally after the step, and ``staked`` its stake at that time, in the
    game's units. ``bet`` is true if the step raised the stake; ``ended`` is the round that the step
    ended.
    """

    played: ReplayedStep[S, A, E]
    before: S
    number: int
    tally: T
    staked: int
    bet: bool
    ended: FinishedRound | None


def reviewed_seat(header: LogHeader) -> Seat:
    """Return the seat for which a log is reviewed: the first human's seat, or else seat 0."""
    return Seat(header.players.index(HUMAN) if HUMAN in header.players else 0)


def walk_steps(
    definition: GameDefinition[O, S, A, E, T],
    seat: Seat,
    state: S,
    tally: T,
    steps: Iterable[ReplayedStep[S, A, E]],
) -> Iterator[SeatStep[S, A, E, T]]:
    """Yield the steps of a seat, given the state and the seat's tally before the first one.

    All code that goes through a log from a seat's point of view uses this function.
    """
    game = definition.game
    staked = game.money(state, seat).staked
    for played in steps:
        before, tally_before = state, tally
        for event in played.events:
            tally = tally.add(game.hear(played.state, event, seat))
        state = played.state
        staked_before, staked = staked, game.money(state, seat).staked
        ended = None
        if tally is not tally_before and tally.rounds > tally_before.rounds:
            wagered, won = tally.wagered - tally_before.wagered, tally.won - tally_before.won
            ended = FinishedRound(wagered, won)
        number = tally_before.rounds + 1
        yield SeatStep(played, before, number, tally, staked, staked > staked_before, ended)
