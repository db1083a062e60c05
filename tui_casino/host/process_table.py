"""Shared memory in which the supervisor notes the starts and process ids of its children.

It is memory that all of them share from the first fork on; the supervisor alone writes.
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
_MOST = 4096  # bytes that the system tells of a process


class ProcessTable:
    """A row for each child: how often it was begun, and the number of its process.

    ``sandbox`` has what holds each session, part by part: 0 for a part that is not there.
    """

    def __init__(self, sandbox: Mapping[str, int]) -> None:
        self.sandbox = sandbox
        self._memory = mmap.mmap(-1, _ROW.size * len(CHILDREN))

    def note_start(self, name: str, process: int) -> None:
        """Note that a child was begun."""
        at = _ROW.size * CHILDREN.index(name)
        _ROW.pack_into(self._memory, at, self._row(name)[0] + 1, process)

    def _row(self, name: str) -> tuple[int, int]:
        starts, process = _ROW.unpack_from(self._memory, _ROW.size * CHILDREN.index(name))
        return int(starts), int(process)

    def restarts(self) -> dict[str, int]:
        """Give how often each was begun anew."""
        return {name: max(0, self._row(name)[0] - 1) for name in CHILDREN}

    @property
    def zygote(self) -> int:
        """The zygote's process; 0 before there is one."""
        return self._row("zygote")[1]


def processor_seconds(process: int) -> tuple[float, float]:
    """Give the processor time of a process, and of those it forked that have ended.

    Nothing where the system does not tell (``/proc/PID/stat`` of proc(5), fields 14 to 17).
    """
    with suppress(OSError, ValueError, IndexError):
        fields = read_bytes(f"/proc/{process}/stat", _MOST).rpartition(b")")[2].split()
        own, ended = (sum(map(int, fields[first : first + 2])) for first in (11, 13))
        tick = os.sysconf("SC_CLK_TCK")
        return own / tick, ended / tick
    return 0.0, 0.0
