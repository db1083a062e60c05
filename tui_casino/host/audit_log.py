"""The audit log, which records connections, refusals, loans and the operator's actions.

There is one file per day (UTC), in JSON Lines, which is only ever appended to. Addresses are
personal data, so they are removed after the retention time; everything else is kept.
"""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from ..inputs.files import open_regular, read_bytes, write_atomically
from ..records.clock import Clock, now
from ..records.codec import Fields, ascii_json, decode

_DAY = re.compile(r"(\d{4}-\d\d-\d\d)\.jsonl")
_BLANKED = "{}.blanked.jsonl"
_MOST = 1 << 30
DAY = 86_400_000
"""One day in milliseconds."""


class AuditLog:
    """The audit log in ``folder``. Several processes may append lines to it."""

    def __init__(self, folder: Path, clock: Clock = now) -> None:
        self._folder, self._clock = folder, clock

    def note(self, event: str, **details: object) -> None:
        """Append a line to the log, without details that are ``None``. Raises ``OSError``."""
        at = self._clock()
        fields: Fields = {"at": at, "what": event}
        fields.update((name, value) for name, value in details.items() if value is not None)
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        path = self._folder / f"{_day(at)}.jsonl"
        line = f"{ascii_json(fields)}\n".encode()
        file = open_regular(path, os.O_RDWR | os.O_APPEND | os.O_CREAT)
        try:
            size = os.fstat(file).st_size
            if size and os.pread(file, 1, size - 1) != b"\n":
                line = b"\n" + line  # the disk became full in the middle of the last line
            if os.write(file, line) < len(line):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        finally:
            os.close(file)

    def blank(self, days: int) -> None:
        """Remove the addresses from all files older than a number of days. Raises ``OSError``."""
        limit = _day(max(0, self._clock() - days * DAY))
        for path in sorted(self._folder.glob("*.jsonl")):
            match = _DAY.fullmatch(path.name)
            if match is None or match[1] >= limit:
                continue
            lines = "".join(_without_addresses(read_bytes(path, _MOST)))
            blanked = path.with_name(_BLANKED.format(match[1]))
            write_atomically(blanked, lines.encode("ascii"), durable=True)
            path.unlink()


def _day(at: int) -> str:
    return f"{datetime.fromtimestamp(at / 1000, UTC):%Y-%m-%d}"


def _without_addresses(raw: bytes) -> Iterator[str]:
    for line in raw.splitlines():
        try:
            fields = decode(line, dict)
        except ValueError:  # drop a torn line: it may contain an address
            continue
        fields.pop("address", None)
        yield f"{ascii_json(fields)}\n"
