"""The connections of browsers: counted by their addresses, as those over SSH are."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from aiohttp.web import BaseRequest, Server, StreamResponse
from aiohttp.web_protocol import RequestHandler

from ..gateway.entry import Entry

KEEPALIVE = 15.0
"""Seconds that a connection may ask for nothing."""
LONGEST_HEADER = 4096
MOST_HEADERS = 64
CLOSING = 2.0
"""Seconds that browsers have to take what was said last."""


@dataclass(slots=True)
class Knock:
    """A connection that was taken on; ``known`` once it has said whose it is."""

    entry: Entry
    address: str
    known: bool = False

    def let_in(self) -> None:
        """Note that it has said whose it is."""
        if not self.known:
            self.known = True
            self.entry.known(self.address)

    def gone(self) -> None:
        """Forget it."""
        self.entry.gone(self.address, known=self.known)


class CountedServer(Server):
    """Hangs up on connections that are too many, at most so many in all, or ask for nothing."""

    def __init__(
        self,
        answer: Callable[[BaseRequest], Awaitable[StreamResponse]],
        entry: Entry,
        most: int,
    ) -> None:
        super().__init__(
            answer,
            keepalive_timeout=KEEPALIVE,
            max_line_size=LONGEST_HEADER,
            max_field_size=LONGEST_HEADER,
            max_headers=MOST_HEADERS,
            lingering_time=CLOSING,
            access_log=None,
        )
        self._entry, self._most = entry, most
        self._knocks: dict[RequestHandler, Knock] = {}

    def connection_made(self, handler: RequestHandler, transport: asyncio.Transport) -> None:
        """Take a connection on, if there is room for it."""
        super().connection_made(handler, transport)
        address = str((transport.get_extra_info("peername") or ("",))[0])
        if len(self._knocks) >= self._most:
            self._entry.refuse("full", address)
            transport.abort()
        elif self._entry.connects(address):
            self._knocks[handler] = Knock(self._entry, address)
        else:
            transport.abort()

    def connection_lost(self, handler: RequestHandler, exc: BaseException | None = None) -> None:
        """Forget it."""
        super().connection_lost(handler, exc)
        if (knock := self._knocks.pop(handler, None)) is not None:
            knock.gone()

    @contextmanager
    def knock(self, request: BaseRequest, address: str) -> Iterator[Knock | None]:
        """Give the connection that somebody at an address has; nothing if he has too many.

        What a proxy brings counts as one of his own.
        """
        if address == request.remote:
            yield self._knocks.get(request.protocol)
        elif self._entry.connects(address):
            knock = Knock(self._entry, address)
            try:
                yield knock
            finally:
                knock.gone()
        else:
            yield None
