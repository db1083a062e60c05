"""Watch a server's ledger: publish each session's commitment and audit each loan."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from contextlib import suppress
from datetime import date

from ..records.ledger import OpenSitting
from ..records.redo_log import RedoLog
from .audit_log import AuditLog
from .commitment_log import CommitmentLogWriter
from .data_folder import DataFolder


class HouseWitness:
    """Writes commitments to the commitment log and loans to the audit log as money moves."""

    def __init__(self, data: DataFolder) -> None:
        self._promises, self._audit = CommitmentLogWriter(data.promises), AuditLog(data.audit)

    def shows(self, commitment: str, at: int) -> None:
        """Publish a commitment before the player chooses a client seed.

        Raises ``LedgerError``.
        """
        self._promises.shows(commitment, at)

    def announces(self, commitments: Mapping[str, str], seeds: Mapping[str, str], at: int) -> None:
        """Publish the commitments of daily deals, and the seeds of those whose days are over.

        Raises ``LedgerError``.
        """
        self._promises.announces(commitments, seeds, at)
        self._promises.settle()

    def has_revealed(self, day: date) -> bool:
        """Return whether the seeds of a day's daily deals are public. Raises ``LedgerError``."""
        return self._promises.deals.is_revealed(day)

    def begins(self, sitting: OpenSitting, player: str, at: int, loan: int) -> None:
        """Publish the commitment of a session before the first card. Raises ``LedgerError``."""
        seed = sitting.seed
        commitment = None if seed is None else hashlib.sha256(seed).hexdigest()
        self._promises.begins(sitting.id, commitment, sitting.checkpoint.head, at)
        if loan:
            with suppress(OSError):  # the loan is in the ledger anyway
                self._audit.note("loan", player=player, cents=loan)

    def ends(self, sitting: str, last_hash: str | None, at: int) -> None:
        """Publish the hash of a log's last line. Raises ``LedgerError``."""
        self._promises.ends(sitting, last_hash, at)

    def settle(self, redo: RedoLog | None = None) -> None:
        """Make sure that the commitments survive a crash of the machine. Raises ``LedgerError``."""
        self._promises.settle(redo)

    def recover(self, redo: RedoLog) -> None:
        """Write commitments again that were lost in a machine crash. Raises ``LedgerError``."""
        self._promises.recover(redo)
