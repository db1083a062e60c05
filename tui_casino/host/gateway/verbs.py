"""The few commands that can be given in place of a terminal: ``ssh HOST who``."""

from __future__ import annotations

import os
import re
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from ... import __version__
from ...inputs.errors import BadInput
from ...inputs.files import opened, read_bytes
from ...records.header import Identity
from ...records.log import read
from ..folders import DataFolder
from .floor import Floor
from .leaders import Leaders

_LOG = re.compile(r"\d{8}-\d{6}-[a-z0-9-]{1,40}-[0-9a-f]{6}")
LONGEST_LOG = 64 << 20
"""Bytes of a log that is sent home."""
LONGEST_LIST = 16 << 20
"""Bytes of the list of promises that are sent at once."""
HELP = (
    "commands: who, top, version, promises [NUMBER], log ID, verify ID (of a session of yours), "
    "keys, add-key, use-code CODE, remove-key FINGERPRINT, link, reader (line by line); without "
    "one you come in"
)


class Checked(NamedTuple):
    """A log that is to be verified, which takes a process that knows the games."""

    log: Path


def log_of(command: str) -> str | None:
    """Give the name of the log that a command is about, without an ending, if it is about one."""
    match command.split():
        case ["log" | "verify", name] if _LOG.fullmatch(plain := name.removesuffix(".jsonl")):
            return plain
    return None


def answer(
    command: str, player: Identity | None, floor: Floor, data: DataFolder, leaders: Leaders
) -> str | bytes | Checked:
    """Answer a command by a text, by a log as it is, or by one to be checked.

    ``player`` is who asks, if he is known here. May take a while. Raises :class:`BadInput`, and
    ``OSError`` for a log that cannot be read.
    """
    match command.split():
        case ["version"]:
            return f"tui-casino {__version__}\n"
        case ["who"]:
            return "".join(f"{name}\n" for name in floor.names)
        case ["top"]:
            return leaders.text(player)
        case ["promises"]:
            return _promises(data, 1)
        case ["promises", number] if number.isascii() and number.isdigit() and len(number) < 16:
            return _promises(data, int(number))
        case ["log", name]:
            return read_bytes(_log(name, player, data), LONGEST_LOG)
        case ["verify", name]:
            return Checked(_log(name, player, data))
    raise BadInput(f"that cannot be done here; {HELP}")


def _promises(data: DataFolder, first: int) -> bytes:
    """Give the list of promises from a number on, as far as it can be sent at once."""
    if not data.promises.exists():
        return b""
    found = bytearray()
    with os.fdopen(opened(data.promises), "rb") as file:
        for line in islice(file, max(0, first - 1), None):
            if len(found) + len(line) > LONGEST_LIST or not line.endswith(b"\n"):
                break
            found += line
    return bytes(found)


def _log(name: str, player: Identity | None, data: DataFolder) -> Path:
    """Find the log of a sitting of the player's own that is over; no name leads anywhere else.

    One that is not over has cards in it that its player may not see yet.
    """
    plain = name.removesuffix(".jsonl")
    if player is not None and _LOG.fullmatch(plain):
        path = data.player(player.id) / "sessions" / f"{plain}.jsonl"
        if path.is_file() and not path.is_symlink():
            if path.stat().st_size > LONGEST_LOG:
                raise BadInput("that log is too long to be sent; Records in the menu shows it")
            if not read(path).over:
                raise BadInput("that session is not over; its cards are told when it is")
            return path
    raise BadInput(f"you have no log {name}; Records in the menu lists them by name")
