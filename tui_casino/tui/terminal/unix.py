"""The driver of Unix terminals with guards around it; not to be imported on Windows."""

from __future__ import annotations

import os
import selectors
from contextlib import suppress
from queue import Full
from typing import Any

from textual.driver import Driver
from textual.drivers.linux_driver import LinuxDriver

from .driver import EndOfInput, Guarded, is_terminal
from .intake import Intake

_MOMENT = 0.1
"""Seconds after which an Escape was the key itself, and between two looks at the terminal."""
_BLOCK = 1 << 12  # bytes read at once


class HardenedDriver(Guarded, LinuxDriver):
    """Forgets what cannot be read, such as ``ESC[99999999999u``; goes with its terminal."""

    exit_event: EndOfInput

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.exit_event = EndOfInput(self.fileno)
        if self._size is None:  # else the app asks the terminal itself
            self._size = self.window_size()

    @property
    def can_suspend(self) -> bool:
        """Whether a shell would resume the program.

        In the process group of its session, as the only command of a terminal has it, Linux drops
        the signal that stops it, and nobody would give the terminal back to it.
        """
        return os.getpgrp() != os.getsid(0)

    def terminal_size(self) -> tuple[int, int]:
        """Ask the terminal."""
        return super()._get_terminal_size()

    def _get_terminal_size(self) -> tuple[int, int]:
        return self.window_size()

    def stops(self) -> bool:
        """Tell whether the program ends, or the terminal is gone."""
        return self.exit_event.is_set()

    # ---- output ---------------------------------------------------------------------------

    def write(self, data: str) -> None:
        """Write what shows the same with fewer bytes."""
        self._hand_over(self.lean(data))

    def close(self) -> None:
        """Let all be written, if there is a terminal still."""
        if self._writer_thread is not None and self._hand_over(None):
            self._writer_thread.join()

    def _hand_over(self, data: str | None) -> bool:
        """Give the writer something, or for nothing his leave; false if he is gone.

        At a hang-up he goes without a word: who waits for room in his queue would wait for ever.
        """
        writer = self._writer_thread
        assert writer is not None, "the driver is in application mode"
        while writer.is_alive():
            with suppress(Full):
                writer._queue.put(data, timeout=_MOMENT)
                return True
            if not is_terminal(self.fileno):
                break
        return False

    # ---- input ----------------------------------------------------------------------------

    def run_input_thread(self) -> None:
        """Read input until the program ends; if the terminal goes before, end the program."""
        intake = Intake(self._debug)
        with selectors.DefaultSelector() as selector, suppress(OSError):
            selector.register(self.fileno, selectors.EVENT_READ)
            while not self.exit_event.is_set():
                if selector.select(_MOMENT):
                    messages = intake.feed(os.read(self.fileno, _BLOCK))
                else:
                    messages = intake.tick()
                for message in messages:
                    self.process_message(message)
        if not self.exit_event.told:
            with suppress(RuntimeError):  # the loop has ended
                self._loop.call_soon_threadsafe(self._app.exit)


def hardened(driver: type[Driver]) -> type[Driver]:
    """Give the driver that lives with any input, in place of Textual's own; others as they are."""
    return HardenedDriver if driver is LinuxDriver else driver
