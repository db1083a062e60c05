"""Run a function on a thread, and close its result if the caller is cancelled."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Protocol, TypeVar


class Closable(Protocol):
    """An object that holds a file open until it is closed."""

    def close(self) -> None:
        """Close the file."""
        ...


ClosableT = TypeVar("ClosableT", bound=Closable | None)


async def run_cancellable(make: Callable[[], ClosableT]) -> ClosableT:
    """Run ``make`` on a thread; if the caller is cancelled, close the result.

    Raises the exceptions of ``make``.
    """
    making = asyncio.get_running_loop().run_in_executor(None, make)
    try:
        return await asyncio.shield(making)
    except asyncio.CancelledError:
        making.add_done_callback(_close_unheard)
        raise


def _close_unheard(making: asyncio.Future[ClosableT]) -> None:
    if not making.cancelled() and making.exception() is None:
        result = making.result()
        if result is not None:
            result.close()
