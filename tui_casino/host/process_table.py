"""Shared memory in which the supervisor records the starts and process ids of its children.

All child processes inherit this memory; only the supervisor writes to it.
"""

from __future__ import annotations

import mmap
import os
import struct
from collections.abc import Mapping
from contextlib import suppress

from ..inputs.files import read_bytes

_ROW = struct.Struct("=QQ")
CHILDREN = ("zygote", "gateway", "cage")
_MOST = 4096  # bytes in /proc/PID/stat


class ProcessTable:
    """A row per child: how often it was started, and its process id.

    ``sandbox`` maps each part of the sandbox to its version, or to 0 if the system lacks it.
    """

    def __init__(self, sandbox: Mapping[str, int]) -> None:
        self.sandbox = sandbox
        self._memory = mmap.mmap(-1, _ROW.size * len(CHILDREN))

    def note_start(self, name: str, process: int) -> None:
        """Record that a child was started."""
        at = _ROW.size * CHILDREN.index(name)
        _ROW.pack_into(self._memory, at, self._row(name)[0] + 1, process)

    def _row(self, name: str) -> tuple[int, int]:
        starts, process = _ROW.unpack_from(self._memory, _ROW.size * CHILDREN.index(name))
        return int(starts), int(process)

    def restarts(self) -> dict[str, int]:
        """Return how often each child was restarted."""
        return {name: max(0, self._row(name)[0] - 1) for name in CHILDREN}

    @property
    def zygote(self) -> int:
        """The zygote's process id; 0 before it starts."""
        return self._row("zygote")[1]


def processor_seconds(process: int) -> tuple[float, float]:
    """Return the processor seconds of a process, and of its children that have ended.

    Both are 0 if the system does not report them (``/proc/PID/stat`` of proc(5), fields 14 to 17).
    """
    with suppress(OSError, ValueError, IndexError):
        fields = read_bytes(f"/proc/{process}/stat", _MOST).rpartition(b")")[2].split()
        own, ended = (sum(map(int, fields[first : first + 2])) for first in (11, 13))
        tick = os.sysconf("SC_CLK_TCK")
        return own / tick, ended / tick
    return 0.0, 0.0
