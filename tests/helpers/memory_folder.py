"""A folder in memory for the files of tests, because many tests wait for a disk otherwise."""

from __future__ import annotations

import os
from pathlib import Path

DISK, MEMORY = Path("/tmp"), Path("/dev/shm")


def fast_folder(room: int) -> Path:
    """Return a folder in memory if this many bytes are free there and programs may run in it.

    Otherwise return a folder on the disk.
    """
    try:
        free = os.statvfs(MEMORY)
    except OSError:
        return DISK
    usable = free.f_bavail * free.f_frsize >= room and not free.f_flag & os.ST_NOEXEC
    return MEMORY if usable and os.access(MEMORY, os.W_OK) else DISK
