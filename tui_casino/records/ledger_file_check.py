"""Detect that the files of an SQLite ledger were deleted or replaced."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

_SUFFIXES = ("", "-wal", "-shm")  # the database, its newest writes, and their index


class LedgerFileCheck:
    """The state of a ledger's files when it was opened, to compare later.

    While a program has the ledger open, SQLite neither deletes nor replaces a file, and the
    database never becomes shorter. If another program deletes, replaces or shortens one of the
    files, writes of this program are lost.
    """

    def __init__(self, path: Path) -> None:
        self._opened = {str(path) + suffix: _look(str(path) + suffix) for suffix in _SUFFIXES}
        self._book = str(path)
        self._size = _look(self._book).size

    def harm(self) -> tuple[str, str] | None:
        """Return the first damaged file and what happened to it; ``None`` if no file is damaged."""
        for file, before in self._opened.items():
            now = _look(file)
            if before.file is None:  # this file does not exist on a disk that cannot share memory
                continue
            if now.file is None:
                return file, "was deleted"
            if now.file != before.file:
                return file, "was replaced"
            if file == self._book:
                if now.size < self._size:
                    return file, "was shortened"
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
