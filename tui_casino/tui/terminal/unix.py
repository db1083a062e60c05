"""The driver of Unix terminals with guards around it; not to be imported on Windows."""

from __future__ import annotations

import os
from typing import Any

from textual.driver import Driver
from textual.drivers.linux_driver import LinuxDriver

from .driver import EndOfInput, Guarded


class HardenedDriver(Guarded, LinuxDriver):
    """Forgets what cannot be read, such as ``ESC[99999999999u``; goes with its terminal."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.exit_event = EndOfInput(self.fileno)

    def window_size(self) -> tuple[int, int]:
        """Ask the terminal."""
        return self._get_terminal_size()

    def write(self, data: str) -> None:
        """Write what shows the same with fewer bytes."""
        LinuxDriver.write(self, self.lean(data))

    def run_input_thread(self) -> None:
        """Read input until the program ends; begin again after bytes that are nonsense."""
        while True:
            try:
                super().run_input_thread()
                return
            except OSError:
                return  # the terminal is gone; the app will see that
            except Exception:  # the parser meets what it never thought of, or bytes no UTF-8
                if not os.isatty(self.fileno):
                    return


def hardened(driver: type[Driver]) -> type[Driver]:
    """Give the driver that lives with any input, in place of Textual's own; others as they are."""
    return HardenedDriver if driver is LinuxDriver else driver
