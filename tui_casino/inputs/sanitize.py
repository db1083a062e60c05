"""Make text from outside safe to show: no terminal sequences, no markup.

Whatever a file, an option, a name or a typed line brings may hold control characters, signs that
turn the direction of writing round, or halves of characters. Two ways out are sure, for they lie at
the end of everything: on the console all that is printed goes through a :class:`PrintableStream`,
on the screen all that is painted through the filter of ``tui/terminal/filter.py``. Here is what
both go by, and what makes a line of foreign text before it is put into one of ours.
"""

from __future__ import annotations

from typing import IO, Any, TextIO, cast

LONGEST = 1500


def printable(text: str) -> str:
    r"""Give text from outside as one line that does nothing to a terminal but stand there.

    What cannot be printed is written out: a feed of a line, too, so that none can be feigned.

    >>> printable("b\x1b[2J\nauthentic")
    'b\\x1b[2J\\nauthentic'
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def plain(text: str) -> str:
    """Give text from outside :func:`printable`, and its middle left out if it is very long."""
    text = printable(text)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 100]} … {text[-90:]}"


def printable_lines(text: str) -> str:
    """Give a text that may have several lines, each of them :func:`printable`."""
    return text if text.isprintable() else "\n".join(map(printable, text.split("\n")))


class PrintableStream:
    """A stream for text, on which only what is :func:`printable`, and its own lines, get out.

    All else that a stream can do is that of ``stream``, which stands behind it.
    """

    def __init__(self, stream: Any) -> None:
        self.stream = stream

    def write(self, text: str) -> int:
        """Write a text; its lines are kept. Raises as the stream behind it does."""
        written: int = self.stream.write(printable_lines(text))
        return written

    def writelines(self, lines: Any) -> None:
        """Write texts one behind the other."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


def printable_stream(stream: IO[str]) -> TextIO:
    """Give a stream on which nothing else gets out, see :class:`PrintableStream`."""
    return cast(
        "TextIO", stream if isinstance(stream, PrintableStream) else PrintableStream(stream)
    )


def raw_stream(stream: TextIO) -> TextIO:
    """Give the stream itself, for what draws on a terminal with sequences of its own."""
    return cast("TextIO", stream.stream) if isinstance(stream, PrintableStream) else stream
