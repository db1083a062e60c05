"""A second copy of a player's logs, line by line, so that any host can resume a session.

A log stays what it is, a file, written line by line. Where several hosts are one house each line is
also kept where all of them find it, before the step is shown; and before a player sits down his
files are made what is kept there.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from ..inputs.files import write_atomically

_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,99}")
"""What a log is called: nothing that leads out of its folder."""


class Logbook(Protocol):
    """Keeps logs of one player, by the names of their files without an ending.

    Every method raises ``OSError``.
    """

    def append(self, log: str, number: int, line: bytes, *, lasting: bool) -> None:
        """Keep the next line, of which the first has number 1, or the last one anew.

        If it need not be ``lasting`` it outlives this host at once, but perhaps not the database,
        which loses it only with all that comes after it.
        """
        ...

    def check(self) -> None:
        """See that nobody else keeps them by now: then no money moves here, either."""
        ...

    def sizes(self) -> dict[str, int]:
        """Give the bytes of each log, line feeds among them."""
        ...

    def text(self, log: str) -> bytes:
        """Give a log, byte for byte as its file; nothing if there is none."""
        ...

    def forget(self, log: str) -> None:
        """Forget a log that never began."""
        ...


def restore_all_logs(book: Logbook, folder: Path) -> int:
    """Make the files of a folder what the book has; give how many were written.

    Those that the book does not know stay as they are. Nobody may be playing there. Raises
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


def restore_log(book: Logbook, folder: Path, name: str) -> None:
    """Have a log whole in a folder where somebody may be playing: more than is kept stays.

    Raises ``OSError``.
    """
    path = folder / f"{name}.jsonl"
    text = book.text(name)
    if _NAME.fullmatch(name) and _size(path) < len(text):
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        write_atomically(path, text)


def append_missing_lines(book: Logbook, name: str, content: bytes) -> bool:
    """Give a book the last lines of a log anew, if it has lost them; false if it has not.

    A database that goes down may lose lines that were not to be lasting, while this host lives on.
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
