"""The files of an SQLite ledger: detect that they were deleted or replaced."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

_SUFFIXES = ("", "-wal", "-shm")  # the book, what was written last, and where that is found


class LedgerFiles:
    """What a ledger's files were when it was opened, to look again later.

    As long as somebody has the ledger open SQLite neither deletes nor replaces one of them, and the
    book never gets shorter. Whoever does so from outside makes this program write into the void.
    """

    def __init__(self, path: Path) -> None:
        self._opened = {str(path) + suffix: _look(str(path) + suffix) for suffix in _SUFFIXES}
        self._book = str(path)
        self._size = _look(self._book).size

    def harm(self) -> tuple[str, str] | None:
        """Give the file that is not what it was, and what was done to it; nothing if all are."""
        for file, before in self._opened.items():
            now = _look(file)
            if before.file is None:  # on a disk that cannot share memory there is no such file
                continue
            if now.file is None:
                return file, "was deleted"
            if now.file != before.file:
                return file, "was replaced by another"
            if file == self._book:
                if now.size < self._size:
                    return file, "was cut"
                self._size = now.size
        return None


class _Look(NamedTuple):
    file: tuple[int, int] | None
    size: int


def _look(file: str) -> _Look:
    try:
        status = os.stat(file)
    except OSError:
        return _Look(None, 0)
    return _Look((status.st_dev, status.st_ino), status.st_size)
