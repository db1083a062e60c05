"""Where a host writes its promises: a file that only grows, each line on the disk before a card."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock

from ..inputs.files import opened, reason
from ..records.codec import decode
from ..records.ledger import LedgerError
from ..records.log import line_hash
from ..records.promises import Promise

_TAIL = 4096
"""Bytes, more than the longest line has."""


class PromiseBook:
    """The list in ``path``. Several processes and threads may write it, a whole line at a time.

    What was written is on the disk after :meth:`settle`, once for many lines. Every method raises
    :class:`LedgerError`.
    """

    def __init__(self, path: Path) -> None:
        self.path, self._unsettled = path, False
        self._settling = Lock()

    def begins(self, sitting: str, commitment: str | None, head: str | None, at: int) -> None:
        """Promise a sitting's seed and the first line of its log."""
        self._append(at, sitting, commitment, head or "", None)

    def ends(self, sitting: str, last: str | None, at: int) -> None:
        """Promise the last line of a sitting's log."""
        self._append(at, sitting, None, None, last or "")

    def settle(self) -> None:
        """See that all of it is on the disk."""
        with self._settling:  # who finds it settled knows that his lines are on the disk
            if not self._unsettled:
                return
            self._unsettled = False  # first: what is written meanwhile is settled anew
            try:
                with self._opened() as file:
                    os.fsync(file)
            except LedgerError:
                self._unsettled = True
                raise

    def _append(
        self, at: int, sitting: str, commitment: str | None, head: str | None, last: str | None
    ) -> None:
        with self._opened() as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            end, before = _last_line(file)
            number = decode(before, Promise).n + 1 if before else 1
            prev = line_hash(before) if before else ""
            line = Promise(number, at, sitting, prev, commitment, head, last).line() + b"\n"
            written = 0
            while written < len(line):
                written += os.pwrite(file, line[written:], end + written)
            self._unsettled = True

    @contextmanager
    def _opened(self) -> Iterator[int]:
        try:
            file = opened(self.path, os.O_RDWR | os.O_CREAT)
            try:
                yield file
            finally:
                os.close(file)
        except OSError as error:
            why = f"the list of promises {self.path} cannot be written: {reason(error)}"
            raise LedgerError(f"{why}; no card is dealt without") from None
        except ValueError as error:
            raise LedgerError(f"the list of promises {self.path} is damaged: {error}") from None


def _last_line(file: int) -> tuple[int, bytes]:
    """Give where the last whole line ends, and the line; cut off what is torn behind it."""
    size = os.fstat(file).st_size
    tail = os.pread(file, _TAIL, max(0, size - _TAIL))
    whole = tail.rfind(b"\n") + 1
    if not whole and size > len(tail):
        raise ValueError("its last line is too long")
    end = size - (len(tail) - whole)
    if end < size:  # the machine went down while it was written
        os.ftruncate(file, end)
    return end, tail[:whole].split(b"\n")[-2] if whole else b""
