"""Fixtures for all tests: exceptions of subscribers are fatal, and real files stay untouched."""

import gc
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings

from tests.helpers.memory_folder import fast_folder
from tui_casino.engine.event_bus import EventBus
from tui_casino.engine.table import Table

if TYPE_CHECKING:
    from tests.helpers.postgres_server import Server

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as the program does, before numpy is imported
# the folder of `tmp_path`: many tests wait for the disk, because logs and ledgers are flushed to it
os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(fast_folder(2 << 30)))

settings.register_profile("house", deadline=None, max_examples=60, print_blob=True)
settings.load_profile("house")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add an option that lets Textual paint everything; all screens must look the same."""
    parser.addoption("--without-painter", action="store_true", help="let Textual paint everything")


def pytest_configure() -> None:
    """Disable garbage collection while tests are collected: all objects are needed."""
    gc.disable()


def pytest_collection_finish() -> None:
    """Exclude these objects from garbage collection and collect less often, to save time."""
    gc.freeze()
    gc.enable()
    gc.set_threshold(20_000, 20, 50)


@pytest.fixture(autouse=True)
def _faults_are_fatal(monkeypatch: pytest.MonkeyPatch) -> None:
    def raise_it(self: Table[Any, Any, Any, Any], fault: Exception) -> None:
        raise fault

    monkeypatch.setattr(EventBus, "on_fault", raise_it)


@pytest.fixture(autouse=True)
def _own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("TUI_CASINO_LOG_DIR", raising=False)


@pytest.fixture(autouse=True)
def _painter(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.config.getoption("--without-painter"):
        monkeypatch.setattr("tui_casino.tui.widgets.painter.KNOWN", ())
    if request.node.get_closest_marker("painter"):
        from tui_casino.tui.widgets.painter import is_known

        if not is_known():
            pytest.skip("this tests the painter, which is off")


@pytest.fixture(scope="session")
def postgres() -> "Iterator[Server]":
    """Start a real PostgreSQL for the first test that needs it; fail that test if there is none."""
    from tests.helpers.postgres_server import server

    with server() as started:
        yield started


@pytest.fixture
def database(postgres: "Server") -> str:
    """Return the URL of an empty schema."""
    return postgres.schema()
