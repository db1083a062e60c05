"""A second copy of a log's bytes, from which a damaged log is written again."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryFile

IN_MEMORY = 1 << 18
"""Bytes up to which a copy is kept in memory; then it moves to a file without a name."""
_BLOCK = 1 << 16


class ShadowCopy:
    """Bytes that only grow; ``size`` says how many count. Many are in a file in ``folder``."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.size = 0
        self._few = bytearray()
        self._file = -1

    def put(self, content: bytes) -> None:
        """Put bytes behind those that count; they count once they are written to the log, too.

        Raises ``OSError``; all that counts is there still.
        """
        if self._file < 0 and self.size + len(content) > IN_MEMORY:
            self._move()
        if self._file < 0:
            self._few[self.size :] = content
        else:
            _write_at(self._file, content, self.size)

    def blocks(self) -> Iterator[tuple[int, bytes]]:
        """Give what counts block by block, and where each begins. Raises ``OSError``."""
        for at in range(0, self.size, _BLOCK):
            count = min(_BLOCK, self.size - at)
            few = self._file < 0
            yield at, bytes(self._few[at : at + count]) if few else os.pread(self._file, count, at)

    def close(self) -> None:
        """Let it go; doing so again does nothing."""
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
    while remaining:  # a full disk may take a part of it
        written = os.pwrite(file, remaining, at)
        remaining, at = remaining[written:], at + written
