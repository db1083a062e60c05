"""Read standard input and write standard output line by line; record it with ``--record FILE``."""

from __future__ import annotations

import shutil
import sys
from argparse import Namespace
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, TextIO, cast

from ..inputs.errors import BadInput
from ..inputs.sanitize import (
    PrintableStream,
    cut_lines,
    printable,
    printable_lines,
    raw_stream,
    short_lines,
)

if TYPE_CHECKING:
    from ..gamekit.table_catalog import PrintLine
    from ..records.asciicast import CastRecorder


class AsciiStream(PrintableStream):
    """A stream that replaces every character outside ASCII with ASCII characters."""

    def write(self, text: str) -> int:
        """Write a text in ASCII; characters without an ASCII form become escapes."""
        from ..cards.text_art import GlyphSet  # late: only for --ascii
        from ..tui.draw.text import transliterate

        text = transliterate(text, GlyphSet.ASCII)
        return super().write(text.encode("ascii", "backslashreplace").decode())


def ascii_stream(stream: TextIO) -> TextIO:
    """Return a stream that writes to the given one in ASCII."""
    return cast("TextIO", AsciiStream(raw_stream(stream)))


def clear_screen(environ: Mapping[str, str]) -> None:
    """Clear the terminal, its scrollback, and the history of typed lines."""
    if sys.stdout.isatty():
        if "readline" in sys.modules:
            sys.modules["readline"].clear_history()
        dumb = environ.get("TERM", "dumb") == "dumb"
        cleared = "\n" * 100 if dumb else "\x1b[H\x1b[2J\x1b[3J"
        print(cleared, end="", file=raw_stream(sys.stdout), flush=True)


def say(text: str) -> None:
    """Print a text that may contain any characters, such as a name, as one line."""
    print(printable(text))


def warn(text: str) -> None:
    """Print a text that may contain any characters as one line on standard error."""
    print(printable(text), file=sys.stderr)


def typed_lines(prompt: str) -> Iterator[str]:
    """Yield typed lines until the input ends, with a prompt and line editing on a terminal.

    A line that is too long is refused on standard error.
    """
    lines = _edited_lines(prompt) if sys.stdin.isatty() else cut_lines(sys.stdin)
    return short_lines(lines, _refuse)


def _edited_lines(prompt: str) -> Iterator[str]:
    import readline  # noqa: F401  # late: input() edits and recalls lines after this import

    while True:
        try:
            yield input(prompt if sys.stdout.isatty() else "")
        except (EOFError, KeyboardInterrupt):
            print()
            return


def _refuse(reason: str) -> None:
    print(reason, file=sys.stderr)


def typed_lines_without_prompt() -> Iterator[str]:
    """Yield typed lines until the input ends, without a prompt; cut lines that are too long.

    The terminal does the line editing, because readline would write control sequences, which screen
    readers read aloud.
    """
    try:
        yield from cut_lines(sys.stdin)
    except KeyboardInterrupt:
        print()


def confirm(question: str, otherwise: str = "") -> bool:
    """Ask a question on the terminal; only y or yes means yes.

    If the answer is no, print ``otherwise``. Raises :class:`BadInput` with this text if the input
    is not a terminal, so that a script notices.
    """
    print(f"{question} [y/N] ", end="", file=sys.stderr, flush=True)
    answer = next(short_lines(cut_lines(sys.stdin), _refuse), "")
    if answer.strip().lower() in ("y", "yes"):
        return True
    if otherwise and not sys.stdin.isatty():
        raise BadInput(otherwise)
    if otherwise:
        print(otherwise, file=sys.stderr)
    return False


def open_cast(args: Namespace, closing: ExitStack) -> CastRecorder | None:
    """Start the recording that ``--record`` asks for. Raises :class:`BadInput`."""
    if args.record is None:
        return None
    from ..inputs.files import UserPath  # late: the help needs no msgspec
    from ..records.asciicast import CastRecorder  # late: most sessions are not recorded

    size = shutil.get_terminal_size()
    path = UserPath(Path(args.record), args.cwd)
    cast = CastRecorder(path, (size.columns, size.lines), args.environ.get("TERM"))
    closing.callback(cast.close)
    return cast


def with_recording(say: PrintLine, cast: CastRecorder | None) -> PrintLine:
    """Return a function that prints a line and also records it."""
    if cast is None:
        return say

    def say_and_record(line: str) -> None:
        say(line)
        cast.output(printable_lines(line).replace("\n", "\r\n") + "\r\n")

    return say_and_record
