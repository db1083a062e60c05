"""Authenticate browsers by the cookie from a single-use link, or as guests."""

from __future__ import annotations

import asyncio
import hashlib
import re
import secrets

from aiohttp.web import BaseRequest, StreamResponse
from msgspec import Struct

from ...records.clock import now
from ..addresses import is_within, parse_ip, parse_network
from ..browser_tokens import PASS_LIFE
from ..config import Config
from ..gateway.reception import GatewayServices, Visitor

_GUEST = "guest."
_VALUE = re.compile(r"[A-Za-z0-9_.-]{20,64}")
_SECONDS = PASS_LIFE // 1000


class BrowserIdentity(Struct, frozen=True):
    """An authenticated browser; ``key`` is the same for all its windows."""

    key: str
    caller: Visitor


class BrowserAuth:
    """Reads and sets cookies; ``origin`` is the web client's origin."""

    def __init__(self, house: GatewayServices, origin: str) -> None:
        self._house, self._config = house, house.config
        self._passes = house.identities.passes
        self._secure = origin.startswith("https:")
        # a prefix that only this server can set, over TLS (RFC 6265bis, 4.1.3.2)
        self._name = "__Host-casino" if self._secure else "casino"

    async def browser(self, request: BaseRequest) -> BrowserIdentity | None:
        """Identify a browser by its cookie; ``None`` if it is invalid. Raises :class:`BadInput`."""
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
        """Return the client's address, from a trusted proxy or from the socket."""
        return forwarded_address(
            request.remote or "",
            request.headers.getall("X-Forwarded-For", []),
            self._config,
        )

    async def follow(self, link: str, response: StreamResponse) -> None:
        """Log a browser in with the secret of a link.

        Raises :class:`~..browser_tokens.ExpiredLink` and :class:`BadInput`.
        """
        self._give(response, await asyncio.to_thread(self._passes.follow, link, now()))

    def let_guest(self, response: StreamResponse) -> None:
        """Log a browser in as a guest, until the browser is closed."""
        self._give(response, _GUEST + secrets.token_urlsafe(32), persistent=False)

    async def leave(self, request: BaseRequest, response: StreamResponse) -> None:
        """Revoke a browser's cookie. Raises :class:`BadInput`."""
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
    """Return the address in a proxy's ``header``, if the proxy is trusted.

    The last address is the one that the proxy itself saw; clients can invent the ones before it.
    """
    proxies = map(parse_network, (*config.excepted, *config.balancers))
    if config.forwarded and header and is_within(parse_ip(peer), proxies):
        last = header[-1].rpartition(",")[2].strip()
        if parse_ip(last) is not None:
            return last
    return peer
