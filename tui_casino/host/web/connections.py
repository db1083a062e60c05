"""Count browsers' connections and the frames they send, and enforce the limits."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from types import SimpleNamespace
from typing import cast

from aiohttp.http_websocket import WebSocketReader
from aiohttp.web import BaseRequest, Response, Server, StreamResponse
from aiohttp.web_protocol import RequestHandler

from ..addresses import household, parse_ip
from ..config import Config
from ..gateway.admission import AdmissionControl, UnknownConnections
from ..gateway.metrics import ConnectionCount, GatewayCounters
from ..gateway.reception import BYTES
from ..rate_limits import ByteRate, ConcurrencyLimit

KEEPALIVE = 15.0
"""How many seconds a connection may be idle."""
LONGEST_HEADER = 4096
MOST_HEADERS = 64
CLOSING = 2.0
"""How many seconds browsers have to take the last data."""
FETCHING = 4
"""The number of connections per visit; browsers load files over several connections."""
FRAME = 256
"""The bytes that a frame counts for in addition to its own, because each one costs time."""
PIECE = 4 << 10
"""Bytes to read from a connection before other connections get their turn."""
REST = 1.0
"""Seconds for which nothing is read from a connection that sent too much."""
_SILENT = logging.Logger("page", logging.CRITICAL + 1)
"""Discards reports about data that is not HTTP; the server's own errors are logged elsewhere."""


class FrameCounter:
    r"""Counts the frames that begin in the data of a socket (RFC 6455, section 5.2).

    >>> counter = FrameCounter()
    >>> counter.count(b"\x82\x81mask1\x89\x80mask\x80"), counter.count(b"\x80mask")
    (2, 1)
    """

    def __init__(self) -> None:
        self._head, self._ahead = b"", 0

    def count(self, data: bytes) -> int:
        """Return the number; raise ``ValueError`` for a frame without a mask."""
        data, at, number = self._head + data, self._ahead, 0
        while at + 2 <= len(data):
            length, content = data[at + 1] & 0x7F, at + 2
            if length > 125:
                content += 2 if length == 126 else 8
                if content > len(data):
                    break
                length = int.from_bytes(data[at + 2 : content])
            if not data[at + 1] & 0x80:
                raise ValueError("a frame without a mask")
            number += 1
            at = content + 4 + length
        self._head, self._ahead = data[at:], max(0, at - len(data))
        return number


class HttpHandler(RequestHandler):
    """Answers data that is not HTTP with ``headers`` and a short text, and counts frames.

    aiohttp does not pass on pieces of messages and pieces without content, so frames are counted
    before aiohttp sees them. If a browser sends too much, nothing is read from it for a while.
    """

    __slots__ = ("_resting", "counts", "headers")
    headers: Mapping[str, str]
    counts: GatewayCounters
    _resting: bool

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Limit how much is read at a time."""
        setattr(transport, "max_size", PIECE)  # noqa: B010 - asyncio's, on each of its transports
        self._resting = False
        super().connection_made(transport)

    def set_parser(
        self, parser: WebSocketReader, data_received_cb: Callable[[], None] | None = None
    ) -> None:
        """Pass on what a socket receives, after it was counted."""
        counter, stream, feed = FrameCounter(), ByteRate(BYTES), parser.feed_data

        def counted(data: bytes) -> tuple[bool, bytes]:
            loop = asyncio.get_running_loop()
            try:
                size = len(data) + FRAME * counter.count(data)
            except ValueError:
                self.force_close()
                return True, b""
            if stream.takes(size, loop.time()) and not self._resting:
                self.counts.floods += 1
                self._rest(loop)
            return feed(data)

        counting = SimpleNamespace(feed_data=counted, feed_eof=parser.feed_eof)
        super().set_parser(cast(WebSocketReader, counting), data_received_cb)

    def _rest(self, loop: asyncio.AbstractEventLoop) -> None:
        """Read nothing for a while."""
        self._resting = True
        if self.transport is not None:
            self.transport.pause_reading()
        loop.call_later(REST, self._read_on)

    def _read_on(self) -> None:
        self._resting = False
        if self.transport is not None and not getattr(self, "_reading_paused"):  # noqa: B009
            self.transport.resume_reading()

    def resume_reading(self, resume_parser: bool = True) -> None:
        """Read again, unless the browser sent too much."""
        super().resume_reading(resume_parser)
        if self._resting and self.transport is not None:
            self.transport.pause_reading()

    def handle_error(
        self,
        request: BaseRequest,
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,
    ) -> StreamResponse:
        """Send the error and close the connection."""
        super().handle_error(request, status, exc, message)
        answer = Response(status=status, text="bad request\n", headers=self.headers)
        answer.force_close()
        return answer


class CountedServer(Server):
    """Closes idle connections, and refuses connections above the limits, in total and per address.

    Loading the web client takes several connections before anybody logs in, so the limits are
    higher than over SSH. A newcomer takes the place of a connection without a visit. The web server
    also counts the connections that have a login or a visit.
    """

    def __init__(
        self,
        answer: Callable[[BaseRequest], Awaitable[StreamResponse]],
        admission: AdmissionControl,
        config: Config,
        headers: Mapping[str, str],
    ) -> None:
        super().__init__(
            answer,
            keepalive_timeout=KEEPALIVE,
            max_line_size=LONGEST_HEADER,
            max_field_size=LONGEST_HEADER,
            max_headers=MOST_HEADERS,
            lingering_time=CLOSING,
            access_log=None,
            logger=_SILENT,
        )
        self._headers = headers
        self._admission = admission
        self._limit = FETCHING * (config.sessions + config.unauthenticated)
        self._at_once = ConcurrencyLimit(FETCHING * config.connections)
        self._households: dict[RequestHandler, str] = {}
        self._unknown = UnknownConnections(
            FETCHING * config.unauthenticated, self._admission.refuse
        )

    def __call__(self) -> RequestHandler:
        """Return the handler for a new connection."""
        handler = HttpHandler(self, loop=asyncio.get_running_loop(), **self._kwargs)
        handler.headers, handler.counts = self._headers, self._admission.counts
        return handler

    def count(self) -> ConnectionCount:
        """Return the numbers of open connections."""
        return ConnectionCount(len(self._households), len(self._unknown))

    def mark_known(self, transport: asyncio.Transport) -> None:
        """Note that a connection has a visit."""
        self._unknown.remove(transport)

    def connection_made(self, handler: RequestHandler, transport: asyncio.Transport) -> None:
        """Accept a connection if the limits allow it."""
        super().connection_made(handler, transport)
        address = str((transport.get_extra_info("peername") or ("",))[0])
        whose = "" if self._admission.is_exempt(address) else household(parse_ip(address))
        if len(self._households) >= self._limit and not self._unknown.make_room():
            self._admission.refuse("full", address)
            transport.abort()
        elif whose and not self._at_once.take(whose):
            self._admission.refuse("at-once", address)
            transport.abort()
        else:
            self._households[handler] = whose
            self._unknown.add(transport, address)

    def connection_lost(self, handler: RequestHandler, exc: BaseException | None = None) -> None:
        """Stop counting a connection."""
        if handler.transport is not None:
            self._unknown.remove(handler.transport)
        super().connection_lost(handler, exc)
        if whose := self._households.pop(handler, ""):
            self._at_once.release(whose)
