"""The web server, which serves the web client's files, and handles logins and visits."""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import logging
import re
import secrets
import socket
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from aiohttp import ClientError, WSMsgType
from aiohttp.web import (
    BaseRequest,
    RequestPayloadError,
    Response,
    StreamResponse,
    WebSocketResponse,
)
from msgspec import Struct

from ...inputs.errors import BadInput, report_fault
from ...inputs.files import read_bytes
from ...inputs.sanitize import plain
from ...records.clock import now
from ...records.codec import decode, encode
from ...records.log_header import Identity
from ..addresses import household, is_within, parse_ip, parse_network
from ..config import Config, parse_address
from ..gateway.admission import AdmissionTicket
from ..gateway.metrics import ConnectionCount
from ..gateway.reception import (
    TURNED_AWAY,
    GatewayServices,
    Visitor,
    admit,
    play_as_guest,
    play_as_player,
    refusal_text,
)
from ..gateway.visit import CLOSED, TAKEN_OVER
from ..identities import PASS_LIFE, ExpiredLink
from ..rate_limits import RateLimit
from .browser_terminal import ENDED, RESTARTS, BrowserTerminal, WindowMessage
from .connections import CLOSING, CountedServer

FOLDER = Path(__file__).parent / "page"
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
    ".txt": "text/plain; charset=utf-8",
}
_MOST = 4 << 20


class Asset(Struct, frozen=True):
    """A file to send, ``packed`` with gzip if that is shorter; ``tag`` is its entity tag."""

    body: bytes
    packed: bytes | None
    kind: str
    tag: str


def assets() -> dict[str, Asset]:
    """Read all files of the web client; return them by URL path. Raises ``OSError``."""
    return dict(_assets())


def _assets() -> Iterator[tuple[str, Asset]]:
    for path in sorted(FOLDER.rglob("*")):
        if path.suffix in TYPES:
            body = read_bytes(path, _MOST)
            packed = gzip.compress(body, 6, mtime=0) if path.suffix != ".woff2" else body
            tag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
            shorter = packed if len(packed) < len(body) else None
            name = "" if path.name == "index.html" else path.relative_to(FOLDER).as_posix()
            yield f"/{name}", Asset(body, shorter, TYPES[path.suffix], tag)


def security_headers(origin: str) -> dict[str, str]:
    """Return the headers for every answer. They forbid foreign and inline content, and frames.

    ``origin`` is the web client's origin. The header lists the WebSocket explicitly, because not
    every browser includes it in ``'self'``.
    """
    policy = (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "font-src 'self'",
        "img-src 'self'",
        f"connect-src 'self' {origin.replace('http', 'ws', 1)}",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
    return {
        "Content-Security-Policy": "; ".join(policy),
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
        "Server": "tui-casino",
        "X-Frame-Options": "DENY",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Cache-Control": "no-cache",
    }


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

        Raises :class:`~..identities.ExpiredLink` and :class:`BadInput`.
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


REQUESTS = 600
"""Requests per minute from one address; opening the web client takes about ten."""
LONGEST_MESSAGE = 64 << 10
"""The maximum number of bytes in a message on the socket."""
LONGEST_POSTED = 512
LEFT = (ConnectionError, ClientError, RequestPayloadError)
"""Errors of a request whose client disconnects before the end."""
_LOG = logging.getLogger(__name__)
OFTEN = "too many requests; try again in a minute"
AWAY = "the server cannot read its database right now; try again later"


class LoginMessage(Struct, frozen=True):
    """The body of a login: the secret from a link, or a request to play as a guest."""

    link: str = ""
    guest: bool = False


@asynccontextmanager
async def serve_web(
    listening: socket.socket, house: GatewayServices
) -> AsyncIterator[Callable[[], ConnectionCount]]:
    """Serve the web client until all visits are over; yield a function that counts connections."""
    page = WebServer(house)
    listener = await asyncio.get_running_loop().create_server(page.server, sock=listening)
    try:
        yield page.server.count
    finally:
        listener.close()
        await page.close()


class WebServer:
    """Answers the requests of browsers."""

    def __init__(self, house: GatewayServices) -> None:
        self._house, self._admission = house, house.admission
        self._origin = house.config.web_url or ""
        self._entrance = BrowserAuth(house, self._origin)
        self._assets, self._headers = assets(), security_headers(self._origin)
        self.server = CountedServer(self.answer, house.admission, house.config, self._headers)
        self._rate = RateLimit(REQUESTS)
        self._lines: dict[str, BrowserTerminal] = {}
        self._visits: set[asyncio.Task[None]] = set()

    async def close(self) -> None:
        """Wait until all visits are over, and close all connections."""
        await asyncio.gather(*self._visits, return_exceptions=True)
        self.server.pre_shutdown()
        await self.server.shutdown(CLOSING)

    # ---- requests -------------------------------------------------------------------------

    async def answer(self, request: BaseRequest) -> StreamResponse:
        """Answer a request."""
        address = self._entrance.address(request)
        whose = household(parse_ip(address))
        if not self._admission.is_exempt(address) and not self._rate.take(whose, _time()):
            self._admission.refuse("rate", address)
            return self._text_response(429, OFTEN, close=True)
        try:
            match request.method, request.path:
                case "GET" | "HEAD", path if path in self._assets:
                    return self._file(path, request)
                case "GET", "/who":
                    return await self._who(request)
                case "GET", "/play":
                    return await self._play(request)
                case "POST", "/enter" | "/leave" as path:
                    return await self._post(path, request)
        except BadInput:
            return self._text_response(503, AWAY)
        except LEFT:
            return self._text_response(400, "the request is incomplete", close=True)
        except Exception as error:
            _LOG.error("tui-casino: %s", plain(report_fault(error, "the web client failed")))
            return self._text_response(500, "internal error", close=True)
        return self._text_response(404, "not found", close=True)

    def _text_response(self, status: int, text: str, *, close: bool = False) -> Response:
        answer = Response(status=status, text=f"{text}\n", headers=self._headers)
        if close:
            answer.force_close()
        return answer

    def _file(self, path: str, request: BaseRequest) -> Response:
        asset = self._assets[path]
        own = {"ETag": asset.tag, "Vary": "Accept-Encoding"}
        if request.headers.get("If-None-Match") == asset.tag:
            return Response(status=304, headers=self._headers | own)
        body = asset.body
        if asset.packed is not None and "gzip" in request.headers.get("Accept-Encoding", ""):
            body, own["Content-Encoding"] = asset.packed, "gzip"
        own["Content-Type"] = asset.kind
        return Response(body=body, headers=self._headers | own)

    async def _who(self, request: BaseRequest) -> Response:
        browser = await self._entrance.browser(request)
        player = None if browser is None else await self._player(browser)
        answer = {
            "name": None if player is None else player.name,
            "guest": browser is not None and browser.caller.fingerprint is None,
            "guests": self._house.config.guests > 0,
            "ssh": parse_address(self._house.config.ssh)[1],
        }
        return self._json(answer)

    async def _player(self, browser: BrowserIdentity) -> Identity | None:
        if browser.caller.fingerprint is None:
            return None
        return await asyncio.to_thread(self._house.identities.player_of, browser.caller.fingerprint)

    def _json(self, body: object, status: int = 200) -> Response:
        own = {"Content-Type": "application/json", "Cache-Control": "no-store"}
        return Response(status=status, body=encode(body), headers=self._headers | own)

    def _is_ours(self, request: BaseRequest, address: str) -> bool:
        """Return whether the Origin header says that the request comes from the web client."""
        if request.headers.getall("Origin", []) == [self._origin]:
            return True
        self._admission.refuse("origin", address)
        return False

    async def _post(self, path: str, request: BaseRequest) -> Response:
        address = self._entrance.address(request)
        if not self._is_ours(request, address):
            return self._text_response(403, "this request comes from another web site", close=True)
        if request.content_length is None or request.content_length > LONGEST_POSTED:
            return self._text_response(413, "the request is too long", close=True)
        if "Content-Encoding" in request.headers:
            return self._text_response(415, "the request must not be compressed", close=True)
        done = self._json({})
        if path == "/leave":
            browser = await self._entrance.browser(request)
            if browser is not None and (line := self._lines.get(browser.key)):
                line.leave()
            await self._entrance.leave(request, done)
            return done
        knock = self._admission.admit_connection(address)
        if knock is None:
            return self._text_response(429, OFTEN, close=True)
        with knock:
            try:
                async with asyncio.timeout(self._house.config.login):
                    login = decode(await request.read(), LoginMessage)
            except ValueError:
                return self._text_response(400, "bad request", close=True)
            except TimeoutError:
                return self._text_response(408, "the request did not arrive in time", close=True)
            if login.guest and self._house.config.guests:
                self._entrance.let_guest(done)
                return done
            try:
                await self._entrance.follow(login.link, done)
            except ExpiredLink as error:
                self._admission.refuse("link", address)
                return self._json({"why": str(error)}, 403)
        return done

    # ---- the socket -----------------------------------------------------------------------

    async def _play(self, request: BaseRequest) -> StreamResponse:
        address = self._entrance.address(request)
        if not self._is_ours(request, address):
            return self._text_response(403, "this request comes from another web site", close=True)
        browser = await self._entrance.browser(request)
        if browser is None:
            return self._text_response(
                401, "this browser is not logged in; open a link from ssh HOST link", close=True
            )
        knock = self._admission.admit_connection(address)
        if knock is None:
            return self._text_response(429, OFTEN, close=True)
        with knock:
            config = self._house.config
            ws = WebSocketResponse(
                timeout=CLOSING,
                heartbeat=config.keepalive,
                compress=False,
                max_msg_size=LONGEST_MESSAGE,
            )
            if not ws.can_prepare(request):
                return self._text_response(
                    400, "this address is for the web client's socket", close=True
                )
            ws.headers.update(self._headers)
            await ws.prepare(request)
            with suppress(ConnectionError, TimeoutError, ValueError):
                await self._visited(request, ws, browser, knock)
            if not ws.closed:
                await ws.close()
        return ws

    async def _visited(
        self,
        request: BaseRequest,
        ws: WebSocketResponse,
        browser: BrowserIdentity,
        ticket: AdmissionTicket,
    ) -> None:
        """Admit the visitor on a socket, and pass on their input until the socket is closed."""
        first = await ws.receive(timeout=self._house.config.login)
        if first.type is not WSMsgType.TEXT:
            return
        window = decode(first.data.encode(), WindowMessage)
        try:
            player = await admit(self._house, browser.caller)
        except TURNED_AWAY as error:
            refusal = refusal_text(error)
            code = RESTARTS if refusal == CLOSED else ENDED
            await ws.close(code=code, message=refusal.encode()[:120])
            return
        ticket.mark_known()
        transport = request.transport
        if transport is None:
            return
        self.server.mark_known(transport)
        line = self._lines.get(browser.key)
        if line is not None and line.closed.is_set():
            line = None
        if line is None or not line.suits(window):
            line = self._begin(browser, player, window, line)
        sending = asyncio.create_task(line.join(ws, transport, window))
        try:
            await self._hear(ws, line)
        finally:
            line.cut(ws)
            await sending

    def _begin(
        self,
        browser: BrowserIdentity,
        player: Identity | None,
        window: WindowMessage,
        before: BrowserTerminal | None,
    ) -> BrowserTerminal:
        line = self._lines[browser.key] = BrowserTerminal(self._house, window)

        async def visit() -> None:
            try:
                if before is not None:  # the two windows want different modes
                    before.leave(TAKEN_OVER)
                    await before.closed.wait()
                if player is None:
                    await play_as_guest(self._house, browser.caller, line)
                else:
                    await play_as_player(self._house, browser.caller, line, player)
            except TURNED_AWAY as error:
                line.say(refusal_text(error))
            finally:
                line.end()
                if self._lines.get(browser.key) is line:
                    del self._lines[browser.key]

        task = asyncio.create_task(visit())
        self._visits.add(task)
        task.add_done_callback(self._visits.discard)
        return line

    async def _hear(self, ws: WebSocketResponse, line: BrowserTerminal) -> None:
        """Pass on what a browser sends."""
        async for message in ws:
            match message.type:
                case WSMsgType.BINARY if message.data:
                    line.handle_input(message.data)
                case WSMsgType.TEXT:
                    window = decode(message.data.encode(), WindowMessage)
                    line.resize(window.columns, window.rows)
                case WSMsgType.BINARY:
                    pass
                case _:
                    break


def _time() -> float:
    return asyncio.get_running_loop().time()
