"""Two servers' cages share the tables of one database: rows, clocks, presence, phrases, outages."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from tests.helpers.postgres_server import Server as Database
from tests.helpers.random_play import seed_of
from tests.host.loopback_server import until
from tests.host.test_shared_tables import SECONDS, bet, events_of, names_of
from tui_casino.engine.croupier import ShuffledShoe
from tui_casino.host import cage_protocol as wire
from tui_casino.host.cage import table_desk
from tui_casino.host.cage.ledger_writer import LedgerWriter
from tui_casino.host.cage.table_answers import shared_play
from tui_casino.host.cage.table_desk import TableDesk
from tui_casino.host.cage.teller import Teller
from tui_casino.house.shared_tables import TableNews
from tui_casino.records.clock import now
from tui_casino.records.ledger import (
    OPENING_BALANCE,
    LedgerBusy,
    LedgerDamaged,
    LedgerError,
    OpenSitting,
)
from tui_casino.records.postgres import Postgres
from tui_casino.records.postgres_stores import PostgresLedger
from tui_casino.records.shared_tables import SharedRow, SharedTable
from tui_casino.records.table_replica import TableReplica

HOUR = 3_600_000
NAMES = {"ann": "Ann", "bob": "Bob"}


class Server:
    """A cage's ledger in the database and its desk; its clock is ``wrong`` milliseconds fast."""

    def __init__(self, url: str, root: Path, wrong: int = 0) -> None:
        self.root, self.ledger = root, PostgresLedger(Postgres(url, 2.0), root)
        self.scribe = LedgerWriter(self.ledger)
        tables = self.ledger.shared_tables()
        self.desk = TableDesk(self.scribe, tables, lambda: now() + wrong, lambda: NAMES)
        self.notes = list[str]()
        self.desk.note = self.notes.append

    def teller(self, player: str) -> Teller:
        caller = wire.CageHello(player, str(self.root / player))
        return Teller(caller, self.scribe, lambda line: None, tables=self.desk)

    async def join(self, code: str, seat: int, player: str, cents: int) -> Teller:
        teller = self.teller(player)
        log = self.root / player / "one.jsonl"
        sitting = OpenSitting(f"{player}-1", "baccarat", log, None, cents)
        await teller.answer(wire.JoinTable(code, seat, sitting))
        return teller

    async def states(self, code: str) -> list[str]:
        """Return the names and states of the seats as this server lists them."""
        lines = await self.desk.list("cat", code)
        return [f"{one.name} {one.state}" for line in lines for one in line.seats]


@asynccontextmanager
async def running(url: str, root: Path, wrong: int = 0) -> AsyncIterator[Server]:
    server = Server(url, root, wrong)
    await server.desk.load()
    clock = asyncio.create_task(server.desk.keep_time())
    try:
        yield server
    finally:
        clock.cancel()
        with suppress(asyncio.CancelledError):
            await clock
        server.desk.close()
        await asyncio.to_thread(server.scribe.close)


@pytest.fixture
async def servers(database: str, tmp_path: Path) -> AsyncIterator[tuple[Server, Server]]:
    """Two servers; the clock of the second one is an hour fast."""
    async with AsyncExitStack() as stack:
        one = await stack.enter_async_context(running(database, tmp_path / "a"))
        two = await stack.enter_async_context(running(database, tmp_path / "b", HOUR))
        yield one, two


async def made(server: Server) -> str:
    code: str = await server.teller("ann").answer(
        wire.MakeTable("baccarat", {"seats": "2"}, is_listed=True)
    )
    return code


async def seated(servers: tuple[Server, Server]) -> tuple[Teller, Teller, str]:
    """Let Ann make a table at the first server, and Bob sit down there at the second one."""
    code = await made(servers[0])
    ann = await servers[0].join(code, 0, "ann", 40_00)
    return ann, await servers[1].join(code, 1, "bob", 30_00), code


def waits(teller: Teller, code: str, rows: int) -> asyncio.Task[TableNews]:
    return asyncio.create_task(teller.answer(wire.ReadTable(code, rows, 20)))


def reads(teller: Teller, code: str) -> asyncio.Task[None]:
    """Read a table until the task is cancelled, as the session of a player does."""

    async def read() -> None:
        rows = 0
        while True:
            news: TableNews = await teller.answer(wire.ReadTable(code, rows, 5))
            rows = news.rows

    return asyncio.create_task(read())


async def test_rows_of_one_server_wake_the_readers_of_the_other(
    servers: tuple[Server, Server],
) -> None:
    ann, bob, code = await seated(servers)
    assert await servers[0].desk.list("cat", code) != []
    begun: TableNews = await bob.answer(wire.ReadTable(code, 0))
    reading = waits(bob, code, begun.rows)
    await asyncio.sleep(0)
    await ann.answer(wire.ActAtTable(code, bet(10, "p")))
    news = await asyncio.wait_for(reading, 5)
    assert [one.doing for one in news.seats] == ["10 on Player", ""]
    assert news.due is not None
    assert 0 < news.due - (now() + HOUR) <= 1000 * SECONDS, "as the clock of this server has it"
    for teller in (ann, bob):
        await teller.answer(wire.ActAtTable(code, {"is": "Play"}))

    async def coup(teller: Teller) -> list[object]:
        news: TableNews = await teller.answer(wire.ReadTable(code, begun.rows))
        while "CoupOver" not in names_of(news):
            news = await teller.answer(wire.ReadTable(code, begun.rows, 1))
        return [event for one in news.updates for event in events_of(one)]

    both = await asyncio.gather(*(asyncio.wait_for(coup(one), 10) for one in (ann, bob)))
    assert both[0][-2:-1] == both[1][-2:-1], "the same cards"
    for server in servers:
        held = [one.owed for player in NAMES for one in server.ledger.open_sittings(player)]
        (line,) = await server.desk.list("ann")
        assert [one.cents for one in line.seats] == held


async def test_clocks_of_two_servers_play_once_for_a_player_who_does_not_answer(
    servers: tuple[Server, Server],
) -> None:
    one, two = servers
    code, shared = "K7QX", shared_play("baccarat")
    entry = SharedTable(code, "baccarat", "ann", now(), seed_of(1), is_listed=True, seconds=1)
    options = shared.options_of({"seats": "2"})
    tables = one.ledger.shared_tables()
    TableReplica.create(tables, entry, shared.game, options, ShuffledShoe(), now, shared.seconds)
    ann, bob = await one.join(code, 0, "ann", 40_00), await two.join(code, 1, "bob", 40_00)
    reading = [reads(ann, code), reads(bob, code)]
    for rounds in range(1, 4):
        begun = now()
        await ann.answer(wire.ActAtTable(code, bet(5, "b")))
        await until(partial(has_coups, one, code, rounds))
        assert 900 < now() - begun < 2_000
        await until(lambda: two.desk._replicas[code].rows == one.desk._replicas[code].rows)
        assert two.desk._replicas[code].state == one.desk._replicas[code].state
    for task in reading:
        task.cancel()
    assert coups(two, code) == 3
    assert one.notes == two.notes == []


def has_coups(server: Server, code: str, number: int) -> bool:
    return coups(server, code) == number


def coups(server: Server, code: str) -> int:
    """Return how many coups the rows of a table have."""
    rows = server.ledger.shared_tables().rows(code)
    return sum(b'"CoupOver"' in row.line for row in rows)


async def test_player_is_away_only_if_no_server_has_a_reader(
    servers: tuple[Server, Server],
) -> None:
    ann, bob, code = await seated(servers)
    reading, playing = reads(ann, code), reads(bob, code)

    async def seen(states: list[str]) -> None:
        for one in servers:
            for _ in range(200):
                if await one.states(code) == states:
                    break
                await asyncio.sleep(0.1)
            assert await one.states(code) == states

    await seen(["Ann seated", "Bob seated"])
    reading.cancel()
    await seen(["Ann away", "Bob seated"])
    reading = reads(servers[1].teller("ann"), code)
    await seen(["Ann seated", "Bob seated"])
    with patch.object(table_desk, "AWAY_SECONDS", 1):
        playing.cancel()
        await seen(["Ann seated", " free"])
    reading.cancel()
    for one in servers:
        assert one.ledger.balance("bob") == OPENING_BALANCE
        assert one.ledger.balance("ann") == OPENING_BALANCE - 40_00
        assert one.notes == []


async def test_phrases_and_blocks_reach_the_other_server(servers: tuple[Server, Server]) -> None:
    ann, bob, code = await seated(servers)
    begun: TableNews = await bob.answer(wire.ReadTable(code, 0))
    reading = waits(bob, code, begun.rows)
    await asyncio.sleep(0)
    await ann.answer(wire.SayAtTable(code, 2))
    news = await asyncio.wait_for(reading, 5)
    assert [(one.name, one.phrase) for one in news.phrases] == [("Ann", 2)]
    again: TableNews = await bob.answer(wire.ReadTable(code, 0))
    assert len(again.phrases) == 1
    await bob.answer(wire.BlockPlayer(code, "Ann", on=True))
    await until(lambda: ("bob", "ann") in servers[0].desk._talk.blocks)


async def test_closed_table_is_dropped_at_both_servers(servers: tuple[Server, Server]) -> None:
    code = await made(servers[1])
    await until(lambda: all(code in one.desk._replicas for one in servers))
    with patch.object(table_desk, "IDLE_SECONDS", 0):
        await until(lambda: not any(one.desk._entries for one in servers))
    assert servers[0].ledger.shared_tables().open_tables() == []
    for one in servers:
        with pytest.raises(LedgerError, match="there is no table"):
            await one.teller("ann").answer(wire.ReadTable(code, 0))


async def test_table_of_a_newer_program_is_refused_until_it_can_be_read(
    servers: tuple[Server, Server],
) -> None:
    """Other tables are played on."""
    one, two = servers
    code, other = await made(one), await made(one)
    await until(lambda: {code, other} <= two.desk._replicas.keys())
    cat, read = two.teller("cat"), two.desk._replica

    def older(wanted: str) -> Any:
        if wanted == code:
            raise LedgerDamaged("a step of a newer program")
        return read(wanted)

    with patch.object(two.desk, "_replica", older):
        await one.join(code, 0, "ann", 40_00)
        await until(lambda: code in two.desk._others.unread)
        await one.teller("ann").answer(wire.ActAtTable(code, bet(5, "p")))
        for request in (wire.ListTables(code), wire.ReadTable(code, 0)):
            with pytest.raises(LedgerError, match="is played by another version of this program"):
                await cat.answer(request)
        assert [line.code for line in await cat.answer(wire.ListTables())] == [other]
        await two.join(other, 0, "bob", 40_00)
        with pytest.raises(LedgerError, match="the table of this session pays it out"):
            await two.teller("ann").answer(wire.CashOut("ann-1", 40_00, None, now()))
    for _ in range(7):  # it is tried again once there are other rows
        if code not in two.desk._replicas:
            await one.teller("ann").answer(wire.ActAtTable(code, bet(5, "p")))
            await asyncio.sleep(1)
    await until(lambda: code in two.desk._replicas)
    assert two.desk._others.unread == {}
    assert await two.states(code) == ["Ann seated", " free"]
    assert two.notes == [f"the table {code} is left out: a step of a newer program"]


async def test_table_of_an_unknown_game_is_refused(servers: tuple[Server, Server]) -> None:
    one, two = servers
    entry = SharedTable("K7QX", "chess", "ann", now(), b"seed")
    one.ledger.shared_tables().create(entry, [SharedRow(b"{}")])
    await until(lambda: all("K7QX" in server.desk._others.unread for server in servers))
    for request in (wire.ReadTable("K7QX", 0), wire.ReadStay("K7QX", "cat-1", 0)):
        with pytest.raises(LedgerError, match="is played by another version of this program"):
            await two.teller("cat").answer(request)


async def insist(teller: Teller, request: wire.ActAtTable) -> None:
    """Repeat a request until the database can be reached again, as sessions do."""
    for _ in range(100):
        with suppress(LedgerBusy):
            await teller.answer(request)
            return
        await asyncio.sleep(0.1)
    raise AssertionError("the database cannot be reached")


async def test_tables_wait_while_the_database_cannot_be_reached(
    postgres: Database, tmp_path: Path
) -> None:
    url = postgres.schema()
    async with running(url, tmp_path / "a") as one, running(url, tmp_path / "b") as two:
        ann, bob, code = await seated((one, two))
        await ann.answer(wire.ActAtTable(code, bet(10, "p")))
        begun: TableNews = await bob.answer(wire.ReadTable(code, 0))
        await asyncio.to_thread(postgres.kill)
        with pytest.raises(LedgerError):
            await ann.answer(wire.ActAtTable(code, {"is": "Play"}))
        await until(lambda: one.desk._others.is_cut and two.desk._others.is_cut)
        await asyncio.to_thread(postgres.start)
        await until(lambda: not (one.desk._others.is_cut or two.desk._others.is_cut))
        for teller in (ann, bob):
            await insist(teller, wire.ActAtTable(code, {"is": "Play"}))
        rows = len(one.ledger.shared_tables().rows(code))
        await until(lambda: all(s.desk._replicas[code].rows == rows for s in (one, two)))
        news: TableNews = await bob.answer(wire.ReadTable(code, begun.rows))
        assert names_of(news).count("CoupOver") == 1
        assert one.desk._replicas[code].state == two.desk._replicas[code].state
