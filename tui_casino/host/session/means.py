"""What a session plays with: the ledger, and where seeds come from.

The arcade knows no more of either than this. Here they are the session's own: it opens the house's
ledger itself, and makes the seeds of its sittings. A house that keeps both in a process of its own
gives other means, and nothing else changes.
"""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from ...engine.chance import CommittedSource
from ...house.lobby import Fresh
from ...records.ledger import Ledger
from ...records.sqlite_ledger import SqliteLedger
from ..frames import Hello

PATIENCE = 0.5
"""Seconds that the ledger is waited for while another session writes; then the screen says so."""


@dataclass(frozen=True, slots=True)
class Means:
    """The ledger of the house, and what makes the source of a fair shuffle."""

    ledger: Ledger
    fresh: Fresh


def own_means(hello: Hello, closing: ExitStack) -> Means:
    """Open the house's ledger, or a guest's, which is in memory; the seeds are drawn here.

    Raises :class:`~tui_casino.records.ledger.LedgerError`.
    """
    ledger = SqliteLedger(Path(hello.ledger) if hello.ledger is not None else None, PATIENCE)
    closing.callback(ledger.close)
    return Means(ledger, CommittedSource)
