"""The base of the terminal drivers, which survive any input and end with their terminal."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import sys
import termios
from threading import Event, get_ident
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from textual.driver import Driver
from textual.events import MouseEvent, Resize
from textual.message import Message

from .detection import Clipboard
from .input_reader import MessageBacklog
from .output import AnsiOptimiser, copy_sequence

if TYPE_CHECKING:
    from textual.app import App

    from ...records.asciicast import CastRecorder

MOST_COLUMNS, MOST_ROWS = 500, 200
"""The largest part of a window that is used, because each cell takes memory and time."""
WATCH = 1.0
"""Seconds between two checks whether the terminal still exists."""


def clamp_size(columns: int, rows: int) -> tuple[int, int]:
    """Return the used part of a window, in columns and rows."""
    return min(max(columns, 1), MOST_COLUMNS), min(max(rows, 1), MOST_ROWS)


class EndOfInput(Event):
    """An event that also counts as set once its terminal is gone, except for :meth:`was_set`.

    Otherwise, a thread that reads a terminal after a hang-up would spin in an endless loop.
    """

    def __init__(self, fileno: int) -> None:
        super().__init__()
        self._fileno = fileno

    @property
    def was_set(self) -> bool:
        return super().is_set()

    def is_set(self) -> bool:
        return self.was_set or not is_terminal(self._fileno)


def is_terminal(fileno: int) -> bool:
    """Return whether the terminal still exists."""
    try:
        termios.tcgetattr(fileno)
    except (termios.error, ValueError):
        return False
    return True


@runtime_checkable
class RecordableApp(Protocol):
    """An app whose terminal may be recorded."""

    @property
    def cast(self) -> CastRecorder | None:
        """The recorder of the terminal's output, if there is one."""
        ...


class HasDriver:
    """An app that knows its driver, so that others can find it."""

    driver: GuardedDriver | None = None
    """The app's driver; ``None`` before it starts, or if it is one of Textual's own."""


class GuardedDriver(Driver):
    """Mix-in for drivers: shortens the output, limits the input, and rejects false size reports.

    Only :meth:`copy` writes strings for the terminal itself.

    A driver reports the size of its terminal, writes what :meth:`optimise` returns, and reads
    through an :class:`~.input_reader.InputReader`. If it reads in its own thread,
    :meth:`process_message` waits there for the app. A driver that reads in the app's thread checks
    the ``backlog`` first.
    """

    _optimiser: AnsiOptimiser | None = None
    _copied = ""

    def __init__(
        self,
        app: App[Any],
        *,
        debug: bool = False,
        mouse: bool = True,
        size: tuple[int, int] | None = None,
    ) -> None:
        super().__init__(app, debug=debug, mouse=mouse, size=size)
        self.app, self.debug, self.mouse = app, debug, mouse
        self.loop = asyncio.get_running_loop()
        self.backlog = MessageBacklog(app, self.loop)
        self._home = get_ident()
        if isinstance(app, HasDriver):
            app.driver = self

    def terminal_size(self) -> tuple[int, int]:
        """Return the columns and rows that the terminal reports now."""
        raise NotImplementedError

    def window_size(self) -> tuple[int, int]:
        """Return the columns and rows that are used."""
        return clamp_size(*self.terminal_size())

    def should_stop(self) -> bool:
        return False

    def optimise(self, data: str) -> str:
        """Return shorter output with the same effect, and record it if there is a recorder.

        Copied text is not recorded: it would be copied again for everyone who watches the
        recording.
        """
        if self._copied and data is self._copied:
            return data
        if self._optimiser is None:
            self._optimiser = AnsiOptimiser()
        optimised = self._optimiser.optimise(data)
        app: object = self.app
        if isinstance(app, RecordableApp) and app.cast is not None:
            app.cast.resize(*self.window_size())
            app.cast.output(optimised)
        return optimised

    def copy(self, text: str, clipboard: Clipboard) -> None:
        """Copy a text to the terminal's clipboard. Raises ``ValueError`` if it is too long."""
        self._copied = copy_sequence(text, clipboard)
        if self._copied:
            self.write(self._copied)
        self._copied = ""

    def process_message(self, message: Message) -> None:
        """Pass a message on, unless it reports a size that the terminal does not have.

        While the backlog is full, keys wait and mouse events are dropped.
        """
        if self.app.return_code is not None:
            return  # after the last message, there may not be a screen to handle it
        if isinstance(message, Resize):
            if clamp_size(*message.size) != self.window_size():
                return  # input that only looks like a terminal's size report
            message = Resize.from_dimensions(self.window_size(), message.pixel_size)
        heeded = not isinstance(message, MouseEvent | Resize)
        other_thread = get_ident() != self._home
        if (
            other_thread
            and self.backlog.is_full
            and not (heeded and self.backlog.wait(self.should_stop))
        ):
            return
        self.backlog.count()
        super().process_message(message)


def watch_terminal(app: App[None]) -> None:
    """End the app on a hang-up, on a termination signal, or when its terminal is gone."""
    if app.is_headless:
        return
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGHUP):
        with contextlib.suppress(ValueError, RuntimeError):  # this is not the main thread
            loop.add_signal_handler(number, app.exit)

    def look() -> None:
        try:
            fileno = sys.__stdin__.fileno() if sys.__stdin__ else 0
        except ValueError:  # standard input is closed
            fileno = -1
        if not is_terminal(fileno):
            app.exit()

    app.set_interval(WATCH, look)
