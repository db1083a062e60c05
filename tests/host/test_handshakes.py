"""Handshakes are cheap, have a budget, and do not delay other clients."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import asyncssh
import pytest
from asyncssh.connection import SSHConnection
from asyncssh.constants import MSG_IGNORE, MSG_KEXINIT, MSG_USERAUTH_REQUEST
from asyncssh.kex import get_default_kex_algs
from asyncssh.packet import String

from tests.helpers.pty_terminal import PATIENCE
from tests.host.loopback_server import Host, connected, new_key, until
from tests.host.test_admission import audited
from tui_casino.host.gateway.ssh_channel import (
    on_data,
    on_environment,
    on_packet,
    packets_read,
    transport_of,
    unread_bytes,
)
from tui_casino.host.gateway.ssh_server import (
    EXCHANGES,
    KEX_ALGORITHMS,
    STRANGER_BYTES,
    STRANGER_PACKETS,
    FairQueue,
    kex_algorithms,
)


def refused(house: Host, reason: str) -> int:
    return sum(line.get("reason") == reason for line in audited(house))


# ---- key exchanges ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", kex_algorithms())
async def test_ssh_server_accepts_cheap_key_exchange_algorithms(house: Host, name: str) -> None:
    async with connected(house, new_key(), kex_algs=[name]) as conn:
        assert (await conn.run("version")).exit_status == 0


async def test_ssh_server_does_not_offer_costly_key_exchange_algorithms(house: Host) -> None:
    others = {name.decode() for name in get_default_kex_algs()} - {*KEX_ALGORITHMS}
    assert "rsa2048-sha256" in others
    # either end may notice first; the client then fails by itself, or finds the connection closed
    with pytest.raises((asyncssh.KeyExchangeFailed, asyncssh.ConnectionLost)):
        async with connected(house, new_key(), kex_algs=sorted(others)):
            pass


async def test_key_exchanges_per_connection_are_limited(house: Host) -> None:
    """This client asks for new keys with everything that it sends."""
    before, exchanges = refused(house, "exchanges"), 0
    async with connected(house, new_key(), rekey_bytes=1) as conn:
        send = getattr(conn, "_send_kexinit")  # noqa: B009

        def count() -> None:
            nonlocal exchanges
            exchanges += 1
            send()

        setattr(conn, "_send_kexinit", count)  # noqa: B010
        for _ in range(int(PATIENCE / 0.01)):
            if conn.is_closed():
                break
            conn.send_packet(MSG_IGNORE, String(b""))
            await asyncio.sleep(0.01)
        assert conn.is_closed()
    assert 1 <= exchanges <= EXCHANGES + 1
    assert refused(house, "exchanges") == before + 1


class Stranger(asyncssh.SSHClient):
    """Does something before it logs in."""

    def __init__(self, act: Callable[[Any], None]) -> None:
        self._act, self._conn = act, None

    def connection_made(self, conn: Any) -> None:
        self._conn = conn

    def public_key_auth_requested(self) -> asyncssh.SSHKey:
        self._act(self._conn)
        return new_key()


def exchanges_again(conn: Any) -> None:
    conn._send_kexinit()
    conn._kexinit_sent = True


def sends_much(conn: Any) -> None:
    for _ in range(2 * STRANGER_PACKETS):
        conn.send_packet(MSG_IGNORE, String(b""))


@pytest.mark.parametrize("act", [exchanges_again, sends_much])
async def test_unidentified_client_gets_one_key_exchange_and_few_packets(
    house: Host, act: Callable[[Any], None]
) -> None:
    before = refused(house, "handshake")
    options = {"known_hosts": None, "config": None, "agent_path": None, "username": "x"}
    with pytest.raises((asyncssh.Error, OSError)):
        await asyncssh.create_connection(lambda: Stranger(act), "127.0.0.1", house.port, **options)
    assert refused(house, "handshake") == before + 1


async def test_unidentified_client_that_sends_a_large_packet_is_disconnected(house: Host) -> None:
    before = refused(house, "handshake")
    reader, writer = await asyncio.open_connection("127.0.0.1", house.port)
    writer.write(b"SSH-2.0-x\r\n" + (4 * STRANGER_BYTES - 5).to_bytes(4, "big"))
    writer.write(b"x" * 2 * STRANGER_BYTES)
    with suppress(ConnectionError):
        await asyncio.wait_for(reader.read(), PATIENCE)
    writer.close()
    assert refused(house, "handshake") == before + 1


class Prober(asyncssh.SSHClient):
    """Asks about one key after another, each of which would do, and uses none."""

    def __init__(self) -> None:
        self.requests = 0

    def public_key_auth_requested(self) -> asyncssh.SSHKeyPair:
        self.requests += 1
        (pair,) = asyncssh.load_keypairs([new_key()])

        def fail(data: bytes) -> bytes:
            raise ValueError

        setattr(pair, "sign", fail)  # noqa: B010
        return pair


async def test_client_that_queries_many_keys_is_disconnected(house: Host) -> None:
    prober = Prober()
    options = {"known_hosts": None, "config": None, "agent_path": None, "username": "x"}
    with pytest.raises(asyncssh.DisconnectError, match="too many tries"):
        await asyncssh.create_connection(lambda: prober, "127.0.0.1", house.port, **options)
    assert prober.requests <= 12


# ---- turns ------------------------------------------------------------------------------------


async def test_handshake_queue_serves_addresses_in_turn() -> None:
    """An address that asks for much delays each other address by one step."""
    turns, done = FairQueue(0.0), list[str]()

    async def step(whose: str) -> None:
        await turns.wait(whose)
        done.append(whose)

    flood = [asyncio.create_task(step("flood")) for _ in range(50)]
    await asyncio.sleep(0)
    await asyncio.gather(step("ann"), step("bob"))
    assert len(done) <= 5
    assert [whose for whose in done if whose != "flood"] == ["ann", "bob"]
    await asyncio.gather(*flood)
    assert len(done) == 52


async def test_event_loop_does_other_work_between_two_handshake_steps() -> None:
    turns, order = FairQueue(0.001), list[str]()

    async def step() -> None:
        await turns.wait("flood")
        order.append("step")

    steps = [asyncio.create_task(step()) for _ in range(10)]
    while not all(one.done() for one in steps):
        order.append("key")
        await asyncio.sleep(0)
    assert "step step" not in " ".join(order)


async def test_cancelled_client_takes_no_turn_in_the_handshake_queue() -> None:
    turns = FairQueue(0.0)
    first, second = (asyncio.create_task(turns.wait(whose)) for whose in ("a", "b"))
    await asyncio.sleep(0)
    first.cancel()
    await asyncio.wait_for(second, PATIENCE)


# ---- asyncssh's own names ---------------------------------------------------------------------


async def test_asyncssh_has_the_private_names_that_the_server_uses() -> None:
    """Each replaced method is called by asyncssh, and each value is what it is taken for."""
    packets, variables, sizes = list[int](), list[bytes](), list[int]()
    conns = list[SSHConnection]()

    class Session(asyncssh.SSHServerSession[bytes]):
        def connection_made(self, chan: asyncssh.SSHServerChannel[bytes]) -> None:
            def take(packet: asyncssh.packet.SSHPacket) -> bool:
                variables.append(packet.get_string())
                return True

            on_environment(chan, take)

        def pty_requested(self, *told: object) -> bool:
            return True

    class Server(asyncssh.SSHServer):
        def connection_made(self, conn: asyncssh.SSHServerConnection) -> None:
            conns.append(conn)
            data, packet = conn.data_received, conn.process_packet

            def received(raw: bytes, datatype: asyncssh.DataType = None) -> None:
                sizes.append(len(raw))
                data(raw, datatype)

            def processed(kind: int, number: int, one: asyncssh.packet.SSHPacket) -> Any:
                packets.append(kind)
                return packet(kind, number, one)

            on_data(conn, received)
            on_packet(conn, processed)

        def begin_auth(self, username: str) -> bool:
            return False

        def session_requested(self) -> Session:
            return Session()

    options = {"server_host_keys": [new_key()], "line_editor": False, "encoding": None}
    server = await asyncssh.listen("127.0.0.1", 0, server_factory=Server, **options)
    async with asyncssh.connect(
        "127.0.0.1", server.get_port(), known_hosts=None, config=None, username="x"
    ) as client:
        with pytest.raises(asyncssh.ChannelOpenError):
            await client.create_session(asyncssh.SSHClientSession, env={"LANG": "C"}, term_type="x")
        (conn,) = conns
        assert isinstance(transport_of(conn), asyncio.Transport)
        assert unread_bytes(conn) == 0
        getattr(conn, "_deferred_packets").append((1, [b"x" * 1000]))  # noqa: B009
        assert 1000 < unread_bytes(conn) < 1100
        getattr(conn, "_deferred_packets").clear()  # noqa: B009
        for _ in range(100):
            client.send_packet(MSG_IGNORE, String(b""))
        await until(lambda: packets_read(conn) == getattr(client, "_send_seq") > 100)  # noqa: B009
    assert {MSG_KEXINIT, MSG_USERAUTH_REQUEST} <= {*packets}
    assert variables == [b"LANG"]
    assert sizes
    server.close()
    await server.wait_closed()
    await conn.wait_closed()
    assert transport_of(conn) is None
