"""What may be shown of a log: all of a finished session, and the player's part of an open one.

A log has all cards open, for that is what it proves. As long as its sitting can be gone on with,
nobody is to read there what others hold, or what comes: all that tells of logs asks here first.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..engine.game import A, E, Game, O, S, Seat
from .codec import name_and_fields
from .log_header import HUMAN, LogHeader
from .replay import ReplayedStep, replay_log
from .session_log import SessionLog


def permitted_viewer(header: LogHeader) -> Seat | None:
    """Give who may know what of an open sitting: its human's seat, else a watcher."""
    humans = [seat for seat, player in enumerate(header.players) if player == HUMAN]
    return Seat(humans[0]) if len(humans) == 1 else None


def sealed_reason(header: LogHeader, *, over: bool) -> str:
    """Say why nobody is shown a sitting step by step yet; nothing, if he may be.

    As long as several play on at one keyboard, none of them is to see what the others hold.
    """
    if over or header.players.count(HUMAN) < 2:
        return ""
    return "several play here: what each of them held is told once it is over"


def replay_redacted(game: Game[O, S, A, E], log: SessionLog) -> Iterator[ReplayedStep[S, A, E]]:
    """Replay a log as it may be told. Raises as :func:`~.replay.replay_log`.

    Of an open sitting the states are views, and the events what was heard. Of what others did
    the line keeps the kind alone; ``action`` is whole still, for it is none that is told.
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
