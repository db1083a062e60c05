"""The ledgers in which tables of several people can be kept, for fixtures of tests."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tui_casino.host.storage import HostLedger
from tui_casino.records.sqlite_ledger import SqliteLedger

OpenLedger = Callable[[], HostLedger]


def in_a_file(folder: Path, request: pytest.FixtureRequest) -> OpenLedger:
    """Return a function that opens the ledger, as each program does that uses it."""
    return lambda: SqliteLedger(folder / "ledger")


def in_postgres(folder: Path, request: pytest.FixtureRequest) -> OpenLedger:
    """Return a function that opens the ledger, as each server does that shares the database."""
    from tui_casino.records.postgres import Postgres
    from tui_casino.records.postgres_stores import PostgresLedger

    url = request.getfixturevalue("database")
    return lambda: PostgresLedger(Postgres(url), folder)


BOTH = (in_a_file, in_postgres)
