"""The data folder of a server: the paths of all its files."""

from __future__ import annotations

import errno
import fcntl
import os
import re
from contextlib import suppress
from pathlib import Path

from msgspec import Struct

from ..inputs.errors import BadInput
from ..inputs.files import open_regular

ENTRY = 4096
"""The least number of bytes that a file or a folder counts for."""


def folder_size(folder: str, limit: int) -> int:
    """Return how many bytes a folder takes on the disk, or a number above the limit.

    Links are not followed. The count stops at the limit, because the folder of hostile code may
    contain millions of files, or folders with paths that are too long.
    """
    size, folders = 0, [folder]
    while folders and size <= limit:
        try:
            with os.scandir(folders.pop()) as entries:
                for entry in entries:
                    with suppress(FileNotFoundError):
                        blocks = entry.stat(follow_symlinks=False).st_blocks
                        size += max(ENTRY, blocks * 512)
                    if size > limit:
                        break
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(entry.path)
        except OSError as error:
            if error.errno == errno.ENAMETOOLONG:
                return limit + 1
    return size


class DataFolder(Struct, frozen=True):
    """The files and folders under an absolute ``root``, which only its owner can read."""

    root: Path

    @property
    def ledger(self) -> Path:
        """The ledger of all players."""
        return self.root / "ledger.db"

    @property
    def identities(self) -> Path:
        """The database of players and their keys."""
        return self.root / "identities.db"

    @property
    def books(self) -> Path:
        """A file that says whether ledger and identities are stored in files or in a database."""
        return self.root / "books"

    @property
    def host_key(self) -> Path:
        """The private key by which clients recognise the server."""
        return self.root / "host_key"

    @property
    def next_key(self) -> Path:
        """The next host key, if there is one; clients learn it before the server uses it."""
        return self.root / "host_key.next"

    @property
    def promises(self) -> Path:
        """The public commitment log."""
        return self.root / "promises.log"

    @property
    def daily_key(self) -> Path:
        """The secret key from which the seeds of the daily deals are derived."""
        return self.root / "daily_key"

    @property
    def daily(self) -> Path:
        """The folder of the daily deals' results."""
        return self.root / "daily"

    @property
    def audit(self) -> Path:
        """The folder of the audit log."""
        return self.root / "audit"

    @property
    def control(self) -> Path:
        """The socket on which the running server listens to the operator."""
        return self.root / "control"

    @property
    def players(self) -> Path:
        """The folder that contains a folder for each player."""
        return self.root / "players"

    @property
    def guests(self) -> Path:
        """The folder that contains a folder for each guest, which is removed after the visit."""
        return self.root / "guests"

    def player(self, player: str) -> Path:
        """Return the folder of a player: logs, settings, state and cache."""
        return self.players / player

    def hide(self, text: str) -> str:
        """Shorten each path under this folder to its file name, for texts that visitors read."""
        below = rf"{re.escape(str(self.root))}(/[^\s:;,()'\"]*)?"
        return re.sub(below, lambda found: Path(found[0]).name, text)

    def is_in_use(self) -> bool:
        """Return whether a server is running in the folder, or still ending."""
        try:
            lock = open_regular(self.root / "lock", os.O_RDONLY)
        except OSError:
            return False
        try:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        finally:
            os.close(lock)
        return False

    def lock(self) -> int:
        """Create the folder if necessary and lock it; return the lock, which must stay open.

        Raises :class:`BadInput`, for example if another server has the lock.
        """
        try:
            self.root.mkdir(parents=True, exist_ok=True, mode=0o700)
            lock = open_regular(self.root / "lock", os.O_RDWR | os.O_CREAT)
            self.players.mkdir(exist_ok=True)
            self.players.chmod(0o700)  # older versions left the folder readable for others
        except OSError as error:
            raise BadInput(f"--data: {self.root} cannot be used: {error.strerror}") from None
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(lock)
            raise BadInput(f"--data: another server is running in {self.root}") from None
        return lock
