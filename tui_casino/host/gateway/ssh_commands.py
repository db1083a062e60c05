"""The commands that SSH clients can run without a terminal, such as ``ssh HOST who``."""

from __future__ import annotations

import os
import re
import time
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from ... import __version__
from ...inputs.errors import BadInput
from ...inputs.files import open_regular
from ...records.log_header import Identity
from ...records.session_log import is_log_over
from ..data_folder import DataFolder
from .daily_boards import HELP as DAILY
from .daily_boards import daily_text
from .reception import GatewayServices

_LOG = re.compile(r"\d{8}-\d{6}-[a-z0-9-]{1,40}-[0-9a-f]{6}")
LONGEST_LOG = 64 << 20
"""The maximum number of bytes in a log that is sent to its player."""
LONGEST_LIST = 16 << 20
"""The maximum number of bytes of the commitment log that are sent in one answer."""
LONGEST_PROMISE = 64 << 10
"""Bytes in the longest possible line of the commitment log."""
NOBODY_HERE = "nobody is connected\n"
HELP = (
    f"the commands are help, who, top, {DAILY}, version, commitments [NUMBER], log ID, verify ID "
    "(of your own session), keys, add-key, use-code CODE, remove-key FINGERPRINT, link, and reader "
    "(screen-reader mode); without a command you play"
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
    slow = ("commitments", "promises", "log", "verify", "daily")
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
            return f"{HELP}\n"
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
    raise BadInput(f"there is no such command; {HELP}")


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
