"""Bans of keys, players and addresses, with a reason and an optional end."""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import StrEnum

from msgspec import Struct

from ..inputs.errors import BadInput
from ..records.clock import format_utc
from ..records.log_header import Identity
from .addresses import Address, is_within, parse_network

LONGEST_REASON = 200
_FINGERPRINT = re.compile(r"SHA256:[A-Za-z0-9+/]{43}")


class BanTarget(StrEnum):
    """The kinds of targets of a ban."""

    KEY = "key"
    PLAYER = "player"
    ADDRESS = "address"


class Ban(Struct, frozen=True):
    """A ban: ``target`` is a fingerprint, a player's id or a network. Times are in milliseconds."""

    number: int
    kind: BanTarget
    target: str
    reason: str
    since: int
    until: int | None = None

    @property
    def message(self) -> str:
        """The message to the banned visitor."""
        end = "" if self.until is None else f" until {format_utc(self.until)}"
        return f"You are banned here{end}: {self.reason}"


def is_fingerprint(text: str) -> bool:
    """Return whether a text is the fingerprint of a key, as printed by ``ssh-keygen -l``."""
    return _FINGERPRINT.fullmatch(text) is not None


def is_network(text: str) -> bool:
    """Return whether a text is an IP address or a network."""
    try:
        parse_network(text)
    except BadInput:
        return False
    return True


def parse_reason(text: str) -> str:
    """Return a reason as one line of plain text. Raises :class:`BadInput`."""
    reason = " ".join(text.split())
    if not reason or not reason.isprintable() or len(reason) > LONGEST_REASON:
        raise BadInput(
            f"--reason: give one line of up to {LONGEST_REASON} characters; the player sees it"
        )
    return reason


def parse_ban(
    bans: Iterable[Ban], fingerprint: str | None, player: Identity | None, address: Address | None
) -> Ban | None:
    """Return the ban that applies to a visitor, or the longest one if there are several."""
    matches = [ban for ban in bans if _is_of(ban, fingerprint, player, address)]
    return max(matches, key=lambda ban: (ban.until is None, ban.until or 0), default=None)


def _is_of(
    ban: Ban, fingerprint: str | None, player: Identity | None, address: Address | None
) -> bool:
    match ban.kind:
        case BanTarget.KEY:
            return ban.target == fingerprint
        case BanTarget.PLAYER:
            return player is not None and ban.target == player.id
        case BanTarget.ADDRESS:
            return is_within(address, (parse_network(ban.target),))
