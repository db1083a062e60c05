"""Four people by ear at one draw table of two servers, while almost everything goes wrong."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import asyncssh
import psycopg
import pytest

from tests.helpers.pty_terminal import PATIENCE
from tests.host.loopback_server import Host, connected, new_key, until
from tests.host.short_clocks import BANK, PROGRAM, SECONDS
from tests.host.test_table_on_two_hosts import verify
from tests.host.test_two_servers import is_closed, knows, two_hosts
from tui_casino.cards.card import RANKS, Card, Rank, Suit
from tui_casino.cli.verify import check
from tui_casino.games.five_card_draw.machine import shared_game
from tui_casino.games.five_card_draw.machine import state as m
from tui_casino.records.clock import now
from tui_casino.records.codec import decode
from tui_casino.records.ledger import OPENING_BALANCE
from tui_casino.records.postgres import Postgres
from tui_casino.records.postgres_stores import PostgresLedger
from tui_casino.records.session_log import StepLine
from tui_casino.records.table_replica import TableReplica

pytestmark = [pytest.mark.prove, pytest.mark.xdist_group("hosts")]

NAMES = ("Ann", "Bob", "Cat", "Dan")
BUSY = 3_000
"""Milliseconds by which a clock may be late on a busy machine, while a server dies."""
CARD = re.compile(rf"\b({'|'.join(one.name for one in RANKS)}) of (\w+)", re.IGNORECASE)
BEGUN, DEAL = "Everybody puts in 5.", "Deal the "
DISCARD = "Which cards do you discard?"
LEAVES = {"Menu.": "q", "q quits": "q"}
CALLS = {**LEAVES, DEAL: "d", "Check or bet?": "k", "Call ": "c", DISCARD: "x 1"}
AUDIT = """
create table audit (cents numeric not null, players bigint not null);
create function note_total() returns trigger language plpgsql set search_path from current as $$
begin
  insert into audit select
    (select sum(cents) from purse)
      + coalesce((select sum(coalesce(held, bought)) from sitting where closed is null), 0),
    (select count(*) from purse);
  return null;
end $$;
create constraint trigger purse_total after insert or update or delete on purse
  deferrable initially deferred for each row execute function note_total();
create constraint trigger sitting_total after insert or update or delete on sitting
  deferrable initially deferred for each row execute function note_total();
"""
"""At each commit that moves money, note how much there is, and how many players have it."""


class Guest:
    """A player by ear who gives the ``answers`` to lines with these words; ``heard`` keeps all."""

    def __init__(self, name: str) -> None:
        self.name, self.key = name, new_key()
        self.answers: Mapping[str, str | None] = {}
        self.heard = list[str]()
        self._changed = asyncio.Event()
        self._process: asyncssh.SSHClientProcess[str] | None = None
        self._conn: asyncssh.SSHClientConnection | None = None

    async def visit(self, host: Host, command: str | None = None) -> None:
        """Come to a table, or to the menu, and stay until the connection ends."""
        with suppress(OSError, asyncssh.Error):
            async with connected(host, self.key) as self._conn:
                self._process = await self._conn.create_process(
                    command, term_type="dumb", term_size=(1000, 50)
                )
                while line := await self._process.stdout.readline():
                    self.heard.append(line)
                    self._answer(line)
                    self._changed.set()

    def _answer(self, line: str) -> None:
        for question, answer in self.answers.items():
            if answer is not None and question in line:
                self.type(answer)

    def type(self, line: str) -> None:
        assert self._process is not None, f"{self.name} is not there"
        self._process.stdin.write(f"{line}\r")

    def cut(self) -> None:
        """Cut the line, without a word to the server."""
        assert self._conn is not None
        self._conn.abort()

    @property
    def text(self) -> str:
        return "".join(self.heard)

    async def hears(self, what: str, times: int = 1) -> None:
        async def listen() -> None:
            while self.text.count(what) < times:
                self._changed.clear()
                await self._changed.wait()

        try:
            await asyncio.wait_for(listen(), 2 * PATIENCE)
        except TimeoutError:
            raise AssertionError(f"{self.name} did not hear {what!r}:\n{self.text}") from None


class Hand(NamedTuple):
    """Who got which cards in a hand, and which hands were shown."""

    dealt: dict[int, set[Card]]
    shown: set[Card]


class FourSeats:
    """The table as the database has it."""

    def __init__(self, url: str, folder: Path, code: str) -> None:
        self.ledger = PostgresLedger(Postgres(url), folder)
        self._tables, self.code = self.ledger.shared_tables(), code
        (entry,) = self._tables.open_tables()
        self.replica: TableReplica[Any, Any, Any, Any] = TableReplica(
            self._tables, entry, shared_game, now, SECONDS, BANK
        )
        self.rows = self._tables.rows(code)

    def close(self) -> None:
        self.ledger.close()

    def hands(self) -> list[Hand]:
        found = list[Hand]()
        for update, _ in self.replica._played_rows:
            for event in update.events:
                match event:
                    case m.HandBegun(seats):
                        found.append(Hand({seat: set() for seat in seats}, set()))
                    case m.CardDealt(seat, card):
                        found[-1].dealt[seat].add(card)
                    case m.HandShown(_, cards):
                        found[-1].shown.update(cards)
        return found

    def check_clocks(self) -> None:
        """Check that no choice was waited for much longer than its clock allows."""
        at = [decode(row.line, StepLine).at for row in self.rows[1:]]
        for row, following in zip(self.rows[1:], at[1:], strict=False):
            if row.due is not None:
                assert following <= row.due + BUSY, following - row.due

    def check_log(self, folder: Path) -> None:
        """Close the table, and verify its log, which has the seed then."""
        self.replica.finish()
        log = folder / f"{self.code}.jsonl"
        log.write_bytes(b"".join(row.line + b"\n" for row in self._tables.rows(self.code)))
        assert check(log) == 0


def check_secrets(guest: Guest, seat: int, hands: list[Hand]) -> None:
    """Check that a player heard only of own cards, and of those that were shown."""
    before, *parts = guest.text.split(BEGUN)
    assert not CARD.search(before)
    for part, hand in zip(parts, hands, strict=False):
        at_table = part.partition("You leave ")[0]  # then the costliest mistakes are said
        known = {card_of(found) for found in CARD.finditer(at_table)}
        assert known <= hand.dealt.get(seat, set()) | hand.shown, guest.name
        assert seat not in hand.dealt or len(known & hand.dealt[seat]) >= 5, "the cards are said"


def card_of(found: re.Match[str]) -> Card:
    rank, suit = found.groups()
    return Card(Rank[rank.upper()], Suit[suit.upper()])


def prepare_audit(url: str) -> None:
    with psycopg.connect(url, autocommit=True) as db:
        db.execute(AUDIT)


def check_cents(url: str) -> None:
    """Check that after each commit all money was there: nobody wins from the house here."""
    with psycopg.connect(url) as db:
        noted = db.execute("select cents - players * %s from audit", (OPENING_BALANCE,)).fetchall()
    assert len(noted) > len(NAMES)
    assert {*noted} == {(0,)}


async def test_hand_of_four_goes_on_whoever_is_gone(tmp_path: Path, database: str) -> None:
    """In mid-hand Ann's server is killed, Bob is cut off, Cat falls asleep, and Dan leaves."""
    ann, bob, cat, dan = guests = [Guest(name) for name in NAMES]
    with two_hosts(tmp_path, database, PROGRAM) as hosts:
        players = {one.name: knows(database, hosts, one.key, one.name) for one in guests}
        prepare_audit(database)
        async with connected(hosts[0], ann.key) as conn:
            made = await conn.run("table new five-card-draw --seats 4 --open", check=True)
        code = str(made.stdout).split()[0]
        async with asyncio.timeout(4 * PATIENCE), asyncio.TaskGroup() as visits:
            for guest, host in zip(guests, (hosts[0], *[hosts[1]] * 3), strict=True):
                visits.create_task(guest.visit(host, f"table {code}"))
                await guest.hears(DEAL if guest is not ann else "Nobody else is here yet.")
            await play_first_hand(guests)
            bob.answers, ann.answers = CALLS, {**CALLS, DISCARD: None}
            await asyncio.gather(*(one.hears(BEGUN, 2) for one in guests))
            await ann.hears(DISCARD, 2)
            hosts[0].kill()
            bob.cut()
            cat.answers, dan.answers = {}, LEAVES
            dan.type("q")
            await until(partial(is_closed, hosts[0].port))
            ann.answers = CALLS
            visits.create_task(ann.visit(hosts[1], f"table {code}"))
            await ann.hears(" in this hand.", 2)
            for gone in (bob, dan):
                await ann.hears(f"{gone.name} leaves.")
            with closing(FourSeats(database, tmp_path, code)) as table:
                left = {seat: one.player for seat, one in table.replica.occupants.items()}
            assert left == {0: players["Ann"].id, 2: players["Cat"].id}
            cat.answers = CALLS
            cat.type("d")
            await cat.hears(BEGUN, 3)
            ann.answers = cat.answers = {**CALLS, DEAL: "q"}
            for gone in (bob, dan):  # they find their seats paid out, and their logs end
                gone.answers = LEAVES
                visits.create_task(gone.visit(hosts[1]))
        await until(lambda: not hosts[1].sessions)
        check_cents(database)
        with closing(FourSeats(database, tmp_path, code)) as table:
            assert not table.replica.occupants
            table.check_clocks()
            hands = table.hands()
            assert len(hands) == 3
            for seat, guest in enumerate(guests):
                check_secrets(guest, seat, hands)
            ids = [players[name].id for name in NAMES]
            assert all(table.ledger.open_sittings(one) == [] for one in ids)
            assert sum(map(table.ledger.balance, ids)) == len(ids) * OPENING_BALANCE
            table.check_log(tmp_path)
        for guest in guests:
            await verify(hosts[1], guest.key, players[guest.name])


async def play_first_hand(guests: list[Guest]) -> None:
    """Let all begin a hand, Bob fold and Dan bet; the others stay in until the showdown."""
    _, bob, _, dan = guests
    for guest in guests:
        guest.answers = CALLS
    bob.answers, dan.answers = {**CALLS, "Call ": "f"}, {**CALLS, "Check or bet?": "b"}
    for guest in guests:
        guest.type("d")
    await asyncio.gather(*(one.hears(" in this hand.") for one in guests))
