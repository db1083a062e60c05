"""A ``tui-casino`` whose processes do wrong, or count what they hold, when they get a signal.

    python -m tests.host.wicked serve ...

The handlers are the supervisor's, and every process is forked of it.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType

PROGRAM = (sys.executable, "-m", "tests.host.wicked")
COUNT = int(signal.SIGRTMIN) + 1
"""Has a process write how many objects it holds into a file ``objects.PID`` of the host's home."""
_eaten = list[bytes]()


def spin() -> None:
    while True:
        pass


def leave() -> None:
    os._exit(0)


def crash() -> None:
    os.kill(os.getpid(), signal.SIGSEGV)


def eat() -> None:
    with suppress(MemoryError):
        while True:
            _eaten.append(b"x" * (1 << 20))


ACTS: Mapping[str, int] = MappingProxyType(
    {act.__name__: COUNT + number for number, act in enumerate((spin, leave, crash, eat), 1)}
)
"""What a session can be made to do, by the signal that makes it."""


def _obey(acts: Sequence[Callable[[], None]]) -> None:
    home = Path.cwd()

    def count(*_: object) -> None:
        gc.collect()
        (home / f"objects.{os.getpid()}").write_text(str(len(gc.get_objects())))

    signal.signal(COUNT, count)
    for act in acts:
        signal.signal(ACTS[act.__name__], lambda *_, act=act: act())


if __name__ == "__main__":
    from tui_casino.cli import main

    _obey((spin, leave, crash, eat))
    sys.exit(main(sys.argv[1:]))
