"""Count browsers' connections per address, and refuse connections above the limits."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping

from aiohttp.web import BaseRequest, Response, Server, StreamResponse
from aiohttp.web_protocol import RequestHandler

from ..addresses import household, parse_ip
from ..config import Config
from ..gateway.admission import AdmissionControl
from ..rate_limits import ConcurrencyLimit

KEEPALIVE = 15.0
"""How many seconds a connection may be idle."""
LONGEST_HEADER = 4096
MOST_HEADERS = 64
CLOSING = 2.0
"""How many seconds browsers have to take the last data."""
FETCHING = 4
"""The number of connections per visit; browsers load files over several connections."""
_SILENT = logging.Logger("page", logging.CRITICAL + 1)
"""Discards reports about data that is not HTTP; the server's own errors are logged elsewhere."""


class HttpHandler(RequestHandler):
    """Answers data that is not HTTP with ``headers`` and a short text."""

    __slots__ = ("headers",)
    headers: Mapping[str, str]

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

    Loading the web client takes several connections before anybody logs in, so the limit is higher
    than over SSH. The web server also counts the connections that have a login or a visit.
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

    def __call__(self) -> RequestHandler:
        """Return the handler for a new connection."""
        handler = HttpHandler(self, loop=asyncio.get_running_loop(), **self._kwargs)
        handler.headers = self._headers
        return handler

    @property
    def open(self) -> int:
        """The number of open connections."""
        return len(self._households)

    def connection_made(self, handler: RequestHandler, transport: asyncio.Transport) -> None:
        """Accept a connection if the limits allow it."""
        super().connection_made(handler, transport)
        address = str((transport.get_extra_info("peername") or ("",))[0])
        whose = "" if self._admission.is_exempt(address) else household(parse_ip(address))
        if len(self._households) >= self._limit:
            self._admission.refuse("full", address)
            transport.abort()
        elif whose and not self._at_once.take(whose):
            self._admission.refuse("at-once", address)
            transport.abort()
        else:
            self._households[handler] = whose

    def connection_lost(self, handler: RequestHandler, exc: BaseException | None = None) -> None:
        """Stop counting a connection."""
        super().connection_lost(handler, exc)
        if whose := self._households.pop(handler, ""):
            self._at_once.release(whose)
