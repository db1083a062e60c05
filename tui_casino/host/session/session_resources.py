"""What a session plays with: the ledger, and where chance comes from. The cage has both.

The arcade knows no more of either than this. No session opens the ledger of the house, and none
has the seed of a sitting for money before the sitting ends.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from ...house.house import SourceRestorer
from ...house.lobby import SourceFactory
from ...records.ledger import Ledger
from ...records.logbook import Logbook
from .cage_client import CageClient
from .cage_ledger import CageLedger
from .cage_logbook import CageLogbook
from .cage_source import new_source, publish_commitment, restore_source


@dataclass(frozen=True, slots=True)
class SessionResources:
    """The player's ledger, what makes the source of a fair shuffle, and what makes one again.

    A commitment that is shown before its sitting begins goes through ``publish`` first.
    ``gone`` tells whether they cannot be had any more: the session had better end. Where several
    hosts are one house a ``logbook`` keeps the player's logs for the others.
    """

    ledger: Ledger
    fresh: SourceFactory
    publish: Callable[[str], None]
    again: SourceRestorer
    gone: Callable[[], bool]
    logbook: Logbook | None


def resources_over(line: CageClient, *, shared: bool = False) -> SessionResources:
    """Give what the cage has for the player whose line this is; his logs if they are ``shared``.

    Raises :class:`~tui_casino.records.ledger.LedgerError`.
    """
    ledger, logbook = CageLedger(line), CageLogbook(line) if shared else None
    return SessionResources(
        ledger,
        partial(new_source, line),
        partial(publish_commitment, line),
        partial(restore_source, line),
        line.look,
        logbook,
    )
