"""The logbook of a session: sends log lines to the cage, for other hosts."""

from __future__ import annotations

import errno
from typing import Any

from ...records.ledger import LedgerError
from ..cage_protocol import AppendLogLine, CageRequest, ForgetLog, ListLogSizes, ReadLog
from .cage_client import CageClient


class CageLogbook:
    """A :class:`~tui_casino.records.logbook.Logbook` of the player whose line this is."""

    def __init__(self, line: CageClient) -> None:
        self._line = line

    def append(self, log: str, number: int, line: bytes, *, lasting: bool) -> None:
        """Keep the next line, or the last one anew."""
        self._ask(AppendLogLine(log, number, line, lasting), None)

    def check(self) -> None:
        """See nothing: the cage itself looks before it writes."""

    def sizes(self) -> dict[str, int]:
        """Give the bytes of each log, line feeds among them."""
        result: dict[str, int] = self._ask(ListLogSizes(), dict[str, int])
        return result

    def text(self, log: str) -> bytes:
        """Give a log, byte for byte as its file."""
        result: bytes = self._ask(ReadLog(log), bytes)
        return result

    def forget(self, log: str) -> None:
        """Forget a log that never began."""
        self._ask(ForgetLog(log), None)

    def _ask(self, request: CageRequest, kind: Any) -> Any:
        try:
            return self._line.ask(request, kind)
        except LedgerError as error:
            raise OSError(errno.EIO, str(error)) from None
