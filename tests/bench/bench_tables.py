"""Measure how soon the others at a table see what a player does.

    python tests/bench/bench_tables.py [--short]

Print a Markdown table. The cage is the one of `tui-casino serve`, with a ledger on the disk of the
temporary folder. Four people sit at each baccarat table; at each table somebody does something
once a second on average, at moments of their own (Poisson). The time begins when the player's
program sends the action, and ends when the program of another player at the table has the row,
which is on the disk by then. A row is an action or what the croupier does after it.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any, NamedTuple

from tests.bench.measure import chosen, heading
from tests.helpers.postgres_server import Server, find_programs, server
from tests.host.cage_processes import CageProcess, cage_in
from tui_casino.host.cage_protocol import (
    HEAD,
    ActAtTable,
    CageRequest,
    JoinTable,
    MakeTable,
    ReadTable,
    pack_message,
    unpack_answer,
)
from tui_casino.house.shared_tables import TableNews
from tui_casino.records.ledger import LedgerError, OpenSitting

SEATS, BUY_IN = 4, 400_00
WAIT, REST = 10.0, 1.0
COUP = 15.0
"""Seconds from the first bet to the coup; nobody says that they are ready."""


class Sizes(NamedTuple):
    """The amount of work: the numbers of tables, and the seconds of play at each.

    There are ``shared`` tables of two cages.
    """

    tables: tuple[int, ...]
    shared: tuple[int, ...]
    seconds: float


FULL, SHORT = Sizes((10, 50, 100), (10, 50), 30.0), Sizes((2,), (2,), 1.0)


class Line:
    """A connection of a player's program to the cage."""

    def __init__(self, cage: CageProcess, player: str) -> None:
        self.player, self._socket = player, cage.socket(player)

    async def connect(self) -> None:
        """Open the connection."""
        self._reader, self._writer = await asyncio.open_connection(sock=self._socket)

    async def ask(self, request: CageRequest, kind: Any) -> Any:
        """Send a request, and return its answer."""
        self._writer.write(pack_message(request))
        (length,) = HEAD.unpack(await self._reader.readexactly(HEAD.size))
        return unpack_answer(await self._reader.readexactly(length), kind)

    def close(self) -> None:
        """Close the connection."""
        self._writer.close()


class BusyTable:
    """A table at which four people sit, read what happens, and bet.

    With several ``cages``, the same number of people is at each.
    """

    def __init__(self, cages: Sequence[CageProcess], number: int) -> None:
        self._chance = Random(number)
        self._homes = [cages[seat * len(cages) // SEATS] for seat in range(SEATS)]
        players = [(home, f"player {number}-{seat}") for seat, home in enumerate(self._homes)]
        self._lines = [Line(*player) for player in players]
        self._readers = [Line(*player) for player in players]
        self._sent: dict[int, tuple[int, float]] = {}
        self._seen: defaultdict[int, dict[int, float]] = defaultdict(dict)
        self.code, self.refused = "", 0

    async def open(self) -> None:
        """Make the table, and let everybody sit down."""
        for line in (*self._lines, *self._readers):
            await line.connect()
        options = {"seats": str(SEATS)}
        self.code = await self._lines[0].ask(MakeTable("baccarat", options), str)
        for seat, line in enumerate(self._lines):
            log = self._homes[seat].folder / f"{line.player}.jsonl"
            sitting = OpenSitting(f"{line.player}-1", "baccarat", log, None, BUY_IN)
            await line.ask(JoinTable(self.code, seat, sitting), None)

    async def play(self, seconds: float) -> None:
        """Let somebody do something once a second on average, while all read the table."""
        reading = [asyncio.create_task(self._read(seat)) for seat in range(SEATS)]
        apart = min(COUP, seconds)
        await asyncio.sleep(REST + self._chance.uniform(0, apart))  # the clocks of tables differ
        end = perf_counter() + seconds
        while (left := end - perf_counter()) > 0:
            await asyncio.sleep(min(left, self._chance.expovariate(1.0)))
            await self._act(self._chance.randrange(SEATS))
        await asyncio.sleep(REST)  # all have read the last row
        for task in reading:
            task.cancel()

    async def _act(self, seat: int) -> None:
        do = {"is": "Bet", "credits": 5, "spot": self._chance.choice(("p", "b", "t"))}
        sent = perf_counter()
        try:
            row = await self._lines[seat].ask(ActAtTable(self.code, do), int)
        except LedgerError:  # the coup is dealt, or this seat has bet all it has
            self.refused += 1
        else:
            self._sent[row] = seat, sent

    async def _read(self, seat: int) -> None:
        first = 0
        while True:
            news: TableNews = await self._readers[seat].ask(
                ReadTable(self.code, first, WAIT), TableNews
            )
            now = perf_counter()
            for one in news.updates:
                self._seen[one.number][seat] = now
            first = max(first, news.rows)

    @property
    def delays(self) -> list[float]:
        """Return the seconds after which the others saw each action."""
        return [
            at - sent
            for row, (actor, sent) in self._sent.items()
            for seat, at in self._seen[row].items()
            if seat in self._others(actor)
        ]

    def _others(self, actor: int) -> set[int]:
        """Return the seats of the people who count: at other cages, if there are any."""
        others = {seat for seat in range(SEATS) if self._homes[seat] is not self._homes[actor]}
        return others or {*range(SEATS)} - {actor}

    def close(self) -> None:
        """Close the connections."""
        for line in (*self._lines, *self._readers):
            line.close()


async def measure(cages: Sequence[CageProcess], count: int, seconds: float) -> str:
    """Return the row of the Markdown table for a number of tables."""
    tables = [BusyTable(cages, number) for number in range(count)]
    for table in tables:
        await table.open()
    used, begun = _used(cages), perf_counter()
    await asyncio.gather(*(table.play(seconds) for table in tables))
    share = (_used(cages) - used) / (perf_counter() - begun) / len(cages)
    delays = sorted(delay for table in tables for delay in table.delays)
    for table in tables:
        table.close()
    p50, p99 = (delays[int(part * (len(delays) - 1))] for part in (0.5, 0.99))
    figures = " | ".join(f"{1e3 * value:.1f}" for value in (p50, p99, delays[-1]))
    refused = sum(table.refused for table in tables)
    return f"| {count} | {len(delays):,} | {figures} | {100 * share:.0f} | {refused} |"


def _used(cages: Sequence[CageProcess]) -> float:
    return sum(cage.seconds for cage in cages)


@contextmanager
def cages_in(folder: Path, databases: Sequence[str]) -> Iterator[list[CageProcess]]:
    """Run a cage for each database; an empty one is a file."""
    with ExitStack() as stack:
        cages = list[CageProcess]()
        for number, database in enumerate(databases):
            data = folder / f"data-{number}"
            data.mkdir(mode=0o700)
            cages.append(stack.enter_context(cage_in(data, database)))
        yield cages


def report(who: str, counts: Sequence[int], seconds: float, database: Server | None) -> None:
    """Print a Markdown table about one cage, or about two that share a database."""
    columns = ("p50, ms", "p99 (goal 50), ms", "longest, ms", "of a core, %", "refused actions")
    print("|", " | ".join(("tables of four", f"rows seen by {who}", *columns)), "|")
    print("|" + "--:|" * (2 + len(columns)))
    for count in counts:
        urls = [""] if database is None else 2 * [database.schema()]
        with tempfile.TemporaryDirectory() as name, cages_in(Path(name), urls) as cages:
            print(asyncio.run(measure(cages, count, seconds)), flush=True)


def main(sizes: Sizes) -> None:
    """Print the tables."""
    print(heading())
    report("others", sizes.tables, sizes.seconds, None)
    if find_programs() is not None:
        print()
        with server(lasting=True) as database:
            report("those at the other server", sizes.shared, sizes.seconds, database)


if __name__ == "__main__":
    main(chosen(__doc__, FULL, SHORT))
