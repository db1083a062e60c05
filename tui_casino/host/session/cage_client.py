"""A session's connection to the cage: one request at a time, from any thread."""

from __future__ import annotations

import socket
import struct
from threading import Lock
from typing import Any, TypeVar

from ...records.ledger import LedgerError, LedgerUnsure
from ..cage_protocol import HEAD, LONGEST_ANSWER, PATIENCE, CageRequest, pack_message, unpack_answer

T = TypeVar("T")
GONE = "The server had to restart. Connect again to finish an open hand."
_PIECE = 64 << 10
_TIMEVAL = struct.Struct("ll")


class CageGone(LedgerUnsure):
    """The cage no longer answers."""

    def __init__(self) -> None:
        super().__init__("the server is restarting; connect again")


class CageClient:
    """Sends requests to the cage and waits for the answers."""

    def __init__(self, line: socket.socket) -> None:
        self._line, self._lock = line, Lock()
        line.setblocking(True)
        # socket.settimeout would also make check_disconnected wait
        for way in (socket.SO_RCVTIMEO, socket.SO_SNDTIMEO):
            line.setsockopt(socket.SOL_SOCKET, way, _TIMEVAL.pack(PATIENCE, 0))
        self.disconnected = False

    def fileno(self) -> int:
        """Return the file descriptor."""
        return self._line.fileno()

    def ask(self, request: CageRequest, kind: type[T] | Any) -> T:
        """Send a request and return its answer, which is of the type ``kind``.

        Raises :class:`LedgerError` if it is refused, and :class:`CageGone` if the cage does not
        answer.
        """
        with self._lock:
            if self.disconnected:
                raise CageGone
            try:
                self._line.sendall(pack_message(request))
                raw = self._read()
            except OSError:
                self.disconnected = True
                raise CageGone from None
        try:
            answer: T = unpack_answer(raw, kind)
        except LedgerError:
            raise
        except ValueError:
            raise CageGone from None
        return answer

    def _read(self) -> bytes:
        got = bytearray()
        length: int | None = None
        while length is None or len(got) < length:
            piece = self._line.recv(_PIECE)
            if not piece:
                raise ConnectionResetError
            got += piece
            if length is None and len(got) >= HEAD.size:
                (length,) = HEAD.unpack(got[: HEAD.size])
                del got[: HEAD.size]
                if length > LONGEST_ANSWER:
                    raise ConnectionAbortedError
        return bytes(got)

    def check_disconnected(self) -> bool:
        """Return immediately whether the cage has closed the connection."""
        try:
            closed = self._line.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT) == b""
        except BlockingIOError:
            return self.disconnected
        except OSError:
            closed = True
        self.disconnected = self.disconnected or closed
        return self.disconnected

    def close(self) -> None:
        """Close the connection."""
        self._line.close()
