"""Cribbage by correspondence at the server's desk: seats wait, and moves may take a day."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.host.test_shared_tables import Server, join, names_of
from tui_casino.engine.seating import DAY
from tui_casino.host import cage_protocol as wire
from tui_casino.host.cage import table_desk
from tui_casino.host.cage.slow_tables import MOST_MISSED, MOST_SLOW, NOBODY_CAME, WAITING_DAYS
from tui_casino.host.cage.table_desk import TableDesk
from tui_casino.host.cage.teller import Teller
from tui_casino.house.shared_tables import TableLine, TableNews
from tui_casino.records.ledger import LedgerError
from tui_casino.records.table_replica import has_ended

SLOW = wire.MakeTable("cribbage", {"pace": "day"}, True)
DISCARD = {"is": "Discard", "places": [1, 2]}


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Server]:
    server = Server(tmp_path / "ledger")
    yield server
    server.scribe.close()


async def seated(server: Server) -> tuple[Teller, Teller, str]:
    """Let Ann make a table by correspondence, and both sit down."""
    ann, bob = server.teller("ann"), server.teller("bob")
    code: str = await ann.answer(SLOW)
    await ann.answer(join(code, 0, "ann", 0))
    await bob.answer(join(code, 1, "bob", 0))
    return ann, bob, code


async def line_of(server: Server, player: str) -> TableLine:
    (line,) = await server.desk.list(player)
    return line


async def days_go_by(server: Server, code: str, days: float) -> None:
    server.now += int(days * 1000 * DAY)
    await server.desk._tick(code)


async def test_pace_is_a_property_of_the_table_and_not_an_option_of_its_log(
    server: Server,
) -> None:
    _, bob, code = await seated(server)
    (entry,) = server.ledger.shared_tables().open_tables()
    assert entry.seconds == DAY
    header, *_ = server.ledger.shared_tables().rows(code)
    assert b"pace" not in header.line
    news: TableNews = await bob.answer(wire.ReadTable(code, 0))
    assert news.due == server.now + 1000 * DAY
    line = await line_of(server, "ann")
    assert (line.seconds, line.asked_until) == (DAY, server.now + 1000 * DAY)


async def test_only_players_who_are_asked_have_a_move_to_make(server: Server) -> None:
    ann, _, code = await seated(server)
    await ann.answer(wire.ActAtTable(code, DISCARD))
    until = server.now + 1000 * DAY
    for player, asked in (("ann", None), ("bob", until), ("cat", None)):
        assert (await line_of(server, player)).asked_until == asked
    await server.desk.operate(code, lambda replica: replica.freeze())
    assert (await line_of(server, "bob")).asked_until is None, "nobody can act there"


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"pace": "week"}, "pace is one of minute and day, not week"),
        ({"pace": "day", "computer": "expert"}, "no computer comes to a table with a day for each"),
    ],
)
async def test_impossible_paces_are_refused(
    server: Server, options: dict[str, str], reason: str
) -> None:
    with pytest.raises(LedgerError, match=reason):
        await server.teller("ann").answer(wire.MakeTable("cribbage", options))
    with pytest.raises(LedgerError, match="no option pace; the options are seats"):
        await server.teller("ann").answer(wire.MakeTable("baccarat", {"pace": "day"}))


async def test_table_with_the_usual_pace_is_one_of_the_game(server: Server) -> None:
    options = {"pace": "minute", "computer": "greedy"}
    await server.teller("ann").answer(wire.MakeTable("cribbage", options))
    (entry,) = server.ledger.shared_tables().open_tables()
    assert entry.seconds is None


async def test_seats_wait_for_players_who_are_gone_also_after_a_restart(server: Server) -> None:
    ann, _, code = await seated(server)
    await ann.answer(wire.ActAtTable(code, DISCARD))
    await days_go_by(server, code, 0.9)
    tables = server.ledger.shared_tables()
    again = TableDesk(server.scribe, tables, lambda: server.now, lambda: {})
    await again.load()
    server.now += 1000 * (table_desk.AWAY_SECONDS + 1)
    await again._tick(code)
    (line,) = await again.list("bob")
    assert [one.state for one in line.seats] == ["away", "away"]
    assert await again.act("bob", code, DISCARD) is not None


async def answer_for(server: Server, code: str, player: str) -> bool:
    """Play the default as a player's own choice, if the player is asked; return whether so."""
    replica = server.desk._replicas[code]
    seat = replica.stays[player].seat
    if not replica.is_awaited(seat):
        return False
    action = replica._game.default(replica.state, seat)
    await server.desk._change(code, lambda one: one.act(seat, action, player))
    return True


async def test_seat_is_left_after_three_choices_in_a_row_that_the_clock_has_made(
    server: Server,
) -> None:
    _, _, code = await seated(server)
    replica = server.desk._replicas[code]
    for missed in range(1, MOST_MISSED + 1):
        while await answer_for(server, code, "ann"):
            pass
        assert [one.name for one in (await line_of(server, "ann")).seats] == ["Ann", "Bob"]
        assert replica.missed(replica.stays["bob"].seat) == missed - 1
        await days_go_by(server, code, 1)
    assert replica.why_over == "somebody has left"
    assert has_ended(server.ledger.shared_tables().rows(code)), "nobody has to close it"
    assert not server.ledger.open_sittings("ann")


async def test_own_choice_ends_a_row_of_missed_ones(server: Server) -> None:
    _, _, code = await seated(server)
    replica = server.desk._replicas[code]
    bob = replica.stays["bob"].seat
    for _ in range(3):
        for missed in (1, 2):
            while await answer_for(server, code, "ann"):
                pass
            await days_go_by(server, code, 1)
            assert replica.missed(bob) == missed
        while not await answer_for(server, code, "bob"):
            assert await answer_for(server, code, "ann")
        assert replica.missed(bob) == 0
    assert len(replica.occupants) == 2


async def test_waiting_player_is_sent_away_after_a_week(server: Server) -> None:
    ann = server.teller("ann")
    code = await ann.answer(SLOW)
    await ann.answer(join(code, 0, "ann", 0))
    await days_go_by(server, code, WAITING_DAYS - 0.1)
    assert [one.state for one in (await line_of(server, "ann")).seats] == ["away", "free"]
    await days_go_by(server, code, 0.1)
    assert await server.desk.list("ann") == []
    *_, last = server.ledger.shared_tables().rows(code)
    assert NOBODY_CAME.encode() in last.line
    assert NOBODY_CAME == "nobody came in 7 days"
    assert not server.ledger.open_sittings("ann")


async def test_game_that_has_begun_is_not_closed_after_a_week(server: Server) -> None:
    _, _, code = await seated(server)
    server.now += 1000 * DAY * WAITING_DAYS
    replica = server.desk._replicas[code]
    await server.desk._change(code, lambda one: one.extend_clock(DAY))
    await server.desk._tick(code)
    assert len(replica.occupants) == 2


async def test_empty_table_is_closed_after_an_hour(server: Server) -> None:
    code = await server.teller("ann").answer(SLOW)
    await server.desk._tick(code)
    server.now += 1000 * table_desk.IDLE_SECONDS
    await server.desk._tick(code)
    assert await server.desk.list("ann") == []


async def test_own_tables_by_correspondence_are_counted_apart(server: Server) -> None:
    ann = server.teller("ann")
    for _ in range(table_desk.MOST_OWN):
        await ann.answer(wire.MakeTable("baccarat", {}))
    for _ in range(MOST_SLOW):
        await ann.answer(SLOW)
    with pytest.raises(LedgerError, match="you have made 20 tables by correspondence already"):
        await ann.answer(SLOW)
    with pytest.raises(LedgerError, match="you have made 3 tables already"):
        await ann.answer(wire.MakeTable("cribbage", {"pace": "minute"}))


async def test_computer_is_not_offered_at_a_table_with_a_day_for_each_move(
    server: Server,
) -> None:
    ann = server.teller("ann")
    code = await ann.answer(SLOW)
    await ann.answer(join(code, 0, "ann", 0))
    news: TableNews = await ann.answer(wire.ReadTable(code, 0))
    assert (news.due, news.is_offer) == (None, False)
    assert "Discard" not in names_of(news)
