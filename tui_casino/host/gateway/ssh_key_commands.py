"""SSH commands for players' own keys: ``ssh HOST add-key``, then ``use-code CODE``.

``link`` is one of them: it makes a link with which a browser can log in without a key.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...inputs.errors import BadInput
from ...records.clock import format_utc
from ...records.log_header import Identity
from ..browser_tokens import LINK_LIFE, PASS_LIFE
from ..identities import CODE_LIFE, Identities

_MINUTES = CODE_LIFE // 60_000
_DAYS = PASS_LIFE // 86_400_000


def run_key_command(
    command: str,
    fingerprint: str | None,
    player: Identity | None,
    book: Identities,
    page: str | None,
    at: int,
) -> str | None:
    """Return the answer to a command about keys, or ``None`` for any other command.

    ``page`` is the URL of the web client, if there is one. Raises :class:`BadInput`.
    """
    match command.split():
        case ["keys"]:
            return "".join(_keys(_known(player), fingerprint, book))
        case ["add-key"]:
            code = book.code(_known(player), at)
            return (
                f"On the machine with the new key, within {_MINUTES} minutes, type: "
                f"ssh HOST use-code {code}\n"
                "Anyone who uses this code can play as you, so keep it secret.\n"
            )
        case ["use-code", code] if fingerprint is not None:
            if player is not None:
                raise BadInput(f"this key already belongs to {player.name}; use the new key")
            return f"This key now belongs to {book.use_code(fingerprint, code, at).name}.\n"
        case ["link"]:
            if page is None:
                raise BadInput("this server has no web client; play over SSH")
            who = _known(player)
            if fingerprint is None:
                raise BadInput(
                    "guests need no link; open the web client and choose to play as a guest"
                )
            return (
                f"{page}/#{book.passes.link(fingerprint, at)}\n"
                f"Open it within {LINK_LIFE // 60_000} minutes; it works once. That browser then "
                f"plays as {who.name} for {_DAYS} days, so keep the link secret.\n"
            )
        case ["remove-key", key]:
            who = _known(player)
            if key == fingerprint:
                raise BadInput("you are using that key now; log in with another key to remove it")
            if key not in (one.fingerprint for one in book.keys(who) if one.revoked is None):
                raise BadInput("you have no such key; ssh HOST keys lists them")
            book.revoke(key, at)
            return f"{key} is removed and cannot log in any more.\n"
    return None


def _known(player: Identity | None) -> Identity:
    if player is None:
        raise BadInput(
            "this key has no player yet; connect once without a command to choose a name"
        )
    return player


def _keys(player: Identity, fingerprint: str | None, book: Identities) -> Iterator[str]:
    for key in book.keys(player):
        state = "in use now" if key.fingerprint == fingerprint else ""
        state = state if key.revoked is None else f"revoked {format_utc(key.revoked)}"
        yield f"{key.fingerprint}  since {format_utc(key.since)}  {state}".rstrip() + "\n"
