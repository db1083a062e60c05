"""The frames between gateway and session: a kind, a length and a payload.

They speak over a pair of sockets, whose end at the session is closed when its process is gone,
whatever ended it.
"""

from __future__ import annotations

import asyncio
import struct
from dataclasses import dataclass
from enum import IntEnum

from ..records.codec import decode, encode

_HEAD = struct.Struct(">BI")
_SIZE = struct.Struct(">HH")
READER = "reader"
"""What is asked for in place of a terminal to come in line by line."""
LINES = "TUI_CASINO_SCREEN_READER"
"""Stands in the environment of who asked for lines, with what he asked by; empty, he wants none."""
LONGEST = 4 << 20
"""Bytes of a frame: more than any picture of the largest window."""


class FrameType(IntEnum):
    """What a frame is; the first seven go to the session, the others come from it."""

    INPUT = 1
    SIZE = 2
    PING = 3
    TELL = 4
    """Something to be shown, as text."""
    END = 5
    REPAINT = 6
    """Some of the output was left out: paint everything anew."""
    OUTPUT = 16
    PONG = 17
    BYE = 18
    """The tables are closed and the terminal is as it was; what is to be said last, as text."""
    LINES = 19
    """It goes line by line: what comes is plain text, and what is typed are whole lines."""


@dataclass(frozen=True, slots=True)
class Hello:
    """Who comes to a session, and with what terminal.

    ``player`` is his id, ``folder`` his own, an absolute path. ``environ`` is of his terminal
    alone, and ``edits`` says that it shows the lines that are typed by itself. ``memory``
    (megabytes), ``processor`` (seconds) and ``logs`` (megabytes, of all that he played) are what
    it may use. With a log to ``verify`` nothing is played. Where several hosts are one house
    ``seat`` is the token of his seat here: his logs are kept for all of them.
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
    seat: str | None = None
    edits: bool = False

    def packed(self) -> bytes:
        """Give it as bytes."""
        return encode(self)

    @classmethod
    def unpacked(cls, raw: bytes) -> Hello:
        """Read it again. Raises ``ValueError``."""
        return decode(raw, cls)


def pack_frame(kind: FrameType, payload: bytes = b"") -> bytes:
    """Make a frame."""
    return _HEAD.pack(kind, len(payload)) + payload


def pack_size(columns: int, rows: int) -> bytes:
    """Make a frame of a size."""
    return pack_frame(FrameType.SIZE, _SIZE.pack(columns, rows))


def unpack_size(payload: bytes) -> tuple[int, int]:
    """Read a size: columns and rows."""
    columns, rows = _SIZE.unpack(payload)
    return columns, rows


async def read_frame(reader: asyncio.StreamReader) -> tuple[FrameType, bytes] | None:
    """Read the next frame; nothing if the other side is gone. Raises ``ValueError`` for none."""
    try:
        kind, length = _HEAD.unpack(await reader.readexactly(_HEAD.size))
        if length > LONGEST:
            raise ValueError(f"a frame of {length} bytes")
        return FrameType(kind), await reader.readexactly(length)
    except (asyncio.IncompleteReadError, ConnectionError):
        return None
