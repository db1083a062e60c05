"""A progress bar on standard error."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def bar(name: str, total: int) -> Iterator[Callable[[int], None] | None]:
    """Show a bar as long as the block runs, if standard error is a terminal.

    Gives what takes the number done, or nothing without a terminal.
    """
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console  # late: without a terminal it is not needed
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(name, total=total)
        yield lambda done: progress.update(task, completed=done)
