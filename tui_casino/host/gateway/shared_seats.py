"""Take and release players' seats when several servers share one database."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from ...inputs.sanitize import plain
from ...records.ledger import LedgerError
from ...records.log_replica import restore_log
from ...records.postgres import Postgres
from ...records.postgres_stores import PostgresLogReplica
from ..seat_leases import BEAT, SeatLeases
from .visit import HouseFull, VisitRegistry

_LOG = logging.getLogger(__name__)
PATIENCE = 5.0
"""Seconds to wait for the database."""
LOOK = 0.25
"""Seconds between two attempts to take a seat."""
LONGEST = 30.0
"""Seconds to wait for a seat: a session at another server may be slow to close its tables."""
ELSEWHERE = "You are still playing at another server. Try again in a moment."


class SharedSeats:
    """The seats of this server's visitors. While open, it reports that the server is alive."""

    def __init__(self, url: str, registry: VisitRegistry) -> None:
        """Connect to the database. Raises :class:`LedgerError`."""
        self._db = Postgres(url, PATIENCE)
        self._seats, self._registry = SeatLeases(self._db), registry
        self._alone = ThreadPoolExecutor(1, "beat")  # so that nothing delays the heartbeat
        self._beating = asyncio.get_running_loop().create_task(self._beat())

    async def _beat(self) -> None:
        loop, away = asyncio.get_running_loop(), False
        while True:
            await asyncio.sleep(BEAT)
            try:
                for player in await loop.run_in_executor(self._alone, self._seats.beat):
                    if not self._registry.send_away(player):
                        await loop.run_in_executor(self._alone, self._seats.leave, player)
            except LedgerError as error:  # the tables wait until an attempt succeeds
                if not away:
                    _LOG.warning("tui-casino: %s", plain(str(error)))
                away = True
            else:
                if away:
                    _LOG.warning("tui-casino: the database can be reached again")
                away = False

    @asynccontextmanager
    async def seat(
        self, player: str, has_left: Callable[[], bool], wait: Callable[[], None]
    ) -> AsyncIterator[str]:
        """Take a player's seat, yield its token, and release it at the end.

        Calls ``wait`` if that takes a while; ``has_left`` returns whether the player has left.
        Raises :class:`HouseFull` if the seat cannot be taken, and :class:`LedgerError`.
        """
        token = await asyncio.to_thread(self._seats.take, player)
        if token is None:
            wait()
        for _ in range(round(LONGEST / LOOK)):
            if token is not None or has_left():
                break
            await asyncio.sleep(LOOK)
            token = await asyncio.to_thread(self._seats.take, player)
        if token is None:
            raise HouseFull(ELSEWHERE)
        try:
            yield token
        finally:
            await asyncio.shield(asyncio.to_thread(self._release, player, token))

    def _release(self, player: str, token: str) -> None:
        with suppress(LedgerError):  # the seat becomes free once another server wants it
            self._seats.release(player, token)

    async def bring(self, player: str, folder: Path, log: str) -> None:
        """Fetch a log that was played at another server, if necessary. Raises ``OSError``."""
        await asyncio.to_thread(restore_log, PostgresLogReplica(self._db, player, ""), folder, log)

    async def close(self) -> None:
        """Release all seats and disconnect."""
        self._beating.cancel()
        with suppress(asyncio.CancelledError):
            await self._beating
        with suppress(LedgerError):
            await asyncio.to_thread(self._seats.end)
        self._alone.shutdown()
        self._db.close()
