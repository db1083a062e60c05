"""Authenticate browsers: by the cookie of a single-use link, or as a guest."""

from __future__ import annotations

import asyncio
import hashlib
import re
import secrets
from dataclasses import dataclass

from aiohttp.web import BaseRequest, StreamResponse

from ...records.clock import now
from ..addresses import is_within, parse_ip, parse_network
from ..browser_tokens import PASS_LIFE
from ..config import Config
from ..gateway.reception import GatewayServices, Visitor

_GUEST = "guest."
_VALUE = re.compile(r"[A-Za-z0-9_.-]{20,64}")
_SECONDS = PASS_LIFE // 1000


@dataclass(frozen=True, slots=True)
class BrowserIdentity:
    """Who has come with which browser: ``key`` is the same for all windows of it."""

    key: str
    caller: Visitor


class BrowserAuth:
    """Reads cookies and gives them; ``origin`` is that of the page."""

    def __init__(self, house: GatewayServices, origin: str) -> None:
        self._house, self._config = house, house.config
        self._passes = house.identities.passes
        self._secure = origin.startswith("https:")
        # a name that browsers let nobody set but this host itself, over TLS (RFC 6265bis, 4.1.3.2)
        self._name = "__Host-casino" if self._secure else "casino"

    async def browser(self, request: BaseRequest) -> BrowserIdentity | None:
        """Give who it is, if he has shown that. Raises :class:`BadInput`."""
        token = request.cookies.get(self._name, "")
        if not _VALUE.fullmatch(token):
            return None
        fingerprint = None
        if not token.startswith(_GUEST):
            fingerprint = await asyncio.to_thread(self._passes.owner, token, now())
        elif not self._config.guests:
            return None
        if fingerprint is None and not token.startswith(_GUEST):
            return None
        key = hashlib.sha256(token.encode()).hexdigest()
        return BrowserIdentity(key, Visitor(fingerprint, "", self.address(request)))

    def address(self, request: BaseRequest) -> str:
        """Give where somebody comes from, as a proxy says that is believed, else the socket."""
        return forwarded_address(
            request.remote or "",
            request.headers.getall("X-Forwarded-For", []),
            self._config,
        )

    async def follow(self, link: str, response: StreamResponse) -> None:
        """Let a browser in by a link. Raises :class:`~..passes.Stale`, :class:`BadInput`."""
        self._give(response, await asyncio.to_thread(self._passes.follow, link, now()))

    def let_guest(self, response: StreamResponse) -> None:
        """Let a browser in as a guest's, until it is closed."""
        self._give(response, _GUEST + secrets.token_urlsafe(32), persistent=False)

    async def leave(self, request: BaseRequest, response: StreamResponse) -> None:
        """Let a browser's cookie open nothing any more. Raises :class:`BadInput`."""
        token = request.cookies.get(self._name, "")
        if _VALUE.fullmatch(token):
            await asyncio.to_thread(self._passes.end, token)
        response.del_cookie(self._name, path="/", secure=self._secure, samesite="Strict")

    def _give(self, response: StreamResponse, value: str, *, persistent: bool = True) -> None:
        response.set_cookie(
            self._name,
            value,
            max_age=_SECONDS if persistent else None,
            path="/",
            secure=self._secure,
            httponly=True,
            samesite="Strict",
        )


def forwarded_address(peer: str, header: list[str], config: Config) -> str:
    """Give the address in a proxy's ``header``, if it is one of those that are believed.

    The last one is what the proxy itself has seen; those before it anybody can make up.
    """
    proxies = map(parse_network, (*config.excepted, *config.balancers))
    if config.forwarded and header and is_within(parse_ip(peer), proxies):
        last = header[-1].rpartition(",")[2].strip()
        if parse_ip(last) is not None:
            return last
    return peer
