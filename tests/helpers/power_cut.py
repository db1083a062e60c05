"""Simulate a power cut: data that a program wrote but did not sync to the disk is lost.

    python -m tests.helpers.power_cut tui_casino.cli serve ...

This runs a module and records every sync in the file ``journal`` of the working folder. The journal
is opened once, so processes that are forked later also write to it.
"""

from __future__ import annotations

import os
import runpy
import stat
import sys
from pathlib import Path


def record(journal: Path) -> None:
    """Record the inode and size of each synced file, and the logs of each synced folder."""
    written = os.open(journal, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    sync = os.fsync

    def fsync(file: int) -> None:
        found = os.fstat(file)
        if stat.S_ISDIR(found.st_mode):
            names = [name for name in os.listdir(file) if name.endswith(".jsonl")]
            lines = [f"listed {os.stat(name, dir_fd=file).st_ino} 0\n" for name in names]
        else:
            lines = [f"synced {found.st_ino} {found.st_size}\n"]
        sync(file)
        os.write(written, "".join(lines).encode())

    os.fsync = fsync  # type: ignore[assignment]


def cut(journal: Path, folder: Path) -> int:
    """Remove from all logs below a folder what was not synced; return how many logs lost data.

    All other files stay, such as the ledger: the system may write a file before a sync.
    """
    listed, sizes = set[int](), dict[int, int]()
    for line in journal.read_text().splitlines():
        what, inode, size = line.split()
        if what == "listed":
            listed.add(int(inode))
        else:
            sizes[int(inode)] = max(int(size), sizes.get(int(inode), 0))
    harmed = 0
    for log in folder.rglob("*.jsonl"):
        found = log.stat()
        kept = sizes.get(found.st_ino, 0)
        if found.st_ino not in listed:
            log.unlink()
        elif kept < found.st_size:
            os.truncate(log, kept)
        else:
            continue
        harmed += 1
    return harmed


def settle(journal: Path, folder: Path) -> None:
    """Record all logs below a folder as synced, as if a long time had passed."""
    logs = [log.stat() for log in folder.rglob("*.jsonl")]
    lines = (f"listed {one.st_ino} 0\nsynced {one.st_ino} {one.st_size}\n" for one in logs)
    journal.write_text("".join(lines))


if __name__ == "__main__":
    module, *sys.argv[1:] = sys.argv[1:]
    record(Path.cwd() / "journal")
    runpy.run_module(module, run_name="__main__", alter_sys=True)
