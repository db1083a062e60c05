"""A second copy of a player's logs, line by line, so that any server can resume a session.

The log is still a file that is written line by line. If several servers form one house, each line
is also stored where all of them can read it, before the step is shown. Before a player sits down,
the player's files are restored from these stored lines.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from ..inputs.files import write_atomically

_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,99}")
"""A valid name of a log, which cannot lead out of its folder."""


class LogReplica(Protocol):
    """Stores the logs of one player by file name, without the ending.

    Every method may raise ``OSError``.
    """

    def append(self, log: str, number: int, line: bytes, *, lasting: bool) -> None:
        """Store the next line, or the last one again; the first line has number 1.

        Once stored, a line survives a failure of this server. If it is not ``lasting``, a failure
        of the database may lose it and all later lines.
        """
        ...

    def check(self) -> None:
        """Check that no other server has taken over these logs; otherwise no money may move."""
        ...

    def sizes(self) -> dict[str, int]:
        """Return the size of each log in bytes, including line feeds."""
        ...

    def text(self, log: str) -> bytes:
        """Return the bytes of a log as in its file, or nothing if there is no such log."""
        ...

    def forget(self, log: str) -> None:
        """Delete the log of a session that never began."""
        ...


def restore_all_logs(book: LogReplica, folder: Path) -> int:
    """Restore the files of a folder from the log replica; return how many were written.

    Files that the log replica does not have are not changed. Nobody may be playing there. Raises
    ``OSError``.
    """
    written = 0
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    for name, size in book.sizes().items():
        path = folder / f"{name}.jsonl"
        if _NAME.fullmatch(name) and _size(path) != size:
            write_atomically(path, book.text(name))
            written += 1
    return written


def restore_log(book: LogReplica, folder: Path, name: str) -> None:
    """Restore a log in a folder where somebody may be playing; a longer file is kept.

    Without such a log, no file is made. Raises ``OSError``.
    """
    path = folder / f"{name}.jsonl"
    text = book.text(name)
    if text and _NAME.fullmatch(name) and _size(path) < len(text):
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        write_atomically(path, text)


def append_missing_lines(book: LogReplica, name: str, content: bytes) -> bool:
    """Store the last lines of a log again if the replica has lost them; return whether it had.

    If the database fails while this server continues, it may lose lines that were not ``lasting``.
    Raises ``OSError``.
    """
    stored = book.text(name)
    if len(stored) >= len(content) or not content.startswith(stored):
        return False
    lost = content[len(stored) :].split(b"\n")[:-1]
    for number, line in enumerate(lost, stored.count(b"\n") + 1):
        book.append(name, number, line, lasting=False)
    return True


def _size(path: Path) -> int:
    with suppress(FileNotFoundError):
        return os.lstat(path).st_size
    return -1
