"""The hardened driver for Unix terminals."""

from __future__ import annotations

import os
import selectors
import shutil
import signal
import sys
import termios
from contextlib import suppress
from queue import Full, Queue
from threading import Thread
from typing import Any

from textual.app import App
from textual.driver import Driver
from textual.drivers.linux_driver import LinuxDriver

from ..textual_compat import SelfSizedDriver
from .detection import TerminalCapabilities
from .driver import EndOfInput, GuardedDriver, is_terminal
from .input_reader import UNFINISHED, InputReader

_MOMENT = 0.1
"""Seconds until a lone Escape counts as a key; also the interval of checks for the terminal."""
_BLOCK = 1 << 12  # the number of bytes read in one step
_QUEUED = 30  # the pieces of output that may be queued before the app has to wait


class TerminalWriter(Thread):
    """Writes to the terminal, which may be slow, until it receives ``None``.

    If the terminal hangs up, the writer ends immediately.
    """

    def __init__(self) -> None:
        super().__init__(daemon=True, name="terminal-output")
        self.queue = Queue[str | None](_QUEUED)

    def run(self) -> None:
        """Write the queued output, and flush whenever the queue is empty."""
        terminal = sys.__stderr__
        if terminal is None:
            return
        with suppress(OSError):
            while (text := self.queue.get()) is not None:
                terminal.write(text)
                if self.queue.empty():
                    terminal.flush()
            terminal.flush()


class HardenedDriver(GuardedDriver, SelfSizedDriver, LinuxDriver):
    """Drops input that cannot be parsed, such as ``ESC[99999999999u``.

    It stops when the terminal disconnects.
    """

    exit_event: EndOfInput
    _writer: TerminalWriter | None = None
    _suspended = False
    wait: float
    """Seconds to wait for the rest of a key after its Escape."""

    def __init__(
        self, app: App[Any], *, size: tuple[int, int] | None = None, **options: Any
    ) -> None:
        terminal: TerminalCapabilities | None = getattr(app, "terminal", None)
        self.wait = UNFINISHED if terminal is not None and terminal.remote else _MOMENT
        # without a size the app would ask the terminal itself
        super().__init__(app, size=size or self.window_size(), **options)
        self.exit_event = EndOfInput(self.fileno)
        # Textual's own handlers could run at any moment, even inside the writer's queue
        self.loop.add_signal_handler(signal.SIGTSTP, self.suspend)
        self.loop.add_signal_handler(signal.SIGCONT, self.resume)

    @property
    def can_suspend(self) -> bool:
        """Whether a shell could resume the program after it was suspended.

        If the program is in the process group of its session, as the only command of a terminal
        is, Linux ignores the stop signal, and no shell would return the terminal to it.
        """
        return os.getpgrp() != os.getsid(0)

    def terminal_size(self) -> tuple[int, int]:
        return shutil.get_terminal_size()

    def should_stop(self) -> bool:
        """Return whether the program is ending, or the terminal is gone."""
        return self.exit_event.is_set()

    # ---- suspend and resume -----------------------------------------------------------------

    def suspend(self) -> None:
        """Return the terminal to the shell, and stop until the shell resumes the program."""
        if self.can_suspend:
            self.suspend_application_mode()
            self._suspended = True
            signal.raise_signal(signal.SIGSTOP)

    def resume(self) -> None:
        """Take over the terminal again; if it still has the program's modes, only repaint.

        A program that was stopped, or started in the background, did not release the terminal, but
        its shell has changed the modes. A terminal that hangs up also resumes its program, but then
        there is no terminal to take over.
        """
        if not is_terminal(self.fileno):
            return
        if not self._suspended and termios.tcgetattr(self.fileno)[3] & termios.ICANON:
            self.suspend_application_mode()
            self._suspended = True
        if self._suspended:
            self._suspended = False
            self.resume_application_mode()
        self.app.post_message(self.SignalResume())

    # ---- output ---------------------------------------------------------------------------

    def start_application_mode(self) -> None:
        """Take over the terminal, and start a writer for its output."""
        if self._writer is None or not self._writer.is_alive():
            self._writer = TerminalWriter()
            self._writer.start()
        super().start_application_mode()  # type: ignore[no-untyped-call]

    def write(self, data: str) -> None:
        """Write output in a form that has the same effect with fewer bytes."""
        self._hand_over(self.optimise(data))

    def close(self) -> None:
        """Write the output still queued, if the terminal exists, and end the writer."""
        if self._writer is not None and self._hand_over(None):
            self._writer.join()
        super().close()

    def _hand_over(self, data: str | None) -> bool:
        """Queue a text for the writer, or ``None`` to end it; return false if the terminal is gone.

        A writer whose terminal hangs up reads nothing more from its queue, so waiting for room must
        check the terminal.
        """
        writer = self._writer
        assert writer is not None, "the driver is in application mode"
        while writer.is_alive():
            with suppress(Full):
                writer.queue.put(data, timeout=_MOMENT)
                return True
            if not is_terminal(self.fileno):
                break
        return False

    # ---- input ----------------------------------------------------------------------------

    def run_input_thread(self) -> None:
        """Read input until the program ends; if the terminal disappears first, end the program."""
        intake = InputReader(self.debug)
        with selectors.DefaultSelector() as selector, suppress(OSError):
            selector.register(self.fileno, selectors.EVENT_READ)
            while not self.exit_event.is_set():
                if selector.select(self.wait if intake.is_unfinished else _MOMENT):
                    messages = intake.feed(os.read(self.fileno, _BLOCK))
                else:
                    messages = intake.tick()
                for message in messages:
                    self.process_message(message)
        if not self.exit_event.was_set:
            with suppress(RuntimeError):  # the loop has ended
                self.loop.call_soon_threadsafe(self.app.exit)


def harden_driver(driver: type[Driver]) -> type[Driver]:
    """Return the hardened driver instead of Textual's own; other drivers are not changed."""
    return HardenedDriver if driver is LinuxDriver else driver
