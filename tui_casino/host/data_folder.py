"""The data folder of a host: the paths of all its files."""

from __future__ import annotations

import fcntl
import os
import re
from dataclasses import dataclass
from pathlib import Path

from ..inputs.errors import BadInput
from ..inputs.files import open_regular


@dataclass(frozen=True, slots=True)
class DataFolder:
    """The files and folders under an absolute ``root``, which is its owner's alone."""

    root: Path

    @property
    def ledger(self) -> Path:
        """The one ledger of the house."""
        return self.root / "ledger.db"

    @property
    def identities(self) -> Path:
        """Who is known, and by which keys."""
        return self.root / "identities.db"

    @property
    def books(self) -> Path:
        """Says whether ledger and identities are in files here, or in a database."""
        return self.root / "books"

    @property
    def host_key(self) -> Path:
        """The private key by which clients know the host again."""
        return self.root / "host_key"

    @property
    def next_key(self) -> Path:
        """The private key that is to be the next, if there is one: clients are told of it."""
        return self.root / "host_key.next"

    @property
    def promises(self) -> Path:
        """The public list of what was committed to."""
        return self.root / "promises.log"

    @property
    def audit(self) -> Path:
        """The folder of the audit log."""
        return self.root / "audit"

    @property
    def control(self) -> Path:
        """Where the operator speaks with the host that runs."""
        return self.root / "control"

    @property
    def players(self) -> Path:
        """Where the players' folders are."""
        return self.root / "players"

    @property
    def guests(self) -> Path:
        """Where guests' folders are, as long as they stay."""
        return self.root / "guests"

    def player(self, player: str) -> Path:
        """Give the folder of a player: logs, settings, memory, cache."""
        return self.players / player

    def hide(self, text: str) -> str:
        """Leave of each path in here only the last name: visitors read the text."""
        below = rf"{re.escape(str(self.root))}(/[^\s:;,()'\"]*)?"
        return re.sub(below, lambda found: Path(found[0]).name, text)

    def lock(self) -> int:
        """Make the folder where it is not there, and lock it; give the lock, to be kept open.

        Raises :class:`BadInput`, also if another host has it.
        """
        try:
            self.root.mkdir(parents=True, exist_ok=True, mode=0o700)
            lock = open_regular(self.root / "lock", os.O_RDWR | os.O_CREAT)
            self.players.mkdir(exist_ok=True)
            self.players.chmod(0o700)  # an older program left it readable
        except OSError as error:
            raise BadInput(f"--data: {self.root} cannot be used: {error.strerror}") from None
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(lock)
            raise BadInput(f"--data: another host is at work in {self.root}") from None
        return lock
