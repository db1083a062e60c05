"""The terminal's driver, made to live with any input, write little, and go with its terminal."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import sys
from threading import Event
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from textual.driver import Driver
from textual.events import Resize
from textual.message import Message

from .pen import Pen

if TYPE_CHECKING:
    from textual.app import App

    from ...records.cast import Cast

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


@runtime_checkable
class Recorded(Protocol):
    """An app whose terminal may be recorded."""

    @property
    def cast(self) -> Cast | None:
        """What records the terminal."""
        ...


class Guarded(Driver):
    """Mixed into a driver: writes little, and does not believe all that seems to come from outside.

    A driver says how large its terminal is, and writes what :meth:`lean` gives.
    """

    _pen: Pen | None = None

    def window_size(self) -> tuple[int, int]:
        """Give the columns and rows that the terminal has now."""
        raise NotImplementedError

    def lean(self, data: str) -> str:
        """Give what shows the same with fewer bytes; it is recorded, if anything is."""
        if self._pen is None:
            self._pen = Pen()
        lean = self._pen.lean(data)
        app: object = self._app
        if isinstance(app, Recorded) and app.cast is not None:
            app.cast.resize(*self.window_size())
            app.cast.output(lean)
        return lean

    def process_message(self, message: Message) -> None:
        """Pass a message on, but no size that the terminal does not have."""
        if isinstance(message, Resize) and message.size != self.window_size():
            return  # input that only looks like a terminal telling its size
        super().process_message(message)


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
