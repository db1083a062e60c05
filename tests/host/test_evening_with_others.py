"""Scripted players at every table over SSH, while lines are cut and processes are killed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.host.evening_with_others import GAMES, spend

pytestmark = [pytest.mark.prove, pytest.mark.xdist_group("hosts")]

SECONDS, KILL = 60.0, 8.0


async def test_cuts_and_kills_at_every_table_lose_no_cent_and_no_row(tmp_path: Path) -> None:
    rows = await spend(tmp_path, [*GAMES], SECONDS, KILL)
    assert len(rows) == len(GAMES)
