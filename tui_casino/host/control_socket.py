"""The operator's connection to a running server: a socket in the data folder, for its owner only.

Requests and answers are lines of JSON. A request carries a token from a file next to the socket.
Sessions run as the same user, but their sandbox does not let them read that file.
"""

from __future__ import annotations

import os
import secrets
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from ..inputs.errors import BadInput
from ..inputs.files import open_regular, read_bytes
from ..records.codec import decode, encode

PATIENCE = 10.0
LONGEST = 1 << 20
"""The maximum number of bytes in a request or an answer."""
_TOKEN = 32  # bytes
_LONGEST_PATH = 100
"""Bytes; a socket address has room for 104 or 108 bytes, depending on the system."""


class ControlRequest(
    Struct, frozen=True, omit_defaults=True, rename={"command": "do", "reason": "why"}
):
    """A request from the operator. ``kick`` needs the id of a ``player`` and a ``reason``.

    ``look`` ends the visits of players who were banned or whose key was revoked in the meantime.
    ``freeze``, ``thaw`` and ``close`` need the code of a ``table``.
    :func:`send_request` adds the ``token``. The JSON keys are those of version 1, so that the
    commands of a new version can control a server that was started before the upgrade.
    """

    command: Literal["stats", "kick", "drain", "look", "freeze", "thaw", "close"]
    player: str = ""
    reason: str = ""
    token: str = ""
    table: str = ""

    def allowed(self, token: str) -> bool:
        """Return whether the sender can read the data folder."""
        return secrets.compare_digest(self.token.encode(), token.encode())


class ControlAnswer(Struct, frozen=True, rename={"text": "said"}):
    """The result of a request as text, or the error."""

    text: str = ""
    error: str = ""


def send_request(path: Path, request: ControlRequest) -> ControlAnswer | None:
    """Send a request to the running server; return ``None`` if no server is running.

    Raises :class:`BadInput`.
    """
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
            raise BadInput(f"the server does not answer: {error}") from None


def token_path(path: Path) -> Path:
    """Return the path of the file that contains a socket's token."""
    return path.with_name(f"{path.name}.token")


def listen(path: Path) -> tuple[socket.socket, str]:
    """Make the socket and its token, replacing those that a killed server left behind.

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
    """Yield a path to the same file that fits into the address of a socket."""
    if len(os.fsencode(path)) <= _LONGEST_PATH:
        yield str(path)
        return
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield f"/proc/self/fd/{folder}/{path.name}"
    finally:
        os.close(folder)
