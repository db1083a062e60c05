"""Where an operator speaks with the host that runs: a socket in the data folder, its owner's alone.

A request is a line of JSON, and so is the answer.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from ..inputs.errors import BadInput
from ..records.codec import decode, encode

PATIENCE = 10.0
LONGEST = 1 << 20
"""Bytes of a request or an answer."""
_LONGEST_PATH = 100
"""Bytes; a socket's address has room for some more, by the system 104 or 108."""


@dataclass(frozen=True, slots=True)
class Request:
    """What the operator wants: ``kick`` a player by his id, and why; or what needs neither.

    ``look`` is a request to see whether all who are in may still be.
    """

    do: Literal["stats", "kick", "drain", "look"]
    player: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of it, as text; or why nothing did."""

    said: str = ""
    error: str = ""


def ask(path: Path, request: Request) -> Answer | None:
    """Ask the host that runs; nothing if none does. Raises :class:`BadInput` if it is silent."""
    raw = b""
    with socket.socket(socket.AF_UNIX) as line, _short(path) as short:
        line.settimeout(PATIENCE)
        try:
            line.connect(short)
        except (FileNotFoundError, ConnectionRefusedError):
            return None
        except OSError as error:
            raise BadInput(f"{path} cannot be reached: {error.strerror}") from None
        try:
            line.sendall(encode(request) + b"\n")
            while not raw.endswith(b"\n") and len(raw) < LONGEST and (more := line.recv(1 << 16)):
                raw += more
            return decode(raw, Answer)
        except (OSError, ValueError) as error:
            raise BadInput(f"the host does not answer: {error}") from None


def listen(path: Path) -> socket.socket:
    """Make the socket, in place of one that a host left that was killed. Raises ``OSError``."""
    listening = socket.socket(socket.AF_UNIX)
    before = os.umask(0o177)
    try:
        with suppress(FileNotFoundError):
            path.unlink()
        with _short(path) as short:
            listening.bind(short)
        listening.listen()
    except BaseException:
        listening.close()
        raise
    finally:
        os.umask(before)
    return listening


@contextmanager
def _short(path: Path) -> Iterator[str]:
    """Give a path that a socket's address has room for."""
    if len(os.fsencode(path)) <= _LONGEST_PATH:
        yield str(path)
        return
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield f"/proc/self/fd/{folder}/{path.name}"
    finally:
        os.close(folder)
