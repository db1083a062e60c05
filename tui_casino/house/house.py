"""A player's house: the ledger, the logs and folders, and the sessions found open at the start.

The menu needs only this module, so the modules for play and records are imported when they are
first used.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct

from ..engine.money import dollars
from ..gamekit.lazy_import import LazyModule
from ..inputs.errors import BadInput
from ..inputs.files import file_size
from ..records.clock import Clock, now
from ..records.ledger import Ledger, LedgerError, OpenSitting

if TYPE_CHECKING:
    from concurrent.futures import Future, ThreadPoolExecutor


if TYPE_CHECKING:
    from ..engine.chance import ChanceSource, SourceSpec
    from ..gamekit.definition import AnyDefinition
    from ..records import cache, frame_indexer, log_header, replay
    from ..records.frame_indexer import IndexingExecutor
    from ..records.log_header import Identity, LogHeader, SeatIdentities
    from ..records.log_replica import LogReplica
    from ..records.replay import Verification
    from ..records.session_log import LogFollower, SessionLog
    from .daily_ranking import AnswerCounts, Board, BoardKind
    from .limits import PlayTimer
    from .shared_tables import SharedTablesClient
else:
    cache = LazyModule("..records.cache", __package__)
    log_header = LazyModule("..records.log_header", __package__)
    frame_indexer = LazyModule("..records.frame_indexer", __package__)
    replay = LazyModule("..records.replay", __package__)

SourceRestorer = Callable[["SourceSpec", bytes | None], "ChanceSource | None"]
"""Restores a source from its spec and the ledger's data, like :func:`.make_source`."""


class DailyServer(Protocol):
    """The daily deals of a server. All methods may raise :class:`LedgerError`."""

    def report(self) -> object:
        """Ask the server to judge a try that the player has finished."""
        ...

    def source(self, day: date, game: str, /) -> ChanceSource:
        """Return the shuffle of a deal, given the slug of its game."""
        ...

    def boards(self, kind: BoardKind, /) -> tuple[Board, ...]:
        """Return the boards of all games as the player sees them."""
        ...

    def answers(self, day: date, game: str, /) -> AnswerCounts:
        """Return how often each answer was given to each question, once the day is over."""
        ...


class House(Struct, frozen=True):
    """The ledger and folders of a player's records; ``ledger=None`` means free play.

    ``player`` is the player's id, which never changes; ``name`` is the current display name, if it
    differs. ``buy_in`` limits, in cents, the money that the player brings to a table; ``None``
    means the whole balance.

    ``cache`` is the file for results calculated from the logs; ``workers`` calculate these results
    while a log is being written. ``archive`` is the player's ledger, opened read-only during free
    play. ``folder`` is the player's own folder, if there is one; relative paths start there.
    ``answers`` is the file of practice answers; without it, they are kept only while the program is
    running. All paths are absolute. With ``repays_debt``, winnings repay the debt at the cash-out.

    ``restore_source`` restores the sources of open money sessions whose seeds are kept elsewhere.
    ``publish_commitment`` adds a commitment to a public list. ``shared_tables`` are the tables at
    which several people play. ``daily`` provides the daily deals of a server. A ``remote`` player
    uses another machine, so paths on this machine mean nothing to them. A ``log_replica`` copies
    the lines of logs for other servers. No new log is started once the logs are larger than
    ``log_quota`` bytes in total. ``play_timer`` enforces the limits that the player has set.
    ``seat_names`` are the names of players who share a keyboard; if it is empty, they have the
    default names.
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
    daily: DailyServer | None = None
    shared_tables: SharedTablesClient | None = None
    remote: bool = False
    log_replica: LogReplica | None = None
    log_quota: int | None = None
    answers: Path | None = None
    seat_names: tuple[str, ...] = ()
    play_timer: PlayTimer | None = None
    repays_debt: bool = False

    def limit_buy_in(self, purse: int) -> int:
        """Return how much of a balance, in cents, the player brings to a table."""
        return purse if self.buy_in is None else min(purse, self.buy_in)

    def locate(self, log: Path) -> Path:
        """Return where a log of an open session is now; its path in the ledger is only a hint.

        The folder may have been moved, renamed or restored. A copy of the folder has logs of its
        own, and must not write to those of the original. An operator's folder contains a folder for
        each player.
        """
        parts = log.parts
        here = (self.logs.joinpath(*parts[-1:]), self.logs.joinpath(*parts[-3:]))
        return next((path for path in here if path.exists()), log)

    def check_elsewhere(self) -> None:
        """Raise :class:`MoneyElsewhere` if the player's money is at another table."""
        if self.ledger is not None and (waiting := self.ledger.open_sittings(self.player)):
            raise MoneyElsewhere(sorted({one.game for one in waiting}), self.ledger.name)

    def check_log_quota(self) -> None:
        """Raise :class:`BadInput` if there is no room for another log."""
        if self.log_quota is None or not self.logs.exists():
            return
        if sum(map(file_size, os.scandir(self.logs))) > self.log_quota:
            raise BadInput(
                f"your logs have reached the limit of {self.log_quota >> 20:,} MB; ask the "
                "operator for more room, or to remove old ones"
            )

    @property
    def has_daily(self) -> bool:
        """Whether there are daily deals; guests of a server have none."""
        return not self.remote or self.daily is not None

    def verify(self, definition: AnyDefinition, log: SessionLog) -> Verification:
        """Verify a log with the player's ledger and the server's daily shuffle.

        Raises :class:`BadFile` for a log that cannot be replayed, and :class:`LedgerError`.
        """
        hashes = log.head, log.hash
        checkpoint = self.books.checkpoint_of(log.path.resolve(), hashes) if self.books else None
        return replay.verify_log(definition, log, checkpoint, self.daily_shuffle(log.header))

    def daily_shuffle(self, header: LogHeader) -> ChanceSource | None:
        """Return the shuffle of a log that is a server's daily deal, once its seed is revealed.

        A server refuses to look up a later day, which a log can have after the clock was set back.
        Raises :class:`LedgerError`.
        """
        if self.daily is None or header.daily is None:
            return None
        try:
            day = date.fromisoformat(header.daily)
        except ValueError:
            return None
        if day > datetime.fromtimestamp(self.clock() / 1000, UTC).date():
            return None
        source = self.daily.source(day, header.game)
        return None if source.seed is None else source

    @property
    def display_name(self) -> str:
        """The display name of the player."""
        return self.player if self.name is None else self.name

    @property
    def settle_hint(self) -> str:
        """Part of a sentence that says how to pay out a session that cannot be resumed."""
        if self.remote:
            return "ask the operator to pay it out with tui-casino admin settle"
        return "tui-casino ledger settle pays it out"

    @property
    def identity(self) -> Identity:
        """The player's id and name. Raises ``ValueError`` if one of them is invalid."""
        return log_header.Identity(self.player, self.display_name)

    def identities(self, players: Iterable[str]) -> SeatIdentities:
        """Return each seat's identity: the player's for humans, ``None`` for computer players."""
        return tuple(self.identity if player == log_header.HUMAN else None for player in players)

    def follower(self, definition: AnyDefinition, log: Path) -> LogFollower | None:
        """Return an indexer that follows a log being written, if there are workers and a cache."""
        if self.workers is None or self.cache is None:
            return None
        return frame_indexer.FrameIndexer(definition, log, cache.Cache(self.cache), self.workers)

    @property
    def books(self) -> Ledger | None:
        """The ledger of the money sessions, even in free play."""
        return self.ledger or self.archive

    @property
    def can_resume(self) -> bool:
        """Whether an interrupted session can be resumed later; a guest's ledger is not kept."""
        return self.ledger is not None and self.ledger.persistent


class MoneyElsewhere(LedgerError):
    """The balance is in play at other tables; ``games`` are the slugs of their games."""

    def __init__(self, games: Sequence[str], ledger: str) -> None:
        self.games = tuple(games)
        tables = " and ".join(games)
        super().__init__(f"your money is at another table: finish {tables} first ({ledger})")


class LoanNeeded(BadInput):
    """The player's ``balance`` is below the smallest bet; the house would lend ``cents``."""

    def __init__(self, balance: int, cents: int) -> None:
        self.cents = cents
        self.question = (
            f"Your balance of {dollars(balance)} is below the smallest bet. The house can lend you "
            f"{dollars(cents)}; you can repay it from the menu."
        )
        super().__init__("your balance is below the smallest bet, and you did not ask for a loan")


class OpenSittingsReport(Struct, frozen=True):
    """The open sessions found at the start: those with a bet at stake, and messages for the player.

    The money of ``unresumable`` sessions stays with them until they are settled. ``held`` says how
    to come back to seats at tables with others.
    """

    waiting: tuple[OpenSitting, ...] = ()
    notes: tuple[str, ...] = ()
    unresumable: tuple[OpenSitting, ...] = ()
    held: tuple[str, ...] = ()


class LazyExecutor:
    """An executor with one thread that starts with the first job; most sessions never need it."""

    def __init__(self) -> None:
        self._pool: ThreadPoolExecutor | None = None
        self._lock, self._closed = Lock(), False

    def submit(self, job: Callable[[], None], /) -> Future[None]:
        """Run a job after all earlier ones. Raises ``RuntimeError`` after :meth:`close`."""
        with self._lock:
            if self._closed:
                raise RuntimeError("the background executor is closed")
            if self._pool is None:
                from concurrent.futures import ThreadPoolExecutor  # late: loads slowly

                self._pool = ThreadPoolExecutor(1, "worker")
            return self._pool.submit(job)

    def close(self) -> None:
        """Accept no more jobs, and wait until the submitted ones are done."""
        with self._lock:
            self._closed = True
        if self._pool is not None:
            self._pool.shutdown()


class WaitingSession(Struct, frozen=True):
    """A session that waits to be resumed; ``entry`` is its ledger entry, if it is for money."""

    game: str
    log: Path
    entry: OpenSitting | None = None


class WaitingSummary(Struct, frozen=True):
    """The state in which the player left a waiting session.

    ``text`` describes it in a few words, ``time`` is in milliseconds since 1970, and ``staked`` is
    the money at stake, in cents.
    """

    text: str
    time: int
    staked: int
