"""The SSH server: accept connections, authenticate clients, and refuse everything else.

The work that clients can cause is limited. A key exchange takes about two milliseconds, and every
client may ask for one before it has logged in. So only cheap algorithms are offered, each
connection has a budget, and the steps of all connections run one at a time, after all other work.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable
from contextlib import suppress

import asyncssh
import asyncssh.constants
from asyncssh.kex import get_kex_algs
from asyncssh.packet import SSHPacket

from ..addresses import household, parse_ip
from ..rate_limits import ByteRate, RateLimit
from .admission import AdmissionTicket, UnknownConnections
from .metrics import ConnectionCount
from .proxy_protocol import read_header
from .reception import GatewayServices, Visitor
from .ssh_channel import (
    SshChannel,
    on_data,
    on_packet,
    packets_read,
    stop_writing_when_cut,
    transport_of,
    unread_bytes,
)

KEX_ALGORITHMS = (
    "mlkem768x25519-sha256",
    "curve25519-sha256",
    "curve25519-sha256@libssh.org",
    "ecdh-sha2-nistp256",
)
"""Key exchanges that take at most 3.5 ms; rsa2048 takes 60 ms, the largest finite field 23 ms."""
EXCHANGES = 4
"""Key exchanges per minute on a connection that is logged in. Clients do one per hour."""
STRANGER_PACKETS = 64
"""Packets allowed on a connection before it is logged in; a login takes about ten."""
STRANGER_BYTES = 64 << 10
"""Bytes allowed on a connection before it is logged in; a login takes about 5 KB."""
PAUSE = 0.004
"""Seconds between two costly steps, which leave time to handle the input of players."""


def kex_algorithms() -> list[str]:
    """Return the algorithms to offer, without any that are not installed."""
    installed = {name.decode() for name in get_kex_algs()}
    return [name for name in KEX_ALGORITHMS if name in installed]


class FairQueue:
    """Runs costly steps one after another; the waiting addresses take turns.

    If an address asks for many steps, it delays every other address by only one step.
    """

    def __init__(self, pause: float = PAUSE) -> None:
        self._pause = pause
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()
        self._serving: asyncio.Task[None] | None = None

    async def wait(self, address: str) -> None:
        """Wait for the next turn of an address."""
        loop = asyncio.get_running_loop()
        turn: asyncio.Future[None] = loop.create_future()
        self._waiting.setdefault(address, deque()).append(turn)
        if self._serving is None:
            self._serving = loop.create_task(self._serve())
        await turn

    async def _serve(self) -> None:
        while self._waiting:
            whose, turns = self._waiting.popitem(last=False)
            turn = turns.popleft()
            if turns:
                self._waiting[whose] = turns  # behind all other addresses
            if not turn.done():
                turn.set_result(None)
                await asyncio.sleep(self._pause)
        self._serving = None


GUEST = "guest"
"""The user name that guests log in with, if the server accepts guests."""
HEARD = 32 << 10
"""The maximum number of bytes read from a connection per second; for a paste, half as many."""
PACKET = 64
"""The bytes that a packet counts for in addition to its own, because each one costs time.

The smallest packets move a window by a byte, which sends a packet of one byte, or request a reply.
"""
REST, LONGEST_REST, SOON = 1.0, 4.0, 2.0
"""Seconds for which nothing is read from a connection that sent too much.

The time doubles up to the second value while the connection sends too much again within the third.
"""
PIECE = 1 << 10
"""Bytes to read from a connection before other connections get their turn."""
UNREAD = 256 << 10
"""Bytes of answers that a client has not read, above which nothing more is read from it."""
LEAST_PACKET = 1 << 10
"""The smallest maximum packet size of a channel. RFC 4253 asks for 32 KB, and clients use it."""
REQUESTS_A_TRY = 2
"""Login requests per key: the first asks whether the key is accepted, the second is signed."""
CLOSING = 2.0
"""How many seconds clients have to take the last messages."""


class OpenConnections:
    """All open connections, and the connections that have not logged in yet; both are limited.

    ``refuse`` counts each connection that finds no place or loses it. ``turns`` queues work that
    would delay other connections.
    """

    def __init__(self, limit: int, most_unknown: int, refuse: Callable[[str, str], None]) -> None:
        self._limit, self._refuse = limit, refuse
        self.turns = FairQueue()
        self._all: set[asyncssh.SSHServerConnection] = set()
        self._unknown = UnknownConnections(most_unknown, refuse)

    def count(self) -> ConnectionCount:
        """Return the numbers of open connections."""
        return ConnectionCount(len(self._all), len(self._unknown))

    def add(self, conn: asyncssh.SSHServerConnection, address: str) -> bool:
        """Add a connection that has not logged in; return false if there is no room."""
        if len(self._all) >= self._limit and not self._unknown.make_room():
            self._refuse("full", address)
            return False
        self._all.add(conn)
        self._unknown.add(conn, address)
        return True

    def mark_known(self, conn: asyncssh.SSHServerConnection) -> None:
        """Note that a connection has logged in."""
        self._unknown.remove(conn)

    def remove(self, conn: asyncssh.SSHServerConnection) -> None:
        """Remove a closed connection."""
        self._all.discard(conn)
        self._unknown.remove(conn)

    async def close(self) -> None:
        """Close all connections after sending their last messages."""
        open_still = [*self._all]
        for conn in open_still:
            conn.close()
        with suppress(TimeoutError):
            closed = asyncio.gather(*(conn.wait_closed() for conn in open_still))
            await asyncio.wait_for(closed, CLOSING)


class VisitorConnection(asyncssh.SSHServer):
    """The connection of one client. asyncssh refuses everything that is not allowed here."""

    def __init__(self, house: GatewayServices, connections: OpenConnections) -> None:
        self._house, self._connections = house, connections
        self._conn: asyncssh.SSHServerConnection | None = None
        self._received = 0
        self._has_keys = self._logged_in = False
        self._exchange_timer: asyncio.TimerHandle | None = None
        self._guest, self._login = False, ""
        self._fingerprint: str | None = None
        self._session_requested = False
        self._ticket: AdmissionTicket | None = None
        self._address = ""
        self._waiting: asyncio.TimerHandle | None = None

    def connection_made(self, conn: asyncssh.SSHServerConnection) -> None:
        """Store the client's address; a load balancer sends it first."""
        self._conn = conn
        self._bound(conn)
        self._address = str((conn.get_extra_info("peername") or ("",))[0])
        if self._house.admission.is_balancer(self._address):
            self._ask_balancer(conn)
        else:
            self._knocks(conn)

    def _bound(self, conn: asyncssh.SSHServerConnection) -> None:
        """Limit how many bytes are read at a time and per second.

        asyncssh processes all received data in one go, while all other clients wait. A client can
        send thousands of requests, each of which costs more than its bytes. While a client does not
        read the answers, nothing more is read from it.
        """
        loop, take = asyncio.get_running_loop(), conn.data_received
        transport = transport_of(conn)
        assert transport is not None, "the connection is new"
        setattr(transport, "max_size", PIECE)  # noqa: B010 - asyncio's, on each of its transports
        stop_writing_when_cut(conn)
        read, rest, resumed = ByteRate(HEARD), REST, 0.0

        def bounded(data: bytes, datatype: asyncssh.DataType = None) -> None:
            nonlocal rest
            self._received += len(data)
            if not self._logged_in and self._received > STRANGER_BYTES:
                self._house.admission.refuse("handshake", self._address)
                conn.abort()
                return
            before = packets_read(conn)
            take(data, datatype)
            packets = max(0, packets_read(conn) - before)  # a key exchange may begin at 0 again
            too_fast = read.takes(len(data) + PACKET * packets, loop.time())
            self._house.admission.counts.floods += too_fast
            if (too_fast or unread_bytes(conn) > UNREAD) and not transport.is_closing():
                again = too_fast and loop.time() - resumed < SOON
                rest = min(LONGEST_REST, 2 * rest) if again else REST
                transport.pause_reading()
                loop.call_later(rest, read_on)

        def read_on() -> None:
            nonlocal resumed
            if unread_bytes(conn) > UNREAD:
                loop.call_later(REST, read_on)
            else:
                resumed = loop.time()
                transport.resume_reading()

        on_data(conn, bounded)

    def _budget(self, conn: asyncssh.SSHServerConnection) -> None:
        """Limit the work that is done for the client, and queue it fairly."""
        process, whose = conn.process_packet, household(parse_ip(self._address))
        exchanges, packets, requests = RateLimit(EXCHANGES), 0, 0

        async def in_turn(kind: int, number: int, packet: SSHPacket) -> None:
            await self._connections.turns.wait(whose)
            if transport_of(conn) is None:  # it was closed in the meantime
                return
            result = process(kind, number, packet)
            if not isinstance(result, bool):
                await result

        def take(kind: int, number: int, packet: SSHPacket) -> bool | Awaitable[None]:
            nonlocal packets, requests
            packets += 1
            if not self._logged_in and packets > STRANGER_PACKETS:
                raise self._refusal("handshake", "too many packets before the login")
            match kind:
                case asyncssh.constants.MSG_KEXINIT:
                    self._begin_exchange(conn, exchanges)
                    return in_turn(kind, number, packet)
                case asyncssh.constants.MSG_NEWKEYS:
                    self._end_exchange()
                case asyncssh.constants.MSG_CHANNEL_OPEN if _packet_size(packet) < LEAST_PACKET:
                    raise self._refusal("packets", "the maximum packet size is too small")
                case asyncssh.constants.MSG_USERAUTH_REQUEST if not self._logged_in:
                    requests += 1
                    if requests > REQUESTS_A_TRY * self._house.config.tries:
                        raise self._refusal("tries", "too many tries")
                    if _signature_algorithm(packet) == b"ssh-rsa":
                        raise self._refusal("sha-1", "RSA keys must sign with SHA-2")
                    if not _has_readable_name(packet):
                        raise self._refusal("name", "the user name is not UTF-8; try ssh me@HOST")
                    return in_turn(kind, number, packet)
            return process(kind, number, packet)

        on_packet(conn, take)

    def _begin_exchange(self, conn: asyncssh.SSHServerConnection, exchanges: RateLimit) -> None:
        """Count a key exchange, which must end in time. Raises ``asyncssh.DisconnectError``."""
        loop = asyncio.get_running_loop()
        if not self._logged_in and self._has_keys:
            raise self._refusal("handshake", "a second key exchange before the login")
        if self._logged_in and not exchanges.take("", loop.time()):
            raise self._refusal("exchanges", "too many key exchanges")
        self._has_keys = True
        self._end_exchange()
        self._exchange_timer = loop.call_later(self._house.config.login, conn.abort)

    def _end_exchange(self) -> None:
        if self._exchange_timer is not None:
            self._exchange_timer.cancel()
            self._exchange_timer = None

    def _refusal(self, reason: str, explanation: str) -> asyncssh.DisconnectError:
        """Note a refusal; return the error that closes the connection."""
        self._house.admission.refuse(reason, self._address, self._fingerprint)
        code = asyncssh.DISC_PROTOCOL_ERROR
        if reason == "tries":
            code = asyncssh.DISC_NO_MORE_AUTH_METHODS_AVAILABLE
        return asyncssh.DisconnectError(code, explanation)

    def _ask_balancer(self, conn: asyncssh.SSHServerConnection) -> None:
        """Read the PROXY header and pass on the data after it; without a header, disconnect."""
        received, take = bytearray(), conn.data_received

        def gather(data: bytes, datatype: asyncssh.DataType = None) -> None:
            received.extend(data)
            try:
                header = read_header(bytes(received))
            except ValueError:
                self._house.admission.refuse("proxy", self._address)
                conn.abort()
                return
            if header is not None:
                on_data(conn, take)
                self._address = header.address or self._address
                if self._knocks(conn):
                    take(bytes(received[header.length :]))

        on_data(conn, gather)  # asyncssh does not support the PROXY protocol

    def _knocks(self, conn: asyncssh.SSHServerConnection) -> bool:
        """Count the connection until it has logged in; close it if too many have not."""
        if not self._house.registry.closed:
            self._ticket = self._house.admission.admit_connection(self._address)
        if self._ticket is None:
            conn.abort()
            return False
        if not self._connections.add(conn, self._address):
            conn.abort()
            return False
        self._budget(conn)
        return True

    def connection_lost(self, exc: Exception | None) -> None:
        """Remove the connection."""
        if self._conn is not None:
            self._connections.remove(self._conn)
        if self._ticket is not None:
            self._ticket.release()
        self._stop_waiting()
        self._end_exchange()

    # ---- login ----------------------------------------------------------------------------

    async def begin_auth(self, username: str) -> bool:
        """Accept a guest immediately if the server has guests; ask everyone else for a key."""
        self._login, self._fingerprint = username, None
        ban = await self._house.admission.ban_by_address(self._address)
        if ban is not None and self._conn is not None:
            self._house.admission.refuse("ban-address", self._address)
            self._conn.disconnect(asyncssh.DISC_HOST_NOT_ALLOWED_TO_CONNECT, ban.message)
            return True
        self._guest = username == GUEST and self._house.config.guests > 0
        return not self._guest

    def public_key_auth_supported(self) -> bool:
        """Offer login with a key."""
        return True

    def validate_public_key(self, username: str, key: asyncssh.SSHKey) -> bool:
        """Accept any key except DSA, because the key is the account. asyncssh checks the signature.

        A client may offer several keys before it uses one. The key that is used is the last one
        passed to this method, because asyncssh does not yield between this call and the end of its
        check.
        """
        if key.get_algorithm() == "ssh-dss":  # OpenSSH has refused these keys since 7.0
            return False
        self._fingerprint = key.get_fingerprint("sha256")
        return True

    def auth_completed(self) -> None:
        """Stop counting the connection as a stranger's; close it later if it requests nothing."""
        self._logged_in = True
        if self._conn is not None and self._ticket is not None:
            self._connections.mark_known(self._conn)
            self._ticket.mark_known()
            loop = asyncio.get_running_loop()
            self._waiting = loop.call_later(self._house.config.login, self._conn.close)

    # ---- the channel ----------------------------------------------------------------------

    def session_requested(self) -> SshChannel | bool:
        """Open a channel; refuse a second one."""
        if self._session_requested or not (self._guest or self._fingerprint):
            return False
        self._session_requested = True
        fingerprint = None if self._guest else self._fingerprint
        caller = Visitor(fingerprint, self._login, self._address)
        return SshChannel(self._house, caller, self._stop_waiting)

    def _stop_waiting(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()


def _packet_size(packet: SSHPacket) -> int:
    """Return the maximum packet size in a request for a channel (RFC 4254, section 5.1).

    asyncssh sends a text in packets of this size without a pause, and encrypts each one. With one
    byte per packet, a single client would stop the whole server.
    """
    request = SSHPacket(packet.get_remaining_payload())
    request.get_string()
    _, _, size = (request.get_uint32() for _ in range(3))
    return size


def _signature_algorithm(packet: SSHPacket) -> bytes:
    """Return the algorithm of the signature in a login (RFC 4252, section 7); empty without one.

    asyncssh checks every signature that it can, even those that the server does not announce.
    """
    request = SSHPacket(packet.get_remaining_payload())
    _, _, method = (request.get_string() for _ in range(3))
    if method != b"publickey" or not request.get_boolean():
        return b""
    _, _, signature = (request.get_string() for _ in range(3))
    return SSHPacket(signature).get_string()


def _has_readable_name(packet: SSHPacket) -> bool:
    """Return whether the user name of a login is UTF-8, as RFC 4252 asks (section 5)."""
    name = SSHPacket(packet.get_remaining_payload()).get_string()
    try:
        name.decode()
    except UnicodeDecodeError:
        return False
    return True
