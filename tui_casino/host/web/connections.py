"""Count browsers' connections per address, and refuse those that are too many."""

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
"""Seconds that a connection may ask for nothing."""
LONGEST_HEADER = 4096
MOST_HEADERS = 64
CLOSING = 2.0
"""Seconds that browsers have to take what was said last."""
FETCHING = 4
"""Connections for each one that somebody may come in by: browsers fetch by several at once."""
_SILENT = logging.Logger("page", logging.CRITICAL + 1)
"""Takes what strangers send that is no HTTP; faults of our own are told elsewhere."""


class HttpHandler(RequestHandler):
    """Answers what is no HTTP as all else is answered: with ``headers``, and in a few words."""

    __slots__ = ("headers",)
    headers: Mapping[str, str]

    def handle_error(
        self,
        request: BaseRequest,
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,
    ) -> StreamResponse:
        """Say that it is not understood, and hang up."""
        super().handle_error(request, status, exc, message)
        answer = Response(status=status, text="that is not understood\n", headers=self.headers)
        answer.force_close()
        return answer


class CountedServer(Server):
    """Hangs up on connections that are too many, in all or of an address, or ask for nothing.

    To fetch what the page is made of takes several, none of which says whose it is: they are not
    counted as those over SSH. Those that somebody may come in by are, by the server.
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
        """Make what reads and answers on a connection."""
        handler = HttpHandler(self, loop=asyncio.get_running_loop(), **self._kwargs)
        handler.headers = self._headers
        return handler

    @property
    def open(self) -> int:
        """Count the connections that are open."""
        return len(self._households)

    def connection_made(self, handler: RequestHandler, transport: asyncio.Transport) -> None:
        """Take a connection on, if there is room for it."""
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
        """Forget it."""
        super().connection_lost(handler, exc)
        if whose := self._households.pop(handler, ""):
            self._at_once.release(whose)
