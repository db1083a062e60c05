"""The cage process: accept connections from sessions and answer their requests."""

from __future__ import annotations

import asyncio
import ctypes
import os
import resource
import signal
import socket
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial

from ...inputs.errors import write_crash_report
from ...inputs.sanitize import plain
from ...records.clock import now
from ...records.ledger import LedgerError, LedgerWitness
from ...records.sqlite_ledger import SqliteLedger
from ..cage_protocol import HEAD, LONGEST, CageHello, done_message, refusal_message, unpack_request
from ..commitment_log import HouseWitness
from ..config import Config
from ..daily_deals import DailyResults, read_daily_seeds
from ..data_folder import DataFolder
from ..storage import HostLedger, LogReplicas, no_log_replicas, open_books, open_identities
from .daily_desk import DailyDesk
from .ledger_writer import Durability, LedgerWriter
from .table_desk import TableDesk
from .teller import AuditNote, Teller

PATIENCE = 2.0
"""Seconds to wait for the ledger while an operator's command is writing it."""
FILES = 65_536
ANNOUNCE = 3600.0
"""The maximum number of seconds between two checks that commitments and seeds are published."""
WATCH = 1.0
"""Seconds between two checks that the supervisor is still running."""
CALLER_LIMIT = 16 << 10
BUSY = 2_000
"""Requests per second on one connection, above which every request is delayed a little."""
BREATH = 0.001
SWITCH = 0.0005
"""Seconds after which the writing thread yields the interpreter, so that no deal has to wait."""
_DUMPABLE = 4  # PR_SET_DUMPABLE of <linux/prctl.h>


class Cage:
    """Serves the sessions' connections from one ledger; each guest has a ledger of their own.

    The ``witness`` publishes the commitments of guests; for all other players, the ledger has its
    own witness. ``hide`` removes private text from error messages before they are sent to a
    session. ``daily`` answers questions about the daily deals.
    """

    def __init__(
        self,
        scribe: LedgerWriter,
        audit: AuditNote,
        log_replicas: LogReplicas = no_log_replicas,
        witness: LedgerWitness | None = None,
        hide: Callable[[str], str] = str,
        daily: DailyDesk | None = None,
        tables: TableDesk | None = None,
    ) -> None:
        self._scribe, self._audit, self._log_replicas = scribe, audit, log_replicas
        self._witness, self._hide, self._daily, self._tables = witness, hide, daily, tables
        self._lines: set[asyncio.Task[None]] = set()

    def admit(self, door: socket.socket) -> None:
        """Accept the connections that the gateway passes on."""
        with suppress(BlockingIOError):
            while True:
                raw, ends, _, _ = socket.recv_fds(door, CALLER_LIMIT, 1)
                for end in ends:
                    self.serve(raw, socket.socket(fileno=end))

    def serve(self, raw: bytes, line: socket.socket) -> None:
        """Answer requests until the connection ends; ``raw`` is its encoded :class:`CageHello`."""
        try:
            caller = CageHello.unpacked(raw)
        except ValueError:
            line.close()
            return
        task = asyncio.get_running_loop().create_task(self._serve(caller, line))
        self._lines.add(task)
        task.add_done_callback(self._lines.discard)

    async def _serve(self, caller: CageHello, line: socket.socket) -> None:
        scribe = self._scribe
        if caller.guest:
            scribe = LedgerWriter(SqliteLedger(None, witness=self._witness))
        log_replica = None if caller.guest else self._log_replicas(caller.player, caller.seat)
        try:
            daily = None if caller.guest else self._daily
            tables = None if caller.guest else self._tables
            teller = Teller(caller, scribe, self._audit, log_replica, daily, tables)
            await _answer_all(teller, line, self._hide)
        except Exception as error:
            write_crash_report(error)
        finally:
            line.close()
            if scribe is not self._scribe:
                scribe.close()

    async def close(self) -> None:
        """Close all connections."""
        for task in self._lines:
            task.cancel()
        await asyncio.gather(*self._lines, return_exceptions=True)


async def _answer_all(teller: Teller, line: socket.socket, hide: Callable[[str], str]) -> None:
    loop = asyncio.get_running_loop()
    reader, writer = await asyncio.open_connection(sock=line)
    since, count = loop.time(), 0
    try:
        while True:
            (length,) = HEAD.unpack(await reader.readexactly(HEAD.size))
            if length > LONGEST:
                return
            raw = await reader.readexactly(length)
            try:
                writer.write(done_message(await teller.answer(unpack_request(raw))))
            except LedgerError as error:
                writer.write(refusal_message(error, hide))
            count += 1
            if count > BUSY:
                await asyncio.sleep(BREATH)
            if loop.time() - since > 1.0:
                since, count = loop.time(), 0
            await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError, ValueError):
        return  # the connection ended, or sent something that is not a request
    finally:
        writer.close()


async def serve_cage(
    config: Config,
    data: DataFolder,
    door: socket.socket,
    audit: AuditNote,
    ready: Callable[[], None],
) -> None:
    """Serve sessions until SIGTERM or until the supervisor has ended.

    The sessions' connections arrive through the socket ``door``.

    Raises :class:`~tui_casino.inputs.errors.BadInput`.
    """
    loop, stopping = asyncio.get_running_loop(), asyncio.Event()
    loop.add_signal_handler(signal.SIGTERM, stopping.set)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _keep_to_itself()
    sys.setswitchinterval(SWITCH)
    ledger, log_replicas = open_books(config, data, PATIENCE)
    scribe, witness = LedgerWriter(ledger), HouseWitness(data)
    identities = open_identities(config, data, PATIENCE)
    seeds, results = read_daily_seeds(data.daily_key), DailyResults(data.daily)
    daily = DailyDesk(seeds, results, witness, identities.names)
    note = partial(_noted, audit)
    tables = await _open_tables(scribe, ledger, identities.names, note)
    cage = Cage(scribe, note, log_replicas, witness, data.hide, daily, tables)
    await _announce(daily, audit)
    keeping = [loop.create_task(_keep_announcing(daily, audit))]
    keeping.append(loop.create_task(tables.keep_time()))
    door.setblocking(False)
    loop.add_reader(door.fileno(), cage.admit, door)
    ready()
    supervisor = os.getppid()
    while not stopping.is_set() and os.getppid() == supervisor:
        with suppress(TimeoutError):
            await asyncio.wait_for(stopping.wait(), WATCH)
    loop.remove_reader(door.fileno())
    for task in keeping:
        task.cancel()
    await cage.close()
    tables.close()
    scribe.close()
    identities.close()


async def _open_tables(
    scribe: LedgerWriter,
    ledger: HostLedger,
    names: Callable[[], Mapping[str, str]],
    note: Callable[[str], None],
) -> TableDesk:
    """Return the tables of several people."""
    kept = await scribe.do(ledger.shared_tables, Durability.MOVES)
    desk = TableDesk(scribe, kept, now, names)
    desk.note = note
    await desk.load()
    return desk


def _noted(audit: AuditNote, what: str) -> None:
    audit(plain(what))


async def _announce(daily: DailyDesk, audit: AuditNote) -> None:
    try:
        await asyncio.to_thread(daily.announce)
    except LedgerError as error:  # nothing is dealt before today's commitments are published
        audit(plain(str(error)))


async def _keep_announcing(daily: DailyDesk, audit: AuditNote) -> None:
    while True:
        await asyncio.sleep(min(ANNOUNCE, daily.next_reveal))
        await _announce(daily, audit)


def _keep_to_itself() -> None:
    """Disable core dumps, and prevent the user's other processes from reading this memory."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    _, hard_limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    limit = FILES if hard_limit == resource.RLIM_INFINITY else min(hard_limit, FILES)
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard_limit))
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_DUMPABLE, 0, 0, 0, 0)
