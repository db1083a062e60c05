"""The log replica of a session, which sends log lines to the cage for other servers."""

from __future__ import annotations

import errno
from typing import Any

from ...records.ledger import LedgerError
from ..cage_protocol import AppendLogLine, CageRequest, ForgetLog, ListLogSizes, ReadLog
from .cage_client import CageClient


class CageLogReplica:
    """A :class:`~tui_casino.records.log_replica.LogReplica` for the player of this connection."""

    def __init__(self, line: CageClient) -> None:
        self._line = line

    def append(self, log: str, number: int, line: bytes, *, lasting: bool) -> None:
        """Store the next line, or replace the last one."""
        self._ask(AppendLogLine(log, number, line, lasting), None)

    def check(self) -> None:
        """Do nothing: the cage checks before it writes."""

    def sizes(self) -> dict[str, int]:
        """Return the size of each log in bytes, with line feeds."""
        result: dict[str, int] = self._ask(ListLogSizes(), dict[str, int])
        return result

    def text(self, log: str) -> bytes:
        """Return the contents of a log."""
        result: bytes = self._ask(ReadLog(log), bytes)
        return result

    def forget(self, log: str) -> None:
        """Forget the log of a session that never began."""
        self._ask(ForgetLog(log), None)

    def _ask(self, request: CageRequest, kind: Any) -> Any:
        try:
            return self._line.ask(request, kind)
        except LedgerError as error:
            raise OSError(errno.EIO, str(error)) from None
