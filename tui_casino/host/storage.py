"""Open the stores of a server: the ledger, the identities and the log replicas.

The stores are in the server's own files, or in a database that several servers share.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import AbstractContextManager, closing
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from ..gamekit.lazy_import import LazyModule
from ..inputs.errors import BadInput, missing_extra
from ..inputs.files import open_regular, os_error_reason, read_bytes
from ..records.ledger import Ledger, LedgerError, PlayerWinnings
from ..records.log_replica import LogReplica, restore_log
from ..records.shared_tables import SharedTables
from ..records.sqlite_ledger import SqliteLedger
from .commitment_log import HouseWitness
from .config import Config
from .data_folder import DataFolder
from .identities import Identities
from .identity_store import PostgresIdentityStore

if TYPE_CHECKING:  # these need psycopg, and most servers have no PostgreSQL
    from ..records import postgres, postgres_stores
    from . import seat_leases
else:
    postgres = LazyModule("..records.postgres", __package__)
    postgres_stores = LazyModule("..records.postgres_stores", __package__)
    seat_leases = LazyModule(".seat_leases", __package__)

FILES, DATABASE = "files", "database"
"""The places where ledger and identities can be stored."""
_LONGEST = 64

LogReplicas = Callable[[str, str | None], LogReplica | None]
"""Returns a player's log replica, given their seat's token; ``None`` for a single server."""


class HostLedger(Ledger, Protocol):
    """A ledger for all players, which can commit several changes together."""

    def standings(self) -> list[PlayerWinnings]:
        """List each player's total winnings in finished sessions, the highest first."""
        ...

    def publish(self, commitment: str, at: int) -> None:
        """Append a commitment to the commitment log before the player sees it.

        Raises :class:`LedgerError`.
        """
        ...

    def together(self, *, lasting: bool) -> AbstractContextManager[None]:
        """Commit all of a thread's changes in this context together; roll back only jobs that fail.

        Raises :class:`LedgerError` if nothing could be written.
        """
        ...

    def shared_tables(self) -> SharedTables:
        """Return the tables at which several people play; the first call makes room for them.

        Raises :class:`LedgerError`.
        """
        ...


def no_log_replicas(player: str, seat: str | None) -> None:
    """Return ``None``: logs are kept only in their files."""


def check_database(config: Config) -> None:
    """Check that the database can be used, if the settings name one. Raises :class:`BadInput`."""
    if config.database is None:
        return
    if find_spec("psycopg") is None or find_spec("psycopg_pool") is None:
        raise missing_extra("a database needs psycopg", "database")
    try:
        postgres.Postgres(config.database).close()
    except ImportError:
        raise missing_extra(
            "the database needs psycopg, which cannot be loaded", "database"
        ) from None
    except LedgerError as error:
        raise BadInput(f"--database: {error}") from None


def note_books(config: Config, data: DataFolder) -> str | None:
    """Store whether the data is in files or in a database; return a warning if that has changed.

    Nothing is moved between files and database, so all balances start again after such a change.
    Raises :class:`BadInput`.
    """
    current = FILES if config.database is None else DATABASE
    before = FILES if data.ledger.exists() else None
    try:
        if data.books.exists():
            before = read_bytes(data.books, _LONGEST).decode("ascii", "replace").strip()
        file = open_regular(data.books, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        try:
            os.write(file, f"{current}\n".encode())
        finally:
            os.close(file)
    except OSError as error:
        raise BadInput(f"{data.books} cannot be written: {error.strerror}") from None
    if before in (None, current):
        return None
    if current == DATABASE:
        return f"{data.root} contains a ledger and players of its own; they are not in the database"
    return f"the ledger of {data.root} was in a database; without --database it starts empty"


def open_books(
    config: Config, data: DataFolder, patience: float | None = None
) -> tuple[HostLedger, LogReplicas]:
    """Open the ledger, and return it with a function that opens the log replica of a player.

    ``patience`` is how many seconds to wait for other writers. The caller closes the ledger. Raises
    :class:`LedgerError`.
    """
    witness = HouseWitness(data)
    if config.database is None:
        return SqliteLedger(data.ledger, patience, witness), no_log_replicas
    database = postgres.Postgres(config.database, patience)

    def log_replica(player: str, seat: str | None) -> LogReplica | None:
        return None if seat is None else postgres_stores.PostgresLogReplica(database, player, seat)

    return postgres_stores.PostgresLedger(database, data.root, witness), log_replica


def open_ledger(config: Config, data: DataFolder, patience: float | None = None) -> HostLedger:
    """Open only the ledger, as :func:`open_books` does."""
    return open_books(config, data, patience)[0]


def look_at_ledger(config: Config, data: DataFolder) -> HostLedger | None:
    """Open the ledger for reading, if there is one. Raises :class:`LedgerError`."""
    if config.database is not None:
        return open_ledger(config, data)
    return SqliteLedger.look_at(data.ledger) if data.ledger.exists() else None


def fetch_open_logs(config: Config, data: DataFolder, ledger: Ledger) -> frozenset[str]:
    """Fetch the logs of open sessions from the database, and return the players who have seats.

    The logs of those players are not fetched, because they are being written. Without a database
    nothing is fetched: the logs are here, and a log in use is locked. Raises :class:`BadInput`.
    """
    if config.database is None:
        return frozenset()
    with closing(postgres.Postgres(config.database)) as database:
        playing = seat_leases.seated_players(database)
        for one in ledger.books().sittings:
            if one.closed is None and one.player not in playing:
                log = Path(one.log)
                try:
                    restore_log(
                        postgres_stores.PostgresLogReplica(database, one.player, ""),
                        log.parent,
                        log.stem,
                    )
                except OSError as error:
                    raise BadInput(f"{log} cannot be fetched: {os_error_reason(error)}") from None
    return playing


def open_identities(config: Config, data: DataFolder, patience: float | None = None) -> Identities:
    """Open the database of players; ``patience`` is how many seconds to wait for it.

    Raises :class:`BadInput`.
    """
    if config.database is None:
        return Identities(data.identities)
    return Identities(PostgresIdentityStore(postgres.Postgres(config.database, patience)))
