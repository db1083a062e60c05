"""The frames between gateway and session: a type, a length and a payload.

They are sent over a socket pair. When the session's process ends, for whatever reason, the system
closes its end.
"""

from __future__ import annotations

import asyncio
import struct
from enum import IntEnum

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


class Hello(Struct, frozen=True):
    """The greeting of a session: the player, and the terminal.

    ``player`` is an id and ``folder`` the absolute path of the player's folder. ``environ`` has
    only the variables of the terminal; ``edits`` says whether the terminal itself shows typed
    lines. ``memory`` (megabytes), ``processor`` (seconds) and ``logs`` (megabytes, for all the
    player's logs) are limits. If ``verify`` is set, the session only verifies that log; if
    ``judge`` is a day, it only judges the player's daily deals of that day. If several
    servers share one database, ``seat`` is the token of the player's seat here, and logs are kept
    for all servers.
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
