"""One server for all tests of a module, a key for each test, and a cage for each test."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from tests.helpers.random_play import seed_of
from tests.host.cage_processes import Cages
from tests.host.loopback_server import Host, host
from tui_casino.engine.chance import CommittedSource
from tui_casino.host.cage import dealer


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    with host(tmp_path_factory.mktemp("host"), "--guests", "1") as started:
        yield started


@pytest.fixture
def cages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Cages]:
    """Run a cage with the same seeds in each run."""
    numbers = count(1)

    def numbered(seed: bytes | None = None, word: str = "") -> CommittedSource:
        return CommittedSource(seed_of(next(numbers)) if seed is None else seed, word)

    monkeypatch.setattr(dealer, "CommittedSource", numbered)
    cages = Cages(tmp_path / "ledger.db")
    yield cages
    cages.close()
