"""A notice that the console is waiting while another program writes the ledger."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Timer
from typing import TYPE_CHECKING

from ..records.sqlite_ledger import PATIENCE, is_locked

if TYPE_CHECKING:  # the menu does not need it
    from ..gamekit.table_setup import PrintLine

AFTER = 0.3
"""Seconds to wait before the notice is printed."""


@contextmanager
def ledger_wait_notice(
    ledger: Path | None, warn: PrintLine, patience: float | None = None
) -> Iterator[None]:
    """Print a notice if the code in this context has to wait for the ledger.

    ``patience`` is the longest wait in seconds.
    """
    seconds = PATIENCE if patience is None else patience

    def notice() -> None:
        if ledger is not None and is_locked(ledger):  # otherwise something else takes so long
            warn(
                f"another program is writing the ledger {ledger}; "
                f"waiting up to {seconds:g} seconds for it"
            )

    if ledger is None:
        yield
        return
    timer = Timer(AFTER, notice)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
