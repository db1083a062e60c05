"""The terminal's driver, made to live with any input, write little, and go with its terminal."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from threading import Event
from typing import TYPE_CHECKING, Any

from textual.driver import Driver
from textual.events import Resize
from textual.message import Message

from ...records.cast import Cast
from .pen import Pen

if TYPE_CHECKING:
    from textual.app import App

WATCH = 1.0
"""Seconds between two looks whether the terminal is still there."""


class EndOfInput(Event):
    """Is set when input shall be read no more, and when its terminal is gone.

    Without that, a thread that reads a terminal that was hung up would find nothing there for ever,
    as fast as it can.
    """

    def __init__(self, fileno: int) -> None:
        super().__init__()
        self._fileno = fileno

    def is_set(self) -> bool:
        """Tell whether to stop."""
        return super().is_set() or not is_terminal(self._fileno)


def is_terminal(fileno: int) -> bool:
    """Tell whether a terminal is there still; on Windows nobody asks."""
    import termios

    try:
        termios.tcgetattr(fileno)
    except (termios.error, ValueError):
        return False
    return True


def hardened(driver: type[Driver], cast: Cast | None = None) -> type[Driver]:
    """Give the driver of Unix terminals with a guard around its parser; others as they are.

    What it writes is recorded in the cast.
    """
    if sys.platform == "win32":
        return driver
    from textual.drivers.linux_driver import LinuxDriver

    if driver is not LinuxDriver:
        return driver

    class HardenedDriver(LinuxDriver):
        """Forgets what cannot be read, such as ``ESC[99999999999u``; writes no byte too many."""

        def __init__(self, *args: Any, **options: Any) -> None:
            super().__init__(*args, **options)
            self._pen = Pen()
            self.exit_event = EndOfInput(self.fileno)

        def write(self, data: str) -> None:
            """Write what shows the same with fewer bytes."""
            lean = self._pen.lean(data)
            super().write(lean)
            if cast is not None:
                cast.resize(*self._get_terminal_size())
                cast.output(lean)

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

        def process_message(self, message: Message) -> None:
            """Pass a message on, but no size that the terminal does not have."""
            if isinstance(message, Resize) and message.size != self._get_terminal_size():
                return  # input that only looks like a terminal telling its size
            super().process_message(message)

    return HardenedDriver


def watch_terminal(app: App[None]) -> None:
    """End the app at a hang-up or when told to, and when its terminal is gone."""
    if sys.platform == "win32" or app.is_headless:
        return
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGHUP):
        with contextlib.suppress(ValueError, RuntimeError):  # not in the main thread
            loop.add_signal_handler(number, app.exit)

    def look() -> None:
        try:
            fileno = sys.__stdin__.fileno() if sys.__stdin__ else 0
        except ValueError:  # closed
            fileno = -1
        if not is_terminal(fileno):
            app.exit()

    app.set_interval(WATCH, look)
