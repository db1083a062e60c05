"""A window that retries until another program has finished writing to the ledger."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import ClassVar, Generic, TypeVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Static

from ..inputs.errors import BadInput
from ..records.ledger import LedgerBusy
from .modal_windows import Window

T = TypeVar("T")

PAUSE = 0.5
"""Seconds between two attempts."""
WAITS = """\
Another program is writing to the ledger.
This window waits until it is done. Nothing is lost meanwhile."""


class LedgerBusyDialog(Window[T | BadInput | OSError | None], Generic[T]):
    """The window, which returns the first successful result, an error, or ``None`` if cancelled."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "give_up", "Give up", id="ledger.give_up")
    ]
    edge = "Esc gives up"

    def __init__(self, attempt: Callable[[], Awaitable[T]]) -> None:
        super().__init__(classes="modal")
        self._attempt = attempt
        self._given_up = asyncio.Event()

    def compose(self) -> ComposeResult:
        """Lay out the message."""
        with Vertical(classes="window") as window:
            window.border_title = "Ledger in use"
            yield Static(WAITS, id="text", markup=False)

    def on_mount(self) -> None:
        """Start the attempts."""
        self._try()

    @work(exclusive=True, group="attempt", name="action_wait")
    async def _try(self) -> None:
        result: T | BadInput | OSError
        while True:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._given_up.wait(), PAUSE)
                self.dismiss(None)
                return
            try:
                result = await self._attempt()
            except LedgerBusy:
                continue
            except (BadInput, OSError) as error:
                result = error
            self.dismiss(result)
            return

    def action_give_up(self) -> None:
        """Stop trying; wait for a running attempt, because it may just have succeeded."""
        self._given_up.set()
