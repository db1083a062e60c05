"""Run the program, and count the objects of its process on a signal."""

from __future__ import annotations

import gc
import json
import os
import signal
import sys
import time
from collections import Counter
from pathlib import Path
from typing import NamedTuple

COMMAND = (sys.executable, "-c", "from tests.bench.witness import main; main()")
"""How the program is run; the output file and the program's arguments follow."""
PATIENCE = 30.0
"""Seconds within which the process must answer."""


class Census(NamedTuple):
    """The contents of a process: objects that the collector sees, screens, and bytes of memory."""

    objects: int
    screens: int
    resident: int
    types: dict[str, int]


def census() -> Census:
    """Count the contents of this process after a garbage collection."""
    gc.collect()
    kinds = Counter(type(one) for one in gc.get_objects())
    resident = int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    screens = 0
    if textual := sys.modules.get("textual.screen"):
        screens = sum(count for kind, count in kinds.items() if issubclass(kind, textual.Screen))
    types: Counter[str] = Counter()
    for kind, count in kinds.items():
        types[f"{kind.__module__}.{kind.__qualname__}"] += count
    return Census(kinds.total(), screens, resident, dict(types))


def main() -> None:
    """Run the program."""
    from tui_casino.cli import entry

    file = Path(sys.argv.pop(1))
    signal.signal(signal.SIGUSR1, lambda number, frame: _tell(file))
    sys.exit(entry())


def _tell(file: Path) -> None:
    beside = file.with_suffix(".part")
    beside.write_text(json.dumps(census()))
    beside.rename(file)


def request_census(pid: int, file: Path) -> Census:
    """Request the counts of a process. Raises ``TimeoutError`` if it does not answer."""
    os.kill(pid, signal.SIGUSR1)
    late = time.monotonic() + PATIENCE
    while not file.exists():
        if time.monotonic() > late:
            raise TimeoutError(f"process {pid} does not report its objects")
        time.sleep(0.01)
    told = Census(*json.loads(file.read_text()))
    file.unlink()
    return told
