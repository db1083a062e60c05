"""SSH commands about your own keys: ``ssh HOST add-key``, then ``use-code CODE``.

``link`` is one of them, too: it gives what lets a browser in that comes with no key.
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
    """Answer a command about keys by a text; nothing if it is another. Raises :class:`BadInput`.

    ``page`` is the URL of the host's page, if it has one.
    """
    match command.split():
        case ["keys"]:
            return "".join(_keys(_known(player), fingerprint, book))
        case ["add-key"]:
            code = book.code(_known(player), at)
            return (
                f"From where the new key is, within {_MINUTES} minutes: ssh HOST use-code {code}\n"
                "Whoever types it first plays as you, so show it to nobody.\n"
            )
        case ["use-code", code] if fingerprint is not None:
            if player is not None:
                raise BadInput(f"this key is {player.name}'s already; use the one that is new")
            return f"This key is {book.use_code(fingerprint, code, at).name}'s now.\n"
        case ["link"]:
            if page is None:
                raise BadInput("this host has no page; come in over SSH")
            who = _known(player)
            if fingerprint is None:
                raise BadInput("a guest needs no link; the page lets guests in by itself")
            return (
                f"{page}/#{book.passes.link(fingerprint, at)}\n"
                f"Open it within {LINK_LIFE // 60_000} minutes; it works once. The browser plays "
                f"as {who.name} for {_DAYS} days then, so show it to nobody.\n"
            )
        case ["remove-key", key]:
            who = _known(player)
            if key == fingerprint:
                raise BadInput("that is the key you use now; remove it from where another one is")
            if key not in (one.fingerprint for one in book.keys(who) if one.revoked is None):
                raise BadInput("you have no such key; ssh HOST keys lists them")
            book.revoke(key, at)
            return f"{key} opens nothing any more.\n"
    return None


def _known(player: Identity | None) -> Identity:
    if player is None:
        raise BadInput("this key is nobody's yet; come in once, and be somebody")
    return player


def _keys(player: Identity, fingerprint: str | None, book: Identities) -> Iterator[str]:
    for key in book.keys(player):
        state = "the one you use now" if key.fingerprint == fingerprint else ""
        state = state if key.revoked is None else f"revoked {format_utc(key.revoked)}"
        yield f"{key.fingerprint}  since {format_utc(key.since)}  {state}".rstrip() + "\n"
