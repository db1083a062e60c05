"""A program on a pseudo-terminal: send keys, and measure the bytes and the processor time."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from types import MappingProxyType
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
QUIET = 0.3
"""Seconds without output after which a program is quiet; pauses in a deal are shorter."""
RESTING = 0.1
"""The largest share of a core that an idle program uses; a program that computes uses more."""
PATIENCE = 20.0
"""Seconds within which a key must have a visible effect."""
LONGEST = 60.0
"""Seconds within which a program must be quiet."""

_TAIL = 1_000  # bytes of the last output that an error shows
_STYLE = re.compile(rb"\x1b\[[0-9;?]*[a-zA-Z]")
COLOURS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "truecolor": {"TERM": "xterm-256color", "COLORTERM": "truecolor"},
        "256": {"TERM": "xterm-256color"},
        "16": {"TERM": "xterm"},
        "none": {"TERM": "xterm", "NO_COLOR": "1"},
    }
)
"""The environment variables of a terminal, by its number of colours."""


class Window(NamedTuple):
    """The size of a terminal, and the name of its colours in :data:`COLOURS`."""

    columns: int = 80
    rows: int = 24
    colours: str = "truecolor"

    def __str__(self) -> str:
        return f"{self.columns}x{self.rows}, {self.colours}"


class Written(NamedTuple):
    """The output of a program and its times in seconds.

    ``first`` and ``last`` are the times of the first and last output. ``took`` is the time until
    the program was quiet. ``work`` is the processor time of all its threads until then, as
    precisely as the system counts.
    """

    text: bytes
    first: float
    last: float
    took: float
    work: float

    @property
    def plain(self) -> bytes:
        """The text without colours and cursor movements."""
        return _STYLE.sub(b"", self.text)


class Program:
    """A program on a pseudo-terminal; it runs in its home folder, where it may write files."""

    def __init__(self, command: Sequence[str], environ: Mapping[str, str], window: Window) -> None:
        self.started = perf_counter()
        self._last = b""
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            try:
                size = struct.pack("HHHH", window.rows, window.columns, 0, 0)
                fcntl.ioctl(0, termios.TIOCSWINSZ, size)
                os.chdir(environ["HOME"])
                os.execve(command[0], list(command), dict(environ))
            finally:
                os._exit(127)

    def shown(self, words: str, quiet: float = QUIET) -> Written:
        """Read from the start until words are on the screen and the program is quiet.

        ``first`` is the time when the words appeared. Raises ``TimeoutError`` if they do not
        appear, and ``EOFError`` if the program ends.
        """
        text, shown = b"", 0.0
        while not shown:
            if not self._waits(PATIENCE):
                raise TimeoutError(f"{words!r} did not appear: {self._last!r}")
            text += self._read()
            if words.encode() in _STYLE.sub(b"", text):
                shown = perf_counter() - self.started
        rest = self._rest(self.started, 0.0, quiet, lambda: True)
        return rest._replace(text=text + rest.text, first=shown, last=max(shown, rest.last))

    def press(
        self, key: str, quiet: float = QUIET, over: Callable[[], bool] = lambda: True
    ) -> Written:
        """Press a key, and read until the program is quiet and the effect seems complete.

        Raises ``TimeoutError`` if there is no output, and ``EOFError`` if the program ends.
        """
        pressed, worked = perf_counter(), self.processor()
        os.write(self.terminal, key.encode())
        if not self._waits(PATIENCE):
            raise TimeoutError(f"{key!r} has no visible effect: {self._last!r}")
        return self._rest(pressed, worked, quiet, over)

    def idle(self, seconds: float) -> Written:
        """Return the output and the processor time of an idle program."""
        began, worked = perf_counter(), self.processor()
        text = b""
        while (left := began + seconds - perf_counter()) > 0:
            if self._waits(left):
                text += self._read()
        return Written(text, 0.0, 0.0, perf_counter() - began, self.processor() - worked)

    def processor(self) -> float:
        """Return the seconds of processor time so far, of all threads, in user and system mode.

        Raises ``OSError`` if the program has ended.
        """
        return time.clock_gettime(~self.pid << 3 | 2)  # the clock that clock_getcpuclockid gives

    def close(self) -> None:
        """End the program."""
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self.terminal)

    def _rest(self, since: float, worked: float, quiet: float, over: Callable[[], bool]) -> Written:
        text, first, last = b"", 0.0, 0.0
        while True:
            if perf_counter() - since > LONGEST:
                raise TimeoutError(f"the program is never quiet: {self._last!r}")
            before = self.processor()
            if self._waits(quiet):
                text += self._read()
                last = perf_counter() - since
                first = first or last
                continue
            took, work = perf_counter() - since, self.processor() - worked
            if self.processor() - before < RESTING * quiet and over():
                return Written(text, first, last, took, work)

    def _waits(self, seconds: float) -> bool:
        return bool(select.select([self.terminal], [], [], seconds)[0])

    def _read(self) -> bytes:
        try:
            text = os.read(self.terminal, 65_536)
        except OSError:  # Linux reports in this way that nobody has the terminal open
            raise EOFError(f"the program has ended: {self._last!r}") from None
        self._last = (self._last + text)[-_TAIL:]
        return text


@contextmanager
def running(
    command: Sequence[str], environ: Mapping[str, str], window: Window
) -> Iterator[Program]:
    """Run a program as a context, and end it."""
    program = Program(command, environ, window)
    try:
        yield program
    finally:
        program.close()


def surroundings(home: Path, window: Window, root: Path = ROOT) -> dict[str, str]:
    """Return an environment without access to the player's own files.

    ``root`` is the checkout whose code is run.
    """
    kinds = ("CONFIG", "STATE", "DATA", "CACHE")
    return {f"XDG_{kind}_HOME": str(home) for kind in kinds} | {
        "HOME": str(home),
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(root),
        "LANG": "C.UTF-8",
        **COLOURS[window.colours],
    }
