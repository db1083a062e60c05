"""The last lines of a visit, kept so that a browser that reconnects gets the lines it missed."""

from __future__ import annotations

KEPT = 128 << 10
"""The maximum number of bytes that are kept to be sent again."""


class RecentOutput:
    r"""The recent output of a visit; ``end`` counts all bytes that were ever added.

    >>> output = RecentOutput(8)
    >>> output.add(b"one\ntwo\nthree\n")
    >>> output.since(0), output.since(10), output.end
    ((8, b'three\n'), (10, b'ree\n'), 14)
    """

    def __init__(self, limit: int = KEPT) -> None:
        self._limit, self._content = limit, bytearray()
        self.end = 0

    def add(self, data: bytes) -> None:
        """Add output, and drop the oldest lines that exceed the limit."""
        self._content += data
        self.end += len(data)
        if len(self._content) > self._limit:
            too_old = self._content.find(b"\n", len(self._content) - self._limit - 1) + 1
            del self._content[: too_old or len(self._content)]

    def since(self, place: int) -> tuple[int, bytes]:
        """Return the output from a position on, preceded by the position where it begins.

        If the output at that position has been dropped, it begins at the oldest line that is left.
        """
        first = self.end - len(self._content)
        place = place if first <= place <= self.end else first
        return place, bytes(self._content[place - first :])
