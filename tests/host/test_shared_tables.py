"""Two players at one table of the server's cage: seats, the clock, news, a player who is gone."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any
from unittest.mock import patch

import msgspec
import pytest

from tui_casino.cli.verify import check
from tui_casino.engine.game import Seat, is_asked
from tui_casino.engine.seating import OFFER_SECONDS
from tui_casino.games.five_card_draw.machine import game as draw_game
from tui_casino.games.five_card_draw.machine import state as draw
from tui_casino.host import cage_protocol as wire
from tui_casino.host.cage import table_desk, table_talk
from tui_casino.host.cage.ledger_writer import LedgerWriter
from tui_casino.host.cage.table_desk import TableDesk
from tui_casino.host.cage.table_talk import TableTalk
from tui_casino.host.cage.teller import Teller
from tui_casino.house.phrases import PHRASES
from tui_casino.house.shared_seat import fields_of
from tui_casino.house.shared_tables import TableEvent, TableNews
from tui_casino.records.codec import decode
from tui_casino.records.ledger import OPENING_BALANCE, LedgerError, OpenSitting
from tui_casino.records.sqlite_ledger import SqliteLedger
from tui_casino.records.table_replica import TableReplica
from tui_casino.structs import replace

ROOT = Path(__file__).parents[2]
SECONDS = 15
NAMES = {"ann": "Ann", "bob": "Bob"}


class Server:
    """A cage's ledger and tables, and a teller for each player."""

    def __init__(self, path: Path) -> None:
        self.now = 1_000
        ledger = SqliteLedger(path)
        self.scribe = LedgerWriter(ledger)
        self.desk = TableDesk(self.scribe, ledger.shared_tables(), lambda: self.now, lambda: NAMES)
        self.ledger = ledger

    def teller(self, player: str) -> Teller:
        caller = wire.CageHello(player, f"/home/{player}")
        return Teller(caller, self.scribe, lambda line: None, tables=self.desk)


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Server]:
    server = Server(tmp_path / "ledger")
    yield server
    server.scribe.close()


async def seated(server: Server) -> tuple[Teller, Teller, str]:
    """Let Ann make a table, and both sit down."""
    ann, bob = server.teller("ann"), server.teller("bob")
    code = await ann.answer(wire.MakeTable("baccarat", {"seats": "2"}))
    await ann.answer(join(code, 0, "ann", 40_00))
    await bob.answer(join(code, 1, "bob", 30_00))
    return ann, bob, code


def join(code: str, seat: int, player: str, cents: int) -> wire.JoinTable:
    log = Path(f"/home/{player}/sessions/one.jsonl")
    return wire.JoinTable(code, seat, OpenSitting(f"{player}-1", "baccarat", log, None, cents))


def events_of(one: TableEvent) -> list[dict[str, Any]]:
    """Return the events of a step."""
    events: list[dict[str, Any]] = json.loads(one.events)
    return events


def names_of(news: TableNews) -> list[str]:
    """Return the names of the events in some news."""
    return [event["is"] for one in news.updates for event in events_of(one)]


def bet(credits: int, spot: str) -> dict[str, object]:
    return {"is": "Bet", "credits": credits, "spot": spot}


async def test_new_name_of_a_player_is_shown_at_the_table(server: Server) -> None:
    ann, _, code = await seated(server)
    with patch.dict(NAMES, bob="Robert"), patch.object(table_talk, "NAME_SECONDS", 0):
        news: TableNews = await ann.answer(wire.ReadTable(code, 0))
        assert [one.name for one in news.seats] == ["Ann", "Robert"]


async def test_both_players_see_names_bets_clock_and_the_same_cards(server: Server) -> None:
    ann, bob, code = await seated(server)
    begun: TableNews = await bob.answer(wire.ReadTable(code, 0))
    assert [(one.name, one.state, one.cents) for one in begun.seats] == [
        ("Ann", "seated", 40_00),
        ("Bob", "seated", 30_00),
    ]
    waits = asyncio.create_task(bob.answer(wire.ReadTable(code, begun.rows, 5)))
    await asyncio.sleep(0.05)
    assert not waits.done()
    await ann.answer(wire.ActAtTable(code, bet(10, "p")))
    news = await asyncio.wait_for(waits, 1)
    assert [one.doing for one in news.seats] == ["10 on Player", ""]
    assert names_of(news) == [], "Bob's own table has not changed"
    assert news.due == server.now + 1000 * SECONDS
    for teller in (ann, bob):
        await teller.answer(wire.ActAtTable(code, {"is": "Play"}))
    both = [await one.answer(wire.ReadTable(code, news.rows)) for one in (ann, bob)]
    assert [one.seat for one in both] == [0, 1]
    ann_hears, bob_hears = ([*map(events_of, one.updates)] for one in both)
    assert ann_hears[-1][:-1] == bob_hears[-1][:-1], "the same cards"
    assert [hears[-1][-1]["is"] for hears in (ann_hears, bob_hears)] == ["CoupOver"] * 2
    assert [sum(hears[-1][-1]["bets"]) for hears in (ann_hears, bob_hears)] == [10, 0]


async def test_requests_that_are_not_possible_are_refused_with_a_reason(server: Server) -> None:
    ann, _, code = await seated(server)
    cat = server.teller("cat")
    for teller, request, reason in (
        (ann, wire.MakeTable("chess", {}), "chess cannot be played by several people"),
        (ann, wire.MakeTable("baccarat", {"seats": "99"}), "seats is one of 2, .* and 7, not 99"),
        (ann, wire.MakeTable("baccarat", {"legs": "4"}), "no option legs; the options are seats"),
        (cat, join("ZZZZ", 0, "cat", 40_00), "there is no table ZZZZ"),
        (cat, join(code, 1, "cat", 40_00), "the seat at the table .* is taken"),
        (cat, join(code, 2, "cat", 40_00), "the seat at the table .* is taken"),
        (cat, join(code, 1, "ann", 40_00), "that belongs to another player"),
        (ann, join(code, 1, "ann", 40_00), "you sit at the table .* already"),
        (cat, wire.ActAtTable(code, {"is": "Play"}), "you do not sit at the table"),
        (ann, wire.ActAtTable(code, {"is": "Steal"}), "not an action of baccarat-shared"),
        (ann, wire.ActAtTable(code, bet(9_999, "p")), "that is not possible now"),
    ):
        with pytest.raises(LedgerError, match=reason):
            await teller.answer(request)
    assert server.ledger.balance("ann") == OPENING_BALANCE - 40_00


async def test_table_lives_on_after_the_cage_is_killed(server: Server) -> None:
    """Another cage finds table, seats, bets and clock in the ledger; who stays away is paid out."""
    ann, _, code = await seated(server)
    await ann.answer(wire.ActAtTable(code, bet(10, "t")))
    before: TableNews = await ann.answer(wire.ReadTable(code, 0))
    again = TableDesk(
        server.scribe, server.ledger.shared_tables(), lambda: server.now, lambda: NAMES
    )
    await again.load()
    server.now += 1000 * table_desk.NOTICED_AFTER
    (line,) = await again.list("ann")
    assert (line.code, line.rows) == (code, before.rows)
    assert [one.state for one in line.seats] == ["away", "away"]
    server.now += 1000 * SECONDS
    news = await again.read("bob", code, before.rows, 0)
    assert not news.updates
    await again._tick(code)
    news = await again.read("bob", code, before.rows, 0)
    assert "CoupOver" in names_of(news), "the clock has played the coup"
    server.now += 1000 * table_desk.AWAY_SECONDS
    await again._tick(code)
    (line,) = await again.list("ann")
    assert [one.state for one in line.seats] == ["free", "free"]
    assert not server.ledger.open_sittings("ann")
    won = sum(move.cents for move in server.ledger.movements("ann"))
    assert server.ledger.balance("ann") == OPENING_BALANCE + won


async def test_clock_of_the_cage_plays_for_a_player_who_does_not_answer(server: Server) -> None:
    ann, _, code = await seated(server)
    await ann.answer(wire.ActAtTable(code, bet(10, "b")))
    news: TableNews = await ann.answer(wire.ReadTable(code, 0))
    waits = asyncio.create_task(ann.answer(wire.ReadTable(code, news.rows, 5)))
    clock = asyncio.create_task(server.desk.keep_time())
    try:
        await asyncio.sleep(3 * table_desk.TICK)
        assert not waits.done()
        server.now += 1000 * SECONDS
        news = await asyncio.wait_for(waits, 3)
    finally:
        clock.cancel()
    assert news.updates[0].actor == 0
    assert news.updates[0].action == b'{"is":"Play"}'


async def test_table_at_which_nobody_sits_is_closed_and_its_seed_revealed(server: Server) -> None:
    ann, _, code = await seated(server)
    await server.desk.read("ann", code, 0, 0)
    await server.desk.read("bob", code, 0, 0)
    server.now += 1000 * (table_desk.AWAY_SECONDS + 1)
    await server.desk._tick(code)
    assert [server.ledger.balance(name) for name in ("ann", "bob")] == [OPENING_BALANCE] * 2
    await server.desk._tick(code)
    assert [line.code for line in await server.desk.list("ann")] == [code], "somebody may come"
    server.now += 1000 * (table_desk.IDLE_SECONDS + 1)
    await server.desk._tick(code)
    assert await server.desk.list("ann") == []
    assert server.ledger.shared_tables().open_tables() == []
    *_, last = server.ledger.shared_tables().rows(code)
    assert json.loads(last.line)["end"]["seed"]
    with pytest.raises(LedgerError, match="there is no table"):
        await ann.answer(wire.ReadTable(code, 0))


async def test_log_of_a_closed_table_proves_the_cards_to_who_sat_there(
    server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ann, bob, code = await seated(server)
    for teller in (ann, bob):
        await teller.answer(wire.ActAtTable(code, bet(10, "p")))
        await teller.answer(wire.ActAtTable(code, {"is": "Play"}))
    with pytest.raises(LedgerError, match=f"the log of the table {code} is secret until"):
        await ann.answer(wire.ReadTableLog(code))
    for teller in (ann, bob):
        await teller.answer(wire.ActAtTable(code, {"is": "Leave"}))
    server.now += 1000 * (table_desk.IDLE_SECONDS + 1)
    for _ in range(2):
        await server.desk._tick(code)
        server.now += 1000 * (table_desk.IDLE_SECONDS + 1)
    path = tmp_path / "table.jsonl"
    path.write_bytes(await bob.answer(wire.ReadTableLog(code)))
    assert check(path) == 0
    told = capsys.readouterr().out
    assert re.fullmatch(r"consistent: \d+ steps follow the rules; every card follows .*\n", told)
    checker = [sys.executable, str(ROOT / "docs" / "check.py"), str(path)]
    said = subprocess.run(checker, capture_output=True, text=True, check=True).stdout
    assert re.fullmatch(r"\d+ cards of 1 shoes follow from the seed\n", said)
    with pytest.raises(LedgerError, match=f"you have not played at a table {code}"):
        await server.teller("eve").answer(wire.ReadTableLog(code))


async def test_entropy_of_a_seat_is_in_the_row_and_other_texts_are_refused(server: Server) -> None:
    ann = server.teller("ann")
    code = await ann.answer(wire.MakeTable("baccarat", {"seats": "2"}))
    request = join(code, 0, "ann", 40_00)
    with pytest.raises(LedgerError, match="entropy of a seat must be 32 hexadecimal digits"):
        await ann.answer(replace(request, entropy="my words"))
    assert server.ledger.balance("ann") == OPENING_BALANCE
    await ann.answer(replace(request, entropy="0" * 31 + "e"))
    *_, last = server.ledger.shared_tables().rows(code)
    assert json.loads(last.line)["do"]["entropy"] == "0" * 31 + "e"
    bob = server.teller("bob")
    await bob.answer(join(code, 1, "bob", 40_00))
    for teller in (ann, bob):
        await teller.answer(wire.ActAtTable(code, {"is": "Play"}))
    news: TableNews = await bob.answer(wire.ReadTable(code, 0))
    assert not any(b"entropy" in msgspec.json.encode(one) for one in news.updates), "Bob has none"


async def test_seat_with_bets_is_paid_out_once_they_are_decided(server: Server) -> None:
    ann, _, code = await seated(server)
    await server.desk.read("ann", code, 0, 0)
    server.now += 1000 * table_desk.AWAY_SECONDS
    await ann.answer(wire.ActAtTable(code, bet(10, "t")))
    await ann.answer(wire.ActAtTable(code, {"is": "Play"}))
    await server.desk._tick(code)
    assert server.ledger.open_sittings("ann"), "Bob is not ready"
    server.now += 1000 * SECONDS
    await server.desk._tick(code)
    assert not server.ledger.open_sittings("ann")


async def test_one_person_plays_hands_with_two_computers(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The computers choose while the table's clock runs; no credit is lost between the three."""
    monkeypatch.setattr(table_desk, "COMPUTER_SECONDS", 0)
    monkeypatch.setattr(table_desk, "TICK", 0.001)
    ann = server.teller("ann")
    code = await ann.answer(
        wire.MakeTable("five-card-draw", {"seats": "3", "computers": "algorithm"})
    )
    await ann.answer(join(code, 1, "ann", 400_00))
    clock = asyncio.create_task(server.desk.keep_time())
    hands, rows, actors = 0, 0, set[int | None]()
    try:
        while hands < 3:  # in which nobody can lose all credits
            news: TableNews = await ann.answer(wire.ReadTable(code, rows, 20))
            assert news.updates, "a computer does not choose"
            rows = news.updates[-1].number + 1
            actors |= {one.actor for one in news.updates}
            hands += names_of(news).count("HandOver")
            view = decode(news.updates[-1].state, draw.State)
            assert sum(view.stacks) + view.pot == 1200
            if is_asked(draw_game.turn(view), Seat(1)):
                offers = draw_game.offers(view, Seat(1))
                chosen = offers[0].kind(*offers[0].defaults or ())
                await ann.answer(wire.ActAtTable(code, {**fields_of(chosen)}))
    finally:
        clock.cancel()
    assert actors == {None, 0, 1, 2}
    (line,) = await server.desk.list("ann")
    assert [one.name for one in line.seats] == ["Dora", "Ann", "Blaise"]
    assert [line.seats[seat].state for seat in (0, 2)] == ["computer"] * 2


async def test_computer_comes_to_a_waiting_player_and_its_seat_is_not_free(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_desk, "COMPUTER_SECONDS", 0)
    ann, bob = server.teller("ann"), server.teller("bob")
    code = await ann.answer(wire.MakeTable("cribbage", {"computer": "greedy"}, True))
    await ann.answer(join(code, 0, "ann", 0))
    begun: TableNews = await ann.answer(wire.ReadTable(code, 0))
    assert (begun.due, begun.is_offer) == (server.now + 1000 * OFFER_SECONDS, True)
    assert [one.is_free for one in begun.seats] == [False, True]
    waits = asyncio.create_task(ann.answer(wire.ReadTable(code, begun.rows, 5)))
    await asyncio.sleep(0)
    server.now += 1000 * OFFER_SECONDS
    await server.desk._tick(code)
    news: TableNews = await asyncio.wait_for(waits, 1)
    assert not news.is_offer
    assert [(one.name, one.state, one.is_free) for one in news.seats] == [
        ("Ann", "seated", False),
        ("Computer, greedy", "computer", False),
    ]
    with pytest.raises(LedgerError, match="that is not possible now"):
        await bob.answer(join(code, 1, "bob", 0))
    for do in ({"is": "Discard", "places": [1, 2]}, None):
        await server.desk._tick(code)
        await asyncio.gather(*server.desk._choosing.values())
        if do is not None:
            await ann.answer(wire.ActAtTable(code, do))
    every: TableNews = await ann.answer(wire.ReadTable(code, begun.rows))
    discarded = [one.actor for one in every.updates if b'"Discard"' in one.action]
    assert sorted(map(str, discarded)) == ["0", "1"], "the computer has chosen, too"
    await ann.answer(wire.ActAtTable(code, {"is": "Leave"}))
    assert server.ledger.balance("ann") == OPENING_BALANCE
    assert not server.ledger.open_sittings("ann")


async def test_news_of_draw_say_how_much_of_the_time_is_from_the_time_bank(server: Server) -> None:
    players = {who: server.teller(who) for who in ("ann", "bob")}
    code = await players["ann"].answer(wire.MakeTable("five-card-draw", {"seats": "2"}))
    for seat, (who, teller) in enumerate(players.items()):
        await teller.answer(join(code, seat, who, 100_00))
    await players["ann"].answer(wire.ActAtTable(code, {"is": "Play"}))
    between: TableNews = await players["bob"].answer(wire.ReadTable(code, 0))
    assert (between.due, between.bank) == (server.now + 20_000, 0)
    await players["bob"].answer(wire.ActAtTable(code, {"is": "Play"}))
    for who, waited in (("ann", 30_000), ("bob", 0)):
        news: TableNews = await players[who].answer(wire.ReadTable(code, 0))
        assert (news.due, news.bank) == (server.now + 80_000, 60_000), "of the other player as well"
        server.now += waited
        await players[who].answer(wire.ActAtTable(code, {"is": "Check"}))
    news = await players["ann"].answer(wire.ReadTable(code, 0))
    assert (news.due, news.bank) == (server.now + 70_000, 50_000)


async def test_table_with_an_unknown_level_is_refused_with_the_levels(server: Server) -> None:
    request = wire.MakeTable("five-card-draw", {"computers": "equilibrium"})
    with pytest.raises(
        LedgerError, match=r"computers is one of none, algorithm, .* not equilibrium"
    ):
        await server.teller("ann").answer(request)
    request = wire.MakeTable("baccarat", {"computers": "regular"})
    with pytest.raises(LedgerError, match="no option computers"):
        await server.teller("ann").answer(request)


async def test_player_may_make_only_a_few_tables(server: Server) -> None:
    ann = server.teller("ann")
    for _ in range(table_desk.MOST_OWN):
        await ann.answer(wire.MakeTable("baccarat", {}))
    with pytest.raises(LedgerError, match="you have made 3 tables already"):
        await ann.answer(wire.MakeTable("baccarat", {}))
    await server.teller("bob").answer(wire.MakeTable("baccarat", {}))


async def test_table_that_is_not_open_is_listed_only_for_its_players(server: Server) -> None:
    ann, bob = server.teller("ann"), server.teller("bob")
    private = await ann.answer(wire.MakeTable("baccarat", {}))
    listed = await ann.answer(wire.MakeTable("baccarat", {}, True))

    async def codes(teller: Teller, code: str | None = None) -> list[str]:
        return [line.code for line in await teller.answer(wire.ListTables(code))]

    assert await codes(ann) == [private, listed]
    assert await codes(bob) == [listed]
    assert await codes(bob, private) == [private], "an invitation is the code"
    assert await codes(bob, "ZZZZ") == []
    await bob.answer(join(private, 0, "bob", 30_00))
    assert await codes(bob) == [private, listed]


async def test_list_says_where_the_player_sits_and_what_the_player_made(server: Server) -> None:
    ann, bob, code = await seated(server)
    listed = await bob.answer(wire.MakeTable("cribbage", {}, True))

    async def known(teller: Teller) -> dict[str, tuple[int | None, bool]]:
        return {
            line.code: (line.own, line.is_own) for line in await teller.answer(wire.ListTables())
        }

    assert await known(ann) == {code: (0, True), listed: (None, False)}
    assert await known(bob) == {code: (1, False), listed: (None, True)}


# ---- faults and abuse ---------------------------------------------------------------------------


async def test_table_that_cannot_be_read_is_left_out_and_the_others_go_on(server: Server) -> None:
    _, _, code = await seated(server)
    damaged = await server.teller("cat").answer(wire.MakeTable("baccarat", {}))
    server.ledger._db.execute(
        "update table_row set line = ? where code = ?", (b'{"format":4}', damaged)
    )
    noted: list[str] = []
    again = TableDesk(
        server.scribe, server.ledger.shared_tables(), lambda: server.now, lambda: NAMES
    )
    again.note = noted.append
    await again.load()
    assert [line.code for line in await again.list("ann")] == [code]
    (what,) = noted
    assert what.startswith(f"the table {damaged} is left out: ")


async def test_fault_at_one_table_does_not_stop_the_clocks_of_the_others(server: Server) -> None:
    ann, _, code = await seated(server)
    await ann.answer(wire.ActAtTable(code, bet(10, "p")))
    await server.teller("cat").answer(wire.MakeTable("baccarat", {}))
    noted, tick = list[str](), server.desk._tick
    server.desk.note = noted.append

    async def faulty(table: str) -> None:
        if table != code:
            raise ZeroDivisionError("of a game")
        await tick(table)

    server.now += 1000 * SECONDS
    rows = (await ann.answer(wire.ReadTable(code, 0))).rows
    with patch.object(server.desk, "_tick", faulty):
        clock = asyncio.create_task(server.desk.keep_time())
        news = await ann.answer(wire.ReadTable(code, rows, 3.0))
        while not noted:
            await asyncio.sleep(0)
        clock.cancel()
    assert news.updates
    assert len(noted) == 1, "each fault is noted once"


async def test_codes_without_a_table_leave_nothing_in_memory(server: Server) -> None:
    ann, _, code = await seated(server)
    for number in range(50):
        with pytest.raises(LedgerError, match="there is no table"):
            await ann.answer(wire.ReadTable(f"Z{number}", 0))
    assert [*server.desk._seated] == [code]
    assert len(server.desk._changed) <= 1


async def test_request_that_is_refused_leaves_the_table_and_its_clock_as_they_are(
    server: Server,
) -> None:
    ann, _, code = await seated(server)
    await ann.answer(wire.ActAtTable(code, bet(10, "p")))
    replica = server.desk._replicas[code]
    with pytest.raises(LedgerError, match="you do not sit"):
        await server.teller("cat").answer(wire.ActAtTable(code, {"is": "Play"}))
    assert server.desk._replicas[code] is replica
    del server.desk._replicas[code]  # as after an error of the ledger
    server.now += 1000 * SECONDS
    await server.desk._tick(code)
    assert server.desk._replicas[code].rows > replica.rows


async def test_only_the_table_books_the_money_of_its_seats(server: Server) -> None:
    ann, _, code = await seated(server)
    with pytest.raises(LedgerError, match="the table of this session pays it out"):
        await ann.answer(wire.CashOut("ann-1", 1_000_00, None, 1))
    with pytest.raises(LedgerError, match="-5 is not a number of steps"):
        await ann.answer(wire.MarkSeat(code, -5, "0" * 64))
    assert server.ledger.balance("ann") == OPENING_BALANCE - 40_00


async def test_player_who_sits_down_without_reading_is_away_and_paid_out(server: Server) -> None:
    _, _, code = await seated(server)
    server.now += 1000 * (table_desk.AWAY_SECONDS + 1)
    await server.desk._tick(code)
    assert not server.ledger.open_sittings("ann")


async def test_newcomers_do_not_stop_the_clock_of_those_who_wait(server: Server) -> None:
    ann = server.teller("ann")
    code = await ann.answer(wire.MakeTable("baccarat", {"seats": "3"}))
    await ann.answer(join(code, 0, "ann", 40_00))
    bob = server.teller("bob")
    await bob.answer(join(code, 1, "bob", 40_00))
    await ann.answer(wire.ActAtTable(code, bet(10, "p")))
    due = (await ann.answer(wire.ReadTable(code, 0))).due
    server.now += 5_000
    await server.teller("cat").answer(join(code, 2, "cat", 40_00))
    assert (await ann.answer(wire.ReadTable(code, 0))).due == due


async def test_tables_that_are_made_at_the_same_time_are_limited_too(server: Server) -> None:
    ann = server.teller("ann")
    requests = (ann.answer(wire.MakeTable("baccarat", {})) for _ in range(10))
    made = await asyncio.gather(*requests, return_exceptions=True)
    assert sum(isinstance(one, str) for one in made) == table_desk.MOST_OWN


async def test_computer_that_cannot_choose_does_what_the_clock_would_do(server: Server) -> None:
    ann = server.teller("ann")
    options = {"seats": "2", "computers": "algorithm"}
    code = await ann.answer(wire.MakeTable("five-card-draw", options))
    log = Path("/home/ann/sessions/one.jsonl")
    seat = OpenSitting("ann-1", "five-card-draw", log, None, 100_00)
    await ann.answer(wire.JoinTable(code, 0, seat))
    await ann.answer(wire.ActAtTable(code, {"is": "Play"}))
    rows = server.desk._replicas[code].rows
    noted: list[str] = []
    server.desk.note = noted.append

    def fails() -> Any:
        raise ZeroDivisionError("of a level")

    def ask(replica: TableReplica[Any, Any, Any, Any], turn_of: Any) -> Any:
        return fails if turn_of(replica.state) else None

    with (
        patch.object(table_desk, "COMPUTER_SECONDS", 0.0),
        patch.object(TableReplica, "ask_computer", ask),
    ):
        for _ in range(20):
            await server.desk._tick(code)
            await asyncio.gather(*server.desk._choosing.values())
            if (due := server.desk._replicas[code].due) is not None:
                server.now = due
    assert server.desk._replicas[code].rows > rows + 2
    assert len(noted) == 1


async def test_phrase_wakes_the_others_and_is_not_kept_for_long(server: Server) -> None:
    ann, bob, code = await seated(server)
    begun: TableNews = await bob.answer(wire.ReadTable(code, 0))
    waits = asyncio.create_task(bob.answer(wire.ReadTable(code, begun.rows, 5)))
    await asyncio.sleep(0)
    await ann.answer(wire.SayAtTable(code, 2))
    news: TableNews = await asyncio.wait_for(waits, 1)
    (phrase,) = news.phrases
    assert (phrase.name, PHRASES[phrase.phrase - 1]) == ("Ann", "nice hand")
    assert news.rows == begun.rows, "it is not in the log"
    own: TableNews = await ann.answer(wire.ReadTable(code, begun.rows))
    assert own.phrases == ()
    again: TableNews = await bob.answer(wire.ReadTable(code, begun.rows, 0, phrase.at))
    assert again.phrases == ()
    await bob.answer(wire.SayAtTable(code, 5))
    server.now += 1000 * table_talk.PHRASE_SECONDS
    await ann.answer(wire.SayAtTable(code, 1))
    news = await bob.answer(wire.ReadTable(code, begun.rows, 0, phrase.at))
    assert [one.phrase for one in news.phrases] == [1]
    server.now += 1000 * table_talk.HEARD_SECONDS
    news = await bob.answer(wire.ReadTable(code, begun.rows))
    assert news.phrases == ()


async def test_only_those_who_sit_there_hear_a_phrase(server: Server) -> None:
    ann, _, code = await seated(server)
    await ann.answer(wire.SayAtTable(code, 1))
    news: TableNews = await server.teller("eve").answer(wire.ReadTable(code, 0))
    assert news.phrases == ()


async def test_phrases_that_are_not_possible_are_refused_with_a_reason(server: Server) -> None:
    ann, bob, code = await seated(server)
    await ann.answer(wire.SayAtTable(code, 1))
    for teller, place, phrase, reason in (
        (bob, code, 0, "there is no phrase 0; there are 1 to 8"),
        (bob, code, -1, "there is no phrase -1"),
        (bob, code, len(PHRASES) + 1, "there is no phrase 9"),
        (bob, "ZZZZ", 1, "there is no table ZZZZ"),
        (server.teller("eve"), code, 1, "you do not sit at the table"),
        (ann, code, 2, "you can say one phrase in 3 seconds"),
    ):
        with pytest.raises(LedgerError, match=reason):
            await teller.answer(wire.SayAtTable(place, phrase))
    server.now += 1000 * table_talk.PHRASE_SECONDS
    await ann.answer(wire.SayAtTable(code, 2))


def test_text_cannot_be_said() -> None:
    request = wire.SayAtTable("K7QX", "you play badly")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="Expected `int`"):
        wire.unpack_request(wire.pack_message(request)[wire.HEAD.size :])


async def test_blocked_player_is_not_heard_and_not_admitted_to_own_tables(server: Server) -> None:
    ann, bob, code = await seated(server)
    await ann.answer(wire.BlockPlayer(code, "Bob"))
    await ann.answer(wire.BlockPlayer(code, "Bob"))
    assert await ann.answer(wire.ListBlocked()) == ("Bob",)
    assert await bob.answer(wire.ListBlocked()) == ()
    await bob.answer(wire.SayAtTable(code, 1))
    news: TableNews = await ann.answer(wire.ReadTable(code, 0))
    assert news.phrases == ()
    assert [line.code for line in await bob.answer(wire.ListTables())] == [code], "he sits there"
    await bob.answer(wire.ActAtTable(code, {"is": "Leave"}))
    open_code = await ann.answer(wire.MakeTable("baccarat", {"seats": "2"}, True))
    assert await bob.answer(wire.ListTables()) == []
    assert [line.code for line in await server.teller("eve").answer(wire.ListTables())] == [
        open_code
    ]
    for place in (code, open_code):
        assert await bob.answer(wire.ListTables(place)) == []
        with pytest.raises(LedgerError, match=f"there is no table {place}"):
            await bob.answer(join(place, 1, "bob", 30_00))
    again = TableDesk(
        server.scribe, server.ledger.shared_tables(), lambda: server.now, lambda: NAMES
    )
    await again.load()
    assert await again.blocked("ann") == ("Bob",), "the cage was restarted"
    await ann.answer(wire.BlockPlayer(code, "Bob", on=False))
    assert [line.code for line in await bob.answer(wire.ListTables())] == [open_code]
    assert [line.code for line in await bob.answer(wire.ListTables(code))] == [code]


async def test_block_ends_without_a_table(server: Server) -> None:
    ann, bob, code = await seated(server)
    await ann.answer(wire.BlockPlayer(code, "Bob"))
    await ann.answer(wire.BlockPlayer("", "Bob", on=False))
    assert await ann.answer(wire.ListBlocked()) == ()
    with pytest.raises(LedgerError, match="nobody called Bob is blocked"):
        await ann.answer(wire.BlockPlayer("", "Bob", on=False))
    with pytest.raises(LedgerError, match="there is no table"):
        await ann.answer(wire.BlockPlayer("", "Bob"))
    again = TableDesk(
        server.scribe, server.ledger.shared_tables(), lambda: server.now, lambda: NAMES
    )
    await again.load()
    assert await again.blocked("ann") == ()
    await bob.answer(wire.SayAtTable(code, 1))
    assert (await ann.answer(wire.ReadTable(code, 0))).phrases


async def test_listed_tables_are_hidden_from_both_who_block_and_are_blocked(
    server: Server,
) -> None:
    ann, bob, code = await seated(server)
    cat = server.teller("cat")
    tables = {
        who: await server.teller(who).answer(wire.MakeTable("baccarat", {}, True))
        for who in ("ann", "bob", "cat")
    }

    async def listed(teller: Teller) -> set[str]:
        return {one.code for one in await teller.answer(wire.ListTables())}

    assert await listed(ann) == await listed(bob) == {code, *tables.values()}
    await ann.answer(wire.BlockPlayer(code, "Bob"))
    assert await listed(ann) == {code, tables["ann"], tables["cat"]}, "she sits at one with him"
    assert await listed(bob) == {code, tables["bob"], tables["cat"]}
    assert await listed(cat) == {*tables.values()}
    assert await ann.answer(wire.ListTables(tables["bob"])), "by its code, it can be found"
    assert not await bob.answer(wire.ListTables(tables["ann"]))
    await ann.answer(wire.BlockPlayer("", "Bob", on=False))
    assert await listed(ann) == await listed(bob) == {code, *tables.values()}


async def test_only_somebody_at_the_table_can_be_blocked(server: Server) -> None:
    ann, _, code = await seated(server)
    for name, on, reason in (
        ("Eve", True, f"nobody called Eve sits at the table {code}"),
        ("Ann", True, "nobody called Ann sits at the table"),
        ("Bob", False, "nobody called Bob is blocked"),
    ):
        with pytest.raises(LedgerError, match=reason):
            await ann.answer(wire.BlockPlayer(code, name, on))


async def test_player_who_was_paid_out_reads_the_rest_also_after_the_table_is_closed(
    server: Server,
) -> None:
    ann, bob, code = await seated(server)
    sitting = "ann-1"
    assert await ann.answer(wire.ListPaidSeats()) == []
    server.now += 1000 * (table_desk.AWAY_SECONDS + 1)
    await server.desk._tick(code)
    (paid,) = await ann.answer(wire.ListPaidSeats())
    assert (paid.code, paid.sitting, paid.game, paid.bought_in) == (code, sitting, "baccarat", 4000)
    for _ in range(2):  # the second time, nobody sits there
        server.now += 1000 * table_desk.IDLE_SECONDS
        await server.desk._tick(code)
    rest: TableNews = await ann.answer(wire.ReadStay(code, sitting, 1))
    assert rest.seed is not None
    assert [json.loads(one.action)["is"] for one in rest.updates] == ["Join", "Join", "Leave"]
    refused: list[tuple[Teller, wire.CageRequest]] = [
        (bob, wire.ReadStay(code, sitting, 1)),
        (bob, wire.EndSeatLog(sitting, "0" * 64)),
        (ann, wire.ReadStay("XXXX", sitting, 1)),
    ]
    for teller, request in refused:
        with pytest.raises(LedgerError):
            await teller.answer(request)
    await ann.answer(wire.EndSeatLog(sitting, "0" * 64))
    assert await ann.answer(wire.ListPaidSeats()) == []
    with pytest.raises(LedgerError, match="is not waiting for the end of its log"):
        await ann.answer(wire.EndSeatLog(sitting, "1" * 64))


def test_names_are_not_read_again_for_each_player_who_is_not_registered(tmp_path: Path) -> None:
    reads = list[str]()

    def names() -> Mapping[str, str]:
        reads.append("all")
        return {"b": "Bob"}

    talk = TableTalk(SqliteLedger(tmp_path / "ledger").shared_tables(), names)
    assert [talk.name_of(player) for player in "abcab"] == ["a", "Bob", "c", "a", "Bob"]
    assert len(reads) == 2, "one for a and Bob, and one when c is new"
