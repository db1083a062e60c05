"""A progress bar for the console."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TextIO

from ..inputs.sanitize import raw_stream


@contextmanager
def progress_bar(name: str, total: int, stream: TextIO) -> Iterator[Callable[[int], None] | None]:
    """Show a bar on a stream as long as the block runs, if that is a terminal.

    Gives what takes the number done, or nothing without a terminal.
    """
    if not stream.isatty():
        yield None
        return
    from rich.console import Console  # late: without a terminal it is not needed
    from rich.progress import Progress

    shown = Progress(
        console=Console(file=raw_stream(stream)),
        transient=True,
        redirect_stdout=False,  # the streams of the process are left as they are
        redirect_stderr=False,
    )
    with shown as progress:
        task = progress.add_task(name, total=total)
        yield lambda done: progress.update(task, completed=done)
