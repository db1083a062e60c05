"""All undocumented interfaces of asyncssh that the gateway uses, and why.

A test fails if a version of asyncssh does not have these names any more.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

import asyncssh
from asyncssh.connection import SSHConnection

TakePacket: TypeAlias = Callable[[int, int, Any], bool | Awaitable[None]]
_OVERHEAD = 64
"""Bytes that are counted for each packet besides its payload, because it needs memory as well."""


def transport_of(conn: SSHConnection) -> asyncio.Transport | None:
    """Return the TCP transport, or ``None`` once the connection is closed.

    asyncssh has no flow control below its channels: it neither pauses reading nor reports what the
    system has not sent yet.
    """
    transport: asyncio.Transport | None = getattr(conn, "_transport")  # noqa: B009
    return transport


def unread_bytes(conn: SSHConnection) -> int:
    """Return the bytes that the client has not taken, below the channels.

    During a key exchange asyncssh keeps all other packets, without a limit, until it is complete.
    """
    transport = transport_of(conn)
    below = 0 if transport is None else transport.get_write_buffer_size()
    held = getattr(conn, "_deferred_packets")  # noqa: B009
    return below + sum(_OVERHEAD + sum(map(len, parts)) for _, parts in held)


def on_data(conn: SSHConnection, take: Callable[..., None]) -> None:
    """Have ``take`` called with what the connection receives, instead of asyncssh's own method.

    asyncssh makes its connections itself, so a subclass would never be used.
    """
    setattr(conn, "data_received", take)  # noqa: B010 - mypy: it is a method


def on_packet(conn: SSHConnection, take: TakePacket) -> None:
    """Have ``take`` called with each packet for the connection, instead of asyncssh's method.

    If it returns something to be awaited, asyncssh reads no further packet until that is done.
    """
    setattr(conn, "process_packet", take)  # noqa: B010 - mypy: it is a method


def on_environment(
    chan: asyncssh.SSHServerChannel[bytes], take: Callable[[asyncssh.packet.SSHPacket], bool]
) -> None:
    """Have ``take`` called with each variable of the client's environment.

    asyncssh would keep every variable that is sent, and there is no limit to set.
    """
    setattr(chan, "_process_env_request", take)  # noqa: B010 - there is no public way
