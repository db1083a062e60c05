"""Open, read and write a player's files safely, and read text as words with line and column.

Only :func:`open_regular` opens a path at which a player could have put something else.
"""

from __future__ import annotations

import errno
import os
import re
import stat
import sys
from codecs import BOM_UTF8
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from io import BufferedWriter
from os import PathLike
from pathlib import Path

from ..cards.card import PACK, Card
from .errors import BadInput
from .sanitize import plain, printable


@dataclass(frozen=True, slots=True)
class UserPath:
    """A path as a player typed it: absolute, or relative to ``folder``, the player's own folder.

    It can be opened like any path. ``str()`` gives the typed text, which error messages show.
    """

    path: str | Path
    folder: Path

    def __fspath__(self) -> str:
        return str(self.folder / self.path)

    def __str__(self) -> str:
        return str(self.path)


class BadFile(BadInput):
    """A file cannot be used: ``FILE:LINE:COLUMN: what is wrong``, as far as the place is known."""

    def __init__(
        self,
        path: str | PathLike[str],
        reason: str,
        line: int | None = None,
        column: int | None = None,
    ) -> None:
        self.line, self.reason = line, plain(reason)
        place = ":".join(str(part) for part in (path, line, column) if part is not None)
        ValueError.__init__(self, f"{printable(place)}: {self.reason}")


@dataclass(frozen=True, slots=True)
class FileWord:
    """A word of a file, and the line and column where it begins, both counted from 1."""

    text: str
    line: int
    column: int


MOST_TEXT = 1_000_000
"""Bytes of a text, such as 300,000 cards; while it is read it takes a hundred times as many."""
_PIECE = 1 << 16  # bytes
_KINDS = {
    stat.S_IFIFO: "a pipe",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFSOCK: "a socket",
}
_FLAGS = sum(getattr(os, name, 0) for name in ("O_NONBLOCK", "O_NOCTTY", "O_BINARY"))
"""A pipe or a device is not waited for, and no terminal becomes ours; not all on each platform."""


def open_regular(
    path: str | PathLike[str], flags: int = os.O_RDONLY, mode: int = 0o600, limit: int | None = None
) -> int:
    """Open a regular file of at most so many bytes, and give its descriptor; nothing is waited for.

    Raises ``OSError`` alone, whose ``strerror`` says what is wrong: what is no regular file, too.
    """
    try:
        file = os.open(path, (flags & ~os.O_TRUNC) | _FLAGS, mode)
    except ValueError as error:  # a null byte in the path, or letters that no path has
        raise OSError(errno.EINVAL, str(error)) from None
    except OSError as error:
        if error.errno == errno.ENXIO:  # a pipe that nobody reads, or a socket
            check_regular(path)
        raise
    try:
        status = os.fstat(file)
        _check(status)
        if limit is not None and status.st_size > limit:
            raise _too_long(status.st_size, limit)
        if flags & os.O_TRUNC:  # only now that it is known what it is
            os.ftruncate(file, 0)
    except BaseException:
        os.close(file)
        raise
    return file


def read_bytes(path: str | PathLike[str], limit: int) -> bytes:
    """Read a file whole. Raises ``OSError`` as :func:`open_regular`."""
    with os.fdopen(open_regular(path, limit=limit), "rb") as file:
        # to ask for the most would take as much memory, whatever there is to read
        raw = file.read(min(os.fstat(file.fileno()).st_size, limit) + 1)
        while len(raw) <= limit and (piece := file.read(_PIECE)):  # it has grown, or tells no size
            raw += piece
    if len(raw) > limit:
        raise _too_long(len(raw), limit)
    return raw


def write_atomically(path: str | PathLike[str], data: bytes, *, durable: bool = False) -> None:
    """Write bytes as :func:`atomic_writer` does."""
    with atomic_writer(path, durable=durable) as file:
        file.write(data)


@contextmanager
def atomic_writer(path: str | PathLike[str], *, durable: bool = False) -> Iterator[BufferedWriter]:
    """Write a file whole or not at all: a reader finds the old bytes or the new ones.

    Nobody but its owner may read it. If it has to be ``durable``, it is on the disk at the end.
    Raises ``OSError`` as :func:`open_regular`; the old file is unharmed then.
    """
    new = f"{os.fspath(path)}.{os.urandom(8).hex()}"  # in the same folder, to be moved at once
    try:
        with os.fdopen(open_regular(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL), "wb") as file:
            yield file
            if durable:
                file.flush()
                os.fsync(file.fileno())
        os.replace(new, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(new)
        raise


def create_private_file(path: str | PathLike[str]) -> None:
    """Make an empty file for SQLite to open, its owner's alone, unless it is there already.

    One that is there is not opened: to close it would end the locks that SQLite holds on it
    elsewhere in this process (https://sqlite.org/howtocorrupt.html, 2.2). Raises as
    :func:`open_regular`.
    """
    try:
        check_regular(path)
    except FileNotFoundError:
        os.close(open_regular(path, os.O_CREAT | os.O_RDWR))  # SQLite's own would be 0644


def make_folder(path: Path) -> None:
    """Make a folder and those above it, their owner's alone; a power cut leaves them there.

    Raises ``OSError``, also if a file is in the way.
    """
    if path.is_dir():
        return
    if path != path.parent:
        make_folder(path.parent)
    path.mkdir(mode=0o700, exist_ok=True)
    sync_folder(path.parent)


def sync_folder(path: Path) -> None:
    """Wait until the names of the files in a folder are on the disk. Raises ``OSError``."""
    if sys.platform == "win32":  # no folder can be opened there
        return
    folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def check_regular(path: str | PathLike[str]) -> None:
    """Tell early whether a file can be opened by another. Raises as :func:`open_regular`."""
    try:
        _check(os.stat(path))
    except ValueError as error:
        raise OSError(errno.EINVAL, str(error)) from None


def _check(status: os.stat_result) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not stat.S_ISREG(status.st_mode):
        raise _no_file(_KINDS.get(stat.S_IFMT(status.st_mode), "something else"))


def _no_file(what: str) -> OSError:
    return OSError(errno.EINVAL, f"it is {what}; give a regular file")


def _too_long(size: int, limit: int) -> OSError:
    return OSError(errno.EFBIG, f"it has {size:,} bytes; at most {limit:,} are read")


def os_error_reason(error: OSError) -> str:
    """Say why a file could not be opened, read or written."""
    return error.strerror or str(error)


def folder_reason(folder: Path, error: OSError) -> str:
    """Say why nothing can be written in a folder; the system has odd words for a file there."""
    for place in (folder, *folder.parents):
        if os.path.lexists(place):
            if not place.is_dir():
                return f"{place} is a file, and no folder"
            break
    return os_error_reason(error)


def read_text(path: PathLike[str], limit: int = MOST_TEXT) -> str:
    """Read a UTF-8 file whole. Raises :class:`BadFile`, placing a byte that is no text."""
    try:
        raw = read_bytes(path, limit).removeprefix(BOM_UTF8)
    except OSError as error:
        raise BadFile(path, f"cannot be read: {os_error_reason(error)}") from None
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        before = raw[: error.start].decode()
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        reason = f"byte {raw[error.start]:#04x} is not UTF-8 text"
        raise BadFile(path, reason, line, column) from None


def read_words(path: PathLike[str]) -> list[FileWord]:
    """Read a file as the words between its white space, across lines. Raises :class:`BadFile`."""
    return [
        FileWord(match[0], number, match.start() + 1)
        for number, line in enumerate(read_text(path).split("\n"), 1)
        for match in re.finditer(r"\S+", line)
    ]


def read_cards(path: PathLike[str]) -> tuple[Card, ...]:
    """Read a card file: cards like ``TS`` with white space between, in dealing order.

    Raises :class:`BadFile` with line, column and the word that is no card.
    """
    return tuple(card for _, card in _cards(path))


def read_deck(path: PathLike[str]) -> tuple[Card, ...]:
    """Read a card file that is a whole pack: each of the 52 cards once, in dealing order.

    Raises :class:`BadFile` as :func:`read_cards`, for a card that comes twice, and for too few.
    """
    deck: dict[Card, FileWord] = {}
    for word, card in _cards(path):
        if card in deck:
            reason = f"{card} stands in line {deck[card].line} already; a deck has each card once"
            raise BadFile(path, reason, word.line, word.column)
        deck[card] = word
    if len(deck) < len(PACK):
        missing = next(card for card in PACK if card not in deck)
        raise BadFile(path, f"a deck has {len(PACK)} cards, not {len(deck)}: {missing} is missing")
    return tuple(deck)


def _cards(path: PathLike[str]) -> Iterator[tuple[FileWord, Card]]:
    for word in read_words(path):
        try:
            card = Card.parse(word.text)
        except ValueError as error:
            raise BadFile(path, str(error), word.line, word.column) from None
        if card.index < 0:
            raise BadFile(path, "'??' is a face-down card, not one to deal", word.line, word.column)
        yield word, card
