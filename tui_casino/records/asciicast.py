"""A recording of the terminal in the asciicast v3 format, written during the visit.

https://docs.asciinema.org/manual/asciicast/v3/ defines the format: a header, then one event per
line, each with the seconds since the previous one. Typed input is never recorded.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import Any

from ..gamekit.table_catalog import PrintLine
from ..inputs.files import BadFile, open_regular, os_error_reason
from .codec import encode


class CastRecorder:
    """A recording in progress. If a write fails, the recording ends and play continues.

    ``on_trouble`` receives the reason if the recording ends early.
    """

    def __init__(
        self,
        path: os.PathLike[str],
        size: tuple[int, int],
        terminal: str | None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Begin a new file that only its owner can read; ``size`` is in columns and rows.

        Raises :class:`~tui_casino.inputs.files.BadFile`, also if the file already exists.
        """
        self.path = path
        self.on_trouble: PrintLine = _ignore
        self._size, self._clock, self._whole = size, clock, 0
        try:
            self._file = open_regular(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
        except FileExistsError:
            raise BadFile(path, "already exists; a recording never replaces a file") from None
        except OSError as error:
            raise BadFile(path, f"cannot be written: {os_error_reason(error)}") from None
        self._begun, self._last = clock(), 0
        term: dict[str, Any] = {"cols": size[0], "rows": size[1]}
        if terminal:
            term["type"] = terminal
        self._write({"version": 3, "term": term, "timestamp": int(time.time())})

    def output(self, text: str) -> None:
        """Record text that is sent to the terminal."""
        if text:
            self._event("o", text.encode(errors="replace").decode())

    def resize(self, columns: int, rows: int) -> None:
        """Record the terminal's new size, if it has changed."""
        if (columns, rows) != self._size:
            self._size = columns, rows
            self._event("r", f"{columns}x{rows}")

    def end(self, code: int) -> None:
        """Record the program's exit code, and close the file."""
        self._event("x", str(code))
        self.close()

    def close(self) -> None:
        """Close the file; a second call does nothing."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def _event(self, kind: str, text: str) -> None:
        now = round((self._clock() - self._begun) * 1000)  # otherwise rounding errors would add up
        interval, self._last = (now - self._last) / 1000, now
        self._write([interval, kind, text])

    def _write(self, line: object) -> None:
        if self._file < 0:
            return
        raw = encode(line) + b"\n"
        rest = memoryview(raw)
        try:
            while rest:
                rest = rest[os.write(self._file, rest) :]
        except OSError as error:
            os.ftruncate(self._file, self._whole)
            self.close()
            self.on_trouble(f"{self.path}: the recording stopped: {os_error_reason(error)}")
        else:
            self._whole += len(raw)


def _ignore(reason: str) -> None:
    """Ignore a message while there is no listener."""
