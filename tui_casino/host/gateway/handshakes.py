"""Limit the work that clients can cause: key exchanges and login requests.

A key exchange takes about two milliseconds, and every client may ask for one before it has logged
in. So only cheap algorithms are offered, each connection has a budget, and the steps of all
connections run one at a time, after all other work.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque

from asyncssh.kex import get_kex_algs

KEX_ALGORITHMS = (
    "mlkem768x25519-sha256",
    "curve25519-sha256",
    "curve25519-sha256@libssh.org",
    "ecdh-sha2-nistp256",
)
"""Key exchanges that take at most 3.5 ms; rsa2048 takes 60 ms, the largest finite field 23 ms."""
EXCHANGES = 4
"""Key exchanges per minute on a connection that is logged in. Clients do one per hour."""
STRANGER_PACKETS = 64
"""Packets allowed on a connection before it is logged in; a login takes about ten."""
STRANGER_BYTES = 64 << 10
"""Bytes allowed on a connection before it is logged in; a login takes about 5 KB."""
PAUSE = 0.004
"""Seconds between two costly steps, which leave time to handle the input of players."""


def kex_algorithms() -> list[str]:
    """Return the algorithms to offer, without any that are not installed."""
    installed = {name.decode() for name in get_kex_algs()}
    return [name for name in KEX_ALGORITHMS if name in installed]


class FairQueue:
    """Runs costly steps one after another; the waiting addresses take turns.

    If an address asks for many steps, it delays every other address by only one step.
    """

    def __init__(self, pause: float = PAUSE) -> None:
        self._pause = pause
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()
        self._serving: asyncio.Task[None] | None = None

    async def wait(self, address: str) -> None:
        """Wait for the next turn of an address."""
        loop = asyncio.get_running_loop()
        turn: asyncio.Future[None] = loop.create_future()
        self._waiting.setdefault(address, deque()).append(turn)
        if self._serving is None:
            self._serving = loop.create_task(self._serve())
        await turn

    async def _serve(self) -> None:
        while self._waiting:
            whose, turns = self._waiting.popitem(last=False)
            turn = turns.popleft()
            if turns:
                self._waiting[whose] = turns  # behind all other addresses
            if not turn.done():
                turn.set_result(None)
                await asyncio.sleep(self._pause)
        self._serving = None
