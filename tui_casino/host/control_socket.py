"""The operator's connection to a running host: a socket in the data folder, for its owner.

A request is a line of JSON, and so is the answer. A request carries a token from a file next to the
socket: sessions run as the owner too, but their fence lets them read nothing there.
"""

from __future__ import annotations

import os
import secrets
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from ..inputs.errors import BadInput
from ..inputs.files import open_regular, read_bytes
from ..records.codec import decode, encode

PATIENCE = 10.0
LONGEST = 1 << 20
"""Bytes of a request or an answer."""
_TOKEN = 32  # bytes of it
_LONGEST_PATH = 100
"""Bytes; a socket's address has room for some more, by the system 104 or 108."""


@dataclass(frozen=True, slots=True)
class ControlRequest:
    """What the operator wants: ``kick`` a player by his id, and why; or what needs neither.

    ``look`` is a request to see whether all who are in may still be. :func:`send_request` adds the
    ``token``.
    """

    command: Literal["stats", "kick", "drain", "look"]
    player: str = ""
    reason: str = ""
    token: str = ""

    def allowed(self, token: str) -> bool:
        """Tell whether it was made by somebody who can read the data folder."""
        return secrets.compare_digest(self.token.encode(), token.encode())


@dataclass(frozen=True, slots=True)
class ControlAnswer:
    """What came of it, as text; or why nothing did."""

    text: str = ""
    error: str = ""


def send_request(path: Path, request: ControlRequest) -> ControlAnswer | None:
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
            token = read_bytes(token_path(path), 2 * _TOKEN).decode("ascii", "replace")
            line.sendall(encode(replace(request, token=token)) + b"\n")
            while not raw.endswith(b"\n") and len(raw) < LONGEST and (piece := line.recv(1 << 16)):
                raw += piece
            return decode(raw, ControlAnswer)
        except (OSError, ValueError) as error:
            raise BadInput(f"the host does not answer: {error}") from None


def token_path(path: Path) -> Path:
    """Give where the token for a socket is."""
    return path.with_name(f"{path.name}.token")


def listen(path: Path) -> tuple[socket.socket, str]:
    """Make the socket and its token, also where a host that was killed left them.

    Raises ``OSError``.
    """
    token = secrets.token_hex(_TOKEN)
    with os.fdopen(
        open_regular(token_path(path), os.O_WRONLY | os.O_CREAT | os.O_TRUNC), "w"
    ) as file:
        file.write(token)
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
    return listening, token


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
