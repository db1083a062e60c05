"""Ann and Bob at one table of two servers: rounds, a killed server, a stopped database."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack, closing
from functools import partial
from pathlib import Path
from typing import Any

import asyncssh
import pytest

from tests.helpers.postgres_server import Server
from tests.host.loopback_server import Host, Visitor, connected, new_key, until, visiting
from tests.host.test_two_servers import is_closed, knows, two_hosts
from tui_casino.games.baccarat.machine import shared_game
from tui_casino.records.clock import now
from tui_casino.records.ledger import OPENING_BALANCE
from tui_casino.records.log_header import Identity
from tui_casino.records.postgres import Postgres
from tui_casino.records.postgres_stores import PostgresLedger
from tui_casino.records.table_replica import TableReplica

pytestmark = [pytest.mark.prove, pytest.mark.xdist_group("hosts")]

SECONDS = 15
BUY_IN = 400_00
Keys = dict[str, asyncssh.SSHKey]
Players = dict[str, Identity]


def people(url: str, hosts: tuple[Host, ...]) -> tuple[Keys, Players]:
    keys = {name: new_key() for name in ("Ann", "Bob")}
    return keys, {name: knows(url, hosts, key, name) for name, key in keys.items()}


async def new_table(host: Host, key: asyncssh.SSHKey) -> str:
    async with connected(host, key) as conn:
        made = str((await conn.run("table new baccarat --seats 2 --open")).stdout)
    return made.split()[0]


async def play_round(ann: Visitor, bob: Visitor, number: int) -> None:
    """Let both bet and be ready; wait until both see how the coup with this number has ended."""
    ann.type("1")
    await bob.sees("5 on Player")
    await ann.commit("Waiting for Bob.")
    await bob.type_until("2", "BET 5")
    bob.type(" ")
    for one in (ann, bob):
        await sees_coups(one, number)


async def sees_coups(visitor: Visitor, number: int) -> None:
    coups = f"{number} coup{'s' * (number > 1)},"
    await visitor.sees(lambda text: coups in text and "Repeat 5" in text)


class Table:
    """The table as it is in the database, which every program can read."""

    def __init__(self, url: str, folder: Path) -> None:
        self.db = Postgres(url)
        self.ledger = PostgresLedger(self.db, folder)
        tables = self.ledger.shared_tables()
        (entry,) = tables.open_tables()
        self.replica: TableReplica[Any, Any, Any, Any] = TableReplica(
            tables, entry, shared_game, now, SECONDS
        )
        self.rows = tables.rows(entry.code)

    def close(self) -> None:
        self.ledger.close()

    @property
    def won(self) -> int:
        """What the house has paid to all seats, less their bets, in cents."""
        return sum(
            sum(event.paid) - 100 * sum(event.bets)
            for update, _ in self.replica._played_rows
            for event in update.events
            if isinstance(event, shared_game.SeatPaid)
        )

    def check(self, players: Players, coups: int) -> None:
        """Check that rows, seats, balances and the house agree to the cent."""
        assert len(self.replica.state.shoe.coups) == coups
        names = {one.id: name for name, one in players.items()}
        ledger, total = self.ledger, 0
        for seat, one in self.replica.occupants.items():
            (sitting,) = ledger.open_sittings(one.player)
            assert sitting.id == one.sitting, names
            assert sitting.owed == self.replica.money(seat)
            total += sitting.owed
        total += sum(ledger.balance(one.id) for one in players.values())
        assert total == len(players) * OPENING_BALANCE + self.won


def coups(url: str, folder: Path) -> int:
    with closing(Table(url, folder)) as table:
        return len(table.replica.state.shoe.coups)


def has_coups(url: str, folder: Path, number: int) -> bool:
    return coups(url, folder) == number


async def test_hand_of_a_killed_server_goes_on_at_the_other(tmp_path: Path, database: str) -> None:
    """The killed server's player comes back to the same seat there, within the time."""
    with two_hosts(tmp_path, database) as hosts:
        keys, players = people(database, hosts)
        code = await new_table(hosts[0], keys["Ann"])
        at_table = {"command": f"table {code}"}
        async with visiting(hosts[1], keys["Bob"], **at_table) as bob:
            await bob.sees(f"BACCARAT · {code}")
            async with visiting(hosts[0], keys["Ann"], **at_table) as ann:
                await ann.sees("● Bob 400.00")
                await bob.sees("● Ann 400.00")
                for number in range(1, 4):
                    await play_round(ann, bob, number)
                with closing(Table(database, tmp_path)) as table:
                    table.check(players, coups=3)
                    seats = dict(table.replica.occupants)
                ann.type("1")
                await bob.sees("5 on Player")
                await bob.type_until("2", "BET 5")
                await bob.commit("Waiting for Ann.")
                hosts[0].kill()
                killed = now()
            await until(partial(is_closed, hosts[0].port))
            await until(partial(has_coups, database, tmp_path, 4))
            assert now() - killed < 1000 * (SECONDS + 3)
            await bob.sees("○ Ann")
            async with visiting(hosts[1], keys["Ann"], **at_table) as ann:
                await bob.sees("● Ann")
                await sees_coups(ann, 4)
                await play_round(ann, bob, 5)
                with closing(Table(database, tmp_path)) as table:
                    table.check(players, coups=5)
                    assert table.replica.occupants == seats
                await leave(ann)
            await leave(bob)
        await until(lambda: not hosts[1].sessions)
        with closing(Postgres(database)) as db:
            ledger = PostgresLedger(db, hosts[1].data.root)
            assert all(ledger.open_sittings(one.id) == [] for one in players.values())
        with closing(Table(database, tmp_path)) as table:
            table.check(players, coups=5)
        for name, key in keys.items():
            await verify(hosts[1], key, players[name])


async def leave(visitor: Visitor) -> None:
    await visitor.type_until("q\r", "Play video poker")


async def verify(host: Host, key: asyncssh.SSHKey, player: Identity) -> None:
    (log,) = (host.data.player(player.id) / "sessions").glob("*.jsonl")
    async with connected(host, key) as conn:
        proof = await conn.run(f"verify {log.stem}")
    assert proof.exit_status == 0, proof.stdout


async def test_table_waits_while_the_database_is_stopped(tmp_path: Path, postgres: Server) -> None:
    url = postgres.schema()
    with two_hosts(tmp_path, url) as hosts:
        keys, players = people(url, hosts)
        code = await new_table(hosts[0], keys["Ann"])
        at_table = {"command": f"table {code}"}
        async with AsyncExitStack() as stack:
            ann = await stack.enter_async_context(visiting(hosts[0], keys["Ann"], **at_table))
            await ann.sees(f"BACCARAT · {code}")
            bob = await stack.enter_async_context(visiting(hosts[1], keys["Bob"], **at_table))
            await bob.sees("● Ann 400.00")
            await ann.sees("● Bob 400.00")
            await play_round(ann, bob, 1)
            ann.type("1")
            await bob.sees("5 on Player")
            await asyncio.to_thread(postgres.kill)
            for one in (ann, bob):
                await one.sees("ledger cannot be reached")
            bob.type("2")  # it is played once, or not at all
            await asyncio.to_thread(postgres.start)
            await until(partial(has_coups, url, tmp_path, 2))
            for one in (ann, bob):
                await sees_coups(one, 2)
            with closing(Table(url, tmp_path)) as table:
                table.check(players, coups=2)
            await play_round(ann, bob, 3)
            for one in (ann, bob):
                await leave(one)
        await until(lambda: not (hosts[0].sessions or hosts[1].sessions))
        with closing(Table(url, tmp_path)) as table:
            table.check(players, coups=3)
        for name, (host, key) in zip(keys, zip(hosts, keys.values(), strict=True), strict=True):
            await verify(host, key, players[name])
