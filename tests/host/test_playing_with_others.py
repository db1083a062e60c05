"""Two people at one baccarat table over SSH: the same cards, names, money; cuts and kills."""

from __future__ import annotations

import re

from tests.host.loopback_server import (
    Host,
    Visitor,
    at_terminal,
    connected,
    new_key,
    visiting,
)
from tui_casino.games.baccarat.machine import shared_game
from tui_casino.host.identities import Identities
from tui_casino.records.clock import now
from tui_casino.records.ledger import OPENING_BALANCE
from tui_casino.records.sqlite_ledger import SqliteLedger
from tui_casino.records.table_replica import TableReplica

BUY_IN = 400_00


def player_of(house: Host, name: str) -> str:
    book = Identities(house.data.identities)
    try:
        return book.find(name).id
    finally:
        book.close()


def money(house: Host, name: str) -> tuple[int, int]:
    """Return a player's balance, and the money at tables, in cents."""
    player, ledger = player_of(house, name), SqliteLedger(house.data.ledger)
    try:
        return ledger.balance(player), sum(one.owed for one in ledger.open_sittings(player))
    finally:
        ledger.close()


async def named(visitor: Visitor, name: str) -> None:
    """Choose a player name at the first visit, and skip the tour."""
    await visitor.sees("choose a player name.")
    await visitor.type_until("\x7f" * 10 + f"{name}\r", name)


async def test_two_people_play_at_one_baccarat_table_over_ssh(house: Host) -> None:
    keys = {name: new_key() for name in ("Ann", "Bob")}
    for name, key in keys.items():
        async with connected(house, key) as conn, at_terminal(conn) as visitor:
            await named(visitor, name)
            await visitor.sees("balance 1,000.00")
    async with connected(house, keys["Ann"]) as conn:
        made = str((await conn.run("table new baccarat --seats 3 --open")).stdout)
    code = made.split()[0]
    assert re.fullmatch("[A-Z0-9]{4}", code)
    async with connected(house, keys["Bob"]) as conn:
        listed = str((await conn.run("table")).stdout)
    assert listed.splitlines() == [f"{code}  Baccarat: nobody yet; 3 free seats"]
    at_table = {"command": f"table {code}"}
    async with visiting(house, keys["Ann"], **at_table) as ann:
        await ann.sees(f"BACCARAT · {code}")
        async with visiting(house, keys["Bob"], **at_table) as bob:
            await bob.sees("● Ann 400.00")
            await ann.sees("● Bob 400.00")
            ann.type("1")
            await bob.sees("5 on Player")
            ann.type(" ")
            await ann.sees("Waiting for Bob.")
            bob.type("2 ")
            await ann.sees("Repeat 5")
            await bob.sees("Repeat 5")
        await ann.sees("○ Bob")
    ledger = SqliteLedger(house.data.ledger)
    try:
        tables = ledger.shared_tables()
        (entry,) = tables.open_tables()
        replica = TableReplica(tables, entry, shared_game, now, 15)
        held = [replica.money(seat) for seat in sorted(replica.occupants)]
        assert len(replica.state.shoe.coups) == 1
    finally:
        ledger.close()
    assert [money(house, name) for name in keys] == [(OPENING_BALANCE - BUY_IN, it) for it in held]


async def test_player_by_ear_takes_a_new_seat_and_leaves_it_with_its_money(house: Host) -> None:
    key = new_key()
    house.add_player(key, "Eve")
    async with connected(house, key) as conn:
        code = str((await conn.run("table new hit-me --seats 2")).stdout).split()[0]
    by_ear = {"TERM": "dumb"}
    async with visiting(house, key, command=f"table {code}", environ=by_ear) as eve:
        greeting = await eve.sees("Nobody else is here yet.")
        assert "You resume" not in greeting
        assert "You are back" not in greeting
        await eve.type_until("bet 20\r", "Dealer: ")
        await eve.type_until("stand\r", "our credit is ")
        said = await eve.type_until("q\r", "your balance is")
    assert "the ledger" not in said
    balance, at_tables = money(house, "Eve")
    assert at_tables == 0
    assert f"your balance is {balance / 100:,g}" in said
