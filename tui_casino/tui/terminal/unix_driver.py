"""The hardened driver of Unix terminals; not to be imported on Windows."""

from __future__ import annotations

import os
import selectors
import shutil
import signal
import sys
from contextlib import suppress
from queue import Full, Queue
from threading import Thread
from typing import Any

from textual.app import App
from textual.driver import Driver
from textual.drivers.linux_driver import LinuxDriver

from ..textual_compat import SelfSizedDriver
from .driver import EndOfInput, GuardedDriver, is_terminal
from .input_reader import InputReader

_MOMENT = 0.1
"""Seconds after which an Escape was the key itself, and between two looks at the terminal."""
_BLOCK = 1 << 12  # bytes read at once
_QUEUED = 30  # pieces of output that wait for the terminal before the app waits, too


class TerminalWriter(Thread):
    """Writes to the terminal, which may take its time, until it is handed none.

    If the terminal hangs up, it ends at once.
    """

    def __init__(self) -> None:
        super().__init__(daemon=True, name="terminal-output")
        self.queue = Queue[str | None](_QUEUED)

    def run(self) -> None:
        """Write what is queued, and flush it whenever nothing more waits."""
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
    """Forgets what cannot be read, such as ``ESC[99999999999u``; goes with its terminal."""

    exit_event: EndOfInput
    _writer: TerminalWriter | None = None
    _suspended = False

    def __init__(
        self, app: App[Any], *, size: tuple[int, int] | None = None, **options: Any
    ) -> None:
        # without a size the app would ask the terminal itself
        super().__init__(app, size=size or self.window_size(), **options)
        self.exit_event = EndOfInput(self.fileno)
        # Textual's own handlers would run between any two steps, even inside the writer's queue
        self.loop.add_signal_handler(signal.SIGTSTP, self.suspend)
        self.loop.add_signal_handler(signal.SIGCONT, self.resume)

    @property
    def can_suspend(self) -> bool:
        """Whether a shell would resume the program.

        In the process group of its session, as the only command of a terminal has it, Linux drops
        the signal that stops it, and nobody would give the terminal back to it.
        """
        return os.getpgrp() != os.getsid(0)

    def terminal_size(self) -> tuple[int, int]:
        """Ask the terminal."""
        return shutil.get_terminal_size()

    def should_stop(self) -> bool:
        """Tell whether the program ends, or the terminal is gone."""
        return self.exit_event.is_set()

    # ---- stop and go on ---------------------------------------------------------------------

    def suspend(self) -> None:
        """Give the terminal back to the shell, and stop until it says to go on."""
        if self.can_suspend:
            self.suspend_application_mode()
            self._suspended = True
            signal.raise_signal(signal.SIGSTOP)

    def resume(self) -> None:
        """Take the terminal over again; where it was never given back, paint it anew.

        A terminal that hangs up lets its program go on, too: then there is none to take over.
        """
        if not is_terminal(self.fileno):
            return
        if self._suspended:
            self._suspended = False
            self.resume_application_mode()
        self.app.post_message(self.SignalResume())

    # ---- output ---------------------------------------------------------------------------

    def start_application_mode(self) -> None:
        """Take the terminal over, with a writer for what is written to it."""
        if self._writer is None or not self._writer.is_alive():
            self._writer = TerminalWriter()
            self._writer.start()
        super().start_application_mode()  # type: ignore[no-untyped-call]

    def write(self, data: str) -> None:
        """Write what shows the same with fewer bytes."""
        self._hand_over(self.optimise(data))

    def close(self) -> None:
        """Write what is still queued, if the terminal is there; then end."""
        if self._writer is not None and self._hand_over(None):
            self._writer.join()
        super().close()

    def _hand_over(self, data: str | None) -> bool:
        """Queue a text for the writer, or none to end it; false if the terminal has gone.

        A writer whose terminal hangs up takes nothing more from its queue, so this cannot wait for
        room without looking.
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
        """Read input until the program ends; if the terminal goes before, end the program."""
        intake = InputReader(self.debug)
        with selectors.DefaultSelector() as selector, suppress(OSError):
            selector.register(self.fileno, selectors.EVENT_READ)
            while not self.exit_event.is_set():
                if selector.select(_MOMENT):
                    messages = intake.feed(os.read(self.fileno, _BLOCK))
                else:
                    messages = intake.tick()
                for message in messages:
                    self.process_message(message)
        if not self.exit_event.was_set:
            with suppress(RuntimeError):  # the loop has ended
                self.loop.call_soon_threadsafe(self.app.exit)


def harden_driver(driver: type[Driver]) -> type[Driver]:
    """Give the driver that lives with any input, in place of Textual's own; others as they are."""
    return HardenedDriver if driver is LinuxDriver else driver
