"""All undocumented interfaces of asyncssh that the gateway uses, and the reasons.

A test fails if a version of asyncssh no longer has these names.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

import asyncssh
from asyncssh.connection import SSHConnection

TakePacket: TypeAlias = Callable[[int, int, Any], bool | Awaitable[None]]
_OVERHEAD = 64
"""Bytes to count for each packet in addition to its payload, because packets use memory."""


def transport_of(conn: SSHConnection) -> asyncio.Transport | None:
    """Return the TCP transport, or ``None`` once the connection is closed.

    asyncssh has no flow control below its channels: it neither pauses reading nor reports what the
    system has not sent yet.
    """
    transport: asyncio.Transport | None = getattr(conn, "_transport")  # noqa: B009
    return transport


def unread_bytes(conn: SSHConnection) -> int:
    """Return the number of bytes below the channels that the client has not taken.

    During a key exchange, asyncssh keeps all other packets, without a limit, until the exchange is
    complete.
    """
    transport = transport_of(conn)
    below = 0 if transport is None else transport.get_write_buffer_size()
    held = getattr(conn, "_deferred_packets")  # noqa: B009
    return below + sum(_OVERHEAD + sum(map(len, parts)) for _, parts in held)


def packets_read(conn: SSHConnection) -> int:
    """Return the number of packets that were read since the last key exchange, below 2**32."""
    number: int = getattr(conn, "_recv_seq")  # noqa: B009
    return number


def stop_writing_when_cut(conn: SSHConnection) -> None:
    """Drop all output once the TCP connection is broken.

    asyncssh still answers the packets that it has read, and asyncio logs a line for each answer.
    """
    send: Callable[[bytes], None] = getattr(conn, "_send")  # noqa: B009

    def send_if_open(data: bytes) -> None:
        transport = transport_of(conn)
        if transport is not None and not transport.is_closing():
            send(data)

    setattr(conn, "_send", send_if_open)  # noqa: B010 - mypy: it is a method


def on_data(conn: SSHConnection, take: Callable[..., None]) -> None:
    """Call ``take`` with the data that the connection receives, instead of asyncssh's method.

    asyncssh makes its connections itself, so a subclass would never be used.
    """
    setattr(conn, "data_received", take)  # noqa: B010 - mypy: it is a method


def on_packet(conn: SSHConnection, take: TakePacket) -> None:
    """Call ``take`` with each packet for the connection, instead of asyncssh's method.

    If it returns an awaitable, asyncssh reads no more packets until that is done.
    """
    setattr(conn, "process_packet", take)  # noqa: B010 - mypy: it is a method


def on_environment(
    chan: asyncssh.SSHServerChannel[bytes], take: Callable[[asyncssh.packet.SSHPacket], bool]
) -> None:
    """Call ``take`` with each variable of the client's environment.

    asyncssh itself would keep any number of variables, and has no setting to limit them.
    """
    setattr(chan, "_process_env_request", take)  # noqa: B010 - there is no public way
