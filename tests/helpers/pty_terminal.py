"""A program on its own pseudo-terminal, and the screen that a terminal would show."""

from __future__ import annotations

import fcntl
import json
import os
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import pyte

from tui_casino.gamekit.registry import GAMES
from tui_casino.tui.table.live import READING_SECONDS
from tui_casino.tui.widgets.command_line import AGAIN

ROOT = Path(__file__).parents[2]
CASINO = (sys.executable, "-m", "tui_casino")
WHOLE_BALANCE = ("--buy-in", "1000000")
PATIENCE = 30.0
"""Seconds after which a test stops waiting; a busy machine may need several."""

ALTERNATE, CURSOR, FOCUS, PASTE = 1049, 25, 1004, 2004
MOUSE = (1000, 1002, 1003, 1006, 1015, 1016)
# sequences that the emulator does not know and would print
_UNKNOWN = re.compile(rb"\x1b\[[<>=][\d;]*[a-zA-Z]|\x1b\[\?[\d;]*\$p|\x1b[=>]")
_UNFINISHED = re.compile(rb"\x1b[^a-zA-Z]*\Z")
# the shell opens the terminal for reading and writing, and then becomes the program, which leads
# its own session
_SHELL = 'exec <>"$0" >&0 2>&1; exec "$@"'


def environment(home: Path, **options: str) -> dict[str, str]:
    """Return the environment of a player who has everything below one folder."""
    # many environment variables of the tests would change the screen; COLUMNS changes its size
    output = {name: os.environ[name] for name in ("PATH", "LD_LIBRARY_PATH") if name in os.environ}
    own = {"HOME": home, "TMPDIR": home / "tmp"}
    own |= {"XDG_STATE_HOME": home / "state", "XDG_CONFIG_HOME": home / "config"}
    (home / "tmp").mkdir(parents=True, exist_ok=True)
    with suppress(OSError):  # a test may have put something in the way
        been_here(home / "state" / "tui-casino" / "visits.json")
    terminal = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8"}
    # a program whose files are limited in size would leave half-written bytecode for later tests
    terminal |= {"PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
    return output | {name: str(path) for name, path in own.items()} | terminal | options


def been_here(visits: Path) -> None:
    """Mark the tour as seen, and each game's usual table as visited."""
    tables = {game.slug: game.tables().default for game in GAMES}
    visits.parent.mkdir(parents=True, exist_ok=True)
    visits.write_text(json.dumps({"shown_round": True, "tables": tables}))


class Terminal:
    """A terminal with a program running in it; it only reads while a test waits for something."""

    def __init__(
        self,
        command: Sequence[str],
        variables: Mapping[str, str],
        columns: int = 80,
        rows: int = 24,
        shell: str = "",
    ) -> None:
        """Start the program; the shell runs the command ``shell`` before it."""
        self.master, self._slave = os.openpty()
        emulator: Any = pyte  # most of it has no types
        self._screen = emulator.Screen(columns, rows)
        self._stream = emulator.ByteStream(self._screen)
        self._unread = b""
        self.raw = bytearray()
        self.resize(columns, rows)
        self.lines_before = self._lines()
        # under nohup, a program would start with hang-ups ignored
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
        self.process = subprocess.Popen(
            ["/bin/sh", "-c", shell + _SHELL, os.ttyname(self._slave), *command],
            cwd=variables["HOME"],
            env=dict(variables),
            start_new_session=True,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.hang_up()

    # ---- what the player does ---------------------------------------------------------------

    def type(self, keys: str | bytes) -> None:
        """Type keys, or send any bytes, without reading the screen."""
        rest = memoryview(keys.encode() if isinstance(keys, str) else keys)
        until = time.monotonic() + PATIENCE
        while rest:  # a writer that never reads the output may block
            self.watch(0)
            _, able, _ = select.select([], [self.master], [], 0.05)
            if able:
                rest = rest[os.write(self.master, rest[:256]) :]
            assert time.monotonic() < until, "the program accepts no more input"

    def resize(self, columns: int, rows: int) -> None:
        """Make the window larger or smaller."""
        self._screen.resize(rows, columns)
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def hang_up(self) -> None:
        """Close the terminal itself."""
        for end in (self.master, self._slave):
            if end >= 0:
                os.close(end)
        self.master = self._slave = -1

    def signal(self, number: signal.Signals) -> None:
        """Send the program a signal."""
        self.process.send_signal(number)

    # ---- what the player sees -----------------------------------------------------------------

    def watch(self, seconds: float) -> bool:
        """Wait this long for output and process it; return false if there was none."""
        if self.master < 0 or not select.select([self.master], [], [], seconds)[0]:
            return False
        written = os.read(self.master, 1 << 16)
        self.raw += written
        text = self._unread + written
        cut = _UNFINISHED.search(text)
        end = cut.start() if cut else len(text)
        self._stream.feed(_UNKNOWN.sub(b"", text[:end]))
        self._unread = text[end:]
        return True

    def rest(self, seconds: float) -> None:
        """Process output for this number of seconds."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            self.watch(left)

    @property
    def text(self) -> str:
        """The text on the screen."""
        return "\n".join(line.rstrip() for line in self._screen.display)

    def wait_for(self, what: str | Callable[[str], object], patience: float = PATIENCE) -> str:
        """Wait until a text is on the screen; return the screen."""
        until = time.monotonic() + patience
        while not (what in self.text if isinstance(what, str) else what(self.text)):
            alive = self.process.poll() is None
            if not self.watch(0.05) and not alive:
                raise AssertionError(f"ended with {self.process.returncode}:\n{self.text}")
            pattern = what if isinstance(what, str) else "what was awaited"
            assert time.monotonic() < until, f"no {pattern!r} on the screen:\n{self.text}"
        return self.text

    def type_until(
        self, keys: str | bytes, what: str | Callable[[str], object], patience: float = PATIENCE
    ) -> str:
        """Type keys, wait until a text is on the screen, and return the screen."""
        self.type(keys)
        return self.wait_for(what, patience)

    def commit(self, key: str, what: str | Callable[[str], object]) -> str:
        """Press the key of a choice, and once more if the question had appeared too shortly before.

        Return the screen as soon as a text is on it.
        """
        seen = (lambda text: what in text) if isinstance(what, str) else what
        if not seen(self.type_until(key, lambda text: seen(text) or AGAIN in text)):
            self.rest(READING_SECONDS)
            self.type_until(key, seen)
        return self.text

    def wait_until(self, holds: Callable[[], object], patience: float = PATIENCE) -> None:
        """Wait until a condition holds, and process output meanwhile."""
        until = time.monotonic() + patience
        while not holds():
            self.watch(0.02)
            assert time.monotonic() < until, f"the condition never held; the screen:\n{self.text}"

    def ended(self) -> int:
        """Wait until the program ends; return its exit code. Its last output is on the screen."""
        until = time.monotonic() + PATIENCE
        while self.process.poll() is None:
            if not self.watch(0.01) and self.master < 0:
                time.sleep(0.01)
            assert time.monotonic() < until, f"still there after {PATIENCE} s:\n{self.text}"
        while self.watch(0.05):
            pass
        return self.process.returncode

    # ---- what it did to the terminal ------------------------------------------------------------

    def _lines(self) -> list[Any]:
        return termios.tcgetattr(self.master)

    def mode(self, number: int) -> bool:
        """Return whether a private mode of the terminal is set."""
        return number << 5 in self._screen.mode

    def spoilt(self) -> list[str]:
        """Return the names of the terminal modes that a program left changed."""
        left = {
            "the alternate screen": self.mode(ALTERNATE),
            "no cursor": not self.mode(CURSOR),
            "reports of the mouse": any(map(self.mode, MOUSE)),
            "reports of the focus": self.mode(FOCUS),
            "bracketed paste": self.mode(PASTE),
            "a keyboard protocol": self._keyboards() > 0,
            "another line discipline": self._lines() != self.lines_before,
        }
        return [name for name, true in left.items() if true]

    def _keyboards(self) -> int:
        pushed = re.findall(rb"\x1b\[>\d+u", self.raw)
        popped = re.findall(rb"\x1b\[<\d*u", self.raw)
        return len(pushed) - len(popped)


def casino(home: Path, *arguments: str, shell: str = "") -> Terminal:
    """Start the program as a player who has everything below one folder.

    Without arguments, the menu opens, and the player takes the whole balance to a table.
    """
    return Terminal((*CASINO, *(arguments or WHOLE_BALANCE)), environment(home), shell=shell)
