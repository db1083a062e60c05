"""A second copy of a log's bytes, from which a damaged log is written again."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryFile

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
