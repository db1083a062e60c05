"""A ``tui-casino`` whose clock a test can set while the server runs.

    python -m tests.host.shifted_clock serve ...

All processes share the file ``clock`` in the server's home, which contains the milliseconds by
which the clock is ahead. They keep it mapped, because sessions may open no files.
"""

from __future__ import annotations

import mmap
import struct
import sys
import time
from pathlib import Path

PROGRAM = (sys.executable, "-m", "tests.host.shifted_clock")
_AHEAD = struct.Struct("<q")


def set_clock(home: Path, ahead: int) -> None:
    """Set how many milliseconds the server's clock is ahead; also before the server starts."""
    home.mkdir(parents=True, exist_ok=True)
    with (home / "clock").open("r+b" if (home / "clock").exists() else "wb") as file:
        file.write(_AHEAD.pack(ahead))


def _shift_clock() -> None:
    with Path("clock").open("rb") as file:
        shared = mmap.mmap(file.fileno(), _AHEAD.size, prot=mmap.PROT_READ)
    true_time = time.time_ns
    time.time_ns = lambda: true_time() + _AHEAD.unpack_from(shared)[0] * 1_000_000


if __name__ == "__main__":
    _shift_clock()
    from tui_casino.cli import main

    sys.exit(main(sys.argv[1:]))
