"""A cage in a thread, and connections to it like those of sessions."""

from __future__ import annotations

import asyncio
import hashlib
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Coroutine, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from tests.helpers.ledger_sessions import ME, clock, seating_at
from tui_casino.cards.card import Card
from tui_casino.engine.chance import CommittedSource
from tui_casino.engine.croupier import shuffle_pack
from tui_casino.gamekit.registry import GameListing
from tui_casino.host.cage.cage_process import Cage
from tui_casino.host.cage.daily_desk import DailyDesk
from tui_casino.host.cage.ledger_writer import LedgerWriter
from tui_casino.host.cage_protocol import CageHello
from tui_casino.host.config import Config
from tui_casino.host.data_folder import DataFolder
from tui_casino.host.session.cage_client import CageClient, CageLedger, new_source, restore_source
from tui_casino.host.storage import open_books
from tui_casino.house.house import House
from tui_casino.house.lobby import AnySitting, sit_down
from tui_casino.records.ledger import (
    LedgerContents,
    LogCheckpoint,
    MoneyMovement,
    OpenSitting,
    SittingAccount,
)
from tui_casino.records.sqlite_ledger import SqliteLedger
from tui_casino.structs import replace

T = TypeVar("T")


class Cages:
    """A cage with a ledger in a file or in a database; ``audit`` is the result of its audit."""

    def __init__(
        self, ledger: Path, config: Config | None = None, daily: DailyDesk | None = None
    ) -> None:
        self.ledger, self.audit, self._daily = ledger, list[str](), daily
        self._config = config or Config()
        self._lines: list[CageClient] = []
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self.ledger_writer, self.cage = self._run(self._open())

    async def _open(self) -> tuple[LedgerWriter, Cage]:
        data = DataFolder(self.ledger.parent)
        ledger, log_replicas = open_books(self._config, data, 2.0)
        writer = LedgerWriter(ledger)
        return writer, Cage(writer, self.audit.append, log_replicas, daily=self._daily)

    def _run(self, job: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(job, self._loop).result(20)

    def line(
        self, player: str, folder: str = "/", *, guest: bool = False, seat: str | None = None
    ) -> CageClient:
        """Open a connection for a player, as the gateway does."""
        ours, theirs = socket.socketpair()
        raw = CageHello(player, folder, guest, seat).packed()
        self._loop.call_soon_threadsafe(self.cage.serve, raw, theirs)
        self._lines.append(CageClient(ours))
        return self._lines[-1]

    def house(self, folder: Path, player: str = "ann", line: CageClient | None = None) -> House:
        """Return a house like that of a session."""
        line = line or self.line(player, str(folder))
        return House(
            folder / "logs",
            CageLedger(line),
            player,
            clock=clock,
            restore_source=partial(restore_source, line),
        )

    def hang_up(self) -> None:
        """Close all connections."""
        self._run(self.cage.close())

    def close(self) -> None:
        for line in self._lines:
            line.close()
        self.hang_up()
        self._run(asyncio.to_thread(self.ledger_writer.close))
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


_SERVE = """
import asyncio, resource, socket, sys
from pathlib import Path
from tui_casino.host.cage.cage_process import serve_cage
from tui_casino.host.config import Config
from tui_casino.host.data_folder import DataFolder
_, most = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, 256), most))
door = socket.socket(fileno=int(sys.argv[2]))
data = DataFolder(Path(sys.argv[1]))
config = Config(database=sys.argv[3] or None)
asyncio.run(serve_cage(config, data, door, print, lambda: print(flush=True)))
"""
TICKS = os.sysconf("SC_CLK_TCK")


class CageProcess:
    """A cage in its own process, as on a server, and connections to it."""

    def __init__(self, folder: Path, database: str = "") -> None:
        self.folder = folder
        self._door, theirs = socket.socketpair(type=socket.SOCK_DGRAM)
        with theirs:
            self.process = subprocess.Popen(
                [sys.executable, "-c", _SERVE, str(folder), str(theirs.fileno()), database],
                pass_fds=[theirs.fileno()],
                stdout=subprocess.PIPE,
                cwd=Path(__file__).parent.parent.parent,
            )
        assert self.process.stdout is not None
        assert self.process.stdout.readline() == b"\n"

    def socket(self, player: str) -> socket.socket:
        """Open a connection for a player."""
        ours, theirs = socket.socketpair()
        with theirs:
            caller = CageHello(player, str(self.folder)).packed()
            socket.send_fds(self._door, [caller], [theirs.fileno()])
        return ours

    @property
    def seconds(self) -> float:
        """Return the processor time of the cage."""
        stat = Path(f"/proc/{self.process.pid}/stat").read_text()
        fields = stat.rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS

    def close(self) -> None:
        self._door.close()
        self.process.terminate()
        self.process.wait(20)
        assert self.process.stdout is not None
        self.process.stdout.close()


@contextmanager
def cage_in(folder: Path, database: str = "") -> Iterator[CageProcess]:
    """Run a cage in its own process with this data folder, and with a database if it has one."""
    cage = CageProcess(folder, database)
    try:
        yield cage
    finally:
        cage.close()


SEED = b"seed"


class Everybody:
    """A ledger for the contract of ledgers, with a connection to the cage for each player.

    The contract has its own seeds, but the cage only accepts seeds that it chose itself.
    """

    persistent = True
    name = "the ledger of the house"

    def __init__(self, cages: Cages) -> None:
        self._cages, self._lock = cages, threading.Lock()
        self._lines: dict[str, tuple[CageClient, CageLedger]] = {}
        self._whose: dict[str, str] = {}
        self.new = True

    def _of(self, player: str) -> CageLedger:
        with self._lock:
            if player not in self._lines:
                line = self._cages.line(player)
                self._lines[player] = line, CageLedger(line)
            return self._lines[player][1]

    def _with(self, sitting: str) -> CageLedger:
        return self._of(self._whose.get(sitting, "nobody"))

    def balance(self, player: str) -> int:
        return self._of(player).balance(player)

    def debt(self, player: str) -> int:
        return self._of(player).debt(player)

    def buy_in(self, sitting: OpenSitting, player: str, at: int, loan: int = 0) -> None:
        ledger = self._of(player)
        source = new_source(self._lines[player][0])
        ledger.buy_in(replace(sitting, seed=source.stored_seed), player, at, loan)
        self._whose[sitting.id] = player

    def lend(self, player: str, cents: int, at: int) -> None:
        """Do this as an operator, because no session may do it."""
        ledger = SqliteLedger(self._cages.ledger)
        try:
            ledger.lend(player, cents, at)
        finally:
            ledger.close()

    def repay(self, player: str, cents: int, at: int) -> None:
        self._of(player).repay(player, cents, at)

    def checkpoint(self, sitting: str, steps: int, mark: str, cents: int) -> bool:
        return self._with(sitting).checkpoint(sitting, steps, mark, cents)

    def confirm(self, sitting: str, known: LogCheckpoint) -> None:
        self._with(sitting).confirm(sitting, known)

    def cash_out(self, sitting: str, cents: int, last_hash: str | None, at: int) -> bool:
        return self._with(sitting).cash_out(sitting, cents, last_hash, at)

    def open_sitting(self, sitting: str) -> OpenSitting | None:
        sitting_found = self._with(sitting).open_sitting(sitting)
        return sitting_found and self._named(sitting_found)

    def open_sittings(self, player: str) -> list[OpenSitting]:
        return [self._named(one) for one in self._of(player).open_sittings(player)]

    def _named(self, sitting: OpenSitting) -> OpenSitting:
        assert sitting.seed is not None
        assert len(sitting.seed) == hashlib.sha256().digest_size
        return replace(sitting, seed=SEED)

    def accounts(self, player: str | None = None) -> dict[str, SittingAccount]:
        players = [*self._lines] if player is None else [player]
        return {name: one for who in players for name, one in self._of(who).accounts().items()}

    def movements(self, player: str) -> list[MoneyMovement]:
        return self._of(player).movements(player)

    def checkpoint_of(self, log: Path, hashes: Sequence[str] = ()) -> LogCheckpoint | None:
        return self._of("ann").checkpoint_of(log, hashes)

    def books(self) -> LedgerContents:
        """Read the ledger as an operator does."""
        ledger = SqliteLedger.look_at(self._cages.ledger)
        try:
            return ledger.books()
        finally:
            ledger.close()

    def amend(self, before: LedgerContents, after: LedgerContents) -> None:
        self._of("ann").amend(before, after)

    def close(self) -> None:
        for line, _ in self._lines.values():
            line.close()


def shoe_of(seed: bytes, pack: Sequence[Card], word: str = "") -> list[Card]:
    """Return the first shoe, which everybody can compute from a known seed."""
    return shuffle_pack(pack, CommittedSource(seed, word).dice("shoe 1"))


def sat(listing: GameListing, house: House, line: CageClient, word: str = "") -> AnySitting:
    source = new_source(line).with_client_seed(word)
    return sit_down(house, listing.definition(), seating_at(listing), source)


def bought(line: CageClient, name: str, player: str = ME) -> OpenSitting:
    """Buy in with bare requests."""
    source = new_source(line).stored_seed
    sitting = OpenSitting(name, "toy", Path(f"/logs/{name}.jsonl"), source, 5)
    CageLedger(line).buy_in(sitting, player, 1)
    return sitting
