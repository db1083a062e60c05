"""One host for all tests of a module, each comes in with a key of its own; a cage for each test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.host.cages import Cages
from tests.host.hosts import Host, host


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    with host(tmp_path_factory.mktemp("host"), "--guests", "1") as started:
        yield started


@pytest.fixture
def cages(tmp_path: Path) -> Iterator[Cages]:
    cages = Cages(tmp_path / "ledger.db")
    yield cages
    cages.close()
