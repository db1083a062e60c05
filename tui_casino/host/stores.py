"""Where a host's books are: the one place where they are opened, for whoever is not a session."""

from __future__ import annotations

from ..records.ledger import Ledger
from ..records.sqlite_ledger import SqliteLedger
from .folders import DataFolder
from .identities import Identities
from .witness import HouseWitness


def open_identities(data: DataFolder) -> Identities:
    """Open the book of players. Raises :class:`~tui_casino.inputs.errors.BadInput`."""
    return Identities(data.identities)


def open_ledger(data: DataFolder, patience: float | None = None) -> Ledger:
    """Open the ledger; whoever opens it closes it. Raises ``LedgerError``."""
    return SqliteLedger(data.ledger, patience, HouseWitness(data))
