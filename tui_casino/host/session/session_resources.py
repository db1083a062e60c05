"""The resources that the cage provides to a session: the ledger and the sources of chance.

The arcade sees only these interfaces. No session process opens the server's ledger, and none has
the seed of a money session before that session ends.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from msgspec import Struct

from ...house.house import SourceRestorer
from ...house.lobby import SourceFactory
from ...records.ledger import Ledger
from ...records.log_replica import LogReplica
from .cage_client import CageClient
from .cage_ledger import CageLedger
from .cage_log_replica import CageLogReplica
from .cage_source import new_source, publish_commitment, restore_source


class SessionResources(Struct, frozen=True):
    """The player's ledger, and functions that make and restore sources of fair shuffles.

    A commitment is passed to ``publish_commitment`` before it is shown. ``disconnected`` returns
    whether the cage has closed its connection, so that the session should end. If several servers
    share one database, ``log_replica`` keeps the player's logs for the other servers.
    """

    ledger: Ledger
    new_source: SourceFactory
    publish_commitment: Callable[[str], None]
    restore_source: SourceRestorer
    disconnected: Callable[[], bool]
    log_replica: LogReplica | None


def resources_over(line: CageClient, *, shared: bool = False) -> SessionResources:
    """Return the resources that the cage offers to the player of this connection.

    There is a log replica only if several servers share a database (``shared``). Raises
    :class:`~tui_casino.records.ledger.LedgerError`.
    """
    ledger, log_replica = CageLedger(line), CageLogReplica(line) if shared else None
    return SessionResources(
        ledger,
        partial(new_source, line),
        partial(publish_commitment, line),
        partial(restore_source, line),
        line.check_disconnected,
        log_replica,
    )
