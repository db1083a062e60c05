"""Watches a server's ledger: publishes each session's commitment and audits each loan."""

from __future__ import annotations

import hashlib
from contextlib import suppress

from ..records.ledger import OpenSitting
from ..records.redo_log import RedoLog
from .audit_log import AuditLog
from .commitment_log import CommitmentLogWriter
from .data_folder import DataFolder


class HouseWitness:
    """Writes the commitment log, and loans into the audit log, as the ledger moves money."""

    def __init__(self, data: DataFolder) -> None:
        self._promises, self._audit = CommitmentLogWriter(data.promises), AuditLog(data.audit)

    def shows(self, commitment: str, at: int) -> None:
        """Publish a commitment before the player's client seed is known.

        Raises ``LedgerError``.
        """
        self._promises.shows(commitment, at)

    def begins(self, sitting: OpenSitting, player: str, at: int, loan: int) -> None:
        """Publish the commitment of a sitting before the first card. Raises ``LedgerError``."""
        seed = sitting.seed
        commitment = None if seed is None else hashlib.sha256(seed).hexdigest()
        self._promises.begins(sitting.id, commitment, sitting.checkpoint.head, at)
        if loan:
            with suppress(OSError):  # the loan is in the ledger as well
                self._audit.note("loan", player=player, cents=loan)

    def ends(self, sitting: str, last_hash: str | None, at: int) -> None:
        """Publish the hash of a log's last line. Raises ``LedgerError``."""
        self._promises.ends(sitting, last_hash, at)

    def settle(self, redo: RedoLog | None = None) -> None:
        """Make sure that the commitments survive a crash of the machine. Raises ``LedgerError``."""
        self._promises.settle(redo)

    def recover(self, redo: RedoLog) -> None:
        """Write the commitments again that a crash of the machine lost. Raises ``LedgerError``."""
        self._promises.recover(redo)
