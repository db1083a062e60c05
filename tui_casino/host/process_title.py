"""Set the title that ``ps`` and ``top`` show for a process of the server."""

from __future__ import annotations

import ctypes
import sys
from contextlib import suppress

from ..inputs.files import read_bytes

PROGRAM = "tui-casino"
_ARGUMENTS = slice(
    45, 47
)  # fields of /proc/self/stat after the name: the command line's addresses, proc(5)
_MOST = 4096  # bytes in /proc/self/stat
_SET_NAME = 15  # PR_SET_NAME of <linux/prctl.h>


def set_process_title(name: str) -> None:
    """Set the title of this process, such as ``gateway``; has an effect only on Linux."""
    if sys.platform != "linux":
        return
    ctypes.CDLL(None).prctl(_SET_NAME, f"casino-{name}".encode(), 0, 0, 0)
    with suppress(OSError, ValueError):
        fields = read_bytes("/proc/self/stat", _MOST).rpartition(b")")[2].split()
        start, end = map(int, fields[_ARGUMENTS])
        length = end - start
        if length > 0:  # 0 without the permission to know
            title = f"{PROGRAM}: {name}".encode()[: length - 1]
            ctypes.memmove(start, title.ljust(length, b"\0"), length)
