"""The house: where a program keeps the records of a player, and what it finds at the start.

The menu needs only this module, so modules for play and records are imported when first used.
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
    from ..records.log_replica import LogReplica
    from ..records.session_log import LogFollower
    from .limits import PlayTimer
else:
    cache = LazyModule("..records.cache", __package__)
    log_header = LazyModule("..records.log_header", __package__)
    frame_indexer = LazyModule("..records.frame_indexer", __package__)


SourceRestorer = Callable[["SourceSpec", bytes | None], "ChanceSource | None"]
"""Restores a source from its spec and the ledger's data, as :func:`.make_source` does."""


@dataclass(frozen=True, slots=True)
class House:
    """The ledger and folders of a player's records; ``ledger=None`` means free play.

    ``player`` is the player's id, which never changes; ``name`` is the current display name, if it
    differs. ``buy_in`` limits, in cents, the money that the player brings to a table; ``None``
    means the whole balance.

    ``cache`` is the folder of results calculated from the logs, and ``workers`` calculate them
    while a log is written. ``archive`` is a ledger to read during free play. ``folder`` is the
    player's own folder, if there is one: relative paths start there. ``answers`` is the file of
    practice answers; without it they last as long as the program runs. All paths are absolute.

    ``restore_source`` restores the sources of open sessions for money whose seeds are kept
    elsewhere. ``publish_commitment`` adds a commitment to a public list. A ``remote`` player is at
    another machine, so paths of this one are of no use. A ``log_replica`` copies the lines of logs
    for other servers. No log is started once the logs have more than ``log_quota`` bytes.
    ``play_timer`` has the limits that the player has set.
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
    folder: Path | None = None
    restore_source: SourceRestorer | None = None
    publish_commitment: Callable[[str], None] | None = None
    remote: bool = False
    log_replica: LogReplica | None = None
    log_quota: int | None = None
    answers: Path | None = None
    play_timer: PlayTimer | None = None

    def limit_buy_in(self, purse: int) -> int:
        """Return how much of a balance the player brings to a table, in cents."""
        return purse if self.buy_in is None else min(purse, self.buy_in)

    def check_log_quota(self) -> None:
        """Raise :class:`BadInput` if there is no room for another log."""
        if self.log_quota is None or not self.logs.exists():
            return
        if sum(one.stat().st_size for one in os.scandir(self.logs)) > self.log_quota:
            raise BadInput(
                f"your logs have reached the limit of {self.log_quota >> 20:,} MB; ask the "
                "operator for more room, or to remove old ones"
            )

    @property
    def display_name(self) -> str:
        """The display name of the player."""
        return self.player if self.name is None else self.name

    @property
    def settle_hint(self) -> str:
        """How a session that cannot be resumed is paid out, as part of a sentence."""
        if self.remote:
            return "ask the operator to pay it out with tui-casino admin settle"
        return "tui-casino ledger settle pays it out"

    @property
    def identity(self) -> Identity:
        """The player's id and name. Raises ``ValueError`` if one of them is invalid."""
        return log_header.Identity(self.player, self.display_name)

    def identities(self, players: Iterable[str]) -> SeatIdentities:
        """Return the identity of each seat at a table: the player's for humans, else ``None``."""
        return tuple(self.identity if player == log_header.HUMAN else None for player in players)

    def follower(self, definition: AnyDefinition, log: Path) -> LogFollower | None:
        """Return an indexer of a log while it is written, if there are workers and a cache."""
        if self.workers is None or self.cache is None:
            return None
        return frame_indexer.FrameIndexer(definition, log, cache.Cache(self.cache), self.workers)

    @property
    def books(self) -> Ledger | None:
        """The ledger that knows the sessions for money, also in free play."""
        return self.ledger or self.archive

    @property
    def can_resume(self) -> bool:
        """Whether an interrupted session can be resumed later; a guest's ledger does not last."""
        return self.ledger is not None and self.ledger.persistent


class MoneyElsewhere(LedgerError):
    """The balance is at other tables, at the ``games`` (slugs)."""

    def __init__(self, games: Sequence[str], ledger: str) -> None:
        self.games = tuple(games)
        tables = " and ".join(games)
        super().__init__(f"your money is at another table: finish {tables} first ({ledger})")


@dataclass(frozen=True, slots=True)
class OpenSittingsReport:
    """The open sessions found at the start: those that wait with a bet at stake, and messages.

    ``unresumable`` sessions keep their money until they are settled.
    """

    waiting: tuple[OpenSitting, ...] = ()
    notes: tuple[str, ...] = ()
    unresumable: tuple[OpenSitting, ...] = ()
