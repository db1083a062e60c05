"""Admission control: bans, rate limits and connection limits, and records of all refusals."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from typing import Protocol, Self

from ...inputs.errors import BadInput
from ...records.clock import now
from ...records.log_header import Identity
from ..addresses import household, is_within, parse_ip, parse_network
from ..audit_log import AuditLog
from ..config import Config
from ..identities import Ban, Identities, parse_ban
from ..rate_limits import ConcurrencyLimit, RateLimit
from .metrics import GatewayCounters

NOTED = 60
"""The maximum number of refusals logged per minute and address; every refusal is counted."""
NOTED_IN_ALL = 600
OFTEN = "Too many attempts. Try again in a minute."
REVOKED = "This key was revoked and cannot log in."


class AdmissionRefused(Exception):
    """A visitor was refused; the message tells them why."""


class AdmissionTicket:
    """Counts a connection against the limits of its address until :meth:`release`.

    The connection counts against ``strangers`` until :meth:`mark_known`, and against ``at_once``
    until :meth:`release`. Neither limit applies to an exempt address. As a context manager, the
    ticket is released at the end.
    """

    def __init__(
        self,
        household: str = "",
        strangers: ConcurrencyLimit | None = None,
        at_once: ConcurrencyLimit | None = None,
    ) -> None:
        self._household, self._strangers, self._at_once = household, strangers, at_once

    def mark_known(self) -> None:
        """Stop counting the connection as a stranger's: it has a known key, or is a guest's."""
        limit, self._strangers = self._strangers, None
        if limit is not None:
            limit.release(self._household)

    def release(self) -> None:
        """Stop counting the connection; a second call does nothing."""
        self.mark_known()
        limit, self._at_once = self._at_once, None
        if limit is not None:
            limit.release(self._household)

    def __enter__(self) -> Self:
        """Return the ticket."""
        return self

    def __exit__(self, *raised: object) -> None:
        """Release the ticket."""
        self.release()


class Abortable(Protocol):
    """A connection or transport."""

    def abort(self) -> None:
        """Close it without sending what is left."""
        ...


class UnknownConnections:
    """The connections that have not logged in, at most ``limit``.

    Above the limit, a newcomer takes the place of the oldest connection from the address that has
    most of them. Otherwise a few addresses that never log in could keep everybody out. ``refuse``
    counts each connection that loses its place.
    """

    def __init__(self, limit: int, refuse: Callable[[str, str], None]) -> None:
        self._limit, self._refuse = limit, refuse
        self._addresses: dict[Abortable, str] = {}  # the oldest first
        self._households: dict[Abortable, str] = {}

    def __len__(self) -> int:
        return len(self._addresses)

    def add(self, conn: Abortable, address: str) -> None:
        """Add a connection, and close another one if there are too many."""
        if len(self._addresses) >= self._limit:
            self.make_room()
        self._addresses[conn] = address
        self._households[conn] = household(parse_ip(address))

    def make_room(self) -> bool:
        """Close the connection that has to leave first; return false if there is none."""
        if not self._addresses:
            return False
        number = Counter(self._households.values())
        loser = max(self._households, key=lambda one: number[self._households[one]])  # the oldest
        self._refuse("crowded", self._addresses[loser])
        self.remove(loser)
        loser.abort()
        return True

    def remove(self, conn: Abortable) -> None:
        """Remove a connection that has logged in or was closed."""
        self._addresses.pop(conn, None)
        self._households.pop(conn, None)


class AdmissionControl:
    """Decides who may connect and log in. Each ``address`` is a socket's peer address."""

    def __init__(
        self, config: Config, identities: Identities, audit: AuditLog, counts: GatewayCounters
    ) -> None:
        self.counts, self.audit = counts, audit
        self._identities = identities
        self._exempt = tuple(map(parse_network, config.excepted))
        self._balancers = tuple(map(parse_network, config.balancers))
        self._connects, self._logins = RateLimit(config.connects), RateLimit(config.logins)
        self._at_once = ConcurrencyLimit(config.connections)
        self._strangers = ConcurrencyLimit(config.strangers)
        self._noted, self._noted_in_all = RateLimit(NOTED), RateLimit(NOTED_IN_ALL)

    def is_exempt(self, address: str) -> bool:
        """Return whether an address has no limits, because many people share it."""
        return is_within(parse_ip(address), self._exempt)

    def is_balancer(self, address: str) -> bool:
        """Return whether an address is a load balancer, which sends the client's address first."""
        return is_within(parse_ip(address), self._balancers)

    # ---- connections ----------------------------------------------------------------------

    def admit_connection(self, address: str) -> AdmissionTicket | None:
        """Count a connection and return its ticket, or ``None`` if its address has too many."""
        self.counts.connects += 1
        if self.is_exempt(address):
            return AdmissionTicket()
        whose = household(parse_ip(address))
        if not self._connects.take(whose, asyncio.get_running_loop().time()):
            self.refuse("rate", address)
            return None
        if not self._strangers.take(whose):
            self.refuse("strangers", address)
            return None
        if not self._at_once.take(whose):
            self._strangers.release(whose)
            self.refuse("at-once", address)
            return None
        return AdmissionTicket(whose, self._strangers, self._at_once)

    async def ban_by_address(self, address: str) -> Ban | None:
        """Return the ban of an address; exempt addresses are never banned.

        If the bans cannot be read, nobody is refused yet; :meth:`admit` reports the error.
        """
        with suppress(BadInput):
            return await self._ban(None, None, address)
        return None

    async def _ban(
        self, fingerprint: str | None, player: Identity | None, address: str
    ) -> Ban | None:
        where = None if self.is_exempt(address) else parse_ip(address)
        bans = await asyncio.to_thread(self._identities.bans, now())
        return parse_ban(bans, fingerprint, player, where)

    async def _is_revoked(self, fingerprint: str) -> bool:
        return await asyncio.to_thread(self._identities.is_revoked, fingerprint)

    # ---- identities -----------------------------------------------------------------------

    async def admit(self, fingerprint: str | None, player: Identity | None, address: str) -> None:
        """Check that a guest, or the owner of a key, may log in.

        Raises :class:`AdmissionRefused`, and :class:`BadInput` if the bans cannot be read.
        """
        if ban := await self._ban(fingerprint, player, address):
            self.refuse(f"ban-{ban.kind}", address, fingerprint)
            raise AdmissionRefused(ban.message)
        if fingerprint is not None:
            if player is None and await self._is_revoked(fingerprint):
                self.refuse("revoked", address, fingerprint)
                raise AdmissionRefused(REVOKED)
            who = fingerprint if player is None else player.id
            if not self._logins.take(who, asyncio.get_running_loop().time()):
                self.refuse("rate-login", address, fingerprint)
                raise AdmissionRefused(OFTEN)

    async def expulsion_reason(
        self, player: str, fingerprint: str | None, address: str
    ) -> str | None:
        """Return why a visit must end (a new ban, a revoked key), or ``None``.

        Raises :class:`BadInput`.
        """
        who = None if fingerprint is None else Identity(player, player)
        if ban := await self._ban(fingerprint, who, address):
            return ban.message
        if fingerprint is not None and await self._is_revoked(fingerprint):
            return REVOKED
        return None

    # ---- the audit log --------------------------------------------------------------------

    def refuse(self, reason: str, address: str, fingerprint: str | None = None) -> None:
        """Count a refusal, and log it unless this address has too many."""
        self.counts.refusals[reason] += 1
        at = asyncio.get_running_loop().time()
        whose = household(parse_ip(address))
        if self._noted.take(whose, at) and self._noted_in_all.take("", at):
            self.note("refused", reason=reason, address=address, key=fingerprint)

    def note(self, event: str, **details: object) -> None:
        """Write an event to the audit log; a full disk does not stop logins."""
        with suppress(OSError):
            self.audit.note(event, **details)
