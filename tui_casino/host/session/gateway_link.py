"""The session's end of its connection to the gateway."""

from __future__ import annotations

import asyncio
import socket
from contextlib import suppress

from ..session_protocol import LONGEST, FrameType, Hello, pack_frame, read_frame

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
