"""The gateway process: listen, serve, and shut down when asked to."""

from __future__ import annotations

import asyncio
import os
import resource
import shutil
import signal
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import (
    AbstractAsyncContextManager,
    AsyncExitStack,
    asynccontextmanager,
    suppress,
)
from functools import partial
from typing import TypeAlias

import asyncssh

from ...inputs.errors import BadInput
from ..audit_log import AuditLog
from ..config import Config
from ..control_socket import listen, token_path
from ..data_folder import DataFolder
from ..host_key import host_key
from ..processes import BEAT, ProcessTable, ServiceNotifier
from ..rate_limits import JobLimit
from ..storage import look_at_ledger, open_identities
from .admission import AdmissionControl
from .boards import Leaderboard
from .control_server import ControlServer
from .daily_judge import DailyJudge
from .metrics import ConnectionCount, GatewayCounters
from .reception import GatewayServices
from .ssh_server import OpenConnections, VisitorConnection, kex_algorithms
from .visit import ProcessSockets, VisitRegistry

Count: TypeAlias = Callable[[], ConnectionCount]
Page: TypeAlias = Callable[[GatewayServices], AbstractAsyncContextManager[Count]]
"""Serves the web client while the context lasts, and yields a function that counts its connections.
"""
VERSION = "tui-casino"
OFF = (
    *("password_auth", "kbdint_auth", "host_based_auth"),
    *("agent_forwarding", "x11_forwarding", "allow_scp", "line_editor", "rdns_lookup"),
)
"""Features of asyncssh that the server does not offer."""
FILES = 65_536
ANSWERS = 2
"""The maximum number of slow commands that run at the same time; further commands wait."""
BLANKING = 6 * 3600.0
"""Seconds between two runs that remove old addresses from the audit log."""
LOOKING = 10.0
"""Seconds between two checks for bans that were added at another server."""
PATIENCE = 2.0
"""Seconds to wait for the database of players, which each login uses several times."""
WATCH = 1.0
"""Seconds between two checks that the supervisor is still running, and between two beats."""


async def serve_gateway(
    config: Config,
    data: DataFolder,
    listening: socket.socket,
    door: socket.socket,
    to_cage: socket.socket,
    monitor: socket.socket | None,
    board: ProcessTable,
    notifier: ServiceNotifier,
    ready: Callable[[], None],
    page: Page | None = None,
) -> None:
    """Serve until SIGTERM, and then drain the server; or serve until the supervisor has ended.

    ``listening`` is the SSH socket, ``door`` leads to the zygote and ``to_cage`` to the cage.
    ``monitor`` is the socket for the metrics, and ``board`` is the supervisor's process table.
    While the event loop runs, ``notifier`` gets a message every :data:`WATCH` seconds. ``ready`` is
    called once all services are running. ``page`` serves the web client. Raises
    :class:`~tui_casino.inputs.errors.BadInput`.
    """
    loop, stopping = asyncio.get_running_loop(), asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopping.set)
    shutil.rmtree(data.guests, ignore_errors=True)  # left behind by a gateway that was killed
    _allow_files()
    for out in (door, to_cage):
        out.setblocking(False)
    identities = open_identities(config, data, PATIENCE)
    floor = VisitRegistry(config.sessions, config.guests)
    shared_seats = None
    if config.database is not None:
        from .shared_seats import SharedSeats  # late: it needs psycopg

        shared_seats = SharedSeats(config.database, floor)
    doors = ProcessSockets(door, to_cage)
    counts, audit = GatewayCounters(), AuditLog(data.audit)
    entry = AdmissionControl(config, identities, audit, counts)
    leaders = Leaderboard(identities, partial(look_at_ledger, config, data))
    answering = JobLimit(ANSWERS)
    judge = DailyJudge(config, data, doors, answering)
    house = GatewayServices(
        config, data, identities, floor, entry, doors, answering, leaders, judge, shared_seats
    )
    connections = OpenConnections(
        2 * config.sessions + config.unauthenticated, config.unauthenticated, entry.refuse
    )
    server = await asyncssh.listen(
        sock=listening,
        server_factory=lambda: VisitorConnection(house, connections),
        server_host_keys=_host_keys(data),
        send_server_host_keys=True,
        server_version=VERSION,
        config=None,
        public_key_auth=True,
        gss_host=None,
        kex_algs=kex_algorithms(),
        signature_algs="-ssh-rsa",  # RSA keys sign with SHA-2, as OpenSSH has required since 8.8
        compression_algs=None,
        sftp_factory=None,
        login_timeout=config.login,
        keepalive_interval=config.keepalive,
        keepalive_count_max=3,
        encoding=None,
        window=64 << 10,
        **dict.fromkeys(OFF, False),
    )
    beating = loop.create_task(_beat(notifier))
    supervisor = os.getppid()
    counted: list[Count] = [connections.count]
    desk = ControlServer(
        floor,
        entry,
        counts,
        board,
        lambda: ConnectionCount(*map(sum, zip(*(count() for count in counted), strict=True))),
        lambda: os.kill(supervisor, signal.SIGTERM),
        doors.cage,
    )
    async with AsyncExitStack() as also:
        if page is not None:
            counted.append(await also.enter_async_context(page(house)))
        async with _beside(desk, data, monitor, audit, config):
            ready()
            judge.judge_missing(lambda: [one.identity for one in identities.players()])
            while not stopping.is_set() and os.getppid() == supervisor:
                try:
                    await asyncio.wait_for(stopping.wait(), WATCH)
                except TimeoutError:
                    continue
            server.close()
        await floor.close(config.grace if stopping.is_set() else 0)
    await judge.close()
    if shared_seats is not None:
        await shared_seats.close()
    await connections.close()
    identities.close()
    beating.cancel()


def _host_keys(data: DataFolder) -> list[asyncssh.SSHKey]:
    """Return the server's key, and the next key, if there is one, for clients to learn."""
    keys = [host_key(data.host_key)]
    if data.next_key.exists():
        keys.append(host_key(data.next_key))
    return keys


@asynccontextmanager
async def _beside(
    desk: ControlServer,
    data: DataFolder,
    monitor: socket.socket | None,
    audit: AuditLog,
    config: Config,
) -> AsyncIterator[None]:
    """Answer operator and metrics requests, and remove old addresses, while the context lasts."""
    servers = [await desk.serve_operator(*listen(data.control))]
    if monitor is not None:
        servers.append(await desk.serve_monitor(monitor))
    tasks = [asyncio.create_task(_blank(audit, config.retention))]
    if config.database is not None:
        tasks.append(asyncio.create_task(_look(desk)))
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        for server in servers:
            server.close()
        for stale in (data.control, token_path(data.control)):
            stale.unlink(missing_ok=True)


async def _beat(notifier: ServiceNotifier) -> None:
    """Report regularly that the event loop is not stuck, also while the server is draining."""
    while True:
        notifier.send(BEAT)
        await asyncio.sleep(WATCH)


async def _blank(audit: AuditLog, days: int) -> None:
    while True:
        with suppress(OSError):
            await asyncio.to_thread(audit.blank, days)
        await asyncio.sleep(BLANKING)


async def _look(desk: ControlServer) -> None:
    """Regularly end the visits of players whom another server banned, or whose key it revoked."""
    while True:
        await asyncio.sleep(LOOKING)
        with suppress(BadInput):
            await desk.review_visits()


def _allow_files() -> None:
    """Raise the limit on open files as far as possible; each visit needs three open files."""
    _, hard_limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    limit = FILES if hard_limit == resource.RLIM_INFINITY else min(hard_limit, FILES)
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard_limit))
