"""Run the program and record which of its functions a key calls: ``python -m tests.tui.key_trace``.

The first argument is the file for the result, the others are the program's own. SIGUSR1 begins the
trace, SIGUSR2 ends it and writes ``{file: [function, ...]}`` in the order of the first calls.

A coroutine or generator that continues is not recorded. The interpreter also reports that as a
call, but the function was called before the key. One of them is the main loop.
"""

from __future__ import annotations

import json
import signal
import sys
import threading
from pathlib import Path
from types import FrameType

import tui_casino
from tui_casino.cli import main

PACKAGE = Path(tui_casino.__file__).parent


class Trace:
    """The functions of the package that were called since the trace began."""

    def __init__(self, out: Path) -> None:
        self._out, self._on = out, False
        self._called: dict[str, list[str]] = {}

    def call(self, frame: FrameType, event: str, _: object) -> None:
        """Record a call; the interpreter calls this hook."""
        if self._on and event == "call":
            code = frame.f_code
            path = Path(code.co_filename)
            begins = frame.f_lineno == code.co_firstlineno  # otherwise it continues after an await
            if begins and path.is_relative_to(PACKAGE) and code.co_qualname[:1] != "<":
                functions = self._called.setdefault(path.relative_to(PACKAGE).as_posix(), [])
                if code.co_qualname not in functions:
                    functions.append(code.co_qualname)

    def begin(self, *_: object) -> None:
        """Begin to record calls."""
        self._on = True

    def end(self, *_: object) -> None:
        """Write the recorded functions."""
        self._on = False
        part = self._out.with_suffix(".part")
        part.write_text(json.dumps(self._called))
        part.rename(self._out)


if __name__ == "__main__":
    trace = Trace(Path(sys.argv[1]))
    signal.signal(signal.SIGUSR1, trace.begin)
    signal.signal(signal.SIGUSR2, trace.end)
    threading.setprofile(trace.call)
    sys.setprofile(trace.call)
    sys.exit(main(sys.argv[2:]))
