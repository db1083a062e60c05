"""The commands that SSH clients can run without a terminal, such as ``ssh HOST who``.

Some of them change the player's own keys: ``ssh HOST add-key``, then ``use-code CODE``.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from ... import __version__
from ...inputs.errors import BadInput
from ...inputs.files import open_regular
from ...records.clock import format_utc
from ...records.log_header import Identity
from ...records.session_log import is_log_over
from ..data_folder import DataFolder
from ..identities import CODE_LIFE, LINK_LIFE, PASS_LIFE, Identities
from .boards import HELP as DAILY
from .boards import daily_text
from .reception import GatewayServices

_LOG = re.compile(r"\d{8}-\d{6}-[a-z0-9-]{1,40}-[0-9a-f]{6}")
LONGEST_LOG = 64 << 20
"""The maximum number of bytes in a log that is sent to its player."""
LONGEST_LIST = 16 << 20
"""The maximum number of bytes of the commitment log that are sent in one answer."""
LONGEST_PROMISE = 64 << 10
"""Bytes in the longest possible line of the commitment log."""
NOBODY_HERE = "nobody is connected\n"
COMMANDS: Mapping[str, str] = MappingProxyType(
    {
        "help": "list these commands",
        "who": "list the players who are connected",
        "top": "list the top twenty players, and your own rank",
        DAILY: "print the boards of the daily deals",
        "table": "list the tables with other people",
        "table new GAME [--OPTION VALUE ...] [--open]": "make one, and print its code",
        "table CODE": "sit down there (ssh -t)",
        "table CODE --watch": "watch the table, one round late (ssh -t)",
        "table log CODE": "print the log of a closed table at which you sat",
        "version": "print the version of the program",
        "log ID": "print the log of one of your finished sessions",
        "verify ID": "check such a log",
        "commitments [NUMBER]": "print the commitment log, all of it or from a line on",
        "keys": "list your keys",
        "add-key": "get a code with which a new key can join your account",
        "use-code CODE": "join that account, in a connection with the new key",
        "remove-key FINGERPRINT": "remove one of your keys for ever",
        "link": "print a link with which you can log in once in a browser",
        "reader": "open screen-reader mode",
    }
)
"""The commands that can be run instead of opening the arcade, and what each of them does."""
HELP = (
    "".join(f"{command}\n  {does}\n" for command, does in COMMANDS.items())
    + "Without a command you play.\n"
)


class FileExcerpt(NamedTuple):
    """The bytes of a file to send, from ``begin`` up to ``end``."""

    path: Path
    begin: int
    end: int


class LogToVerify(NamedTuple):
    """A log to verify, which needs a process that has loaded the games."""

    log: Path


def log_name_of(command: str) -> str | None:
    """Return the name, without its ending, of the log that a command is about, or ``None``."""
    match command.split():
        case ["log" | "verify", name] if _LOG.fullmatch(plain := name.removesuffix(".jsonl")):
            return plain
    return None


def is_slow(command: str) -> bool:
    """Return whether a command may take seconds, so that other commands must not wait for it."""
    slow = ("commitments", "promises", "log", "verify", "daily", "top")
    return any(verb in slow for verb in command.split()[:1])


def run_command(
    command: str, player: Identity | None, house: GatewayServices
) -> str | FileExcerpt | LogToVerify:
    """Return the answer to a command: a text, part of a file, or a log to verify.

    ``player`` is the sender, if the key is known. This may take a while. Raises :class:`BadInput`,
    and ``OSError`` for a file that cannot be read.
    """
    data = house.data
    match command.split():
        case ["help"]:
            return HELP
        case ["version"]:
            return f"tui-casino {__version__}\n"
        case ["who"]:
            return "".join(f"{name}\n" for name in house.registry.names) or NOBODY_HERE
        case ["top"]:
            return house.leaders.text(player, time.monotonic())
        case ["daily", *_]:
            return daily_text(command, player, house.daily.results, house.identities)
        case ["commitments" | "promises"]:
            return _promises(data, 1)
        case ["commitments" | "promises", number] if re.fullmatch(r"[0-9]{1,15}", number):
            return _promises(data, int(number))
        case ["log", name]:
            path = _log(name, player, data)
            return FileExcerpt(path, 0, path.stat().st_size)
        case ["verify", name]:
            return LogToVerify(_log(name, player, data))
    raise BadInput("there is no such command; help lists them")


def _promises(data: DataFolder, first: int) -> FileExcerpt:
    """Return the complete lines of the commitment log from a line number on, up to the limit."""
    if not data.promises.exists():
        return FileExcerpt(data.promises, 0, 0)
    with os.fdopen(open_regular(data.promises), "rb") as file:
        for _ in islice(file, max(0, first - 1)):
            pass
        begin = end = file.tell()
        last = min(begin + LONGEST_LIST, os.fstat(file.fileno()).st_size)
        if last > begin:
            tail = file.seek(max(begin, last - LONGEST_PROMISE))
            end = tail + file.read(last - tail).rfind(b"\n") + 1
    return FileExcerpt(data.promises, begin, end)


def _log(name: str, player: Identity | None, data: DataFolder) -> Path:
    """Return the path of one of the player's finished logs; no name can refer to any other file.

    An unfinished log contains cards that its player may not see yet.
    """
    plain = name.removesuffix(".jsonl")
    if player is not None and _LOG.fullmatch(plain):
        path = data.player(player.id) / "sessions" / f"{plain}.jsonl"
        if path.is_file() and not path.is_symlink():
            if path.stat().st_size > LONGEST_LOG:
                raise BadInput("that log is too large to send; History in the menu shows it")
            if not is_log_over(path):
                raise BadInput("that session is not over; its log is available afterwards")
            return path
    raise BadInput(f"you have no log {name}; History in the menu lists your logs")


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
