"""The files of the web client, which are read once, and the headers sent with each file."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from ...inputs.files import read_bytes

FOLDER = Path(__file__).parent / "page"
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
    ".txt": "text/plain; charset=utf-8",
}
_MOST = 4 << 20


class Asset(Struct, frozen=True):
    """A file to send, ``packed`` with gzip if that is shorter; ``tag`` is its entity tag."""

    body: bytes
    packed: bytes | None
    kind: str
    tag: str


def assets() -> dict[str, Asset]:
    """Read all files of the web client; return them by URL path. Raises ``OSError``."""
    return dict(_assets())


def _assets() -> Iterator[tuple[str, Asset]]:
    for path in sorted(FOLDER.rglob("*")):
        if path.suffix in TYPES:
            body = read_bytes(path, _MOST)
            packed = gzip.compress(body, 6, mtime=0) if path.suffix != ".woff2" else body
            tag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
            shorter = packed if len(packed) < len(body) else None
            name = "" if path.name == "index.html" else path.relative_to(FOLDER).as_posix()
            yield f"/{name}", Asset(body, shorter, TYPES[path.suffix], tag)


def security_headers(origin: str) -> dict[str, str]:
    """Return the headers for every answer. They forbid foreign and inline content, and frames.

    ``origin`` is the web client's origin. The header lists the WebSocket explicitly, because not
    every browser includes it in ``'self'``.
    """
    policy = (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "font-src 'self'",
        "img-src 'self'",
        f"connect-src 'self' {origin.replace('http', 'ws', 1)}",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
    return {
        "Content-Security-Policy": "; ".join(policy),
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
        "Server": "tui-casino",
        "X-Frame-Options": "DENY",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Cache-Control": "no-cache",
    }
