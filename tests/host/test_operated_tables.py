"""What an operator does with tables: freeze, thaw, close; and what a restart leaves as it was."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from unittest.mock import patch

import pytest

from tests.helpers.parameter_ids import value_id
from tests.host.test_shared_tables import NAMES, Server, bet, join, names_of, seated
from tui_casino.cli.verify import check
from tui_casino.engine.seating import ComputerTurn
from tui_casino.host import cage_protocol as wire
from tui_casino.host.cage import table_desk
from tui_casino.host.cage.table_answers import shared_play
from tui_casino.host.cage.table_desk import TableDesk
from tui_casino.host.cage.table_operator import CLOSED_BY_OPERATOR, TableOperator
from tui_casino.host.cage.teller import Teller
from tui_casino.house.shared_tables import TableNews
from tui_casino.records.ledger import OPENING_BALANCE, LedgerError, OpenSitting
from tui_casino.records.table_replica import TableReplica

STOPPED = "the operator has stopped this table for a while"
SECONDS = 15
PLAY = {"is": "Play"}
STAKE = {"is": "Bet", "dollars": 50}


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Server]:
    server = Server(tmp_path / "ledger")
    yield server
    server.scribe.close()


def operator(server: Server) -> Teller:
    caller = wire.CageHello("", "", is_operator=True)
    return Teller(caller, server.scribe, lambda line: None, tables=server.desk)


def restarted(server: Server) -> TableDesk:
    return TableDesk(
        server.scribe, server.ledger.shared_tables(), lambda: server.now, lambda: NAMES
    )


def money(server: Server, *players: str) -> int:
    """Return the balances and the money at tables, in cents."""
    book = server.ledger
    return sum(
        book.balance(one) + sum(seat.owed for seat in book.open_sittings(one)) for one in players
    )


async def test_frozen_table_stands_still_until_it_is_thawed(server: Server) -> None:
    """Nobody acts, is timed out, paid out or sits down; then clocks and absences begin again."""
    ann, bob, code = await seated(server)
    await ann.answer(wire.ActAtTable(code, bet(10, "p")))
    news: TableNews = await ann.answer(wire.ReadTable(code, 0))
    waits = asyncio.create_task(ann.answer(wire.ReadTable(code, news.rows, 5)))
    await asyncio.sleep(0)
    await operator(server).answer(wire.OperateTable(code, "freeze"))
    told: TableNews = await asyncio.wait_for(waits, 1)
    assert (told.is_frozen, told.due) == (True, None)
    log = Path("/home/cat/sessions/one.jsonl")
    sits = wire.JoinTable(code, 1, OpenSitting("cat-1", "baccarat", log, None, 40_00))
    for teller, request in (
        (ann, wire.ActAtTable(code, {"is": "Play"})),
        (bob, wire.ActAtTable(code, {"is": "Leave"})),
        (server.teller("cat"), sits),
    ):
        with pytest.raises(LedgerError, match=STOPPED):
            await teller.answer(request)
    server.now += 1000 * (table_desk.IDLE_SECONDS + 1)
    await server.desk._tick(code)
    (line,) = await server.desk.list("ann")
    assert (line.state, line.rows) == ("frozen", news.rows)
    assert [one.state for one in line.seats] == ["away", "away"]
    assert [one.cents for one in line.seats] == [40_00, 30_00]
    await operator(server).answer(wire.OperateTable(code, "thaw"))
    await server.desk._tick(code)
    news = await ann.answer(wire.ReadTable(code, 0))
    assert (news.is_frozen, news.due) == (False, server.now + 1000 * SECONDS)
    assert [one.name for one in news.seats] == ["Ann", "Bob"], "nobody was paid out"
    server.now += 1000 * SECONDS
    await server.desk._tick(code)
    news = await ann.answer(wire.ReadTable(code, news.rows))
    assert "CoupOver" in names_of(news)
    server.now += 1000 * (table_desk.AWAY_SECONDS - SECONDS)
    await server.desk._tick(code)
    (line,) = await server.desk.list("ann")
    assert [one.name for one in line.seats] == ["Ann", ""], "Bob was away since the thaw"


async def test_table_stays_frozen_after_a_restart(server: Server) -> None:
    ann, _, code = await seated(server)
    await ann.answer(wire.ActAtTable(code, bet(10, "p")))
    await operator(server).answer(wire.OperateTable(code, "freeze"))
    server.now += 1000 * table_desk.IDLE_SECONDS
    again = restarted(server)
    await again.load()
    await again._tick(code)
    (line,) = await again.list("ann")
    assert (line.state, [one.cents for one in line.seats]) == ("frozen", [40_00, 30_00])
    await TableOperator(again).thaw(code)
    news = await again.read("ann", code, 0, 0)
    assert news.due == server.now + 1000 * SECONDS
    assert await again.act("ann", code, {"is": "Play"}) is not None


async def test_computer_does_not_choose_at_a_frozen_table(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_desk, "COMPUTER_SECONDS", 0)
    ann = server.teller("ann")
    options = {"seats": "2", "computers": "algorithm"}
    code = await ann.answer(wire.MakeTable("five-card-draw", options))
    await ann.answer(join(code, 0, "ann", 400_00))
    await ann.answer(wire.ActAtTable(code, {"is": "Play"}))
    replica, turn_of = server.desk._replicas[code], shared_play("five-card-draw").computer
    assert turn_of is not None
    for _ in range(20):
        if isinstance(turn_of(replica.state), ComputerTurn):
            break
        server.now = replica.due or server.now
        await server.desk._change(code, lambda one: one.expire())
    else:
        raise AssertionError("no computer is asked")
    rows = replica.rows
    with patch.object(TableReplica, "play_computer", side_effect=LedgerError("is frozen first")):
        await server.desk._tick(code)
        await server.desk._choosing[code]
    await TableOperator(server.desk).freeze(code)
    await server.desk._tick(code)
    assert not server.desk._choosing
    assert server.desk._replicas[code].rows == rows
    await TableOperator(server.desk).thaw(code)
    await server.desk._tick(code)
    await asyncio.gather(*server.desk._choosing.values())
    assert server.desk._replicas[code].rows > rows


@pytest.mark.parametrize(
    ("game", "options", "first", "cents"),
    [
        ("baccarat", {"seats": "2"}, [("ann", bet(10, "t")), ("ann", PLAY)], 100_00),
        ("five-card-draw", {"seats": "2"}, [("ann", PLAY), ("bob", PLAY)], 100_00),
        (
            "five-card-draw",
            {"seats": "3", "computers": "algorithm"},
            [("ann", PLAY), ("bob", PLAY)],
            100_00,
        ),
        ("thirty-one", {"seats": "2"}, [("ann", STAKE), ("bob", STAKE)], 100_00),
        ("cribbage", {}, [], 0),
    ],
    ids=value_id,
)
async def test_table_closed_in_a_round_pays_everybody_out_and_its_log_verifies(
    game: str,
    options: dict[str, str],
    first: list[tuple[str, dict[str, object]]],
    cents: int,
    server: Server,
    tmp_path: Path,
) -> None:
    """No cent is lost, the log states who closed the table, and the players are told."""
    tellers = {name: server.teller(name) for name in ("ann", "bob")}
    code = await tellers["ann"].answer(wire.MakeTable(game, options))
    for seat, (name, teller) in enumerate(tellers.items()):
        await teller.answer(join(code, seat, name, cents))
    for name, action in first:
        await tellers[name].answer(wire.ActAtTable(code, action))
    paid = await operator(server).answer(wire.OperateTable(code, "close"))
    assert paid == 2
    assert not [one for name in tellers for one in server.ledger.open_sittings(name)]
    won = sum(move.cents for name in tellers for move in server.ledger.movements(name))
    assert money(server, "ann", "bob") == 2 * OPENING_BALANCE + won
    if game == "baccarat":
        assert won, "the bet on a tie is decided"
    elif game != "thirty-one" and not options.get("computers"):
        assert not won, "they play against each other"
    news: TableNews = await tellers["bob"].answer(wire.ReadTable(code, 0))
    assert (news.why, news.is_frozen) == (CLOSED_BY_OPERATOR, False)
    assert news.seed is not None
    assert server.ledger.shared_tables().open_tables() == []
    *_, last = server.ledger.shared_tables().rows(code)
    assert json.loads(last.line)["end"]["why"] == CLOSED_BY_OPERATOR
    path = tmp_path / "table.jsonl"
    path.write_bytes(await tellers["ann"].answer(wire.ReadTableLog(code)))
    assert check(path) == 0
    server.now += 1000 * (table_desk.AWAY_SECONDS + 1)
    await server.desk._tick(code)
    assert not server.desk._entries


async def test_player_who_is_ready_is_not_dealt_in_while_a_table_is_closed(server: Server) -> None:
    """Otherwise the hand with the computers would cost the ante."""
    tellers = {name: server.teller(name) for name in ("ann", "bob")}
    options = {"seats": "3", "computers": "algorithm"}
    code = await tellers["ann"].answer(wire.MakeTable("five-card-draw", options))
    for seat, (name, teller) in enumerate(tellers.items()):
        await teller.answer(join(code, seat, name, 100_00))
    await tellers["ann"].answer(wire.ActAtTable(code, PLAY))
    await TableOperator(server.desk).close(code)
    assert [server.ledger.balance(name) for name in tellers] == [OPENING_BALANCE] * 2


async def test_impossible_commands_are_refused_with_a_reason(server: Server) -> None:
    _, _, code = await seated(server)
    closed = await server.teller("cat").answer(wire.MakeTable("baccarat", {}))
    await TableOperator(server.desk).close(closed)
    frozen = await server.teller("cat").answer(wire.MakeTable("baccarat", {}))
    await TableOperator(server.desk).freeze(frozen)

    async def refuses(code: str, reason: str) -> None:
        for action in ("freeze", "thaw", "close"):
            if action == "freeze" or "frozen" not in reason:
                with pytest.raises(LedgerError, match=reason):
                    await operator(server).answer(wire.OperateTable(code, action))

    await refuses("ZZZZ", "there is no table ZZZZ; tui-casino admin tables lists the open ones")
    await refuses(closed, f"the table {closed} is closed")
    server.now += 1000 * (table_desk.AWAY_SECONDS + 1)
    await server.desk._tick(closed)
    await refuses(closed, f"the table {closed} is closed")
    await refuses(frozen, f"the table {frozen} is frozen already")
    with pytest.raises(LedgerError, match=f"the table {code} is not frozen"):
        await operator(server).answer(wire.OperateTable(code, "thaw"))
    await TableOperator(server.desk).close(frozen)


async def test_session_of_a_player_cannot_give_commands_of_the_operator(server: Server) -> None:
    ann, _, code = await seated(server)
    for request in (wire.OperateTable(code, "close"), wire.CountTables()):
        with pytest.raises(LedgerError, match="only the operator can do that"):
            await ann.answer(request)


async def test_figures_count_tables_seats_and_rows(server: Server) -> None:
    _, _, code = await seated(server)
    crib = await server.teller("cat").answer(wire.MakeTable("cribbage", {}))
    closed = await server.teller("cat").answer(wire.MakeTable("baccarat", {}))
    await TableOperator(server.desk).close(closed)
    await TableOperator(server.desk).freeze(code)
    counts: wire.TableCounts = await operator(server).answer(wire.CountTables())
    assert [(one.game, one.state, one.number) for one in counts.tables] == [
        ("baccarat", "frozen", 1),
        ("cribbage", "open", 1),
    ]
    assert counts.seats == 2
    book = server.ledger.shared_tables()
    assert counts.rows == sum(len(book.rows(one)) for one in (code, crib, closed))
    assert 0 < counts.last_append <= counts.slowest_append


# ---- restarts -----------------------------------------------------------------------------------


async def test_choice_whose_time_ran_out_while_the_server_was_down_gets_some_time(
    server: Server,
) -> None:
    ann, _, code = await seated(server)
    await ann.answer(wire.ActAtTable(code, bet(10, "p")))
    rows = (await ann.answer(wire.ReadTable(code, 0))).rows
    server.now += 3_600_000
    again = restarted(server)
    await again.load()
    for seconds in (0, table_desk.RESTART_SECONDS - 1):
        server.now += 1000 * seconds
        await again._tick(code)
        news = await again.read("ann", code, 0, 0)
        assert news.rows == rows
        assert [one.cents for one in news.seats] == [40_00, 30_00]
    server.now += 1000
    await again._tick(code)
    assert "CoupOver" in names_of(await again.read("ann", code, rows, 0))


async def test_restart_does_not_shorten_or_extend_a_longer_time(server: Server) -> None:
    ann, _, code = await seated(server)
    await ann.answer(wire.ActAtTable(code, bet(10, "p")))
    due = (await ann.answer(wire.ReadTable(code, 0))).due
    again = restarted(server)
    await again.load()
    assert (await again.read("ann", code, 0, 0)).due == due
