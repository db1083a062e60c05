"""Who may come in: bans, rates, and how many at once; what is refused is counted and noted."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Self

from ...inputs.errors import BadInput
from ...records.clock import now
from ...records.log_header import Identity
from ..addresses import household, is_within, parse_ip, parse_network
from ..audit_log import AuditLog
from ..bans import Ban, parse_ban
from ..config import Config
from ..identities import Identities
from ..rate_limits import ConcurrencyLimit, RateLimit
from .metrics import GatewayCounters

NOTED = 60
"""Refusals a minute that are noted for one address; all of them are counted."""
NOTED_IN_ALL = 600
OFTEN = "That was too often; come again in a minute."
REVOKED = "This key was revoked: it opens nothing here any more."


class AdmissionRefused(Exception):
    """Somebody is not let in; its text says why, to him."""


class AdmissionTicket:
    """A connection that was taken on: a stranger's until it is :meth:`known`, until it is over.

    What was taken of a limit is given back once: of ``strangers`` when it is known, of ``at_once``
    when it is over. An address without limits has neither. As a context it is over at its end.
    """

    def __init__(
        self,
        whose: str = "",
        strangers: ConcurrencyLimit | None = None,
        at_once: ConcurrencyLimit | None = None,
    ) -> None:
        self._whose, self._strangers, self._at_once = whose, strangers, at_once

    def known(self) -> None:
        """Note that it has said whose it is."""
        limit, self._strangers = self._strangers, None
        if limit is not None:
            limit.give_back(self._whose)

    def over(self) -> None:
        """Forget it."""
        self.known()
        limit, self._at_once = self._at_once, None
        if limit is not None:
            limit.give_back(self._whose)

    def __enter__(self) -> Self:
        """Give itself."""
        return self

    def __exit__(self, *raised: object) -> None:
        """Be over."""
        self.over()


class AdmissionControl:
    """The rules of the door. ``address`` is where a connection comes from, as sockets have it."""

    def __init__(
        self, config: Config, identities: Identities, audit: AuditLog, counts: GatewayCounters
    ) -> None:
        self.counts, self.audit = counts, audit
        self._identities = identities
        self._excepted = tuple(map(parse_network, config.excepted))
        self._balancers = tuple(map(parse_network, config.balancers))
        self._connects, self._logins = RateLimit(config.connects), RateLimit(config.logins)
        self._at_once = ConcurrencyLimit(config.connections)
        self._strangers = ConcurrencyLimit(config.strangers)
        self._noted, self._noted_in_all = RateLimit(NOTED), RateLimit(NOTED_IN_ALL)

    def excepts(self, address: str) -> bool:
        """Tell whether an address stands for many, and has no limits."""
        return is_within(parse_ip(address), self._excepted)

    def is_balancer(self, address: str) -> bool:
        """Tell whether who connects from there says first for whom."""
        return is_within(parse_ip(address), self._balancers)

    # ---- connections ----------------------------------------------------------------------

    def knock(self, address: str) -> AdmissionTicket | None:
        """Count a connection, and take it on; nothing, if its address has too many."""
        self.counts.connects += 1
        if self.excepts(address):
            return AdmissionTicket()
        whose = household(parse_ip(address))
        if not self._connects.take(whose, asyncio.get_running_loop().time()):
            self.refuse("rate", address)
            return None
        if not self._strangers.take(whose):
            self.refuse("strangers", address)
            return None
        if not self._at_once.take(whose):
            self._strangers.give_back(whose)
            self.refuse("at-once", address)
            return None
        return AdmissionTicket(whose, self._strangers, self._at_once)

    async def ban_by_address(self, address: str) -> Ban | None:
        """Give the ban of an address; one that stands for many is never banned.

        Where the book cannot be read nobody is refused yet: :meth:`admit` says why.
        """
        with suppress(BadInput):
            return await self._ban(None, None, address)
        return None

    async def _ban(
        self, fingerprint: str | None, player: Identity | None, address: str
    ) -> Ban | None:
        where = None if self.excepts(address) else parse_ip(address)
        bans = await asyncio.to_thread(self._identities.bans, now())
        return parse_ban(bans, fingerprint, player, where)

    async def _is_revoked(self, fingerprint: str) -> bool:
        return await asyncio.to_thread(self._identities.is_revoked, fingerprint)

    # ---- who it is ------------------------------------------------------------------------

    async def admit(self, fingerprint: str | None, player: Identity | None, address: str) -> None:
        """Let somebody in who has shown a key, or a guest.

        Raises :class:`AdmissionRefused`, and :class:`BadInput` where the book cannot be read.
        """
        if ban := await self._ban(fingerprint, player, address):
            self.refuse(f"ban-{ban.kind}", address, fingerprint)
            raise AdmissionRefused(ban.told)
        if fingerprint is not None:
            if player is None and await self._is_revoked(fingerprint):
                self.refuse("revoked", address, fingerprint)
                raise AdmissionRefused(REVOKED)
            who = fingerprint if player is None else player.id
            if not self._logins.take(who, asyncio.get_running_loop().time()):
                self.refuse("rate-login", address, fingerprint)
                raise AdmissionRefused(OFTEN)

    async def unwelcome(self, player: str, fingerprint: str | None, address: str) -> str | None:
        """Tell why somebody who is in should not be any more, if he should not.

        Raises :class:`BadInput`.
        """
        who = None if fingerprint is None else Identity(player, player)
        if ban := await self._ban(fingerprint, who, address):
            return ban.told
        if fingerprint is not None and await self._is_revoked(fingerprint):
            return REVOKED
        return None

    # ---- what is noted --------------------------------------------------------------------

    def refuse(self, reason: str, address: str, fingerprint: str | None = None) -> None:
        """Count a refusal, and note it unless there are very many."""
        self.counts.refusals[reason] += 1
        at = asyncio.get_running_loop().time()
        whose = household(parse_ip(address))
        if self._noted.take(whose, at) and self._noted_in_all.take("", at):
            self.note("refused", reason=reason, address=address, key=fingerprint)

    def note(self, what: str, **said: object) -> None:
        """Write into the audit log; a disk that is full keeps nobody out."""
        with suppress(OSError):
            self.audit.note(what, **said)
