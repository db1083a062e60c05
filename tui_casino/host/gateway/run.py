"""The gateway's process: it listens, and ends when it is told to and everybody has gone."""

from __future__ import annotations

import asyncio
import os
import resource
import shutil
import signal
import socket
from collections.abc import Callable

import asyncssh

from ..config import Config
from ..folders import DataFolder
from ..host_key import host_key
from ..identities import Identities
from .channel import House
from .floor import Floor
from .server import Connection, Connections
from .visit import Doors

VERSION = "tui-casino"
FILES = 65_536
ANSWERS = 2
"""Commands that are answered at once; the others wait."""
WATCH = 1.0
"""Seconds between two looks whether the supervisor is still there."""


async def serve_gateway(
    config: Config,
    data: DataFolder,
    listening: socket.socket,
    door: socket.socket,
    to_cage: socket.socket,
    ready: Callable[[], None],
) -> None:
    """Serve until SIGTERM, then drain; or until the supervisor is gone.

    ``listening`` is the port, ``door`` leads to the zygote, ``to_cage`` to the cage; ``ready`` is
    called once all are in use. Raises :class:`~tui_casino.inputs.errors.BadInput`.
    """
    loop, told = asyncio.get_running_loop(), asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, told.set)
    shutil.rmtree(data.guests, ignore_errors=True)  # of a gateway that was killed
    _allow_files()
    for out in (door, to_cage):
        out.setblocking(False)
    identities = Identities(data.identities)
    floor = Floor(config.sessions, config.guests)
    doors = Doors(door, to_cage)
    house = House(config, data, identities, floor, doors, asyncio.Semaphore(ANSWERS))
    connections = Connections(2 * config.sessions + config.unauthenticated, config.unauthenticated)
    server = await asyncssh.listen(
        sock=listening,
        server_factory=lambda: Connection(house, connections),
        server_host_keys=[host_key(data.host_key)],
        server_version=VERSION,
        config=None,
        public_key_auth=True,
        password_auth=False,
        kbdint_auth=False,
        host_based_auth=False,
        gss_host=None,
        compression_algs=None,
        login_timeout=config.login,
        keepalive_interval=config.keepalive,
        keepalive_count_max=3,
        line_editor=False,
        encoding=None,
        agent_forwarding=False,
        x11_forwarding=False,
        allow_scp=False,
        sftp_factory=None,
        rdns_lookup=False,
        window=64 << 10,
    )
    ready()
    supervisor = os.getppid()
    while not told.is_set() and os.getppid() == supervisor:
        try:
            await asyncio.wait_for(told.wait(), WATCH)
        except TimeoutError:
            continue
    server.close()
    await floor.close(config.grace if told.is_set() else 0)
    await connections.close()
    identities.close()


def _allow_files() -> None:
    """Let this process have as many files as it may: a visit takes three."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = FILES if most == resource.RLIM_INFINITY else min(most, FILES)
    resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))
