"""Limit what clients make the server compute: key exchanges and login requests.

A key exchange takes about two milliseconds, and every client may ask for one before it has logged
in. So only cheap algorithms are offered, each connection has a budget, and the steps of all
connections run one after another while other work goes first.
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
"""Key exchanges of at most 3.5 ms; rsa2048 takes 60 ms, the largest finite field 23 ms."""
EXCHANGES = 4
"""Key exchanges per minute of a connection that is logged in. Clients do one per hour."""
STRANGER_PACKETS = 64
"""Packets of a connection before it is logged in; a login takes about ten."""
STRANGER_BYTES = 64 << 10
"""Bytes of a connection before it is logged in; a login takes about 5 KB."""
PAUSE = 0.004
"""Seconds between two costly steps, in which the input of players is handled."""


def kex_algorithms() -> list[str]:
    """Return the algorithms to offer, as far as they are installed."""
    installed = {name.decode() for name in get_kex_algs()}
    return [name for name in KEX_ALGORITHMS if name in installed]


class FairQueue:
    """Runs costly steps one after another; the waiting addresses take turns.

    An address that asks for many steps waits for its own, and delays each other address by only
    one.
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
                self._waiting[whose] = turns  # behind all others
            if not turn.done():
                turn.set_result(None)
                await asyncio.sleep(self._pause)
        self._serving = None
