"""Attacks on a server by clients; each runs until it is cancelled."""

from __future__ import annotations

import asyncio
import os
import random
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, suppress
from itertools import cycle
from types import MappingProxyType
from typing import Any

import asyncssh
from asyncssh.connection import SSHConnection
from asyncssh.constants import MSG_CHANNEL_WINDOW_ADJUST, MSG_GLOBAL_REQUEST, MSG_IGNORE
from asyncssh.packet import Boolean, String, UInt32

from tests.helpers.input_floods import FLOODS
from tests.host.load_clients import MENU, STILL, Player, come_in, session_of, sit_down
from tests.host.loopback_server import connected, new_key
from tests.host.misbehaving_host import ACTS
from tui_casino.host.gateway.ssh_channel import transport_of

Attack = Callable[[Sequence[Player]], Coroutine[Any, Any, None]]
PIECE = 16 << 10
NARROW = 8 << 10
HALVES = 40  # fewer than the limit of unknown clients; addresses are not limited here
"""The number of connections that stop in the middle of the handshake."""
_TROUBLE = (OSError, EOFError, asyncssh.Error, asyncio.IncompleteReadError)


async def _all(*jobs: Coroutine[Any, Any, None]) -> None:
    await asyncio.gather(*jobs)


def _from_his_place(player: Player) -> AbstractAsyncContextManager[asyncssh.SSHClientConnection]:
    return connected(player, player.key, local_addr=(player.source, 0))


async def forwards(players: Sequence[Player]) -> None:
    """Request every kind of forwarding all the time."""

    async def ask(player: Player) -> None:
        while True:
            with suppress(*_TROUBLE):
                async with _from_his_place(player) as conn:
                    for _ in range(50):
                        with suppress(asyncssh.ChannelOpenError):
                            await conn.open_connection("127.0.0.1", player.port)
                        with suppress(asyncssh.ChannelListenError):
                            await conn.start_server(lambda *_: True, "127.0.0.1", 0)

    await _all(*map(ask, players))


def flood(name: str) -> Attack:
    """Sit at a table and send as much as the connection accepts."""

    async def send(players: Sequence[Player]) -> None:
        async def one(player: Player) -> None:
            async with come_in(player) as line:
                await line.shows(MENU)
                await line.still()
                await sit_down(line, "video-poker")
                raw = FLOODS[name]
                for at in cycle(range(0, len(raw), PIECE)):
                    assert line.chan is not None
                    line.chan.write(raw[at : at + PIECE])
                    while line.chan.get_write_buffer_size() > PIECE and not line.ended.is_set():
                        await asyncio.sleep(0.005)
                    await asyncio.sleep(0.001)

        await _all(*map(one, players))

    return send


async def half_handshakes(players: Sequence[Player]) -> None:
    """Connect, send a word, and wait; reconnect when the server closes the connection."""

    async def one() -> None:
        while True:
            with suppress(*_TROUBLE):
                reader, writer = await asyncio.open_connection(
                    "127.0.0.1", players[0].port, local_addr=(players[0].source, 0)
                )
                try:
                    writer.write(b"SSH-2.0-half\r\n")
                    while await reader.read(1 << 12):
                        pass
                finally:
                    writer.close()
                    with suppress(*_TROUBLE):
                        await writer.wait_closed()
            await asyncio.sleep(0.2)

    await _all(*(one() for _ in range(HALVES)))


async def connections(players: Sequence[Player]) -> None:
    """Log in, send a request and disconnect, all the time."""

    async def one(player: Player) -> None:
        while True:
            with suppress(*_TROUBLE):
                async with _from_his_place(player) as conn:
                    await conn.run("who")

    await _all(*map(one, players))


async def key_exchanges(players: Sequence[Player]) -> None:
    """Request new key exchanges all the time, some before the login, some after it."""
    options: dict[str, Any] = {"known_hosts": None, "config": None, "agent_path": None}

    async def before(player: Player) -> None:
        while True:
            with suppress(*_TROUBLE):
                await asyncssh.get_server_host_key(
                    "127.0.0.1",
                    player.port,
                    local_addr=(player.source, 0),
                    config=None,
                    kex_algs="*",
                )

    async def after(player: Player) -> None:
        while True:
            with suppress(*_TROUBLE):
                async with asyncssh.connect(
                    "127.0.0.1",
                    player.port,
                    local_addr=(player.source, 0),
                    username="x",
                    client_keys=[new_key()],
                    rekey_bytes=1,
                    **options,
                ) as conn:
                    while not conn.is_closed():
                        conn.send_packet(MSG_IGNORE, String(b""))
                        await asyncio.sleep(0.002)

    await _all(*map(before, players), *map(after, players))


async def unread_answers(players: Sequence[Player]) -> None:
    """Request long lists, and read nothing."""

    async def one(player: Player) -> None:
        while True:
            with suppress(*_TROUBLE):
                async with _from_his_place(player) as conn:
                    chan, _ = await conn.create_session(
                        asyncssh.SSHClientSession, "promises", encoding=None, window=1 << 30
                    )
                    chan.pause_reading()
                    await asyncio.sleep(1.0)

    await _all(*map(one, players))


async def lines(players: Sequence[Player]) -> None:
    """Send short lines to a visit in screen-reader mode, as many as the connection accepts."""

    async def one(player: Player) -> None:
        while True:
            with suppress(*_TROUBLE):
                async with (
                    _from_his_place(player) as conn,
                    conn.create_process("reader") as process,
                ):
                    while not process.is_closing():
                        process.stdin.write("where am i\n" * 50)
                        await asyncio.sleep(0.02)

    await _all(*map(one, players))


async def logins(players: Sequence[Player]) -> None:
    """Log in and cut the connection, all the time."""

    async def one(player: Player) -> None:
        while True:
            with suppress(*_TROUBLE, AssertionError):
                async with come_in(player) as line:
                    await line.shows(MENU)

    await _all(*map(one, players))


async def _as_fast_as_possible(conn: SSHConnection, send: Callable[[], None]) -> None:
    """Send packets whenever the connection accepts some."""
    while (transport := transport_of(conn)) is not None:
        for _ in range(20):
            send()
        await asyncio.sleep(0.001)
        while transport.get_write_buffer_size() > PIECE and not transport.is_closing():
            await asyncio.sleep(0.005)


async def sizes(players: Sequence[Player]) -> None:
    """Change the window's size, all the time."""

    async def one(player: Player) -> None:
        async with come_in(player) as line:
            await line.shows(MENU)
            chan = line.chan
            assert chan is not None
            await _as_fast_as_possible(
                chan.get_connection(),
                lambda: chan.change_terminal_size(
                    random.randint(1, 20_000), random.randint(1, 20_000)
                ),
            )

    await _all(*map(one, players))


async def windows_of_a_byte(players: Sequence[Player]) -> None:
    """Play, and accept the output byte by byte, each in a packet of its own."""

    async def one(player: Player) -> None:
        async with come_in(player, window=1) as line:
            chan = line.chan
            assert chan is not None
            setattr(chan, "_recv_window", 1 << 30)  # noqa: B010 - asyncssh would close the channel
            await _as_fast_as_possible(
                chan.get_connection(),
                lambda: chan.send_packet(MSG_CHANNEL_WINDOW_ADJUST, UInt32(1)),
            )

    await _all(*map(one, players))


async def unread_replies(players: Sequence[Player]) -> None:
    """Send requests that have a reply, and read nothing."""

    async def one(player: Player) -> None:
        async with come_in(player) as line:
            await line.shows(MENU)
            assert line.chan is not None
            conn = line.chan.get_connection()
            transport = transport_of(conn)
            assert transport is not None
            transport.pause_reading()
            await _as_fast_as_possible(
                conn, lambda: conn.send_packet(MSG_GLOBAL_REQUEST, String("x"), Boolean(True))
            )

    await _all(*map(one, players))


async def slow_readers(players: Sequence[Player]) -> None:
    """Play without reading any output."""

    async def one(player: Player) -> None:
        async with come_in(player, window=NARROW) as line:
            await line.shows(MENU)
            await line.still()
            await sit_down(line, "baccarat")
            assert line.chan is not None
            line.chan.pause_reading()
            for key in cycle("1 "):
                line.press(key)
                await asyncio.sleep(0.04)

    await _all(*map(one, players))


def acting(act: str) -> Attack:
    """Log in and make the session misbehave; log in again if that ends the session."""

    async def one(player: Player) -> None:
        while True:
            with suppress(*_TROUBLE, AssertionError):
                async with come_in(player) as line:
                    await line.shows(MENU)
                    await line.still()
                    os.kill(session_of(player), ACTS[act])
                    await line.ended.wait()
            await asyncio.sleep(STILL)

    async def have_them_act(players: Sequence[Player]) -> None:
        await _all(*map(one, players[:1]))

    return have_them_act


ATTACKS: Mapping[str, Attack] = MappingProxyType(
    {
        "forwards": forwards,
        "key flood": flood("keys"),
        "sequences of 200,000 digits": flood("digits"),
        "mouse flood": flood("mouse"),
        "sizes": sizes,
        "windows of a byte": windows_of_a_byte,
        "unread replies": unread_replies,
        "half handshakes": half_handshakes,
        "connections": connections,
        "key exchanges": key_exchanges,
        "unread answers": unread_answers,
        "lines": lines,
        "logins that are cut": logins,
        "slow readers": slow_readers,
        "a session that spins": acting("spin"),
        "a session that exits": acting("leave"),
        "a session that crashes": acting("crash"),
        "a session that eats memory": acting("eat"),
    }
)


async def attack(name: str, players: Sequence[Player], seconds: float) -> None:
    """Attack for this time. Raises the error of the attack, which never ends by itself."""
    with suppress(TimeoutError):
        await asyncio.wait_for(ATTACKS[name](players), seconds)
