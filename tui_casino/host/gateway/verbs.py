"""The few commands that can be given in place of a terminal: ``ssh HOST who``."""

from __future__ import annotations

import re
from pathlib import Path

from ... import __version__
from ...inputs.errors import BadInput
from ...records.header import Identity
from ..folders import DataFolder
from .floor import Floor

_LOG = re.compile(r"\d{8}-\d{6}-[a-z0-9-]{1,40}-[0-9a-f]{6}")
HELP = "commands: who, version, log ID (a session log of yours); without one you come in"


def answer(command: str, player: Identity | None, floor: Floor, data: DataFolder) -> str | Path:
    """Answer a command by a text, or by a file that is sent as it is. Raises :class:`BadInput`.

    ``player`` is who asks, if he is known here.
    """
    match command.split():
        case ["version"]:
            return f"tui-casino {__version__}\n"
        case ["who"]:
            return "".join(f"{name}\n" for name in floor.names)
        case ["log", name]:
            return _log(name, player, data)
    raise BadInput(f"that cannot be done here; {HELP}")


def _log(name: str, player: Identity | None, data: DataFolder) -> Path:
    """Find a log of the player's own; no name leads anywhere else."""
    plain = name.removesuffix(".jsonl")
    if player is not None and _LOG.fullmatch(plain):
        path = data.player(player.id) / "sessions" / f"{plain}.jsonl"
        if path.is_file() and not path.is_symlink():
            return path
    raise BadInput(f"you have no session log {name}; Records in the menu lists them by name")
