"""Find unfinished games for points in a folder of logs, and summarise where each one stopped."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from ..engine.game import Seat
from ..gamekit.definition import AnyDefinition, Games
from ..gamekit.words import with_names
from ..inputs.files import BadFile
from ..records.log_catalog import SittingStatus
from ..records.log_catalog import make_entry as glance
from ..records.log_header import HUMAN
from ..records.replay import LogMismatch, log_options, replay_log
from ..records.session_log import read_log
from .house import House, WaitingSession, WaitingSummary


def waiting_summary(
    definition: AnyDefinition, path: Path, names: Sequence[str] = ()
) -> WaitingSummary:
    """Replay a log by the rules and summarise the state at its end. Raises :class:`BadFile`.

    ``names`` are the names of players who share a keyboard, if they gave any.
    """
    log = read_log(path)
    try:
        state, at = definition.game.start(log_options(definition.game, log)), log.header.at
        for played in replay_log(definition.game, log):
            state, at = played.state, played.line.at
    except LogMismatch as differs:
        raise BadFile(path, differs.reason, differs.line) from None
    seats = [Seat(place) for place, who in enumerate(log.header.players) if who == HUMAN]
    staked = sum(definition.game.money(state, seat).staked for seat in seats)
    if len(seats) > 1:
        text = with_names(definition.hot_seat.moment(definition.game.view(state, None)), names)
    else:
        text = (
            definition.words.moment(definition.game.view(state, seats[0]), seats[0])
            if seats
            else ""
        )
    return WaitingSummary(text, at, staked * definition.game.unit)


class UnfinishedGames:
    """Finds all of a player's unfinished games for points, not only the newest.

    A folder may contain thousands of logs, so each finished log, and each log that cannot be
    resumed, is read only once.
    """

    def __init__(self) -> None:
        self._ignored: set[str] = set()

    def find(self, house: House, games: Games) -> tuple[WaitingSession, ...]:
        """Return the unfinished games of the house's player, newest first.

        Returns an empty tuple if the folder cannot be read. A game is imported only if one of its
        logs is unfinished.
        """
        try:
            names = [name for name in os.listdir(house.logs) if name not in self._ignored]
        except OSError:
            return ()
        dated = sorted(self._waiting(house, games, names), key=lambda pair: pair[0], reverse=True)
        return tuple(waiting for _, waiting in dated)

    def _waiting(
        self, house: House, games: Games, names: list[str]
    ) -> Iterator[tuple[tuple[int, int], WaitingSession]]:
        if not names:
            return
        for name in names:
            slug = name[16:-13]  # YYYYMMDD-HHMMSS-GAME-xxxxxx.jsonl
            if slug not in games:
                continue
            path = house.logs / name
            entry = glance(path, {}, {})
            if entry.finished or not entry.is_owned_by(house.player):
                self._ignored.add(name)
            elif entry.ending is SittingStatus.CUT_OFF and self._can_be_resumed(games[slug], path):
                yield (entry.ended, entry.changed), WaitingSession(slug, path)

    def _can_be_resumed(self, definition: AnyDefinition, path: Path) -> bool:
        """Return whether a human has played a step of this game, and the game can be resumed."""
        try:
            log = read_log(path)
            human = {seat for seat, who in enumerate(log.header.players) if who == HUMAN}
            is_own = log.header.daily is None and log.header.table is None
            if is_own and definition.can_resume(log_options(definition.game, log)):
                return any(step.by in human for step in log.steps())
        except BadFile:
            return False
        self._ignored.add(path.name)
        return False
