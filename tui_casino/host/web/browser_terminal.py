"""The terminal of a visit from a browser, which may disconnect and reconnect.

A visit either draws on a terminal, or prints lines of text in screen-reader mode. In screen-reader
mode nothing is repainted: a browser that reconnects says how much it has received, and gets the
rest.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress

from aiohttp.web import WebSocketResponse
from msgspec import Struct

from ...inputs.sanitize import LONGEST_LINE, plain
from ...records.codec import encode
from ..gateway.reception import RESUME, GatewayServices, clamp_size
from ..gateway.visit import CLOSED, Visit
from ..session_protocol import LINES

KEPT = 128 << 10
"""The maximum number of bytes that are kept to be sent again."""


class RecentOutput:
    r"""The recent output of a visit; ``end`` counts all bytes that were ever added.

    >>> output = RecentOutput(8)
    >>> output.add(b"one\ntwo\nthree\n")
    >>> output.since(0), output.since(10), output.end
    ((8, b'three\n'), (10, b'ree\n'), 14)
    """

    def __init__(self, limit: int = KEPT) -> None:
        self._limit, self._content = limit, bytearray()
        self.end = 0

    def add(self, data: bytes) -> None:
        """Add output, and drop the oldest lines that exceed the limit."""
        self._content += data
        self.end += len(data)
        if len(self._content) > self._limit:
            too_old = self._content.find(b"\n", len(self._content) - self._limit - 1) + 1
            del self._content[: too_old or len(self._content)]

    def since(self, place: int) -> tuple[int, bytes]:
        """Return the output from a position on, preceded by the position where it begins.

        If the output at that position has been dropped, it begins at the oldest line that is left.
        """
        first = self.end - len(self._content)
        place = place if first <= place <= self.end else first
        return place, bytes(self._content[place - first :])


ENDED, MOVED, RESTARTS = 4000, 4001, 4002
"""The close codes of a socket: the visit is over, or another window has taken it over."""
ENVIRON = {"TERM": "xterm-256color", "COLORTERM": "truecolor"}
ASKED_BY = "the button of the web client"
EARLY = 16
"""The maximum number of lines that are kept for a visit that has not begun yet."""
_CUT = 1 << 30
"""The number of unsent bytes to report without a socket, so that the connection seems stuck."""
_REASON = 120
"""The maximum number of bytes in a close reason; section 5.5 of RFC 6455 allows 123."""


class WindowMessage(Struct, frozen=True):
    """The first message on a socket, which is sent again for each new window size.

    ``lines`` asks for screen-reader mode or for the screen; without it, the player's settings
    decide. ``heard`` is the position up to which the browser has received the output.
    """

    columns: int
    rows: int
    lines: bool | None = None
    heard: int = 0


class TranscriptMessage(Struct, frozen=True):
    """The message that precedes lines sent to the browser: their position in the output.

    ``again`` says whether this socket has joined a running visit.
    """

    lines: int
    again: bool


class BrowserTerminal:
    """The terminal of a visit from a browser, which may use one socket after another.

    Without a socket, the visit continues for ``stalled`` seconds, as with a stuck connection.
    ``closed`` is set when there is no more output. ``window`` is the message of the first window.
    """

    def __init__(self, house: GatewayServices, window: WindowMessage) -> None:
        self._counts, self._config = house.admission.counts, house.config
        self._size = clamp_size(house.config, window.columns, window.rows)
        self._wants_lines = window.lines
        self._visit: Visit | None = None
        self._early: list[bytes] = []
        self._output = RecentOutput()
        self._acknowledged = 0
        self._place: int | None = None  # last output position sent to the browser
        self._socket: WebSocketResponse | None = None
        self._transport: asyncio.WriteTransport | None = None
        self._buffer, self._ready = bytearray(), asyncio.Event()
        self._joined = self._rejoined = False
        self._holding: asyncio.TimerHandle | None = None
        self._last_text = ""
        self.disconnected, self.closed = False, asyncio.Event()

    # ---- used by the reception and the visit ----------------------------------------------

    @property
    def size(self) -> tuple[int, int]:
        """The columns and rows, within limits."""
        return self._size

    table: str | None = None
    watches = False
    """Browsers open the menu."""

    @property
    def environ(self) -> dict[str, str]:
        """The environment of the browser's terminal, or the request for screen-reader mode."""
        if self._wants_lines is None:
            return dict(ENVIRON)
        return {LINES: ASKED_BY} if self._wants_lines else {LINES: "", **ENVIRON}

    @property
    def edits(self) -> bool:
        """Whether the browser shows typed lines itself, which it always does."""
        return True

    @property
    def by_lines(self) -> bool:
        """Whether the visit is in screen-reader mode."""
        return bool(self._wants_lines) or (self._visit is not None and self._visit.by_lines)

    def suits(self, window: WindowMessage) -> bool:
        """Return whether the visit is already in the mode that a message asks for."""
        return window.lines in (None, self.by_lines)

    def attach(self, visit: Visit) -> None:
        """Pass all further input to a visit, after the lines that were typed before."""
        self._visit = visit
        for data in self._early:
            visit.handle_input(data)

    def say(self, text: str) -> None:
        """Write plain text; the last text is also the close reason of the socket."""
        self._last_text = text
        end = "\n" if self.by_lines else "\r\n"
        self.write("".join(f"{plain(line)}{end}" for line in text.splitlines()).encode())

    def write(self, data: bytes) -> None:
        """Send data to the browser if it is connected; in screen-reader mode, keep it for later."""
        if self.by_lines:
            self._output.add(data)
        elif self._socket is not None:
            self._buffer += data
        self._ready.set()

    def unsent_bytes(self) -> int:
        """Return the number of bytes that the browser has not taken.

        Without a socket, this is a large number, or 0 in screen-reader mode, in which output is
        kept.
        """
        if self._socket is None or self._transport is None:
            return 0 if self.by_lines else _CUT
        below = 0 if self._transport.is_closing() else self._transport.get_write_buffer_size()
        above = len(self._buffer)
        if self.by_lines and self._place is not None:
            above = self._output.end - self._place
        return above + below

    # ---- from the browser ------------------------------------------------------------------

    def handle_input(self, data: bytes) -> None:
        """Pass on typed input; in screen-reader mode, also add it to the output."""
        self._counts.received += len(data)
        if self.by_lines:
            line = data.decode(errors="replace").rstrip("\r\n")[:LONGEST_LINE]
            self.write(f"> {plain(line)}\n".encode())
        if self._visit is not None:
            self._visit.handle_input(data)
        elif self.by_lines and len(self._early) < EARLY:
            self._early.append(data)

    def resize(self, columns: int, rows: int) -> None:
        """Pass on a window size, within limits."""
        self._size = clamp_size(self._config, columns, rows)
        if self._visit is not None:
            self._visit.resize(*self._size)

    # ---- sockets ---------------------------------------------------------------------------

    async def join(
        self, socket: WebSocketResponse, transport: asyncio.WriteTransport, window: WindowMessage
    ) -> None:
        """Close the old socket, continue over this one, and send until it is closed."""
        before, self._socket, self._transport = self._socket, socket, transport
        self._buffer.clear()
        if self._holding is not None:
            self._holding.cancel()
        if before is not None:
            self._ready.set()  # the old sender notices that it was replaced
        self.resize(window.columns, window.rows)
        rejoined = self._rejoined = self._joined
        self._joined = True
        self._acknowledged, self._place = window.heard if rejoined else 0, None
        if rejoined and self._visit is not None and not self.by_lines:
            self.write(RESUME)
            self._visit.repaint()
        with suppress(ConnectionError):
            await self._send(socket)

    async def _send(self, socket: WebSocketResponse) -> None:
        while self._socket is socket:
            match self._due():
                case str() as message:
                    await socket.send_str(message)
                    continue
                case bytes(data) if data:
                    self._counts.sent += len(data)
                    await socket.send_bytes(data)
                    continue
            if self.closed.is_set():
                reason = self._last_text.encode()[:_REASON].decode(errors="ignore")
                code = RESTARTS if reason == CLOSED else ENDED
                await socket.close(code=code, message=reason.encode())
                return
            self._ready.clear()
            await self._ready.wait()
        if not socket.closed:
            await socket.close(code=MOVED)

    def _due(self) -> str | bytes:
        """Return the next message to send: a position or output, or nothing if none is due."""
        if not self.by_lines:
            data = bytes(self._buffer)
            self._buffer.clear()
            return data
        begin = self._acknowledged if self._place is None else self._place
        place, data = self._output.since(begin)
        if place != self._place:
            self._place = place
            return encode(TranscriptMessage(place, self._rejoined)).decode()
        self._place += len(data)
        return data

    def cut(self, socket: WebSocketResponse) -> None:
        """Note that a socket was closed; without another one, the visit ends after a while."""
        if self._socket is socket:
            self._socket = self._transport = None
            self._ready.set()
            if not self.closed.is_set():
                loop = asyncio.get_running_loop()
                self._holding = loop.call_later(self._config.stalled, self.leave)

    def leave(self, reason: str = "") -> None:
        """End the visit."""
        self.disconnected = True
        if self._visit is not None:
            self._visit.end(reason)

    def end(self) -> None:
        """Close the socket once the last output has been sent."""
        self.closed.set()
        if self._holding is not None:
            self._holding.cancel()
        self._ready.set()
