"""Fixtures for the tests of screens."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.helpers.arcade_pilot import check_books, with_purse
from tui_casino.house.sitting import House


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """Return a house whose books are checked after the test."""
    house = with_purse(tmp_path)
    yield house
    check_books(house)
