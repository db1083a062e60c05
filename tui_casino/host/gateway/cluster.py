"""Take and release players' seats when several hosts serve one house."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from ...inputs.sanitize import plain
from ...records.ledger import LedgerError
from ...records.logbook import restore_log
from ...records.postgres import Postgres
from ...records.postgres_logbook import PostgresLogbook
from ..seat_leases import BEAT, SeatLeases
from .visit_registry import HouseFull, VisitRegistry

_LOG = logging.getLogger(__name__)
PATIENCE = 5.0
"""Seconds that the database is waited for."""
LOOK = 0.25
"""Seconds between two looks whether a seat is free."""
LONGEST = 30.0
"""Seconds that a seat is waited for: a session elsewhere may take a while to close its tables."""
ELSEWHERE = "Your seat is at another host still; come again in a moment."


class Cluster:
    """The seats of this host's visitors. While it is open it says that this host lives."""

    def __init__(self, url: str, registry: VisitRegistry) -> None:
        """Begin. Raises :class:`LedgerError`."""
        self._db = Postgres(url, PATIENCE)
        self._seats, self._registry = SeatLeases(self._db), registry
        self._alone = ThreadPoolExecutor(1, "beat")  # nothing else may keep a sign of life waiting
        self._beating = asyncio.get_running_loop().create_task(self._beat())

    async def _beat(self) -> None:
        loop, away = asyncio.get_running_loop(), False
        while True:
            await asyncio.sleep(BEAT)
            try:
                for player in await loop.run_in_executor(self._alone, self._seats.beat):
                    if not self._registry.send_away(player):
                        await loop.run_in_executor(self._alone, self._seats.leave, player)
            except LedgerError as error:  # tables stand still meanwhile, and it is tried again
                if not away:
                    _LOG.warning("tui-casino: %s", plain(str(error)))
                away = True
            else:
                if away:
                    _LOG.warning("tui-casino: the database is back")
                away = False

    @asynccontextmanager
    async def seat(
        self, player: str, has_left: Callable[[], bool], wait: Callable[[], None]
    ) -> AsyncIterator[str]:
        """Have a player's seat, and give it back in the end; its token is given.

        Calls ``wait`` if that takes a while; ``has_left`` tells whether the player has left. Raises
        :class:`HouseFull` if it cannot be had, and :class:`LedgerError`.
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
        with suppress(LedgerError):  # then it is found out when somebody else wants it
            self._seats.release(player, token)

    async def bring(self, player: str, folder: Path, log: str) -> None:
        """See that a log that was played elsewhere is here. Raises ``OSError``."""
        await asyncio.to_thread(restore_log, PostgresLogbook(self._db, player, ""), folder, log)

    async def close(self) -> None:
        """Give all seats back, and end."""
        self._beating.cancel()
        with suppress(asyncio.CancelledError):
            await self._beating
        with suppress(LedgerError):
            await asyncio.to_thread(self._seats.end)
        self._alone.shutdown()
        self._db.close()
