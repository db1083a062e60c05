"""The terminal of a visit in a browser, which may disconnect and join again.

Either its terminal is drawn on, or it is told line by line, as plain text. Then nothing is painted
anew: a page that joins says how much it has heard, and is told the rest.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass

from aiohttp.web import WebSocketResponse

from ...inputs.sanitize import plain
from ...records.codec import encode
from ..gateway.reception import RESUME, GatewayServices, clamp_size
from ..gateway.visit import Visit
from ..line_editor import LONGEST
from ..session_protocol import LINES
from .transcript import Transcript

ENDED, MOVED = 4000, 4001
"""How a socket is closed when the visit is over, and when another window has taken it."""
ENVIRON = {"TERM": "xterm-256color", "COLORTERM": "truecolor"}
ASKED_BY = "the page's button"
EARLY = 16
"""Lines typed before the visit begins that are kept for it."""
_CUT = 1 << 30
"""Bytes that wait, as it were, while there is no socket: a line that takes nothing."""
_REASON = 120
"""Bytes of why a socket is closed; RFC 6455, section 5.5, has room for 123."""


@dataclass(frozen=True, slots=True)
class WindowMessage:
    """What is said first on a socket, and whenever the window has another size.

    ``lines`` asks for them or for the screen; without it the player's settings decide. ``heard``
    is the place in the transcript up to which the page has it.
    """

    columns: int
    rows: int
    lines: bool | None = None
    heard: int = 0


@dataclass(frozen=True, slots=True)
class TranscriptMessage:
    """What is said to a page before lines: the place in the transcript where they begin.

    ``again`` tells that the visit goes on that this socket has joined.
    """

    lines: int
    again: bool


class BrowserTerminal:
    """The terminal of a visit in a browser, by one socket after the other.

    While it is cut the visit goes on as with a line that is stuck, and as long; ``closed`` is set
    when nothing comes any more. ``window`` is what the window that began it said.
    """

    def __init__(self, house: GatewayServices, window: WindowMessage) -> None:
        self._counts, self._config = house.admission.counts, house.config
        self._size = clamp_size(house.config, window.columns, window.rows)
        self._wants_lines = window.lines
        self._visit: Visit | None = None
        self._early: list[bytes] = []
        self._transcript = Transcript()
        self._acknowledged = 0
        self._place: int | None = None  # where the page stands in the transcript, once it knows
        self._socket: WebSocketResponse | None = None
        self._transport: asyncio.WriteTransport | None = None
        self._buffer, self._ready = bytearray(), asyncio.Event()
        self._joined = self._rejoined = False
        self._holding: asyncio.TimerHandle | None = None
        self._last_text = ""
        self.disconnected, self.closed = False, asyncio.Event()

    # ---- what the reception and the visit ask for ------------------------------------------

    @property
    def size(self) -> tuple[int, int]:
        """Give columns and rows, within bounds."""
        return self._size

    @property
    def environ(self) -> dict[str, str]:
        """Give what the page's terminal is, and whether it is wanted."""
        if self._wants_lines is None:
            return dict(ENVIRON)
        return {LINES: ASKED_BY} if self._wants_lines else {LINES: "", **ENVIRON}

    @property
    def edits(self) -> bool:
        """Whether lines that are typed are shown over there, as they are."""
        return True

    @property
    def by_lines(self) -> bool:
        """Whether the visit goes line by line."""
        return bool(self._wants_lines) or (self._visit is not None and self._visit.by_lines)

    def suits(self, window: WindowMessage) -> bool:
        """Tell whether the visit is what a window wants."""
        return window.lines in (None, self.by_lines)

    def attach(self, visit: Visit) -> None:
        """Hand on to a visit what is typed from now on, and lines that were typed before."""
        self._visit = visit
        for data in self._early:
            visit.handle_input(data)

    def say(self, text: str) -> None:
        """Write plain text; the last of it is why the socket is closed in the end."""
        self._last_text = text
        end = "\n" if self.by_lines else "\r\n"
        self.write("".join(f"{plain(line)}{end}" for line in text.splitlines()).encode())

    def write(self, data: bytes) -> None:
        """Send to the browser, if it is there; lines are kept for when it is."""
        if self.by_lines:
            self._transcript.add(data)
        elif self._socket is not None:
            self._buffer += data
        self._ready.set()

    def unsent_bytes(self) -> int:
        """Give the bytes that the browser has not taken; lines wait for it as long as it is cut."""
        if self._socket is None or self._transport is None:
            return 0 if self.by_lines else _CUT
        below = 0 if self._transport.is_closing() else self._transport.get_write_buffer_size()
        above = len(self._buffer)
        if self.by_lines and self._place is not None:
            above = self._transcript.end - self._place
        return above + below

    # ---- from the browser ------------------------------------------------------------------

    def handle_input(self, data: bytes) -> None:
        """Hand on what is typed; a line stands in the transcript, too."""
        self._counts.received += len(data)
        if self.by_lines:
            line = data.decode(errors="replace").rstrip("\r\n")[:LONGEST]
            self.write(f"> {plain(line)}\n".encode())
        if self._visit is not None:
            self._visit.handle_input(data)
        elif self.by_lines and len(self._early) < EARLY:
            self._early.append(data)

    def resize(self, columns: int, rows: int) -> None:
        """Hand on a size, within bounds."""
        self._size = clamp_size(self._config, columns, rows)
        if self._visit is not None:
            self._visit.resize(*self._size)

    # ---- its sockets -----------------------------------------------------------------------

    async def join(
        self, socket: WebSocketResponse, transport: asyncio.WriteTransport, window: WindowMessage
    ) -> None:
        """Go on by a socket, and send by it until it is closed; the one before it is let go."""
        before, self._socket, self._transport = self._socket, socket, transport
        self._buffer.clear()
        if self._holding is not None:
            self._holding.cancel()
        if before is not None:
            self._ready.set()  # its sender sees that it is not the one any more
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
                await socket.close(code=ENDED, message=reason.encode())
                return
            self._ready.clear()
            await self._ready.wait()
        if not socket.closed:
            await socket.close(code=MOVED)

    def _due(self) -> str | bytes:
        """Give what is to be sent next: a place in the transcript, or what is shown; or nothing."""
        if not self.by_lines:
            data = bytes(self._buffer)
            self._buffer.clear()
            return data
        begin = self._acknowledged if self._place is None else self._place
        place, data = self._transcript.since(begin)
        if place != self._place:
            self._place = place
            return encode(TranscriptMessage(place, self._rejoined)).decode()
        self._place += len(data)
        return data

    def cut(self, socket: WebSocketResponse) -> None:
        """Note that a socket is gone; if it was the last one, the visit waits for another."""
        if self._socket is socket:
            self._socket = self._transport = None
            self._ready.set()
            if not self.closed.is_set():
                loop = asyncio.get_running_loop()
                self._holding = loop.call_later(self._config.stalled, self.leave)

    def leave(self, reason: str = "") -> None:
        """Have the visit end: nobody comes back to it."""
        self.disconnected = True
        if self._visit is not None:
            self._visit.end(reason)

    def end(self) -> None:
        """Close it, when what was said last is on its way."""
        self.closed.set()
        if self._holding is not None:
            self._holding.cancel()
        self._ready.set()
