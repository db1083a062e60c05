"""Many players connect and disconnect at once: nothing stays behind, and nothing is lost.

``tests/bench/bench_host.py`` does the same with more of them, and tells how long it takes.
"""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path

import pytest

from tests.host.load_clients import (
    below,
    come_and_go,
    enrol,
    nobody_left,
    open_files,
    stake_all,
    take_up_all,
)
from tests.host.loopback_server import Host, accounts, alive, host, until
from tests.host.misbehaving_host import COUNT, PROGRAM
from tui_casino.house.settings import Settings
from tui_casino.records.ledger import OPENING_BALANCE

BUY_IN = 100 * Settings().buy_in
MANY = "grace = 0\nlogins = 10000\nsessions = 500\n"


async def objects(house: Host, process: int) -> int:
    """Have a process count what it holds."""
    file = house.warnings.with_name(f"objects.{process}")
    file.unlink(missing_ok=True)
    os.kill(process, COUNT)
    await until(lambda: file.exists() and file.read_text() != "")
    return int(file.read_text())


@pytest.mark.prove
async def test_thousand_visits_leave_no_processes_files_or_objects(tmp_path: Path) -> None:
    """Half are cut before there is a menu: processes and files are as before, and objects nearly.

    Connections that are cut linger for some seconds.
    """
    with host(tmp_path / "host", config=MANY, program=PROGRAM) as house:
        zygote, *lasting = house.helpers
        players = enrol(house, 4)

        async def held() -> tuple[list[int], list[int]]:
            await nobody_left(zygote)
            await asyncio.sleep(6)
            files = [*map(open_files, house.helpers)]
            return [await objects(house, process) for process in lasting], files

        await come_and_go(players, 40)
        objects_before, files_before = await held()
        await come_and_go(players, 1_000)
        objects_after, files_after = await held()
        assert files_after == files_before
        assert sorted(house.children()) == [zygote, *lasting]
        for before, after in zip(objects_before, objects_after, strict=True):
            assert after < 1.005 * before


@pytest.mark.prove
async def test_hundred_open_hands_are_resumed_after_every_process_is_killed(tmp_path: Path) -> None:
    """Each session is a process that starts twice; a hundred fill the server several times over."""
    with host(tmp_path / "host", config=MANY, program=PROGRAM) as house:
        players = enrol(house, 100)
        who = [Path(player.folder).name for player in players]
        below_it = below(house.process.pid)
        await stake_all(players, house.process.pid)
        assert house.process.wait() == -signal.SIGKILL
        await until(lambda: not any(map(alive, below_it)))
        before = accounts(house, who)
        rest, at_tables = OPENING_BALANCE - BUY_IN, [BUY_IN]
        assert all(purse == rest and [*held.values()] == at_tables for purse, held in before)
    with host(tmp_path / "host", config=MANY, program=PROGRAM) as house:
        players = [player._replace(port=house.port) for player in players]
        results, _ = await take_up_all(players, house.process.pid)
        assert len(results) == 100
        assert house.process.wait() == 0
        assert accounts(house, who) == before
