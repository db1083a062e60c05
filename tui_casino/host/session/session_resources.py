"""The resources of a session: the ledger and the sources of chance, both kept by the cage.

The arcade knows no more of them than this. No session opens the ledger of the house, and none
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
    """The player's ledger, and the functions that make and restore the source of a fair shuffle.

    A commitment is passed to ``publish_commitment`` before it is shown. ``disconnected`` returns
    whether the cage has gone, and the session should end. With several hosts in one house the
    ``logbook`` keeps the player's logs for the other hosts.
    """

    ledger: Ledger
    new_source: SourceFactory
    publish_commitment: Callable[[str], None]
    restore_source: SourceRestorer
    disconnected: Callable[[], bool]
    logbook: Logbook | None


def resources_over(line: CageClient, *, shared: bool = False) -> SessionResources:
    """Return the resources that the cage has for the player of a connection.

    Only a house that is ``shared`` by several hosts has a logbook.

    Raises :class:`~tui_casino.records.ledger.LedgerError`.
    """
    ledger, logbook = CageLedger(line), CageLogbook(line) if shared else None
    return SessionResources(
        ledger,
        partial(new_source, line),
        partial(publish_commitment, line),
        partial(restore_source, line),
        line.check_disconnected,
        logbook,
    )
