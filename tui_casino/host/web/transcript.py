"""The last lines of a visit, so that a page that reconnects gets what it missed."""

from __future__ import annotations

KEPT = 128 << 10
"""Bytes that can be told again."""


class Transcript:
    r"""Bytes in the order they were said; ``end`` counts all there ever were.

    >>> transcript = Transcript(8)
    >>> transcript.add(b"one\ntwo\nthree\n")
    >>> transcript.since(0), transcript.since(10), transcript.end
    ((8, b'three\n'), (10, b'ree\n'), 14)
    """

    def __init__(self, limit: int = KEPT) -> None:
        self._limit, self._content = limit, bytearray()
        self.end = 0

    def add(self, data: bytes) -> None:
        """Take what is said, and forget lines that were said long ago."""
        self._content += data
        self.end += len(data)
        if len(self._content) > self._limit:
            too_old = self._content.find(b"\n", len(self._content) - self._limit - 1) + 1
            del self._content[: too_old or len(self._content)]

    def since(self, place: int) -> tuple[int, bytes]:
        """Give what was said from a place on, and the place where that begins.

        It is the first one that is kept still, if that one is not.
        """
        first = self.end - len(self._content)
        place = place if first <= place <= self.end else first
        return place, bytes(self._content[place - first :])
