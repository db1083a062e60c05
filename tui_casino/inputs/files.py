"""Open, read and write a player's files safely, and read TOML, or words with line and column.

All paths that a player can control are opened by :func:`open_regular`, because they may lead to a
pipe, a device or a folder.
"""

from __future__ import annotations

import errno
import os
import re
import reprlib
import stat
from codecs import BOM_UTF8
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from io import BufferedWriter
from os import PathLike
from pathlib import Path
from typing import Any, NoReturn

from msgspec import Struct

from ..cards.card import PACK, Card
from .errors import BadInput
from .sanitize import plain, printable


class UserPath(Struct, frozen=True):
    """A path as a player typed it: absolute, or relative to the player's own ``folder``.

    It can be opened like any path. ``str()`` gives the typed text, which error messages show.
    """

    path: str | Path
    folder: Path

    def __fspath__(self) -> str:
        return str(self.folder / self.path)

    def __str__(self) -> str:
        return str(self.path)


class BadFile(BadInput):
    """The error for an unusable file: ``FILE:LINE:COLUMN: reason``; unknown parts are left out."""

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


class FileWord(Struct, frozen=True):
    """A word of a file, and the line and column where it begins, both counted from 1."""

    text: str
    line: int
    column: int


MOST_TEXT = 1_000_000
"""The maximum size of a text in bytes, enough for 300,000 cards; parsing takes 100 times that."""
_PIECE = 1 << 16  # bytes
_KINDS = {
    stat.S_IFIFO: "a pipe",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFSOCK: "a socket",
}
_FLAGS = sum(getattr(os, name, 0) for name in ("O_NONBLOCK", "O_NOCTTY", "O_BINARY"))
"""The flags, where they exist, that avoid waiting for a pipe and acquiring a controlling
terminal.
"""


def open_regular(
    path: str | PathLike[str], flags: int = os.O_RDONLY, mode: int = 0o600, limit: int | None = None
) -> int:
    """Open a regular file of at most ``limit`` bytes without blocking; return its descriptor.

    Raises only ``OSError``, whose ``strerror`` says what is wrong; for example, that the path is
    not a regular file.
    """
    try:
        file = os.open(path, (flags & ~os.O_TRUNC) | _FLAGS, mode)
    except ValueError as error:  # a null byte or an invalid character in the path
        raise OSError(errno.EINVAL, str(error)) from None
    except OSError as error:
        if error.errno == errno.ENXIO:  # a pipe without a reader, or a socket
            check_regular(path)
        raise
    try:
        status = os.fstat(file)
        _check(status)
        if limit is not None and status.st_size > limit:
            raise _too_long(status.st_size, limit)
        if flags & os.O_TRUNC:  # truncate only now, when it is known to be a regular file
            os.ftruncate(file, 0)
    except BaseException:
        os.close(file)
        raise
    return file


def read_bytes(path: str | PathLike[str], limit: int) -> bytes:
    """Read a whole file of at most ``limit`` bytes. Raises the errors of :func:`open_regular`."""
    with os.fdopen(open_regular(path, limit=limit), "rb") as file:
        # not read(limit + 1): it would allocate all of that even for a small file
        raw = file.read(min(os.fstat(file.fileno()).st_size, limit) + 1)
        while len(raw) <= limit and (piece := file.read(_PIECE)):  # it may grow, or report no size
            raw += piece
    if len(raw) > limit:
        raise _too_long(len(raw), limit)
    return raw


def write_atomically(path: str | PathLike[str], data: bytes, *, durable: bool = False) -> None:
    """Write a whole file atomically, as :func:`atomic_writer` does."""
    with atomic_writer(path, durable=durable) as file:
        file.write(data)


@contextmanager
def atomic_writer(path: str | PathLike[str], *, durable: bool = False) -> Iterator[BufferedWriter]:
    """Replace a file atomically: a reader finds either all old bytes or all new bytes.

    A new file may be read only by its owner; an old one keeps its mode, and its owner if this user
    may set that. With ``durable``, the new file has been written to the disk
    when the ``with`` block ends. Raises the errors of :func:`open_regular`; after an error, the old
    file is unchanged.
    """
    new = f"{os.fspath(path)}.{os.urandom(8).hex()}"  # in the same folder, for an atomic rename
    try:
        with os.fdopen(open_regular(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL), "wb") as file:
            with suppress(OSError):
                _copy_access(path, file.fileno())
            yield file
            if durable:
                file.flush()
                os.fsync(file.fileno())
        os.replace(new, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(new)
        raise


def _copy_access(path: str | PathLike[str], target: int) -> None:
    """Give an open file the mode and the owner of another file. Raises ``OSError``."""
    old = os.stat(path, follow_symlinks=False)
    if not stat.S_ISREG(old.st_mode):
        return
    os.fchmod(target, stat.S_IMODE(old.st_mode))
    os.fchown(target, old.st_uid, old.st_gid)


def create_private_file(path: str | PathLike[str]) -> None:
    """Create an empty file for SQLite that only its owner may read, unless the file exists.

    An existing file is not opened, because closing it would release the locks that SQLite holds on
    it in this process (https://sqlite.org/howtocorrupt.html, 2.2). Raises the errors of
    :func:`open_regular`.
    """
    try:
        check_regular(path)
    except FileNotFoundError:
        os.close(open_regular(path, os.O_CREAT | os.O_RDWR))  # SQLite would create it with 0644


def file_size(path: str | PathLike[str]) -> int:
    """Return the size of a file in bytes; 0 if there is no file, or a link to none."""
    try:
        return os.stat(path).st_size
    except OSError:
        return 0


def make_folder(path: Path) -> None:
    """Create a folder and its parents durably; only their owner has access.

    Raises ``OSError``, for example if there is a file with the folder's name.
    """
    if path.is_dir():
        return
    if path != path.parent:
        make_folder(path.parent)
    path.mkdir(mode=0o700, exist_ok=True)
    sync_folder(path.parent)


def real_path(path: Path) -> Path:
    """Return a path without links; unlike ``Path.resolve``, raise nothing for a loop of links."""
    return Path(os.path.realpath(path))


def sync_folder(path: Path) -> None:
    """Wait until the entries of a folder have been written to the disk. Raises ``OSError``."""
    folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def check_regular(path: str | PathLike[str]) -> None:
    """Check that a path is a regular file, without opening it; see :func:`open_regular`."""
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
    return OSError(errno.EFBIG, f"it has {size:,} bytes; at most {limit:,} are allowed")


def os_error_reason(error: OSError) -> str:
    """Return the reason why a file could not be opened, read or written."""
    return error.strerror or str(error)


def folder_reason(folder: Path, error: OSError) -> str:
    """Return why a folder cannot be written to, such as a file in the way of the folder."""
    for place in (folder, *folder.parents):
        if os.path.lexists(place):
            if not os.path.exists(place):
                target = os.readlink(place)
                return f"{place} is a link to {target}, which does not exist or cannot be opened"
            if not place.is_dir():
                return f"{place} is a file, not a folder"
            break
    return os_error_reason(error)


def read_text(path: PathLike[str], limit: int = MOST_TEXT) -> str:
    """Read a whole UTF-8 file. Raises :class:`BadFile`, with the position of an invalid byte."""
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
    """Read the words in a file, separated by white space. Raises :class:`BadFile`."""
    return [
        FileWord(match[0], number, match.start() + 1)
        for number, line in enumerate(read_text(path).split("\n"), 1)
        for match in re.finditer(r"\S+", line)
    ]


def read_cards(path: PathLike[str]) -> tuple[Card, ...]:
    """Read a card file: cards like ``TS`` separated by white space, in the order of the deal.

    Raises :class:`BadFile` with line, column and the word that is not a card.
    """
    return tuple(card for _, card in _cards(path))


def read_deck(path: PathLike[str]) -> tuple[Card, ...]:
    """Read a card file that contains each of the 52 cards once, in the order of the deal.

    Raises :class:`BadFile` as :func:`read_cards` does, and for repeated or missing cards.
    """
    deck: dict[Card, FileWord] = {}
    for word, card in _cards(path):
        if card in deck:
            reason = f"{card} is already in line {deck[card].line}; a deck has each card once"
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
            reason = "'??' is a face-down card, which cannot be dealt"
            raise BadFile(path, reason, word.line, word.column)
        yield word, card


MOST_BYTES = 10_000  # a larger limit is unsafe: tomllib needs 20 s for 64 kB of a.a.a.a…


class TomlFile(Struct, frozen=True):
    """The values of a TOML file, and its text, which is searched for the line numbers of keys."""

    path: PathLike[str]
    text: str
    values: dict[str, Any]

    def refuse(self, reason: str, *keys: str) -> NoReturn:
        """Raise :class:`BadFile` with the line number of a key, given as for :meth:`line_of`."""
        raise BadFile(self.path, reason, self.line_of(*keys)) from None

    def unknown(self, keys: Collection[str]) -> BadFile | None:
        """Return the error for the first unknown key, or ``None``."""
        strange = next((key for key in self.values if key not in keys), None)
        if strange is None:
            return None
        reason = f"unknown key {strange!r}; the keys are {', '.join(keys)}"
        return BadFile(self.path, reason, self.line_of(strange))

    def line_of(self, *keys: str) -> int | None:
        """Return the line number of a key, or ``None``; give the tables that contain it first."""
        rest = self.text
        for key in keys:  # before any comment on its line, and not as the end of a longer key
            pattern = rf"""^[^#\n]*?(?<![\w-])(["']?){re.escape(key)}\1\s*[].=]"""
            match = re.search(pattern, rest, re.MULTILINE)
            if match is None:
                return None
            rest = rest[match.end() :]
        return self.text.count("\n") - rest.count("\n") + 1 if keys else None


def read_toml(path: PathLike[str], what: str, keys: Collection[str]) -> TomlFile:
    """Read a TOML file that may have only these keys; ``what`` describes it ("a pay table").

    Raises :class:`BadFile`, with line and column if they are known.
    """
    file = parse_toml(path, read_text(path, MOST_BYTES), what)
    if error := file.unknown(keys):
        raise error
    return file


def parse_toml(path: PathLike[str], text: str, what: str) -> TomlFile:
    """Parse a TOML text with any keys; error messages name the ``path``.

    Raises the errors of :func:`read_toml`.
    """
    import tomllib  # late: a start without a settings file does not need it

    try:
        return TomlFile(path, text, tomllib.loads(text))
    except RecursionError:
        raise BadFile(path, f"is nested too deeply for {what}") from None
    except tomllib.TOMLDecodeError as error:
        reason, _, where = str(error).rpartition(" (at ")
        line, column = text.rstrip().count("\n") + 1, None  # for "at end of document"
        if place := re.match(r"line (\d+), column (\d+)\)$", where):
            line, column = int(place[1]), int(place[2])
        words = short_repr(text.split("\n")[line - 1])
        raise BadFile(path, f"is not TOML: {reason}, in {words}", line, column) from None
    except ValueError:  # Python does not parse whole numbers of more than 4,300 digits
        before, *rest = re.split(r"\d(?:_?\d){4300}", text, maxsplit=1)
        reason = f"has a number with too many digits for {what}"
        raise BadFile(path, reason, before.count("\n") + 1 if rest else None) from None


def short_repr(value: object) -> str:
    """Return a value's representation for a message, shortened if it is long."""
    try:
        return reprlib.repr(value)
    except ValueError:  # Python does not print numbers of thousands of digits
        return "a number of thousands of digits"
