"""Games for points that wait in a folder of logs, and where a log stands."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from ..engine.game import Seat
from ..gamekit.parts import AnyParts
from ..inputs.files import BadFile
from ..records.header import HUMAN
from ..records.log import read
from ..records.replay import Differs, options_of, replay
from ..records.shelf import Ending, Games
from ..records.shelf import entry as glance
from .house import House
from .waiting import Moment, Waiting


def moment_of(parts: AnyParts, path: Path) -> Moment:
    """Tell where a log stands, by the rules alone. Raises :class:`BadFile`."""
    log = read(path)
    try:
        state, at = parts.game.start(options_of(parts.game, log)), log.header.at
        for played in replay(parts.game, log):
            state, at = played.state, played.line.at
    except Differs as differs:
        raise BadFile(path, differs.why, differs.line) from None
    seats = [Seat(place) for place, who in enumerate(log.header.players) if who == HUMAN]
    staked = sum(parts.game.money(state, seat).staked for seat in seats)
    if len(seats) > 1:
        said = parts.moment_to_all(parts.game.view(state, None))
    else:
        said = parts.moment(parts.game.view(state, seats[0]), seats[0]) if seats else ""
    return Moment(said, at, staked * parts.game.unit)


class Unfinished:
    """Finds the games for points that wait in a house, every one, not only the newest.

    A log that has ended, or that nobody can go on with, is looked at once and then remembered: a
    folder may hold thousands.
    """

    def __init__(self) -> None:
        self._passed: set[str] = set()

    def look(self, house: House, games: Games) -> tuple[Waiting, ...]:
        """List those of the house's player, the newest first.

        A folder that cannot be read has none. A game is imported only if a log of it has no end.
        """
        try:
            names = [name for name in os.listdir(house.logs) if name not in self._passed]
        except OSError:
            return ()
        found = [*self._waiting(house, games, names)]
        return tuple(one for _, one in sorted(found, key=lambda pair: pair[0], reverse=True))

    def _waiting(
        self, house: House, games: Games, names: list[str]
    ) -> Iterator[tuple[tuple[int, int], Waiting]]:
        if not names:
            return
        for name in names:
            slug = name[16:-13]  # YYYYMMDD-HHMMSS-GAME-xxxxxx.jsonl
            if slug not in games:
                continue
            path = house.logs / name
            entry = glance(path, {}, {})
            if entry.finished or not entry.belongs_to(house.player):
                self._passed.add(name)
            elif entry.ending is Ending.CUT_OFF and self._can_go_on(games[slug](), path):
                yield (entry.ended, entry.changed), Waiting(slug, path)

    def _can_go_on(self, parts: AnyParts, path: Path) -> bool:
        """Tell whether somebody has begun to play a game here that waits for him."""
        try:
            log = read(path)
            human = {seat for seat, who in enumerate(log.header.players) if who == HUMAN}
            if parts.waits(options_of(parts.game, log)):
                return any(step.by in human for step in log.steps())
        except BadFile:
            return False
        self._passed.add(path.name)
        return False
