"""A progress bar for the console."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TextIO

from ..inputs.sanitize import raw_stream


@contextmanager
def progress_bar(name: str, total: int, stream: TextIO) -> Iterator[Callable[[int], None] | None]:
    """Show a progress bar while the block runs, if the stream is a terminal.

    Yield a function that takes the number of finished parts, or ``None`` if the stream is not a
    terminal.
    """
    if not stream.isatty():
        yield None
        return
    from rich.console import Console  # late: not needed without a terminal
    from rich.progress import Progress

    shown = Progress(
        console=Console(file=raw_stream(stream)),
        transient=True,
        redirect_stdout=False,  # leave the streams of the process unchanged
        redirect_stderr=False,
    )
    with shown as progress:
        task = progress.add_task(name, total=total)
        yield lambda done: progress.update(task, completed=done)
