"""The session log: one file per session, with one line per step, written before it is shown.

The format is JSON Lines: a header, the steps, and at the end the result with the revealed seed.
Each line except the first has the SHA-256 of the previous line. ``docs/formats.md`` describes the
complete format.
"""

from __future__ import annotations

import errno
import fcntl
import hashlib
import os
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryFile
from threading import Lock
from typing import Protocol

from msgspec import Struct

from ..engine.game import Seat
from ..engine.seat_table import Seen
from ..inputs.errors import BadInput
from ..inputs.files import (
    BadFile,
    make_folder,
    open_regular,
    os_error_reason,
    read_bytes,
    sync_folder,
)
from ..inputs.numbers import count_noun
from .clock import Clock
from .codec import Fields, decode, encode, name_and_fields
from .log_header import LogHeader, decode_header, encode_header
from .log_replica import LogReplica, append_missing_lines

IN_MEMORY = 1 << 18
"""The largest copy in memory, in bytes; a larger copy moves to a temporary file."""
_BLOCK = 1 << 16


class ShadowCopy:
    """A growing copy, whose first ``size`` bytes are valid. A long copy is a file in ``folder``."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.size = 0
        self._few = bytearray()
        self._file = -1

    def put(self, content: bytes) -> None:
        """Add bytes after the valid ones; the caller raises ``size`` once the log has them as well.

        Raises ``OSError``; the valid bytes do not change.
        """
        if self._file < 0 and self.size + len(content) > IN_MEMORY:
            self._move()
        if self._file < 0:
            self._few[self.size :] = content
        else:
            _write_at(self._file, content, self.size)

    def blocks(self) -> Iterator[tuple[int, bytes]]:
        """Yield the valid bytes in blocks, each with its position. Raises ``OSError``."""
        for at in range(0, self.size, _BLOCK):
            count = min(_BLOCK, self.size - at)
            few = self._file < 0
            yield at, bytes(self._few[at : at + count]) if few else os.pread(self._file, count, at)

    def close(self) -> None:
        """Free the copy; a second call does nothing."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1
        self._few, self.size = bytearray(), 0

    def _move(self) -> None:
        with TemporaryFile(dir=self._folder) as nameless:
            file = os.dup(nameless.fileno())
        try:
            _write_at(file, bytes(self._few[: self.size]), 0)
        except BaseException:
            with suppress(OSError):
                os.close(file)
            raise
        self._file, self._few = file, bytearray()


def _write_at(file: int, content: bytes, at: int) -> None:
    remaining = memoryview(content)
    while remaining:  # a full disk may take only a part
        written = os.pwrite(file, remaining, at)
        remaining, at = remaining[written:], at + written


LONGEST_LOG = 1 << 29
"""The largest log in bytes: a few million steps."""
LONGEST_LINE = 1 << 20
"""The longest valid line of a log in bytes."""
_TAIL = 64 << 10
"""The number of bytes at the end of a log that are read to find its last line."""
_READER_WAIT, _READER_WAITS = 0.002, 250
"""Seconds between two attempts to lock a log that is being read, and the number of attempts."""


class StepLine(Struct, frozen=True, omit_defaults=True):
    """A step: number from 1, who acted (``None``: the croupier), the action, and its events.

    In the log of a seat at a table with others, ``row`` is that of the table's log, ``view``
    contains the fields of the view that changed, and others' actions have only a kind.
    """

    n: int
    by: int | None
    do: Fields
    ev: tuple[Fields, ...]
    at: int
    prev: str
    row: int | None = None
    view: Fields | None = None


class SittingResult(Struct, frozen=True):
    """The end of a session: the reason, each seat's money in the game's units, and the hex seed."""

    why: str
    money: tuple[int, ...]
    seed: str | None

    @property
    def final(self) -> bool:
        """Whether the end is final; after an undone choice, a new session continues."""
        return self.why != TAKEN_BACK


TAKEN_BACK = "taken back"
"""The reason of a session that ended because its last choice was undone; a new log continues it."""


class EndLine(Struct, frozen=True):
    """The last line of a finished log."""

    end: SittingResult
    at: int
    prev: str


class LogInUse(BadInput):
    """The log belongs to a session that another program is playing."""


class LogWriteError(OSError):
    """A line could not be written; the log is unchanged."""


class LogFollower(Protocol):
    """Follows a log as it is written; must not raise."""

    def written(self, steps: int, /) -> None:
        """Receive the number of steps written so far."""
        ...

    def close(self) -> None:
        """Finish the work, because no more steps will be written."""
        ...


def line_hash(line: bytes) -> str:
    """Return the SHA-256, in hexadecimal, of a line without its line feed."""
    return hashlib.sha256(line).hexdigest()


class LogWriter:
    """Appends whole lines to a log and keeps the file locked while it is open.

    The money of a session depends on its log, so the writer has a copy of the log: if another
    program deletes or changes the file, it is restored before the next line is written. A ``book``
    also stores each line; a player's choice is stored durably in the book before its result is
    shown.

    One thread writes. Any thread may call :meth:`sync`; lines written in the meantime do not wait
    for the disk.
    """

    follower: LogFollower | None = None
    header: LogHeader

    def __init__(
        self, path: Path, clock: Clock, *, new: bool, book: LogReplica | None = None
    ) -> None:
        self._book, self._lines = book, 0
        self.path, self.steps, self.hash, self.ended = path, 0, "", False
        self._clock = clock
        self._file = _opened(path, new=new)
        self._copy = ShadowCopy(path.parent)
        self._lock, self._syncing = Lock(), Lock()
        self._listed, self._unsure = not new, False
        self._seen = _stamp(os.fstat(self._file))
        self._repaired: list[str] = []

    @classmethod
    def begin(
        cls, path: Path, header: LogHeader, clock: Clock, book: LogReplica | None = None
    ) -> LogWriter:
        """Begin a new log. Raises ``OSError`` (:class:`LogWriteError`), and :class:`LogInUse`."""
        line = encode_header(header)
        log = cls(path, clock, new=True, book=book)
        log.header = header
        try:
            log._write(line)
        except BaseException:
            log.discard()
            raise
        return log

    @classmethod
    def resume(
        cls, path: Path, clock: Clock, book: LogReplica | None = None
    ) -> tuple[LogWriter, SessionLog]:
        """Continue an interrupted log; the first new line replaces an incomplete last line.

        Raises :class:`~tui_casino.inputs.files.BadFile`, ``OSError``, and :class:`LogInUse`.
        """
        log = cls(path, clock, new=False, book=book)
        try:
            existing = read_log(path)
            whole = (existing.first, *existing.lines, existing.last)
            for line in filter(None, whole):
                log._copy.put(line + b"\n")
                log._copy.size += len(line) + 1
                log._lines += 1
            log._seen, log.steps = _stamp(os.fstat(log._file)), len(existing.lines)
            log.hash, log.ended = existing.hash, existing.end is not None
            log.header = existing.header
        except BaseException:
            log.close()
            raise
        return log, existing

    def step(self, by: Seat | None, action: object, events: tuple[object, ...]) -> None:
        """Write a step. Raises :class:`LogWriteError`, also once the log has ended."""
        if self.ended:
            raise LogWriteError(errno.EPERM, "the session has ended")
        row, view = None, None
        if isinstance(action, Seen):
            by, row, view = action.actor, action.row, dict(action.changes)
            do = {"is": action.kind} if action.action is None else name_and_fields(action.action)
        else:
            do = name_and_fields(action)
        outcomes = tuple(map(name_and_fields, events))
        number, at = self.steps + 1, self._clock()
        line = encode(StepLine(number, by, do, outcomes, at, self.hash, row, view))
        # the croupier would repeat its steps exactly; a player might choose something else
        self._write(line, lasting=by is not None)
        self.steps += 1
        if self.follower is not None:
            self.follower.written(self.steps)

    def end(self, end: SittingResult, at: int | None = None) -> None:
        """Write the last line, with this time or the present one. Raises :class:`LogWriteError`."""
        at = self._clock() if at is None else at
        self._write(encode(EndLine(end, at, self.hash)))
        self.ended = True

    def end_hash(self, end: SittingResult, at: int) -> str:
        """Return the hash of the last line that :meth:`end` would write now with this time."""
        return line_hash(encode(EndLine(end, at, self.hash)))

    def sync(self) -> None:
        """Wait until all lines written before the call are on the disk.

        After a failure the whole log is written again, because the operating system may treat data
        that it failed to write as written. Raises :class:`LogWriteError`.
        """
        with self._syncing:
            try:
                with self._lock:
                    if self._unsure:
                        self._repair()
                    listed, self._listed = self._listed, True
                os.fsync(self._file)
                if not listed:
                    sync_folder(self.path.parent)
            except OSError as error:
                self._listed, self._unsure = False, True
                raise LogWriteError(error.errno, error.strerror, str(self.path)) from None

    def take_repaired(self) -> list[str]:
        """Return the repairs made since the last call because other programs changed the file."""
        messages, self._repaired = self._repaired, []
        return messages

    def close(self) -> None:
        """Close the file, whether the log has ended or not; a second call does nothing."""
        with self._syncing:  # while fsync runs, the file would stay locked
            if self._file >= 0:
                os.close(self._file)
                self._file = -1
        self._copy.close()
        if self.follower is not None:
            self.follower.close()

    def discard(self) -> None:
        """Remove a log in which nothing happened."""
        self.close()
        self.path.unlink(missing_ok=True)
        if self._book is not None:
            with suppress(OSError):  # if this fails, an unused first line is left there
                self._book.forget(self.path.stem)

    def _write(self, line: bytes, *, lasting: bool = False) -> None:
        try:
            with self._lock:
                self._repair()
                self._copy.put(
                    line + b"\n"
                )  # before the file: extra bytes in the copy do not count
                _write_behind(self._file, self._copy.size, line + b"\n")
                if self._book is not None:
                    self._keep(self._book, line, lasting)
                self._copy.size += len(line) + 1
                self._seen = _stamp(os.fstat(self._file))
        except OSError as error:
            raise LogWriteError(error.errno, error.strerror, str(self.path)) from None
        self._lines += 1
        self.hash = line_hash(line)

    def _keep(self, book: LogReplica, line: bytes, lasting: bool) -> None:
        """Store the line in the book, or remove it from the file again. Raises ``OSError``."""
        name, number = self.path.stem, self._lines + 1
        try:
            try:
                book.append(name, number, line, lasting=lasting)
            except OSError:
                if not append_missing_lines(
                    book, name, b"".join(block for _, block in self._copy.blocks())
                ):
                    raise
                book.append(name, number, line, lasting=lasting)
        except OSError:
            os.ftruncate(self._file, self._copy.size)
            self._seen = _stamp(os.fstat(self._file))
            raise

    def _repair(self) -> None:
        """Restore the file if another program has changed it, or if the disk failed to store it.

        Raises ``OSError``, also if there is a different file in its place, which must not be
        changed.
        """
        mine = os.fstat(self._file)
        try:
            status = os.stat(self.path)
        except FileNotFoundError:
            self._write_again("the log was deleted")
            return
        if (status.st_dev, status.st_ino) != (mine.st_dev, mine.st_ino):
            raise OSError(errno.EEXIST, "another file has taken its place")
        if self._unsure:
            self._write_again("the disk failed to store the log")
            return
        if _stamp(mine) == self._seen:
            return
        if any(os.pread(self._file, len(block), at) != block for at, block in self._copy.blocks()):
            self._write_again("another program changed the log")

    def _write_again(self, reason: str) -> None:
        """Write the whole log to another file, then replace the log with that file atomically."""
        make_folder(self.path.parent)
        beside = self.path.with_name(f"{self.path.name}.again")
        beside.unlink(missing_ok=True)
        file = _opened(beside, new=True)
        try:
            for at, block in self._copy.blocks():
                _write_behind(file, at, block)
            os.fsync(file)
            os.replace(beside, self.path)
            os.dup2(file, self._file, inheritable=False)  # a thread may be using it
            self._listed = self._unsure = False
        except BaseException:
            beside.unlink(missing_ok=True)
            raise
        finally:
            os.close(file)
        self._seen = _stamp(os.fstat(self._file))
        self._repaired.append(f"{reason}; it has been restored")


def _write_behind(file: int, size: int, content: bytes) -> None:
    """Replace everything after the first ``size`` bytes of a file; on an error, write nothing."""
    remaining = memoryview(content)
    try:
        os.ftruncate(file, size)
        while remaining:  # a full disk may take only a part
            remaining = remaining[os.write(file, remaining) :]
    except OSError:
        os.ftruncate(file, size)
        raise


def _stamp(file: os.stat_result) -> tuple[int, int]:
    """Return values that change whenever somebody writes to a file."""
    return file.st_size, file.st_mtime_ns


def _opened(path: Path, *, new: bool) -> int:
    begins = os.O_CREAT | os.O_EXCL if new else 0
    file = open_regular(path, os.O_RDWR | os.O_APPEND | begins)
    try:
        _lock(file, path)
    except BaseException:
        os.close(file)
        raise
    return file


def _lock(file: int, path: Path) -> None:
    """Lock a log for writing; wait for readers. Raises :class:`LogInUse` if a writer has it."""
    for _ in range(_READER_WAITS):
        with suppress(BlockingIOError):
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        try:  # the history and the menu lock a log for a moment, to see whether it is being played
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            break
        fcntl.flock(file, fcntl.LOCK_UN)
        time.sleep(_READER_WAIT)
    raise LogInUse(f"{path} is being played by another program")


class SessionLog(Struct, frozen=True):
    """A log that was read: its header, its undecoded step lines, and its end.

    ``whole`` is the number of bytes of whole lines, ``torn`` that of an incomplete last line.
    """

    path: Path
    header: LogHeader
    first: bytes
    lines: tuple[bytes, ...]
    end: SittingResult | None
    last: bytes
    whole: int
    torn: int

    @property
    def over(self) -> bool:
        """Whether the session has ended and no other session continues with its cards."""
        return self.end is not None and self.end.final

    def steps(self) -> Iterator[StepLine]:
        """Decode the steps one by one. Raises :class:`BadFile` at the first invalid line."""
        return decode_steps(self.path, self.lines)

    def chain(self) -> Iterator[tuple[int, str, str]]:
        """Yield each line's number, the hash it should have, and the hash it has.

        For a line that cannot be read, the hash is empty.
        """
        before = self.first
        lines = (*self.lines, self.last) if self.end is not None else self.lines
        for number, raw in enumerate(lines, 2):
            try:
                held = decode(raw, _Chained).prev
            except ValueError:
                held = ""
            yield number, line_hash(before), held
            before = raw

    @property
    def head(self) -> str:
        """The hash of the first line."""
        return line_hash(self.first)

    @property
    def hash(self) -> str:
        """The hash of the last whole line."""
        return line_hash(self.last if self.end is not None else (self.first, *self.lines)[-1])


class _Chained(Struct, frozen=True):
    prev: str


def decode_steps(path: Path, lines: Iterable[bytes], first: int = 1) -> Iterator[StepLine]:
    """Decode step lines from the number ``first`` on; raises like :meth:`SessionLog.steps`."""
    for number, raw in enumerate(lines, first):
        try:
            step = decode(raw, StepLine)
            if step.n != number:
                raise ValueError(f"it says step {step.n}, but this is step {number}")
        except ValueError as error:
            raise BadFile(path, f"not a step: {error}", number + 1) from None
        yield step


def read_log(path: Path) -> SessionLog:
    """Read a log that may be cut off anywhere; ``torn`` counts the bytes of an incomplete line.

    Raises :class:`BadFile` if there is no whole header of a known format.
    """
    try:
        raw = read_bytes(path, LONGEST_LOG)
    except OSError as error:
        raise BadFile(path, f"cannot be read: {os_error_reason(error)}") from None
    whole = raw.rfind(b"\n") + 1
    first, *lines = raw[:whole].split(b"\n")[:-1] or [b""]
    header = decode_header(path, first)
    end, last = None, b""
    if lines and (ended := decode_end(lines[-1])):
        end, last = ended.end, lines.pop()
    return SessionLog(path, header, first, tuple(lines), end, last, whole, len(raw) - whole)


def torn_remark(count: int, *, ended: bool) -> str:
    """Return a remark on the bytes after the last whole line of a log."""
    where = "after its last line" if ended else "of an incomplete last line"
    return f"{count_noun(count, 'byte')} {where} {'is' if count == 1 else 'are'} ignored"


def is_log_over(path: Path) -> bool:
    """Return whether a log's session is over; read only the last whole line. Raises ``OSError``.

    Unlike :func:`read_log`, this is fast for a log of tens of megabytes.
    """
    with os.fdopen(open_regular(path), "rb") as file:
        file.seek(max(0, os.fstat(file.fileno()).st_size - _TAIL))
        *_, last, _torn = (b"", b"", *file.read().split(b"\n"))
    ended = decode_end(last)
    return ended is not None and ended.end.final


def decode_end(line: bytes) -> EndLine | None:
    """Decode a line if it is the last one of a finished session.

    A line that looks like a last line but cannot be read counts as a step, and is then refused.
    """
    if line.startswith(b'{"end":'):
        with suppress(ValueError):
            return decode(line, EndLine)
    return None
