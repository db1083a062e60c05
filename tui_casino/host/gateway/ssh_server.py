"""The SSH server: accept connections, authenticate clients, refuse everything else."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from contextlib import suppress

import asyncssh
import asyncssh.constants
from asyncssh.packet import SSHPacket

from ..addresses import household, parse_ip
from ..rate_limits import ByteRate, RateLimit
from .admission import AdmissionTicket
from .handshakes import EXCHANGES, STRANGER_BYTES, STRANGER_PACKETS, FairQueue
from .proxy_protocol import read_header
from .reception import GatewayServices, Visitor
from .ssh_channel import SshChannel
from .ssh_internals import on_data, on_packet, transport_of, unread_bytes

GUEST = "guest"
"""The name that guests log in with, where there are any."""
HEARD = 32 << 10
"""Bytes that are read of a connection in a second, whatever they are: a paste has half of it."""
PIECE = 4 << 10
"""Bytes that are read of a connection before others have their turn."""
UNREAD = 256 << 10
"""Bytes of answers that a client has not read, beyond which nothing more is read of it."""
REQUESTS_A_TRY = 2
"""Login requests for a key: whether it would do, and the signature."""
CLOSING = 2.0
"""Seconds that connections have to take what was said last."""


class OpenConnections:
    """All that there are, and those that have not said yet who they are: at most so many.

    ``turns`` are theirs, for work that would keep others waiting.
    """

    def __init__(self, limit: int, most_unknown: int) -> None:
        self._limit, self._most_unknown = limit, most_unknown
        self.turns = FairQueue()
        self._all: set[asyncssh.SSHServerConnection] = set()
        self._unknown: set[asyncssh.SSHServerConnection] = set()

    def __len__(self) -> int:
        return len(self._all)

    def add(self, conn: asyncssh.SSHServerConnection) -> bool:
        """Take one on, nobody knows yet whose it is; false if there is no room for it."""
        if len(self._unknown) >= self._most_unknown or len(self._all) >= self._limit:
            return False
        self._all.add(conn)
        self._unknown.add(conn)
        return True

    def mark_known(self, conn: asyncssh.SSHServerConnection) -> None:
        """Note that one has said who it is."""
        self._unknown.discard(conn)

    def remove(self, conn: asyncssh.SSHServerConnection) -> None:
        """Forget one that is gone."""
        self._all.discard(conn)
        self._unknown.discard(conn)

    async def close(self) -> None:
        """Close them, when what was said last is on its way."""
        open_still = [*self._all]
        for conn in open_still:
            conn.close()
        with suppress(TimeoutError):
            closed = asyncio.gather(*(conn.wait_closed() for conn in open_still))
            await asyncio.wait_for(closed, CLOSING)


class VisitorConnection(asyncssh.SSHServer):
    """One client's connection. What is not allowed here asyncssh refuses by itself."""

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
        """Note where it comes from, which a balancer says first."""
        self._conn = conn
        self._bound(conn)
        self._address = str((conn.get_extra_info("peername") or ("",))[0])
        if self._house.admission.is_balancer(self._address):
            self._ask_balancer(conn)
        else:
            self._knocks(conn)

    def _bound(self, conn: asyncssh.SSHServerConnection) -> None:
        """Read little at a time, and little in a second, of whatever is sent.

        asyncssh processes everything that it has received at once, and all others wait: a client
        can send thousands of requests, each of which costs more than its bytes. A client that does
        not read the answers is not read either.
        """
        loop, take = asyncio.get_running_loop(), conn.data_received
        transport = transport_of(conn)
        assert transport is not None, "the connection is new"
        setattr(transport, "max_size", PIECE)  # noqa: B010 - asyncio's, on each of its transports
        read = ByteRate(HEARD)

        def bounded(data: bytes, datatype: asyncssh.DataType = None) -> None:
            self._received += len(data)
            if not self._logged_in and self._received > STRANGER_BYTES:
                self._house.admission.refuse("handshake", self._address)
                conn.abort()
                return
            take(data, datatype)
            too_fast = read.takes(len(data), loop.time())
            if (too_fast or unread_bytes(conn) > UNREAD) and not transport.is_closing():
                transport.pause_reading()
                loop.call_later(1.0, read_on)

        def read_on() -> None:
            if unread_bytes(conn) > UNREAD:
                loop.call_later(1.0, read_on)
            else:
                transport.resume_reading()

        on_data(conn, bounded)

    def _budget(self, conn: asyncssh.SSHServerConnection) -> None:
        """Limit what is computed for the client, and have it done in its turn."""
        process, whose = conn.process_packet, household(parse_ip(self._address))
        exchanges, packets, requests = RateLimit(EXCHANGES), 0, 0

        async def in_turn(kind: int, number: int, packet: SSHPacket) -> None:
            await self._connections.turns.wait(whose)
            if transport_of(conn) is None:  # it is closed by now
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
                case asyncssh.constants.MSG_USERAUTH_REQUEST if not self._logged_in:
                    requests += 1
                    if requests > REQUESTS_A_TRY * self._house.config.tries:
                        raise self._refusal("tries", "too many tries")
                    return in_turn(kind, number, packet)
            return process(kind, number, packet)

        on_packet(conn, take)

    def _begin_exchange(self, conn: asyncssh.SSHServerConnection, exchanges: RateLimit) -> None:
        """Count a key exchange, which has to end in time. Raises ``asyncssh.DisconnectError``."""
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
        """Read its header, and hand on what comes behind it; who has none is hung up on."""
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

        on_data(conn, gather)  # asyncssh knows of no balancers

    def _knocks(self, conn: asyncssh.SSHServerConnection) -> bool:
        """Count it until it has authenticated itself; hang up if too many have not."""
        if not self._house.registry.closed:
            self._ticket = self._house.admission.admit_connection(self._address)
        if self._ticket is None:
            conn.abort()
            return False
        if not self._connections.add(conn):
            self._house.admission.refuse("full", self._address)
            conn.abort()
            return False
        self._budget(conn)
        return True

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget it."""
        if self._conn is not None:
            self._connections.remove(self._conn)
        if self._ticket is not None:
            self._ticket.release()
        self._stop_waiting()
        self._end_exchange()

    # ---- who it is ------------------------------------------------------------------------

    async def begin_auth(self, username: str) -> bool:
        """Let a guest in at once, where there are guests; ask all others for a key."""
        self._login, self._fingerprint = username, None
        ban = await self._house.admission.ban_by_address(self._address)
        if ban is not None and self._conn is not None:
            self._house.admission.refuse("ban-address", self._address)
            self._conn.disconnect(asyncssh.DISC_HOST_NOT_ALLOWED_TO_CONNECT, ban.message)
            return True
        self._guest = username == GUEST and self._house.config.guests > 0
        return not self._guest

    def public_key_auth_supported(self) -> bool:
        """Say that a key is the way in."""
        return True

    def validate_public_key(self, username: str, key: asyncssh.SSHKey) -> bool:
        """Let any key in: it is the identity. That it is the client's own is checked after this.

        Clients ask about several keys before they use one: the last that is asked about is the one
        that is used, for between this answer and the end of asking nothing is waited for.
        """
        self._fingerprint = key.get_fingerprint("sha256")
        return True

    def auth_completed(self) -> None:
        """Make room for the next one who knocks; who wants nothing is hung up on."""
        self._logged_in = True
        if self._conn is not None and self._ticket is not None:
            self._connections.mark_known(self._conn)
            self._ticket.mark_known()
            loop = asyncio.get_running_loop()
            self._waiting = loop.call_later(self._house.config.login, self._conn.close)

    # ---- what it may have -----------------------------------------------------------------

    def session_requested(self) -> SshChannel | bool:
        """Give one channel, and no second one."""
        if self._session_requested or not (self._guest or self._fingerprint):
            return False
        self._session_requested = True
        fingerprint = None if self._guest else self._fingerprint
        caller = Visitor(fingerprint, self._login, self._address)
        return SshChannel(self._house, caller, self._stop_waiting)

    def _stop_waiting(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
