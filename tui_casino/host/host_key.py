"""The SSH host key, which is created once and readable only by its owner."""

from __future__ import annotations

from pathlib import Path

import asyncssh

from ..inputs.errors import BadInput
from ..inputs.files import read_bytes, write_atomically

KIND = "ssh-ed25519"
LONGEST = 16 << 10  # bytes; a key has a few hundred


def host_key(path: Path) -> asyncssh.SSHKey:
    """Read the private key, or create it if there is none. Raises :class:`BadInput`.

    A key that others can read is refused: anyone who has it can impersonate the server.
    """
    try:
        if not path.exists():
            key = asyncssh.generate_private_key(KIND, comment="tui-casino")
            write_atomically(path, key.export_private_key(), durable=True)
        if path.stat().st_mode & 0o077:
            raise BadInput(f"the host key {path} can be read by others; chmod 600 {path}")
        return asyncssh.import_private_key(read_bytes(path, LONGEST))
    except OSError as error:
        raise BadInput(f"the host key {path} cannot be used: {error.strerror}") from None
    except asyncssh.KeyImportError as error:
        raise BadInput(f"the host key {path} cannot be used: {error}") from None


def fingerprint_of(text: str, name: str) -> str:
    """Return the fingerprint of a public key, given the text and name of its ``.pub`` file.

    Raises :class:`BadInput`.
    """
    try:
        return asyncssh.import_public_key(text).get_fingerprint("sha256")
    except asyncssh.KeyImportError as error:
        raise BadInput(f"{name} is not a public key: {error}") from None
