"""Read typed lines of a limited length, at constant memory even if a line never ends."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TextIO

LONGEST_LINE = 4096
"""The maximum number of characters in a typed line; Linux passes no longer line to a program."""
LINE_TOO_LONG = f"that line is too long; a line has up to {LONGEST_LINE:,} characters"


def cut_lines(stream: TextIO) -> Iterator[str]:
    """Yield the lines of a stream without their ends; cut a line that is too long.

    A cut line has one character more than :data:`LONGEST_LINE`, so that its reader refuses it. The
    rest of it is dropped when the next line is read.
    """
    while piece := stream.readline(LONGEST_LINE + 1):
        yield piece.removesuffix("\n")
        while len(piece) > LONGEST_LINE and not piece.endswith("\n"):
            piece = stream.readline(LONGEST_LINE + 1)


def short_lines(lines: Iterable[str], refuse: Callable[[str], None]) -> Iterator[str]:
    """Yield the lines that are short enough; call ``refuse`` with a reason for each other one."""
    for line in lines:
        if len(line) > LONGEST_LINE:
            refuse(LINE_TOO_LONG)
        else:
            yield line
