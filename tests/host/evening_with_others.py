"""Players at tables with others over SSH, who type at random, while lines and processes die.

    python -m tests.host.evening_with_others [--minutes 60] [--kill 60] [--game GAME ...]

Each game has a table of four, at cribbage of two, who make another table after each game. Everybody
plays in screen-reader mode. From time to time a line is cut, and somebody leaves and comes back.
Once in ``--kill`` seconds a process of the server is killed at random: a session, the cage, the
gateway, or all. At the end everybody
leaves; the ledger, the tables' rows and the logs of all seats are checked, and a Markdown table is
printed.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import signal
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from time import monotonic
from typing import NamedTuple

import asyncssh

from tests.host.loopback_server import Host, connected, new_key
from tui_casino.cli.verify import check
from tui_casino.host.cage.table_answers import replica_of
from tui_casino.records.clock import now
from tui_casino.records.codec import encode
from tui_casino.records.ledger import OPENING_BALANCE
from tui_casino.records.sqlite_ledger import SqliteLedger

CONFIG = "grace = 0\nlogins = 10000\n"
REST = 0.8
"""Seconds between two lines of a player, on average."""
LEAVING = 120.0
"""Seconds in which everybody must have left at the end."""
CUTS = 60
"""Of how many lines one is the last before the line is cut."""
GONE = "there is no table"
KILLS = ("session", "cage", "gateway", "all")


class Game(NamedTuple):
    """How a table is made, how many play there, what they type at random, and to end a round.

    Of ``leaves`` lines one leaves the table, which ends a game of cribbage.
    """

    options: str
    players: int
    lines: Sequence[str]
    last: Sequence[str]
    leaves: int = 80


GAMES: Mapping[str, Game] = {
    "baccarat": Game(
        "--seats 4", 4, ("bet 5 on player", "bet 10 on banker", "deal", "deal", "b"), ("deal",)
    ),
    "thirty-one": Game(
        *("--seats 4", 4, ("bet 20", "b", "hit", "stand", "stand", "double", "split")), ("stand",)
    ),
    "five-card-draw": Game(
        *("--seats 4", 4, ("d", "d", "c", "k", "c", "k", "b", "r", "f", "x 1 2", "x 3", "x")),
        ("f", "k", "x"),
    ),
    "cribbage": Game("", 2, ("", "", "1 2", "3 6", "1", "2", "3", "4", "go"), (), 2000),
}


class Guest:
    """A player who comes to a table again and again."""

    def __init__(self, house: Host, name: str, called: str) -> None:
        self.key, self.name, self.called, self._game = new_key(), name, called, GAMES[called]
        self.player, self.code, self._is_gone = house.add_player(self.key, name), "", False
        self._chance, self.seen = random.Random(name), Counter[str]()
        self.faults = list[str]()

    async def play(self, house: Evening, until: float) -> None:
        """Play at the table until this time; come back whenever the connection ends."""
        while monotonic() < until:
            try:
                async with connected(house.host, self.key) as conn:
                    if self._is_gone:
                        await house.make(self.called, conn, self.code)
                    self.code, self._is_gone = house.codes[self.called][-1], False
                    self.seen["visits"] += 1
                    await self._visit(conn, until)
            except (OSError, asyncssh.Error, TimeoutError):
                self.seen["refused"] += 1
            await asyncio.sleep(self._chance.uniform(0.1, 1.0))

    async def _visit(self, conn: asyncssh.SSHClientConnection, until: float) -> None:
        """Type at random until the player has left the table, or the line ends."""
        process = await conn.create_process(f"table {self.code}", term_type="dumb")
        reads = asyncio.create_task(self._read(process))
        while monotonic() < until and not reads.done():
            await asyncio.sleep(self._chance.expovariate(1 / REST))
            if reads.done():  # in the menu, a line may open another game
                break
            if not self._chance.randrange(CUTS):
                self.seen["cuts"] += 1
                break
            leaves = not self._chance.randrange(self._game.leaves)
            process.stdin.write("q\r" if leaves else f"{self._chance.choice(self._game.lines)}\r")
        reads.cancel()
        conn.abort()

    async def _read(self, process: asyncssh.SSHClientProcess[str]) -> None:
        """Read until the player is in the menu, where the lines would open other games."""
        with suppress(asyncssh.Error, OSError):  # the line was cut
            while (line := await process.stdout.readline()) and not line.startswith("Menu"):
                self.seen["lines"] += 1
                self._is_gone = self._is_gone or GONE in line
                if "internal error" in line:
                    self.faults.append(line)

    async def leave(self, house: Evening) -> None:
        """Leave the table, as soon as that is possible."""
        end = monotonic() + LEAVING
        while sittings := await asyncio.to_thread(house.sittings_of, self.player.id):
            assert monotonic() < end, f"{self.name} cannot leave {sittings}"
            with suppress(OSError, asyncssh.Error, TimeoutError):
                async with connected(house.host, self.key) as conn:
                    process = await conn.create_process(f"table {self.code}", term_type="dumb")
                    reads = asyncio.create_task(self._read(process))
                    for _ in range(20):
                        if not reads.done():
                            for line in (*self._game.last, "q"):
                                process.stdin.write(f"{line}\r")
                                await asyncio.wait((reads,), timeout=0.3)
                    reads.cancel()
                    conn.abort()


class Evening:
    """A server, its tables, and the players at them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.host = Host(folder, config=CONFIG)
        self.guests, self.kills = list[Guest](), Counter[str]()
        self.codes: dict[str, list[str]] = {}
        self._chance = random.Random(1)

    async def open(self, games: Sequence[str]) -> None:
        """Make a table for each game."""
        for game in games:
            maker = new_key()
            self.host.add_player(maker, f"Maker {game}"[:16])
            self.codes[game] = [""]
            async with connected(self.host, maker) as conn:
                await self.make(game, conn, "")
            for number in range(GAMES[game].players):
                self.guests.append(Guest(self.host, f"{game[:8]} {number}", game))

    async def make(self, game: str, conn: asyncssh.SSHClientConnection, gone: str) -> None:
        """Make a table instead of the one that is gone, unless somebody else has."""
        if self.codes[game][-1] == gone:
            made = await conn.run(f"table new {game} {GAMES[game].options}", check=True)
            self.codes[game].append(str(made.stdout).split()[0])

    async def play(self, seconds: float, kill: float) -> None:
        """Let everybody play, while processes die."""
        until = monotonic() + seconds
        playing = (guest.play(self, until) for guest in self.guests)
        await asyncio.gather(self._kill(kill, until), *playing)
        await self._ready()
        await asyncio.gather(*(guest.leave(self) for guest in self.guests))

    async def _kill(self, every: float, until: float) -> None:
        while monotonic() + every < until:
            await asyncio.sleep(every)
            await self._ready()
            what = self._chance.choice(KILLS)
            self.kills[what] += 1
            if what == "all":
                await asyncio.to_thread(self.kill)
                self.host = await asyncio.to_thread(lambda: Host(self._folder, config=CONFIG))
                continue
            _, gateway, cage = self.host.helpers
            victims = self.host.sessions if what == "session" else [cage]
            victims = [gateway] if what == "gateway" else victims
            with suppress(ProcessLookupError, IndexError):
                os.kill(self._chance.choice(victims), signal.SIGKILL)

    def kill(self) -> None:
        """Kill the whole server at once."""
        self.host.kill()
        self._close_pipe()

    def _close_pipe(self) -> None:
        assert self.host.process.stdout is not None
        self.host.process.stdout.close()

    async def _ready(self) -> None:
        """Wait until the server has all of its processes."""
        while len(self.host.helpers) != 3:
            await asyncio.sleep(0.1)

    def sittings_of(self, player: str) -> list[str]:
        """Return the sessions in which a player has money."""
        with closing(SqliteLedger.look_at(self.host.data.ledger)) as ledger:
            return [one.id for one in ledger.open_sittings(player)]

    # ---- the end --------------------------------------------------------------------------

    def check(self) -> list[str]:
        """Stop the server, check everything, and return the rows of the Markdown table."""
        assert self.host.stop() == 0
        self._close_pipe()
        with closing(SqliteLedger(self.host.data.ledger)) as ledger:
            return [self._check_game(ledger, game) for game in self.codes]

    def _check_game(self, ledger: SqliteLedger, game: str) -> str:
        tables = [self._check_table(ledger, code) for code in self.codes[game][1:]]
        states, rows = zip(*tables, strict=True)
        guests = [one for one in self.guests if one.called == game]
        stays = sum(self._check_guest(ledger, one) for one in guests)
        seen = sum((one.seen for one in guests), Counter())
        reports = [one.read_text() for one in self.host.data.root.rglob("*error*.txt")]
        assert not [fault for one in guests for fault in one.faults], reports
        figures = (len(rows), sum(rows), stays, seen["visits"], seen["cuts"], seen["lines"])
        return f"| {game} | " + " | ".join(f"{one:,}" for one in (*figures, max(states))) + " |"

    def _check_table(self, ledger: SqliteLedger, code: str) -> tuple[int, int]:
        """Check a table; return the bytes of its state, and its number of steps."""
        tables = ledger.shared_tables()
        rows = tables.rows(code)
        if (entry := next((one for one in tables.open_tables() if one.code == code), None)) is None:
            state = b"closed"
        else:
            replicas = [replica_of(tables, entry, now) for _ in range(2)]
            assert not replicas[0].occupants, "everybody has left"
            (state,) = {encode(one.state) for one in replicas}
            replicas[0].finish()
            rows = tables.rows(code)
        log = self._folder / f"{code}.jsonl"
        log.write_bytes(b"".join(row.line + b"\n" for row in rows))
        assert check(log) == 0, f"the log of the table {code}"
        return len(state), len(rows) - 2

    def _check_guest(self, ledger: SqliteLedger, guest: Guest) -> int:
        """Check a player's balance and the logs of their seats; return how many there are."""
        balance = OPENING_BALANCE - ledger.debt(guest.player.id) * -1
        accounts = ledger.accounts(guest.player.id)
        for account in accounts.values():
            assert account.cashed_out is not None, f"{guest.name} has been paid out"
            balance += account.cashed_out - account.bought_in
        assert ledger.balance(guest.player.id) == balance, guest.name
        for log in sorted(self.host.data.player(guest.player.id).rglob("*.jsonl")):
            assert check(log) == 0, log
        return len(accounts)


async def spend(folder: Path, games: Sequence[str], seconds: float, kill: float) -> list[str]:
    """Spend an evening of these games; return the rows of the Markdown table."""
    evening = Evening(folder)
    try:
        await evening.open(games)
        await evening.play(seconds, kill)
    except BaseException:
        await asyncio.to_thread(evening.kill)
        raise
    rows = await asyncio.to_thread(evening.check)
    print("killed:", ", ".join(f"{kind} {count}" for kind, count in evening.kills.items()))
    return rows


def main(typed: Sequence[str]) -> None:
    """Spend an evening, and print what happened."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--kill", type=float, default=60.0)
    parser.add_argument("--game", action="append", choices=tuple(GAMES))
    options = parser.parse_args(typed)
    with tempfile.TemporaryDirectory() as folder:
        games = options.game or [*GAMES]
        rows = asyncio.run(spend(Path(folder), games, 60 * options.minutes, options.kill))
    columns = ("game", "tables", "rows", "seats taken", "visits", "lines cut", "lines read")
    print("|", " | ".join((*columns, "state, bytes")), "|")
    print("|--|" + "--:|" * len(columns))
    print("\n".join(rows))


if __name__ == "__main__":
    main(sys.argv[1:])
