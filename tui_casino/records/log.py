"""The session log: one file a sitting, a line a step, written before the step is shown.

JSON Lines: a header, the steps, and at the end the result with the revealed seed. Each line
but the first holds the SHA-256 of the line before it. ``docs/formats.md`` has the whole form.
"""

from __future__ import annotations

import errno
import hashlib
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ..chance import Origin
from ..core import Seat
from ..croupier import Kind
from ..errors import BadInput
from ..files import BadFile
from .codec import Fields, decode, encode, name_and_fields

FORMAT = 1
LAST_MOMENT = 253_402_300_800_000  # the year 10,000
HUMAN = "human"
Clock = Callable[[], int]
"""Tells the time in milliseconds since 1970."""


@dataclass(frozen=True, slots=True)
class Parent:
    """Where a sitting branched off from another: that log's name, and its last common step."""

    log: str
    step: int


@dataclass(frozen=True, slots=True)
class Header:
    """The first line: all that starts the same sitting again, but the seed."""

    format: int
    game: str
    options: Fields
    players: tuple[str, ...]
    croupier: Kind
    source: Origin
    program: str
    at: int
    parent: Parent | None = None


@dataclass(frozen=True, slots=True)
class StepLine:
    """A step: its number from 1, who acted (``None``: the croupier), what, and what happened."""

    n: int
    by: int | None
    do: Fields
    ev: tuple[Fields, ...]
    at: int
    prev: str


@dataclass(frozen=True, slots=True)
class End:
    """How a sitting ended: why, the money of each seat in the game's units, the seed in hex."""

    why: str
    money: tuple[int, ...]
    seed: str | None


@dataclass(frozen=True, slots=True)
class EndLine:
    """The last line."""

    end: End
    at: int
    prev: str


class InUse(BadInput):
    """The log belongs to a sitting that another program is playing."""


class NotWritten(OSError):
    """A line could not be written; the log is as it was before."""


def line_hash(line: bytes) -> str:
    """Give the SHA-256, in hexadecimal, of a line without its line feed."""
    return hashlib.sha256(line).hexdigest()


class LogWriter:
    """Appends whole lines to a log, or nothing; holds the file locked while it is open."""

    def __init__(self, path: Path, clock: Clock, *, new: bool) -> None:
        self.path, self.steps, self.hash, self.ended = path, 0, "", False
        self._clock = clock
        begins = os.O_CREAT | os.O_EXCL if new else 0
        self._file = os.open(path, os.O_RDWR | os.O_APPEND | begins, 0o600)
        self._size = 0
        try:
            _lock(self._file, path)
        except BaseException:
            os.close(self._file)
            raise

    @classmethod
    def begin(cls, path: Path, header: Header, clock: Clock) -> LogWriter:
        """Begin a new log. Raises ``OSError`` (:class:`NotWritten`), and :class:`InUse`."""
        line = encode(header)
        log = cls(path, clock, new=True)
        try:
            log._write(line)
        except BaseException:
            log.close()
            path.unlink()
            raise
        return log

    @classmethod
    def go_on(cls, path: Path, clock: Clock) -> tuple[LogWriter, SessionLog]:
        """Go on with a log that was broken off; the first line written replaces a torn tail.

        Raises :class:`~tui_casino.files.BadFile`, ``OSError``, and :class:`InUse`.
        """
        log = cls(path, clock, new=False)
        try:
            found = read(path)
        except BaseException:
            log.close()
            raise
        log._size, log.steps = found.whole, len(found.lines)
        log.hash, log.ended = found.hash, found.end is not None
        return log, found

    def step(self, by: Seat | None, action: object, events: tuple[object, ...]) -> None:
        """Write a step. Raises :class:`NotWritten`, also once the log has ended."""
        if self.ended:
            raise NotWritten(errno.EPERM, "the sitting has ended")
        do, told = name_and_fields(action), tuple(map(name_and_fields, events))
        self._write(encode(StepLine(self.steps + 1, by, do, told, self._clock(), self.hash)))
        self.steps += 1

    def end(self, end: End) -> None:
        """Write the last line. Raises :class:`NotWritten`."""
        self._write(encode(EndLine(end, self._clock(), self.hash)))
        self.ended = True

    def close(self) -> None:
        """Let the file go, ended or not; closing again does nothing."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def _write(self, line: bytes) -> None:
        rest = memoryview(line + b"\n")
        size = self._size + len(rest)
        try:
            os.ftruncate(self._file, self._size)
            while rest:  # a full disk may take a part of it
                rest = rest[os.write(self._file, rest) :]
        except OSError as error:
            os.ftruncate(self._file, self._size)
            raise NotWritten(error.errno, error.strerror, str(self.path)) from None
        self._size, self.hash = size, line_hash(line)


def _lock(file: int, path: Path) -> None:
    if sys.platform != "win32":
        import fcntl

        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise InUse(f"{path} is being played by another program") from None


@dataclass(frozen=True, slots=True)
class SessionLog:
    """A log as read: its header, its step lines undecoded, and what stands behind the last.

    ``whole`` counts the bytes of whole lines, ``torn`` those of a tail without its line feed.
    """

    path: Path
    header: Header
    first: bytes
    lines: tuple[bytes, ...]
    end: End | None
    last: bytes
    whole: int
    torn: int

    def steps(self) -> Iterator[StepLine]:
        """Decode the steps one by one. Raises :class:`BadFile` at the first line that is none."""
        for number, raw in enumerate(self.lines, 1):
            try:
                step = decode(raw, StepLine)
                if step.n != number:
                    raise ValueError(f"it says step {step.n}, but step {number} comes here")
            except ValueError as error:
                raise BadFile(self.path, f"not a step: {error}", number + 1) from None
            yield step

    def chain(self) -> Iterator[tuple[int, str, str]]:
        """Give each line's number, the hash it should hold, and the hash it holds.

        A line that cannot be read holds the empty hash.
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
    def hash(self) -> str:
        """The hash of the last whole line."""
        return line_hash(self.last if self.end is not None else (self.first, *self.lines)[-1])


@dataclass(frozen=True, slots=True)
class _Chained:
    prev: str


def read(path: Path) -> SessionLog:
    """Read a log that may be cut off anywhere: its whole lines count, a torn tail is reported.

    Raises :class:`BadFile` if there is no whole header of a known format.
    """
    try:
        raw = path.read_bytes()
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise BadFile(path, f"cannot be read: {why}") from None
    whole = raw.rfind(b"\n") + 1
    first, *lines = raw[:whole].split(b"\n")[:-1] or [b""]
    header = _header(path, first)
    end, last = None, b""
    if lines and lines[-1].startswith(b'{"end":'):
        try:
            end = decode(lines[-1], EndLine).end
        except ValueError:
            pass  # then it is taken for a step, and refused as one in its place
        else:
            last = lines.pop()
    return SessionLog(path, header, first, tuple(lines), end, last, whole, len(raw) - whole)


@dataclass(frozen=True, slots=True)
class _Versioned:
    format: int


def _header(path: Path, line: bytes) -> Header:
    if not line:
        raise BadFile(path, "no whole first line: not a session log, or cut off before it began", 1)
    try:
        version = decode(line, _Versioned).format
        if version > FORMAT:
            raise BadFile(path, f"written by a newer program: format {version}, not {FORMAT}", 1)
        if version < FORMAT:
            raise BadFile(path, f"there is no format {version}; this program knows {FORMAT}", 1)
        header = decode(line, Header)
        if not 0 <= header.at < LAST_MOMENT:
            raise ValueError(f"its time is {header.at}, which is no milliseconds since 1970")
        return header
    except BadFile:
        raise
    except ValueError as error:
        raise BadFile(path, f"not the first line of a session log: {error}", 1) from None
