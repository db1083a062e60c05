"""Read standard input and write standard output line by line."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping

from ..inputs.sanitize import raw_stream


def clear_screen(environ: Mapping[str, str]) -> None:
    """Take all that was said and typed on a terminal out of sight, what has scrolled away too."""
    if sys.stdout.isatty():
        if "readline" in sys.modules:
            sys.modules["readline"].clear_history()
        dumb = environ.get("TERM", "dumb") == "dumb"
        cleared = "\n" * 100 if dumb else "\x1b[H\x1b[2J\x1b[3J"
        print(cleared, end="", file=raw_stream(sys.stdout), flush=True)


def typed_lines(prompt: str) -> Iterator[str]:
    """Give what is typed, with a prompt and line editing on a terminal, until the input ends."""
    if not sys.stdin.isatty():
        for line in sys.stdin:  # noqa: UP028 - `yield from` would close it together with this generator
            yield line
        return
    import readline  # noqa: F401  # late: input() edits and recalls lines after this import

    while True:
        try:
            yield input(prompt if sys.stdout.isatty() else "")
        except (EOFError, KeyboardInterrupt):
            print()
            return


def typed_lines_without_prompt() -> Iterator[str]:
    """Give what is typed until the input ends, without a prompt.

    The line editing is the terminal's own: ours would write sequences that a screen reader spells.
    """
    while True:
        try:
            line = sys.stdin.readline()
        except KeyboardInterrupt:
            print()
            return
        if not line:
            return
        yield line.rstrip("\n")
