"""The steps of a log as one seat saw them; an open session shows only what its player may see.

A log contains all cards, because it must prove that they were dealt correctly. While its session
can still be resumed, nobody may read other players' cards or future cards in it. All code that
shows logs must check here first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Generic

from msgspec import Struct

from ..engine.game import A, E, Game, O, S, Seat
from ..gamekit.definition import GameDefinition
from ..gamekit.tally import T
from ..structs import replace
from .codec import name_and_fields
from .log_header import HUMAN, LogHeader
from .replay import ReplayedStep, replay_log
from .session_log import SessionLog


class FinishedRound(Struct, frozen=True):
    """A round that is over, in the game's units."""

    wagered: int
    won: int


class SeatStep(Struct, Generic[S, A, E, T], frozen=True):
    """A step of a log as one seat saw it.

    ``before`` is the whole state before the step; ``number`` is the number of its round, from 1.
    ``tally`` is the seat's tally after the step, and ``staked`` its stake at that time, in the
    game's units. ``bet`` is true if the step raised the stake; ``ended`` is the round that the step
    ended. ``opening_bet`` is what the seat bet on the round before its first card, or 0 if it bet
    nothing then or if the steps begin after that card.
    """

    played: ReplayedStep[S, A, E]
    before: S
    number: int
    tally: T
    staked: int
    bet: bool
    ended: FinishedRound | None
    opening_bet: int = 0


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
    opening_bet, bets_open = 0, not staked
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
        number, raised = tally_before.rounds + 1, staked > staked_before
        if played.is_deal:
            bets_open = False
        elif bets_open and played.line.by == seat:
            opening_bet = staked
        yield SeatStep(played, before, number, tally, staked, raised, ended, opening_bet)
        if ended is not None:
            opening_bet, bets_open = 0, True


def permitted_viewer(header: LogHeader) -> Seat | None:
    """Return the only human's seat, which may see part of an open session; otherwise ``None``."""
    humans = [seat for seat, player in enumerate(header.players) if player == HUMAN]
    return Seat(humans[0]) if len(humans) == 1 else None


def sealed_reason(header: LogHeader, *, over: bool) -> str:
    """Return why a session may not be shown step by step yet; "" if it may be shown.

    While several people play at one keyboard, none of them may see the others' cards. A daily deal
    is judged only at its end.
    """
    if header.daily is not None and not over:
        return "a daily deal is shown once it is over"
    if over or header.players.count(HUMAN) < 2:
        return ""
    return "several people play here; their cards are shown once the session is over"


def replay_redacted(game: Game[O, S, A, E], log: SessionLog) -> Iterator[ReplayedStep[S, A, E]]:
    """Replay a log as it may be shown. Raises the errors of :func:`~.replay.replay_log`.

    For an open session, the states are views, and the events are those that the viewer saw. The
    lines of other players contain only the kind of each action. ``action`` is still complete and
    must not be shown.
    """
    steps = replay_log(game, log)
    return steps if log.over else _as_known(game, permitted_viewer(log.header), steps)


def _as_known(
    game: Game[O, S, A, E], viewer: Seat | None, steps: Iterator[ReplayedStep[S, A, E]]
) -> Iterator[ReplayedStep[S, A, E]]:
    for played in steps:
        events = tuple(game.hear(played.state, event, viewer) for event in played.events)
        line = replace(played.line, ev=tuple(map(name_and_fields, events)))
        if viewer is None or line.by != viewer:
            line = replace(line, do={key: line.do[key] for key in ("is",) if key in line.do})
        view = game.view(played.state, viewer)
        yield ReplayedStep(line, played.action, view, events)
