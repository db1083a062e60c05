"""Make untrusted text safe to show, without terminal sequences or markup, and of limited length.

Files, options, names and typed lines may contain control characters, characters that change the
writing direction, or unpaired surrogates. Two filters at the very end of the output remove them: a
:class:`PrintableStream` for everything printed on the console, and the filter of
``tui/terminal/filter.py`` for everything painted on the screen. This module contains the functions
that both filters use, functions that make untrusted text safe before it becomes part of a message,
and functions that read typed lines at constant memory even if a line never ends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import IO, Any, TextIO, cast

LONGEST = 1500


def printable(text: str) -> str:
    r"""Return untrusted text as one line of printable characters, which cannot control a terminal.

    Other characters are escaped, including line feeds, so that the text cannot imitate further
    lines of output. The bytes of a file name that are not UTF-8, for which Python has surrogates,
    are escaped as shells write them.

    >>> printable("b\x1b[2J\nauthentic")
    'b\\x1b[2J\\nauthentic'
    >>> printable("x\udcff")
    'x\\xff'
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else _escaped(c) for c in text)


def _escaped(character: str) -> str:
    byte = ord(character) - 0xDC00  # see surrogateescape in PEP 383
    return f"\\x{byte:02x}" if 0x80 <= byte <= 0xFF else ascii(character)[1:-1]


def plain(text: str) -> str:
    """Return untrusted text as :func:`printable` does; shorten a very long text in the middle."""
    text = printable(text)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 100]} … {text[-90:]}"


def printable_lines(text: str) -> str:
    """Return a text of one or more lines, each escaped by :func:`printable`."""
    return text if text.isprintable() else "\n".join(map(printable, text.split("\n")))


class PrintableStream:
    """A text stream that writes only line feeds and :func:`printable` characters.

    All other operations are passed to the underlying ``stream``.
    """

    def __init__(self, stream: Any) -> None:
        self.stream = stream

    def write(self, text: str) -> int:
        """Write a text, escaping unprintable characters except line feeds."""
        written: int = self.stream.write(printable_lines(text))
        return written

    def writelines(self, lines: Any) -> None:
        """Write several texts, one after the other."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


def printable_stream(stream: IO[str]) -> TextIO:
    """Return a :class:`PrintableStream` for a stream, unless it is one already."""
    return cast(
        "TextIO", stream if isinstance(stream, PrintableStream) else PrintableStream(stream)
    )


def raw_stream(stream: TextIO) -> TextIO:
    """Return the underlying stream, for code that writes terminal sequences on purpose."""
    return cast("TextIO", stream.stream) if isinstance(stream, PrintableStream) else stream


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
