"""Two servers behind a balancer: a player of one can continue at the other."""

from __future__ import annotations

import asyncio
import re
import shutil
import socket
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import ExitStack, asynccontextmanager, closing, contextmanager, suppress
from functools import partial
from pathlib import Path

import asyncssh
import pytest

from tests.helpers.command_runner import run
from tests.helpers.postgres_server import Server
from tests.helpers.pty_terminal import CASINO, been_here
from tests.host.loopback_server import (
    Host,
    Visitor,
    connected,
    deal,
    host,
    new_key,
    until,
    visiting,
)
from tui_casino.host.identities import Identities
from tui_casino.host.identity_store import PostgresIdentityStore
from tui_casino.house.settings import Settings
from tui_casino.records.ledger import OPENING_BALANCE
from tui_casino.records.log_header import Identity
from tui_casino.records.postgres import Postgres
from tui_casino.records.postgres_stores import PostgresLedger
from tui_casino.records.promises import check_promises, read_promises
from tui_casino.records.session_log import read_log

pytestmark = [pytest.mark.prove, pytest.mark.xdist_group("hosts")]

BUY_IN = 100 * Settings().buy_in


class Balancer:
    """Forwards each connection to the next host that takes it, byte by byte."""

    def __init__(self, *ports: int) -> None:
        self.ports, self.port = [*ports], 0

    async def serve(self) -> asyncio.Server:
        server = await asyncio.start_server(self._forward, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        return server

    async def _forward(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        ports = self.ports
        self.ports = [*ports[1:], ports[0]]
        for port in ports:
            with suppress(OSError):
                there = await asyncio.open_connection("127.0.0.1", port)
                break
        else:
            writer.close()
            return
        await asyncio.gather(_pour(reader, there[1]), _pour(there[0], writer))


async def _pour(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError, asyncio.CancelledError):
        while data := await reader.read(1 << 16):
            writer.write(data)
            await writer.drain()
    writer.close()


@asynccontextmanager
async def balancer(*hosts: Host) -> AsyncIterator[Balancer]:
    balancer = Balancer(*(one.port for one in hosts))
    server = await balancer.serve()
    try:
        yield balancer
    finally:
        server.close()


@contextmanager
def two_hosts(
    folder: Path, url: str, program: Sequence[str] = CASINO
) -> Iterator[tuple[Host, Host]]:
    """Begin two, which have one host key, as all behind a balancer must."""
    with ExitStack() as running:
        hosts: list[Host] = []
        for name in "ab":
            if hosts:
                (folder / name / "data").mkdir(parents=True)
                key = hosts[0].data.host_key
                shutil.copy2(key, folder / name / "data" / key.name)
            started = host(folder / name, "--database", url, program=program)
            hosts.append(running.enter_context(started))
        assert hosts[0].fingerprint == hosts[1].fingerprint
        yield hosts[0], hosts[1]


def knows(url: str, hosts: tuple[Host, ...], key: asyncssh.SSHKey, name: str) -> Identity:
    with closing(Identities(PostgresIdentityStore(Postgres(url)))) as book:
        player = book.enrol(key.get_fingerprint("sha256"), name, 1)
    for one in hosts:
        been_here(one.data.player(player.id) / "visits.json")
    return player


def is_closed(port: int) -> bool:
    with socket.socket() as line:
        return line.connect_ex(("127.0.0.1", port)) != 0


async def go_on(visitor: Visitor) -> list[str]:
    await visitor.sees("waiting:")
    visitor.type("1")
    return cards(await visitor.sees("Draw"))


def cards(screen: str) -> list[str]:
    """Return the left part of the table, where the cards are, below the title."""
    rows = [line[:66].rstrip() for line in screen.splitlines()[1:]]
    return [row for row in rows if any(suit in row for suit in "♠♥♦♣")]


async def test_players_of_a_killed_server_continue_at_the_other(
    tmp_path: Path, database: str
) -> None:
    keys = {name: new_key() for name in ("Ann", "Bob", "Cleo", "Dora")}
    with two_hosts(tmp_path, database) as hosts:
        players = {name: knows(database, hosts, key, name) for name, key in keys.items()}
        async with balancer(*hosts) as door, asyncio.TaskGroup() as group:
            dealt: dict[str, list[str]] = {}
            killed = asyncio.Event()
            ready = asyncio.Barrier(len(keys) + 1)

            async def play(name: str) -> None:
                async with visiting(door, keys[name]) as visitor:
                    dealt[name] = cards(await deal(visitor))
                    await ready.wait()
                    await killed.wait()
                    with suppress(TimeoutError):
                        await asyncio.wait_for(visitor.ended.wait(), 2)
                    if not visitor.ended.is_set():  # he sits at the host that lives
                        assert cards(visitor.text) == dealt[name]
                        await finish(visitor)
                        return
                async with visiting(door, keys[name]) as visitor:
                    assert await go_on(visitor) == dealt[name], "the same cards"
                    await finish(visitor)

            async def finish(visitor: Visitor) -> None:
                visitor.type("1\r")  # hold a card, and draw
                await visitor.commit("Deal for")
                await visitor.type_until("q\r", "Play video poker")

            for name in keys:
                group.create_task(play(name))
            await ready.wait()
            assert [len(one.sessions) for one in hosts] == [2, 2]
            hosts[0].kill()
            await until(partial(is_closed, hosts[0].port))
            killed.set()
        alive = hosts[1]
        await until(lambda: not alive.sessions)
        with closing(Postgres(database)) as db:
            ledger = PostgresLedger(db, alive.data.root)
            promises = [one for host in hosts for one in read_promises(host.data.promises)]
            for name, player in players.items():
                assert ledger.open_sittings(player.id) == []
                (account,) = ledger.accounts(player.id).items()
                path = alive.data.player(player.id) / "sessions" / f"{account[0]}.jsonl"
                log = read_log(path)
                assert check_promises(log, promises).ended is not None
                assert log.end is not None
                assert log.header.who == (player,)
                paid = 100 * log.end.money[0]
                assert account[1].cashed_out == paid
                assert ledger.balance(player.id) == OPENING_BALANCE - BUY_IN + paid
                assert account[1].bought_in == BUY_IN
                lines = db.rows("select line from line where log = %s order by n", (account[0],))
                assert b"".join(line + b"\n" for (line,) in lines) == path.read_bytes()
                async with connected(alive, keys[name]) as conn:
                    proof = await conn.run(f"verify {account[0]}")
                assert proof.exit_status == 0, proof.stdout
                assert str(proof.stdout).startswith("authentic: ")
            assert db.rows("select * from seat") == []


async def test_login_at_another_server_moves_the_hand_there(tmp_path: Path, database: str) -> None:
    """The first session gets a message, the second one the hand; both servers have the log."""
    key = new_key()
    with two_hosts(tmp_path, database) as hosts:
        player = knows(database, hosts, key, "Ann")
        async with visiting(hosts[0], key) as first:
            dealt = cards(await deal(first))
            async with visiting(hosts[1], key) as second:
                assert "You connected from somewhere else" in await first.output()
                assert await go_on(second) == dealt
                await second.type_until("1\r ", "Deal for")
                await second.type_until("q\r", "Play video poker")
        (log,) = (hosts[1].data.player(player.id) / "sessions").glob("*.jsonl")
        for one in hosts:
            async with connected(one, key) as conn:
                own = await conn.run(f"log {log.stem}")
            assert str(own.stdout).encode() == log.read_bytes()


async def test_ban_at_one_server_ends_the_visit_at_the_other(tmp_path: Path, database: str) -> None:
    key = new_key()
    with two_hosts(tmp_path, database) as hosts:
        knows(database, hosts, key, "Ann")
        async with visiting(hosts[1], key) as visitor:
            await visitor.sees("Ann")
            options = ["--data", str(hosts[0].data.root), "--database", database]
            arguments = ["admin", *options, "ban", "Ann", "--reason", "bad words"]
            assert (await asyncio.to_thread(run, arguments)).code == 0
            assert "You are banned here: bad words" in await visitor.output()
        async with visiting(hosts[0], key) as visitor:
            assert "You are banned here: bad words" in await visitor.output()


async def test_table_pauses_while_the_database_is_unavailable(
    tmp_path: Path, postgres: Server
) -> None:
    key, url = new_key(), postgres.schema()
    with host(tmp_path / "a", "--database", url) as alone:
        player = knows(url, (alone,), key, "Ann")
        async with visiting(alone, key) as visitor:
            await deal(visitor)
            visitor.type("12345")  # all are held: nothing is warned of
            dealt = cards(await visitor.sees(lambda text: not re.search("Draw [1-5]", text)))
            (log,) = (alone.data.player(player.id) / "sessions").glob("*.jsonl")
            raw = log.read_bytes()
            await asyncio.to_thread(postgres.kill)
            await visitor.commit("ledger cannot be reached")
            assert "postgres" not in visitor.text
            assert cards(visitor.text) == dealt
            assert log.read_bytes() == raw
            for anybody in (new_key(), key):
                async with visiting(alone, anybody) as other:
                    refused = await other.output()
                assert "the ledger cannot be reached at the moment" in refused
                assert "postgres" not in refused
            await until(lambda: "cannot be used" in alone.warnings.read_text())
            await asyncio.to_thread(postgres.start)
            await until(lambda: b"RoundPaid" in log.read_bytes())  # nobody presses a key
            await visitor.sees("Deal for")
            assert log.read_bytes().startswith(raw)
            await visitor.type_until("q\r", "Play video poker")
        await until(lambda: "can be reached again" in alone.warnings.read_text())
    with closing(Postgres(url)) as db:
        (line,) = db.rows("select string_agg(line, '\\x0a' order by n) from line")
        assert line[0] + b"\n" == log.read_bytes()
        assert PostgresLedger(db, alone.data.root).open_sittings(player.id) == []
    away = r".*the database .* cannot be used.*\n.*the database can be reached again.*\n"
    assert re.fullmatch(away, alone.warnings.read_text())
