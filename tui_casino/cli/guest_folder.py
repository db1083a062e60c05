"""The folder of a guest's logs, which is removed when the guest leaves or the next guest plays."""

from __future__ import annotations

import fcntl
import os
import shutil
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

PREFIX = "tui-casino-guest-"
YOUNG = 60.0
"""Seconds for which a new folder counts as in use, because it may not be locked yet."""


@contextmanager
def guest_folder() -> Iterator[Path]:
    """Make and lock a folder until the program ends; remove old folders that are not locked."""
    _clear(Path(tempfile.gettempdir()), time.time() - YOUNG)
    with tempfile.TemporaryDirectory(prefix=PREFIX, ignore_cleanup_errors=True) as name:
        held = _lock_folder(Path(name))
        try:
            yield Path(name)
        finally:
            if held is not None:
                os.close(held)


def _lock_folder(folder: Path) -> int | None:
    """Lock a folder and return its descriptor, or ``None`` if another program has the lock."""
    file = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(file)
        return None
    return file


def _clear(parent: Path, before: float) -> None:
    """Remove this user's folders that are old enough and not locked."""
    with suppress(OSError):
        for folder in parent.glob(f"{PREFIX}*"):
            with suppress(OSError):
                status = folder.lstat()  # any user can create entries there
                own = stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid()
                if own and status.st_mtime < before and (held := _lock_folder(folder)) is not None:
                    shutil.rmtree(folder, ignore_errors=True)
                    os.close(held)
