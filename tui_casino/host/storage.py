"""Open the stores of a host: ledger, identities and logbook, as files or in a database.

They are in files of its own, or in a database that several hosts share.
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
from ..records.logbook import Logbook, restore_log
from ..records.sqlite_ledger import SqliteLedger
from .config import Config
from .data_folder import DataFolder
from .identities import Identities
from .identity_store import PostgresIdentityStore
from .witness import HouseWitness

if TYPE_CHECKING:  # psycopg; most servers have no such database
    from ..records import postgres, postgres_ledger, postgres_logbook
    from . import seat_leases
else:
    postgres = LazyModule("..records.postgres", __package__)
    postgres_ledger = LazyModule("..records.postgres_ledger", __package__)
    postgres_logbook = LazyModule("..records.postgres_logbook", __package__)
    seat_leases = LazyModule(".seat_leases", __package__)

FILES, DATABASE = "files", "database"
"""Where books are."""
_LONGEST = 64

Logbooks = Callable[[str, str | None], Logbook | None]
"""Gives the logbook of a player by the token of his seat; nothing where there is one host alone."""


class HostLedger(Ledger, Protocol):
    """A ledger of all players, that commits several changes at once."""

    def standings(self) -> list[PlayerWinnings]:
        """List what each player has won in all sittings that are over, the most first."""
        ...

    def publish(self, commitment: str, at: int) -> None:
        """Put a commitment that is about to be shown on the list. Raises :class:`LedgerError`."""
        ...

    def together(self, *, lasting: bool) -> AbstractContextManager[None]:
        """Make one commit of all that one thread does meanwhile; what is refused is undone alone.

        Raises :class:`LedgerError` if nothing of it could be written.
        """
        ...


def no_logbooks(player: str, seat: str | None) -> None:
    """Keep the lines of logs in their files alone."""


def check_database(config: Config) -> None:
    """See that the database can be used, if there is to be one. Raises :class:`BadInput`."""
    if config.database is None:
        return
    if find_spec("psycopg") is None or find_spec("psycopg_pool") is None:
        raise missing_extra("a database needs psycopg", "database")
    try:
        postgres.Postgres(config.database).close()
    except LedgerError as error:
        raise BadInput(f"--database: {error}") from None


def note_books(config: Config, data: DataFolder) -> str | None:
    """Note where the books of a folder are; tell if they were elsewhere when it was last served.

    Nothing is moved from one to the other, so who changes that by mistake finds no purse.
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
        return f"{data.root} had books of its own; what is in them is not in the database"
    return f"the books of {data.root} were in a database; without --database they begin anew"


def open_books(
    config: Config, data: DataFolder, patience: float | None = None
) -> tuple[HostLedger, Logbooks]:
    """Open the ledger of a house, and what keeps the lines of its players' logs.

    ``patience`` is how many seconds it waits while others write; whoever opens it closes it. Raises
    :class:`LedgerError`.
    """
    witness = HouseWitness(data)
    if config.database is None:
        return SqliteLedger(data.ledger, patience, witness), no_logbooks
    database = postgres.Postgres(config.database, patience)

    def logbook(player: str, seat: str | None) -> Logbook | None:
        return None if seat is None else postgres_logbook.PostgresLogbook(database, player, seat)

    return postgres_ledger.PostgresLedger(database, data.root, witness), logbook


def open_ledger(config: Config, data: DataFolder, patience: float | None = None) -> HostLedger:
    """Open the ledger alone; else as :func:`open_books`."""
    return open_books(config, data, patience)[0]


def look_at_ledger(config: Config, data: DataFolder) -> HostLedger | None:
    """Open the ledger to read it alone, if it was begun. Raises :class:`LedgerError`."""
    if config.database is not None:
        return open_ledger(config, data)
    return SqliteLedger.look_at(data.ledger) if data.ledger.exists() else None


def fetch_open_logs(config: Config, data: DataFolder, ledger: Ledger) -> frozenset[str]:
    """Fetch the logs of open sittings that a database keeps, and give the players who sit now.

    Their logs are left alone: somebody is writing them. With books in files nothing is to be
    fetched, and a log that is being played is locked. Raises :class:`BadInput`.
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
                        postgres_logbook.PostgresLogbook(database, one.player, ""),
                        log.parent,
                        log.stem,
                    )
                except OSError as error:
                    raise BadInput(f"{log} cannot be fetched: {os_error_reason(error)}") from None
    return playing


def open_identities(config: Config, data: DataFolder, patience: float | None = None) -> Identities:
    """Open the book of all players; ``patience`` is how many seconds a database is waited for.

    Raises :class:`BadInput`.
    """
    if config.database is None:
        return Identities(data.identities)
    return Identities(PostgresIdentityStore(postgres.Postgres(config.database, patience)))
