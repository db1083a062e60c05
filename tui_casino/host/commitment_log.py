"""The commitment log: an append-only file, synced before a session's first card is dealt.

Each buy-in waits for the disk only once, because the ledger's commit includes the new lines of this
log. The log itself is synced only after many lines. The witness watches a server's ledger: it
publishes each session's commitment and audits each loan.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import date
from pathlib import Path
from threading import Lock

from ..inputs.files import open_regular, os_error_reason
from ..records.clock import format_utc
from ..records.codec import decode
from ..records.ledger import LedgerError, OpenSitting
from ..records.promises import DAILY, Promise, daily_name
from ..records.redo_log import RedoChunk, RedoLog
from ..records.session_log import line_hash
from .audit_log import AuditLog
from .data_folder import DataFolder

_TAIL = 4096
"""Bytes to read at the end of the log; a line and a torn one after it are shorter."""
_LONGEST = _TAIL // 2
"""The maximum number of bytes in a line."""
_LATELY = 64 << 20
"""Bytes at the end of the log in which published daily deals are looked for."""
_PUBLISHED = re.compile(rb'"sitting":"(%s[^"]*)","(commitment|last)":' % DAILY.encode())
MOST_KEPT = 1 << 20
"""The maximum number of unsynced bytes of the log itself: about 4,000 lines."""


CLOCK_ERROR = 60_000
"""The number of milliseconds by which a clock may be behind without a warning."""


class PublishedDeals:
    """The names of the daily deals whose commitments and seeds are in the log at ``path``.

    Each call of :meth:`update` reads only the lines that other calls have not read. Any thread may
    call any method; all of them may raise :class:`LedgerError`.
    """

    def __init__(self, path: Path) -> None:
        self.path, self._read, self._lock = path, 0, Lock()
        self.commitments, self.seeds = set[str](), set[str]()

    def update(self) -> None:
        """Read the new lines of the log."""
        with self._lock, _reported(self.path):
            try:
                file = open_regular(self.path)
            except FileNotFoundError:
                return
            try:
                size = os.fstat(file).st_size
                start = max(self._read if self._read <= size else 0, size - _LATELY)
                text = os.pread(file, size - start, start)
            finally:
                os.close(file)
            whole = text.rfind(b"\n") + 1
            for name, field in _PUBLISHED.findall(text, 0, whole):
                kind = self.commitments if field == b"commitment" else self.seeds
                kind.add(name.decode())
            self._read = start + whole

    def is_revealed(self, day: date) -> bool:
        """Return whether the seeds of a day are public, so that its deals are over for good."""
        self.update()
        return any(name.startswith(daily_name(day, "")) for name in self.seeds)


def clock_warning(path: Path, at: int) -> str:
    """Return a warning if a clock is behind the last line of the commitment log, or "".

    ``at`` is the time of the clock. Raises :class:`LedgerError`.
    """
    with _reported(path):
        try:
            file = open_regular(path)
        except FileNotFoundError:
            return ""
        try:
            size = os.fstat(file).st_size
            lines = os.pread(file, _TAIL, max(0, size - _TAIL)).split(b"\n")[:-1]
        finally:
            os.close(file)
        last = decode(lines[-1], Promise).at if lines else 0
    if last - at <= CLOCK_ERROR:
        return ""
    return (
        f"the clock says {format_utc(at)}, but the last line of the commitment log was written at "
        f"{format_utc(last)}. If the clock is wrong now, stop the server and set it. If it was "
        "wrong then, the daily deals whose seeds were published too early are over: nobody can "
        "play them, and they get no more results"
    )


class CommitmentLogWriter:
    """Writes the log at ``path``. Several processes and threads may write to it.

    A line is safe after :meth:`settle`, which makes all lines written so far durable together.
    Every method may raise :class:`LedgerError`.
    """

    def __init__(self, path: Path) -> None:
        self.path, self._unsettled = path, False
        self.deals = PublishedDeals(path)
        self._settling = Lock()

    def shows(self, commitment: str, at: int) -> None:
        """Append the commitment of a future session, before the player chooses a client seed."""
        self._append(at, "", commitment, "", None)

    def announces(self, commitments: Mapping[str, str], seeds: Mapping[str, str], at: int) -> None:
        """Append the commitments of daily deals, and the seeds of those whose days are over.

        Both are given by name. Nothing is appended twice, and no seed without a commitment.
        """
        deals = self.deals
        deals.update()
        for name, commitment in commitments.items():
            if name not in deals.commitments:
                self._append(at, name, commitment, "", None)
        deals.update()
        for name, seed in seeds.items():
            if name in deals.commitments and name not in deals.seeds:
                self._append(at, name, None, None, seed)

    def begins(self, sitting: str, commitment: str | None, head: str | None, at: int) -> None:
        """Append the commitment of a session and the hash of the first line of its log.

        A session cannot have the name of a daily deal, whose own lines would then be left out.
        """
        if sitting.startswith(DAILY):
            raise LedgerError(f"the commitment log keeps names such as {DAILY}… for daily deals")
        self._append(at, sitting, commitment, head or "", None)

    def ends(self, sitting: str, last: str | None, at: int) -> None:
        """Append the hash of the last line of a session's log."""
        self._append(at, sitting, None, None, last or "")

    def settle(self, redo: RedoLog | None = None) -> None:
        """Make sure that all lines are on the disk, or in the next commit of ``redo``."""
        with self._settling:  # if nothing is unsettled, the caller's lines are on disk
            if not self._unsettled:
                return
            self._unsettled = False  # before the sync, because later lines may be written during it
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
        """Restore the lines stored in ``redo`` if they did not reach the disk."""
        try:
            entry = redo.stored()
        except ValueError as error:
            raise LedgerError(f"the commitment log {self.path}: {error}") from None
        if entry is None or not entry.content:
            return
        with self._opened() as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            if os.fstat(file).st_size < entry.start:
                raise ValueError("its end is missing; restore the complete file")
            written = os.pread(file, len(entry.content), entry.start)
            if written == entry.content:
                return
            # after a power failure, the file may end with a part of these bytes, followed by zeros
            if not entry.content.startswith(written.rstrip(b"\0")):
                raise ValueError("its end was changed; restore the original file")
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
            if len(line) > _LONGEST:
                raise LedgerError(f"the commitment log takes no line of {len(line):,} bytes")
            _write(file, line, end)
            self._unsettled = True

    @contextmanager
    def _opened(self) -> Iterator[int]:
        with _reported(self.path):
            file = open_regular(self.path, os.O_RDWR | os.O_CREAT)
            try:
                yield file
            finally:
                os.close(file)


@contextmanager
def _reported(path: Path) -> Iterator[None]:
    """Raise :class:`LedgerError` for a log that cannot be used."""
    try:
        yield
    except OSError as error:
        message = f"the commitment log {path} cannot be written: {os_error_reason(error)}"
        raise LedgerError(f"{message}; no cards are dealt without it") from None
    except ValueError as error:
        raise LedgerError(f"the commitment log {path} is damaged: {error}") from None


def _write(file: int, content: bytes, at: int) -> None:
    written = 0
    while written < len(content):
        written += os.pwrite(file, content[written:], at + written)


def _keep_or_sync(file: int, redo: RedoLog) -> None:
    """Add the new bytes to the ledger's commit; from time to time, sync the log instead.

    The log is also synced if the program does not know which bytes are on the disk: at the start,
    and after the file became shorter.
    """
    fcntl.flock(file, fcntl.LOCK_SH)  # another process may be in the middle of a line
    end, span = os.fstat(file).st_size, redo.span()
    if span is None or end < span[1] or end - span[0] > MOST_KEPT:
        os.fsync(file)
        redo.begin(end)
    else:
        redo.keep(RedoChunk(span[1], os.pread(file, end - span[1], span[1])))


def _last_line(file: int) -> tuple[int, bytes]:
    """Return the end of the last complete line, and that line; cut off a torn line after it."""
    size = os.fstat(file).st_size
    tail = os.pread(file, _TAIL, max(0, size - _TAIL))
    whole = tail.rfind(b"\n") + 1
    if not whole and size > len(tail):
        raise ValueError("its last line is too long")
    end = size - (len(tail) - whole)
    if end < size:  # the machine crashed during a write
        os.ftruncate(file, end)
    return end, tail[:whole].split(b"\n")[-2] if whole else b""


class HouseWitness:
    """Writes commitments to the commitment log and loans to the audit log as money moves."""

    def __init__(self, data: DataFolder) -> None:
        self._promises, self._audit = CommitmentLogWriter(data.promises), AuditLog(data.audit)

    def shows(self, commitment: str, at: int) -> None:
        """Publish a commitment before the player chooses a client seed.

        Raises ``LedgerError``.
        """
        self._promises.shows(commitment, at)

    def announces(self, commitments: Mapping[str, str], seeds: Mapping[str, str], at: int) -> None:
        """Publish the commitments of daily deals, and the seeds of those whose days are over.

        Raises ``LedgerError``.
        """
        self._promises.announces(commitments, seeds, at)
        self._promises.settle()

    def has_revealed(self, day: date) -> bool:
        """Return whether the seeds of a day's daily deals are public. Raises ``LedgerError``."""
        return self._promises.deals.is_revealed(day)

    def begins(self, sitting: OpenSitting, player: str, at: int, loan: int) -> None:
        """Publish the commitment of a session before the first card. Raises ``LedgerError``."""
        seed = sitting.seed
        commitment = None if seed is None else hashlib.sha256(seed).hexdigest()
        self._promises.begins(sitting.id, commitment, sitting.checkpoint.head, at)
        if loan:
            with suppress(OSError):  # the loan is in the ledger anyway
                self._audit.note("loan", player=player, cents=loan)

    def ends(self, sitting: str, last_hash: str | None, at: int) -> None:
        """Publish the hash of a log's last line. Raises ``LedgerError``."""
        self._promises.ends(sitting, last_hash, at)

    def settle(self, redo: RedoLog | None = None) -> None:
        """Make sure that the commitments survive a crash of the machine. Raises ``LedgerError``."""
        self._promises.settle(redo)

    def recover(self, redo: RedoLog) -> None:
        """Write commitments again that were lost in a machine crash. Raises ``LedgerError``."""
        self._promises.recover(redo)
