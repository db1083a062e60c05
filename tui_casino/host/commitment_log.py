"""The commitment log: an append-only file, each line on disk before the first card.

The disk is waited for once: what is booked with a promise takes the list's new lines along, and
only after many of them the list itself is put on the disk.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock

from ..inputs.files import open_regular, os_error_reason
from ..records.codec import decode
from ..records.ledger import LedgerError
from ..records.promises import Promise
from ..records.redo_log import RedoChunk, RedoLog
from ..records.session_log import line_hash

_TAIL = 4096
"""Bytes, more than the longest line has."""
MOST_KEPT = 1 << 20
"""Bytes of the list that are not on the disk by themselves: some 4,000 lines."""


class CommitmentLogWriter:
    """The list in ``path``. Several processes and threads may write it, a whole line at a time.

    What was written is on the disk after :meth:`settle`, once for many lines. Every method raises
    :class:`LedgerError`.
    """

    def __init__(self, path: Path) -> None:
        self.path, self._unsettled = path, False
        self._settling = Lock()

    def shows(self, commitment: str, at: int) -> None:
        """Promise a seed whose sitting has not begun: it is shown, and words are asked for."""
        self._append(at, "", commitment, "", None)

    def begins(self, sitting: str, commitment: str | None, head: str | None, at: int) -> None:
        """Promise a sitting's seed and the first line of its log."""
        self._append(at, sitting, commitment, head or "", None)

    def ends(self, sitting: str, last: str | None, at: int) -> None:
        """Promise the last line of a sitting's log."""
        self._append(at, sitting, None, None, last or "")

    def settle(self, redo: RedoLog | None = None) -> None:
        """See that all is on the disk, or will be with the commit that ``redo`` is part of."""
        with self._settling:  # who finds it settled knows that his lines are on the disk
            if not self._unsettled:
                return
            self._unsettled = False  # first: what is written meanwhile is settled anew
            try:
                with self._opened() as file:
                    if redo is None:
                        os.fsync(file)
                    else:
                        _keep_or_sync(file, redo)
            except BaseException:
                self._unsettled = True
                raise

    def recover(self, redo: RedoLog) -> None:
        """Write again what was kept in ``redo`` and did not come to the disk by itself."""
        try:
            entry = redo.stored()
        except ValueError as error:
            raise LedgerError(f"the list of promises {self.path}: {error}") from None
        if entry is None or not entry.content:
            return
        with self._opened() as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            if os.fstat(file).st_size < entry.start:
                raise ValueError("its end is missing; put the list back as it was")
            written = os.pread(file, len(entry.content), entry.start)
            if written == entry.content:
                return
            if not entry.content.startswith(written.rstrip(b"\0")):  # all else a power cut leaves
                raise ValueError("its end is not as it was promised; put the list back as it was")
            _write(file, entry.content, entry.start)
            os.fsync(file)

    def _append(
        self, at: int, sitting: str, commitment: str | None, head: str | None, last: str | None
    ) -> None:
        with self._opened() as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            end, before = _last_line(file)
            number = decode(before, Promise).n + 1 if before else 1
            prev = line_hash(before) if before else ""
            line = Promise(number, at, sitting, prev, commitment, head, last).line() + b"\n"
            _write(file, line, end)
            self._unsettled = True

    @contextmanager
    def _opened(self) -> Iterator[int]:
        try:
            file = open_regular(self.path, os.O_RDWR | os.O_CREAT)
            try:
                yield file
            finally:
                os.close(file)
        except OSError as error:
            message = (
                f"the list of promises {self.path} cannot be written: {os_error_reason(error)}"
            )
            raise LedgerError(f"{message}; no card is dealt without") from None
        except ValueError as error:
            raise LedgerError(f"the list of promises {self.path} is damaged: {error}") from None


def _write(file: int, content: bytes, at: int) -> None:
    written = 0
    while written < len(content):
        written += os.pwrite(file, content[written:], at + written)


def _keep_or_sync(file: int, redo: RedoLog) -> None:
    """Have the commit take the new bytes along; now and then put all on the disk and begin anew.

    That is also done where it is not known what is on the disk: at first, and in a list that has
    been cut.
    """
    fcntl.flock(file, fcntl.LOCK_SH)  # no half line of another process
    end, span = os.fstat(file).st_size, redo.span()
    if span is None or end < span[1] or end - span[0] > MOST_KEPT:
        os.fsync(file)
        redo.begin(end)
    else:
        redo.keep(RedoChunk(span[1], os.pread(file, end - span[1], span[1])))


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
