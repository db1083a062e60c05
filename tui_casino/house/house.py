"""The house: where a program keeps its records, for which player; and what it finds there.

The menu is painted with no more than this, so what plays and records is imported where it is used.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ..gamekit.lazy_import import LazyModule
from ..inputs.errors import BadInput
from ..records.clock import Clock, now
from ..records.ledger import Ledger, LedgerError, OpenSitting

if TYPE_CHECKING:
    from ..engine.chance import ChanceSource, SourceSpec
    from ..gamekit.definition import AnyDefinition
    from ..records import cache, frame_indexer, log_header
    from ..records.frame_indexer import IndexingExecutor
    from ..records.log_header import Identity, SeatIdentities
    from ..records.logbook import Logbook
    from ..records.session_log import LogFollower
    from .limits import PlayTimer
else:
    cache = LazyModule("..records.cache", __package__)
    log_header = LazyModule("..records.log_header", __package__)
    frame_indexer = LazyModule("..records.frame_indexer", __package__)


SourceRestorer = Callable[["SourceSpec", bytes | None], "ChanceSource | None"]
"""Restores a source from its spec and what the ledger stored, as :func:`.make_source` does."""


@dataclass(frozen=True, slots=True)
class House:
    """Where a program keeps its records, for which player; ``ledger=None`` plays for practice.

    ``player`` is his id, which never changes, and ``name`` what he is called now, if not so.
    ``buy_in`` limits, in cents, what the player brings to a table; ``None`` is the whole purse.
    ``cache`` is where what was worked out from the logs is kept, if anywhere, and ``workers`` work
    it out while a log is written. ``archive`` is a ledger to look things up in while one practises.
    ``here`` is the player's own folder, if he has one: paths that he gives lead from there, and
    figures are written into it. All paths are absolute. ``again`` makes the sources of sittings for
    money again, where their seeds are somewhere else. ``publish`` puts a commitment on a public
    list, where there is one. A player ``afar`` sits at another machine:
    paths of this one are of no use to him, and his name is what the house knows him by. A
    ``logbook`` keeps the lines of logs for other hosts. Beyond ``room``, in bytes, no log is begun.
    ``answers`` is the file of what players answered in practice; without one that lasts as long as
    the program runs. A ``pastime`` knows the limits that the player has set himself.
    """

    logs: Path
    ledger: Ledger | None
    player: str
    buy_in: int | None = None
    clock: Clock = now
    cache: Path | None = None
    archive: Ledger | None = None
    name: str | None = None
    workers: IndexingExecutor | None = None
    here: Path | None = None
    again: SourceRestorer | None = None
    publish: Callable[[str], None] | None = None
    afar: bool = False
    logbook: Logbook | None = None
    room: int | None = None
    answers: Path | None = None
    pastime: PlayTimer | None = None

    def brought(self, purse: int) -> int:
        """Give what of a purse is brought to a table, in cents."""
        return purse if self.buy_in is None else min(purse, self.buy_in)

    def check_room(self) -> None:
        """See that there is room for another log. Raises :class:`BadInput`."""
        if self.room is None or not self.logs.exists():
            return
        if sum(one.stat().st_size for one in os.scandir(self.logs)) > self.room:
            raise BadInput(
                f"your logs fill the {self.room >> 20:,} MB that there are for them here; the "
                "house can make more room, or remove old ones"
            )

    @property
    def called(self) -> str:
        """What the player is called."""
        return self.player if self.name is None else self.name

    @property
    def settles(self) -> str:
        """What pays out a sitting that cannot be resumed, as part of a sentence."""
        if self.afar:
            return "ask the operator, whose tui-casino admin settle pays it out"
        return "tui-casino ledger settle pays it out"

    @property
    def identity(self) -> Identity:
        """Who plays here. Raises ``ValueError`` for an id or a name that is none."""
        return log_header.Identity(self.player, self.called)

    def who(self, players: Iterable[str]) -> SeatIdentities:
        """Say who plays at a table of these players: the house's own where a human sits."""
        return tuple(self.identity if player == log_header.HUMAN else None for player in players)

    def follower(self, definition: AnyDefinition, log: Path) -> LogFollower | None:
        """Give who keeps the frames of a log while it is written, if that can be done here."""
        if self.workers is None or self.cache is None:
            return None
        return frame_indexer.FrameIndexer(definition, log, cache.Cache(self.cache), self.workers)

    @property
    def books(self) -> Ledger | None:
        """The ledger that knows what was played for money, also while one practises."""
        return self.ledger or self.archive

    @property
    def keeps(self) -> bool:
        """Whether a sitting that is broken off can be taken up later: a guest's ledger is gone."""
        return self.ledger is not None and self.ledger.persistent


class MoneyElsewhere(LedgerError):
    """The purse is at other tables, at those of ``games`` (by their slugs)."""

    def __init__(self, games: Sequence[str], ledger: str) -> None:
        self.games = tuple(games)
        tables = " and ".join(games)
        super().__init__(f"your money is at another table: finish {tables} first ({ledger})")


@dataclass(frozen=True, slots=True)
class OpenSittingsReport:
    """What was found at the start: sittings that wait with a bet at stake, and what to say.

    ``stuck`` are those that cannot be resumed, whose money is in them until they are settled.
    """

    waiting: tuple[OpenSitting, ...] = ()
    notes: tuple[str, ...] = ()
    stuck: tuple[OpenSitting, ...] = ()
