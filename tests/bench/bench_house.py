"""Measure the cost of money and chance in a separate process, the cage of a server.

    python tests/bench/bench_house.py [--short]

Print Markdown tables. The cage is the one of `tui-casino serve`, with a ledger on the disk of
the temporary folder. Money moves come from 200 connections at a fixed rate. Half of them are
buy-ins and half are cash-outs. A time begins when the move was due and ends with its answer,
after the move is on the disk.

A key is a choice of a human who plays at random, including everything that the table does until it
waits again. The game is played once with its own shuffle and once with the shuffle of the cage. The
processor time is that of the cage, per request.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

from tests.bench.measure import chosen, heading
from tests.helpers.ledger_sessions import PURSED, seating_at, step
from tests.host.cage_processes import CageProcess, cage_in
from tui_casino.engine.chance import ChanceSource, CommittedSource
from tui_casino.gamekit.registry import GameListing, listing_of
from tui_casino.host.cage_protocol import (
    HEAD,
    BuyIn,
    CageRequest,
    CashOut,
    ChooseSeed,
    pack_message,
    unpack_answer,
)
from tui_casino.host.session.cage_client import CageClient, CageLedger, new_source, restore_source
from tui_casino.house.house import House
from tui_casino.house.lobby import resume, sit_down
from tui_casino.records.ledger import OpenSitting
from tui_casino.records.sqlite_ledger import SqliteLedger
from tui_casino.structs import replace

LINES = 200
RATE = 300
"""Moves a second."""


class Sizes(NamedTuple):
    """The amount of work: seconds of money moves, keys per game, requests, cards dealt again."""

    seconds: float
    keys: int
    requests: int
    steps: int


FULL = Sizes(seconds=30, keys=1_000, requests=20_000, steps=5_000)
SHORT = Sizes(seconds=1, keys=40, requests=500, steps=200)


def main(sizes: Sizes) -> None:
    """Print both tables."""
    print(heading())
    with tempfile.TemporaryDirectory() as name, cage_in(Path(name) / "data") as cage:
        asyncio.run(moving(cage, sizes))
        print()
        dealing(cage, sizes)


# ---- money ------------------------------------------------------------------------------------


class Mover:
    """A player who buys in and cashes out in turn."""

    def __init__(self, cage: CageProcess, number: int) -> None:
        self.player, self._folder = f"player {number}", cage.folder
        self._line = cage.socket(self.player)
        self._open: str | None = None
        self._count = 0

    async def connect(self) -> None:
        """Open the connection."""
        self._reader, self._writer = await asyncio.open_connection(sock=self._line)

    async def _ask(self, request: CageRequest, kind: Any) -> Any:
        self._writer.write(pack_message(request))
        (length,) = HEAD.unpack(await self._reader.readexactly(HEAD.size))
        return unpack_answer(await self._reader.readexactly(length), kind)

    async def prepare(self) -> None:
        """Request a new shuffle, if the next move needs one."""
        self._source = b"" if self._open else await self._ask(ChooseSeed(), bytes)

    async def move(self) -> None:
        """Buy in, or cash out."""
        if self._open is None:
            self._count += 1
            name = f"{self.player}-{self._count}"
            log = self._folder / f"{name}.jsonl"
            sitting = OpenSitting(name, "toy", log, self._source, 100)
            await self._ask(BuyIn(sitting, self.player, 1, 0), None)
            self._open = name
        else:
            assert await self._ask(CashOut(self._open, 100, "last", 2), bool)
            self._open = None

    def close(self) -> None:
        """Close the connection."""
        self._writer.close()


async def moving(cage: CageProcess, sizes: Sizes) -> None:
    """Move money at a fixed rate, without waiting for earlier moves."""
    movers = [Mover(cage, number) for number in range(LINES)]
    for mover in movers:
        await mover.connect()
        await mover.prepare()
    count, took, loop = round(RATE * sizes.seconds), list[float](), asyncio.get_running_loop()
    start, used = loop.time() + 0.1, cage.seconds
    turns = [asyncio.Lock() for _ in movers]

    async def due(number: int) -> None:
        at = start + number / RATE
        await asyncio.sleep(at - loop.time())
        mover = movers[number % LINES]
        async with turns[number % LINES]:
            await mover.move()
            took.append(loop.time() - at)
            await mover.prepare()

    for first in range(0, count, LINES):  # one task per connection
        await asyncio.gather(*(due(n) for n in range(first, min(first + LINES, count))))
    used = cage.seconds - used
    for mover in movers:
        mover.close()
    took.sort()
    p50, p99 = (took[int(part * (len(took) - 1))] for part in (0.5, 0.99))
    print(f"| {RATE} moves per second from {LINES} connections, {count:,} in all | ms |\n|---|--:|")
    for what, value in (("median", p50), ("p99 (goal 10)", p99), ("longest (goal 100)", took[-1])):
        print(f"| {what} | {value * 1e3:.1f} |")
    print(f"| processor time of the cage per move | {used / count * 1e3:.2f} |")


# ---- cards ------------------------------------------------------------------------------------


def dealing(cage: CageProcess, sizes: Sizes) -> None:
    """Play every game with its own shuffle and with the cage's; resume a long session."""
    print(
        f"| random play, {sizes.keys:,} keys each | requests per key | own, µs | the cage's, µs |"
    )
    print("|---|--:|--:|--:|")
    for listing in PURSED:
        own = SqliteLedger(None)
        house = House(cage.folder / "own", own, "ann")
        alone = played(listing, house, CommittedSource, sizes.keys)
        line = Counting(cage.socket(listing.slug))
        house = House(cage.folder / "logs", CageLedger(line), listing.slug)
        line.request_count = 0
        asked = played(
            listing,
            replace(house, restore_source=partial(restore_source, line)),
            partial(new_source, line),
            sizes.keys,
        )
        each = line.request_count / sizes.keys
        print(f"| {listing.title} | {each:.1f} | {alone * 1e6:.0f} | {asked * 1e6:.0f} |")
        line.close()
    print()
    requests(cage, sizes)
    taking_up(cage, sizes)


class Counting(CageClient):
    """A connection that counts requests."""

    request_count = 0

    def ask(self, request: CageRequest, kind: Any) -> Any:
        """Count the request, and send it."""
        self.request_count += 1
        return super().ask(request, kind)


def played(
    listing: GameListing, house: House, chance: Callable[[], ChanceSource], keys: int
) -> float:
    """Return the seconds per key; a player who runs out of money begins again."""
    done, took = 0, 0.0
    while done < keys:
        sitting = sit_down(house, listing.definition(), seating_at(listing), chance(), borrow=True)
        start = perf_counter()
        while done < keys:
            human = sitting.table.waiting
            if not step(sitting):
                break
            done += human
        took += perf_counter() - start
        while sitting.staked and step(sitting):
            pass
        sitting.leave()
    return took / done


def requests(cage: CageProcess, sizes: Sizes) -> None:
    """Measure a single card: the round trip, and the time in the cage."""
    line = CageClient(cage.socket("cards"))
    used, start = cage.seconds, perf_counter()
    for _ in range(sizes.requests):
        new_source(line)
    there_and_back = (perf_counter() - start) / sizes.requests
    used = (cage.seconds - used) / sizes.requests
    line.close()
    print("| the cage | µs |\n|---|--:|")
    print(f"| a request, round trip | {there_and_back * 1e6:.0f} |")
    print(f"| of that processor time in the cage | {used * 1e6:.0f} |")


def taking_up(cage: CageProcess, sizes: Sizes) -> None:
    """Play a long session of video poker, interrupt it, and resume it."""
    listing = listing_of("video-poker")
    line = CageClient(cage.socket("long"))
    house = House(
        cage.folder / "long", CageLedger(line), "long", restore_source=partial(restore_source, line)
    )
    sitting = sit_down(
        house, listing.definition(), seating_at(listing), new_source(line), borrow=True
    )
    while sitting.log.steps < sizes.steps or not sitting.staked:
        if not step(sitting):
            break
    steps = sitting.log.steps
    sitting.close()
    line.close()
    line = CageClient(cage.socket("long"))
    house = replace(house, ledger=CageLedger(line), restore_source=partial(restore_source, line))
    assert house.ledger is not None
    (entry,) = house.ledger.open_sittings("long")
    start = perf_counter()
    taken_up = resume(house, listing.definition(), entry)
    took = perf_counter() - start
    if taken_up is not None:
        taken_up.close()
    line.close()
    print(f"| resume a session of {steps:,} steps, per step | {took / steps * 1e6:.0f} |")


if __name__ == "__main__":
    main(chosen(__doc__, FULL, SHORT))
