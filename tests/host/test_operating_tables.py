"""The operator and the tables of a running server: commands, figures, a drain, a backup."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, closing
from pathlib import Path
from urllib.request import urlopen

import asyncssh
import pytest

from tests.helpers.command_runner import Ran, run
from tests.host.loopback_server import Host, Visitor, connected, host, new_key, until, visiting
from tui_casino.cli.verify import check
from tui_casino.host.backup import _cut_after
from tui_casino.host.data_folder import DataFolder
from tui_casino.records.ledger import OPENING_BALANCE
from tui_casino.records.sqlite_ledger import SqliteLedger

BUY_IN = 400_00
STOPPED = "The operator has stopped this table for a while."
Keys = Mapping[str, asyncssh.SSHKey]


def admin(data: DataFolder, *arguments: str) -> Ran:
    return run(["admin", "--data", str(data.root), *arguments])


def keys_of(house: Host) -> Keys:
    """Return the keys of two new players."""
    keys = {name: new_key() for name in ("Ann", "Bob")}
    for name, key in keys.items():
        house.add_player(key, name)
    return keys


async def new_table(house: Host, key: asyncssh.SSHKey) -> str:
    async with connected(house, key) as conn:
        made = str((await conn.run("table new baccarat --seats 2 --open")).stdout)
    return made.split()[0]


@asynccontextmanager
async def both_at(house: Host, keys: Keys, code: str) -> AsyncIterator[tuple[Visitor, Visitor]]:
    """Let both players sit down, or come back."""
    command = f"table {code}"
    async with visiting(house, keys["Ann"], command=command) as ann:
        await ann.sees(f"BACCARAT · {code}")
        async with visiting(house, keys["Bob"], command=command) as bob:
            await bob.sees("● Ann 400.00")
            await ann.sees("● Bob 400.00")
            yield ann, bob


def listed(data: DataFolder, code: str) -> dict[str, object]:
    """Return the line about a table as the operator's list has it."""
    tables = json.loads(admin(data, "tables", "--json").out)
    line: dict[str, object] = next(one for one in tables if one["code"] == code)
    return line


def add_up(data: DataFolder) -> bool:
    """Return whether all balances are those of the beginning, with seats, wins and losses."""
    with closing(SqliteLedger.look_at(data.ledger)) as ledger:
        books = ledger.books()
        should = OPENING_BALANCE * len(books.balances)
        for one in books.sittings:
            should += (one.cashed_out or 0) - one.bought_in
        return sum(cents for _, cents in books.balances) == should


def proves(data: DataFolder, code: str, path: Path) -> bool:
    """Return whether the log of a closed table verifies."""
    with closing(SqliteLedger.look_at(data.ledger)) as ledger:
        rows = ledger.shared_tables().rows(code)
    path.write_bytes(b"".join(row.line + b"\n" for row in rows))
    return check(path) == 0


async def test_operator_freezes_thaws_and_closes_a_table_in_a_round(
    house: Host, tmp_path: Path
) -> None:
    keys = keys_of(house)
    code = await new_table(house, keys["Ann"])
    async with both_at(house, keys, code) as (ann, bob):
        await ann.type_until("1", "BET 5")
        await bob.sees("5 on Player")
        assert admin(house.data, "tables", "freeze", code).out == f"the table {code} is frozen\n"
        for player in (ann, bob):
            await player.sees(STOPPED)
        assert listed(house.data, code)["state"] == "frozen"
        assert "frozen" in admin(house.data, "tables").out
        async with connected(house, keys["Bob"]) as conn:
            assert "stopped by the operator" in str((await conn.run("table")).stdout)
        ran = admin(house.data, "tables", "freeze", code)
        assert (ran.code, f"the table {code} is frozen already" in ran.err) == (2, True)
        assert admin(house.data, "tables", "thaw", code).code == 0
        await ann.sees("● Bob 400.00")
        await ann.type_until(" ", "Waiting for Bob.")
        ran = admin(house.data, "tables", "close", code.lower())
        assert ran.out == f"the table {code} is closed; 2 players paid out\n"
        for player in (ann, bob):
            await player.sees("The table is closed: the operator closed it.")
    assert add_up(house.data)
    assert proves(house.data, code, tmp_path / "table.jsonl")
    for action in ("freeze", "thaw", "close"):
        assert f"the table {code} is closed" in admin(house.data, "tables", action, code).err
    audit = [
        json.loads(one)
        for one in next(house.data.audit.glob("*.jsonl")).read_text().split("\n")
        if one
    ]
    done = [(one["what"], one["table"]) for one in audit if "table" in one]
    assert done == [(f"table {what}", code) for what in ("frozen", "thawed", "closed")]


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["close", "ZZZZ"], "there is no table ZZZZ; tui-casino admin tables lists the open ones"),
        (["thaw"], "thaw: the CODE is missing"),
        (["freeze", "K7QX", "--json"], "--json is for the list of tables, not for freeze"),
    ],
)
def test_impossible_command_about_a_table_is_refused_in_one_line(
    arguments: list[str], why: str, house: Host
) -> None:
    ran = admin(house.data, "tables", *arguments)
    assert (ran.code, len(ran.err.splitlines())) == (2, 1)
    assert why in ran.err


async def test_metrics_count_tables_seats_and_appended_rows(tmp_path: Path) -> None:
    with host(tmp_path / "host", "--metrics", "127.0.0.1:0") as house:
        keys = keys_of(house)
        code = await new_table(house, keys["Ann"])
        async with both_at(house, keys, code):
            rows = house.metric("table_rows_total")
            assert rows == listed(house.data, code)["rows"]
            assert house.metric("table_seats") == 2
            with urlopen(house.monitor, timeout=10) as response:
                text = response.read().decode()
            assert 'tui_casino_tables{game="baccarat",state="open"} 1\n' in text
            last, slowest = (
                float(re.search(rf'table_append_seconds{{append="{which}"}} (\S+)', text)[1])  # type: ignore[index]
                for which in ("last", "slowest")
            )
            assert 0 < last <= slowest
            assert code not in text
            assert "tui_casino_table_seats 2" in admin(house.data, "stats").out


# ---- restarts -----------------------------------------------------------------------------------


async def test_drained_table_continues_after_the_restart_with_its_players(tmp_path: Path) -> None:
    with host(tmp_path / "host", config="grace = 2\n") as house:
        keys = keys_of(house)
        code = await new_table(house, keys["Ann"])
        async with both_at(house, keys, code) as (ann, bob):
            await ann.type_until("1", "BET 5")
            await bob.sees("5 on Player")
            before = listed(house.data, code)
            assert admin(house.data, "drain").out.startswith("shutting down")
            for player in (ann, bob):
                await player.sees("The server will shut down in 2 seconds")
            for player in (ann, bob):
                assert "The server is shutting down" in await player.output()
        await until(lambda: house.process.poll() is not None)
    assert listed(house.data, code) == before, "nobody was paid out or timed out"
    with host(tmp_path / "host") as house:
        async with both_at(house, keys, code) as (ann, bob):
            await ann.sees("You are back in your seat.")
            await bob.sees("5 on Player")
            ann.type(" ")
            await ann.sees("Waiting for Bob.")
            bob.type(" ")
            await bob.sees("deal")
            await ann.sees("Repeat 5")
    assert add_up(house.data)


async def test_backup_with_an_open_table_restores_its_seats_and_its_log(tmp_path: Path) -> None:
    """The server is killed after the backup; the new one goes on with the table, and can end it."""
    file = tmp_path / "backup.tar"
    with host(tmp_path / "host") as house:
        keys = keys_of(house)
        code = await new_table(house, keys["Ann"])
        async with both_at(house, keys, code) as (ann, bob):
            await ann.type_until("1", "BET 5")
            await bob.sees("5 on Player")
            before = listed(house.data, code)
            assert admin(house.data, "backup", str(file)).code == 0
            house.kill()
    data = DataFolder(tmp_path / "again" / "data")
    ran = admin(data, "restore", str(file))
    assert ran.code == 0, ran.out + ran.err
    assert f"the table {code} is frozen, because its players may know the next cards" in ran.out
    assert "open sessions that were ended, with their bets given back: 0" in ran.out
    assert add_up(data)
    with host(tmp_path / "again") as house:
        assert listed(house.data, code) == {**before, "state": "frozen"}
        command = f"table {code}"
        async with (
            visiting(house, keys["Ann"], command=command) as ann,
            visiting(house, keys["Bob"], command=command) as bob,
        ):
            for player in (ann, bob):
                await player.sees(STOPPED)
            assert admin(house.data, "tables", "thaw", code).code == 0
            await bob.sees("5 on Player")
            await ann.type_until(" ", "Waiting for Bob.")
            assert admin(house.data, "tables", "close", code).code == 0
            for player in (ann, bob):
                await player.sees("The table is closed: the operator closed it.")
    assert add_up(data)
    assert proves(data, code, tmp_path / "table.jsonl")


@pytest.mark.parametrize(("rows", "kept"), [(13, 1), (16, 2), (17, 3)])
def test_log_of_a_seat_is_cut_to_the_rows_that_the_backup_has(
    rows: int, kept: int, tmp_path: Path
) -> None:
    """The player went on, and even left, while the backup was written."""
    log = tmp_path / "one.jsonl"
    lines = [b'{"format":5}\n', b'{"n":1,"row":13}\n', b'{"n":2,"row":16}\n', b'{"end":{}}\n']
    log.write_bytes(b"".join(lines))
    _cut_after(log, rows)
    assert log.read_bytes() == b"".join(lines[:kept])
