"""Make untrusted text safe to show, without terminal sequences or markup.

Files, options, names and typed lines may contain control characters, characters that change the
writing direction, or unpaired surrogates. Two filters at the very end of the output remove them: a
:class:`PrintableStream` for everything printed on the console, and the filter of
``tui/terminal/filter.py`` for everything painted on the screen. This module contains the functions
that both filters use, and functions that make untrusted text safe before it becomes part of a
message.
"""

from __future__ import annotations

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
