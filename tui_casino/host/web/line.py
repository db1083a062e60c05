"""A line to a browser: it may be cut, and joined again by that browser while the visit waits."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from aiohttp.web import WebSocketResponse

from ...inputs.plain import plain
from ..gateway.reception import RESUME, House, clamped
from ..gateway.visit import Visit

ENDED, MOVED = 4000, 4001
"""How a socket is closed when the visit is over, and when another window has taken it."""
ENVIRON = {"TERM": "xterm-256color", "COLORTERM": "truecolor"}
_CUT = 1 << 30
"""Bytes that wait, as it were, while there is no socket: a line that takes nothing."""
_REASON = 120
"""Bytes of why a socket is closed; RFC 6455, section 5.5, has room for 123."""


class BrowserLine:
    """The terminal of a visit in a browser, by one socket after the other.

    While it is cut the visit goes on as with a line that is stuck, and as long; ``ended`` is set
    when nothing comes any more.
    """

    def __init__(self, house: House, size: tuple[int, int]) -> None:
        self._counts, self._config = house.entry.counts, house.config
        self._size = clamped(house.config, *size)
        self._visit: Visit | None = None
        self._socket: WebSocketResponse | None = None
        self._transport: asyncio.WriteTransport | None = None
        self._waiting, self._more = bytearray(), asyncio.Event()
        self._joined = False
        self._holding: asyncio.TimerHandle | None = None
        self._said = ""
        self.gone, self.ended = False, False

    # ---- what the reception and the visit ask for ------------------------------------------

    @property
    def size(self) -> tuple[int, int]:
        """Give columns and rows, within bounds."""
        return self._size

    @property
    def environ(self) -> dict[str, str]:
        """Give what the page's terminal is."""
        return dict(ENVIRON)

    def begins(self, visit: Visit) -> None:
        """Hand on to a visit what is typed from now on."""
        self._visit = visit

    def say(self, text: str) -> None:
        """Write plain text; the last of it is why the socket is closed in the end."""
        self._said = text
        self.write("".join(f"{plain(line)}\r\n" for line in text.splitlines()).encode())

    def write(self, data: bytes) -> None:
        """Send to the browser, if it is there."""
        if self._socket is not None:
            self._waiting += data
            self._more.set()

    def waiting(self) -> int:
        """Give the bytes that the browser has not taken."""
        if self._socket is None or self._transport is None:
            return _CUT
        below = 0 if self._transport.is_closing() else self._transport.get_write_buffer_size()
        return len(self._waiting) + below

    # ---- from the browser ------------------------------------------------------------------

    def typed(self, data: bytes) -> None:
        """Hand on what is typed."""
        self._counts.received += len(data)
        if self._visit is not None:
            self._visit.typed(data)

    def resized(self, columns: int, rows: int) -> None:
        """Hand on a size, within bounds."""
        self._size = clamped(self._config, columns, rows)
        if self._visit is not None:
            self._visit.resized(*self._size)

    # ---- its sockets -----------------------------------------------------------------------

    async def join(
        self, socket: WebSocketResponse, transport: asyncio.WriteTransport, size: tuple[int, int]
    ) -> None:
        """Go on by a socket, and send by it until it is closed; the one before it is let go."""
        before, self._socket, self._transport = self._socket, socket, transport
        self._waiting.clear()
        if self._holding is not None:
            self._holding.cancel()
        if before is not None:
            self._more.set()  # its sender sees that it is not the one any more
        self.resized(*size)
        again, self._joined = self._joined, True
        if again and self._visit is not None:
            self.write(RESUME)
            self._visit.repaint()
        with suppress(ConnectionError):
            await self._send(socket)

    async def _send(self, socket: WebSocketResponse) -> None:
        while self._socket is socket:
            if self._waiting:
                data = bytes(self._waiting)
                self._waiting.clear()
                self._counts.sent += len(data)
                await socket.send_bytes(data)
            elif self.ended:
                reason = self._said.encode()[:_REASON].decode(errors="ignore")
                await socket.close(code=ENDED, message=reason.encode())
                return
            else:
                self._more.clear()
                await self._more.wait()
        if not socket.closed:
            await socket.close(code=MOVED)

    def cut(self, socket: WebSocketResponse) -> None:
        """Note that a socket is gone; if it was the last one, the visit waits for another."""
        if self._socket is socket:
            self._socket = self._transport = None
            self._more.set()
            if not self.ended:
                loop = asyncio.get_running_loop()
                self._holding = loop.call_later(self._config.stalled, self.leave)

    def leave(self) -> None:
        """Have the visit end: nobody comes back to it."""
        self.gone = True
        if self._visit is not None:
            self._visit.end("")

    def end(self) -> None:
        """Close it, when what was said last is on its way."""
        self.ended = True
        if self._holding is not None:
            self._holding.cancel()
        self._more.set()
