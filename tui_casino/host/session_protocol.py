"""The frames between gateway and session, and the session's end of the connection.

A frame is a type, a length and a payload. Frames are sent over a socket pair. When the session's
process ends, for whatever reason, the system closes its end.
"""

from __future__ import annotations

import asyncio
import socket
import struct
from contextlib import suppress
from enum import IntEnum
from typing import NamedTuple

from msgspec import Struct

from ..records.codec import decode, encode

_HEAD = struct.Struct(">BI")
_SIZE = struct.Struct(">HH")
READER = "reader"
"""The command that begins a visit in screen-reader mode."""
LINES = "TUI_CASINO_SCREEN_READER"
"""The variable that says how the visitor asked for screen-reader mode; empty for the screen."""
LONGEST = 4 << 20
"""The maximum number of bytes in a frame; the largest window can be drawn with fewer."""


class FrameType(IntEnum):
    """The type of a frame. Types up to ``REPAINT`` go to the session; the rest come from it."""

    INPUT = 1
    SIZE = 2
    PING = 3
    TELL = 4
    """A message to show, as text."""
    END = 5
    REPAINT = 6
    """Some output was dropped: repaint everything."""
    OUTPUT = 16
    PONG = 17
    BYE = 18
    """The tables are closed and the terminal is restored. The payload is the last message."""
    LINES = 19
    """Screen-reader mode: the output is plain text, and the input is complete lines."""
    PLAYED = 20
    """The player has finished a daily deal: judge it."""


class SessionSockets(NamedTuple):
    """The connections of a session to the gateway and to the cage.

    On ``news``, the cage may take long to answer.
    """

    gateway: socket.socket
    cage: socket.socket
    news: socket.socket


class Hello(Struct, frozen=True):
    """The greeting of a session: the player, and the terminal.

    ``player`` is an id and ``folder`` the absolute path of the player's folder. ``environ`` has
    only the variables of the terminal; ``edits`` says whether the terminal itself shows typed
    lines. ``memory`` (megabytes), ``processor`` (seconds) and ``logs`` (megabytes, for all the
    player's logs) are limits. If ``verify`` is set, the session only verifies that log; if
    ``judge`` is a day, it only judges the player's daily deals of that day. If several
    servers share one database, ``seat`` is the token of the player's seat here, and logs are kept
    for all servers. ``table`` is the code of a table with others, at which the player sits down, or
    which the player ``watches``.
    """

    player: str
    name: str
    folder: str
    columns: int
    rows: int
    environ: dict[str, str]
    memory: int
    processor: int
    logs: int
    guest: bool = False
    verify: str | None = None
    judge: str | None = None
    seat: str | None = None
    edits: bool = False
    table: str | None = None
    watches: bool = False

    def packed(self) -> bytes:
        """Encode as bytes."""
        return encode(self)

    @classmethod
    def unpacked(cls, raw: bytes) -> Hello:
        """Decode from bytes. Raises ``ValueError``."""
        return decode(raw, cls)


def pack_frame(kind: FrameType, payload: bytes = b"") -> bytes:
    """Encode a frame."""
    return _HEAD.pack(kind, len(payload)) + payload


def pack_size(columns: int, rows: int) -> bytes:
    """Encode a window size as a frame."""
    return pack_frame(FrameType.SIZE, _SIZE.pack(columns, rows))


def unpack_size(payload: bytes) -> tuple[int, int]:
    """Decode a window size: columns and rows."""
    columns, rows = _SIZE.unpack(payload)
    return columns, rows


async def read_frame(reader: asyncio.StreamReader) -> tuple[FrameType, bytes] | None:
    """Read the next frame; return ``None`` if the other side has closed. Raises ``ValueError``."""
    try:
        kind, length = _HEAD.unpack(await reader.readexactly(_HEAD.size))
        if length > LONGEST:
            raise ValueError(f"a frame of {length} bytes is too long")
        return FrameType(kind), await reader.readexactly(length)
    except (asyncio.IncompleteReadError, ConnectionError):
        return None


PATIENCE = 5.0
"""How many seconds the gateway has to take the last message."""


class GatewayLink:
    """Reads and writes frames; ``columns`` and ``rows`` are the current size of the terminal."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, hello: Hello
    ) -> None:
        self._reader, self._writer = reader, writer
        self.columns, self.rows = hello.columns, hello.rows

    @classmethod
    async def connect(cls, line: socket.socket, hello: Hello) -> GatewayLink:
        """Open the link."""
        return cls(*await asyncio.open_connection(sock=line), hello)

    async def read(self) -> tuple[FrameType, bytes] | None:
        """Read the next frame; ``None`` if the gateway has ended or sends an invalid frame."""
        try:
            return await read_frame(self._reader)
        except ValueError:
            return None

    def _send(self, frame: bytes) -> None:
        if not self._writer.is_closing():  # the gateway may have ended
            self._writer.write(frame)

    def output(self, data: bytes) -> None:
        """Write to the terminal."""
        for at in range(0, len(data), LONGEST):
            self._send(pack_frame(FrameType.OUTPUT, data[at : at + LONGEST]))

    def pong(self) -> None:
        """Report that the session is still running."""
        self._send(pack_frame(FrameType.PONG))

    def goes_by_lines(self) -> None:
        """Report that screen-reader mode begins: from now on, all output is plain text."""
        self._send(pack_frame(FrameType.LINES))

    def played_daily(self) -> None:
        """Report that the player has finished a daily deal."""
        self._send(pack_frame(FrameType.PLAYED))

    async def bye(self, farewell: str) -> None:
        """Send the last message, and wait until it is sent."""
        self._send(pack_frame(FrameType.BYE, farewell.encode(errors="replace")))
        self._writer.close()
        with suppress(ConnectionError, TimeoutError):
            await asyncio.wait_for(self._writer.wait_closed(), PATIENCE)
