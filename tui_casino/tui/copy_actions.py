"""Copy the path of a log, or its last hash, to the terminal's clipboard."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol, runtime_checkable

from textual.app import App

from ..inputs.errors import BadInput
from ..inputs.sanitize import plain
from .desk import ScreenDesk
from .lazy import modals
from .terminal.detection import Clipboard, TerminalCapabilities
from .terminal.driver import HasDriver
from .window import open_over

NO_COPIES = "Your terminal does not let programs copy text."
BY_HAND = f"{NO_COPIES} Copy it by hand:"
SENT = "Sent to the terminal's clipboard"
"""The message after copying; no terminal answers whether it has taken the text."""
DOUBTFUL = (Clipboard.TMUX, Clipboard.SCREEN)
"""Multiplexers, which often do not pass text on to the clipboard."""


@runtime_checkable
class LogScreen(Protocol):
    """A screen that shows a log."""

    @property
    def log_path(self) -> Path | None:
        """The log that is shown now, if any. Raises :class:`~tui_casino.inputs.errors.BadInput`."""
        ...


class CopyActions(HasDriver, App[None]):
    """An app that copies text to its terminal's clipboard."""

    desk: ScreenDesk
    terminal: TerminalCapabilities

    def action_copy_log(self) -> None:
        """Copy the path of this screen's log; on a server, copy the command that fetches it."""
        screen = self.screen
        try:
            path = screen.log_path if isinstance(screen, LogScreen) else None
        except BadInput as error:
            self.notify(str(error), severity="warning")
            return
        if path is None:
            self.notify("There is no log here.", severity="warning")
            return
        line = plain(f"log {path.stem}" if self.desk.house.remote else str(path))
        self.copy_text(line, f"{SENT}: {line}")

    def copy_text(self, text: str, told: str) -> None:
        """Copy a text and say so; if it may not arrive, show it to be marked by hand."""
        sent = self.hand_over(text)
        if sent and self.terminal.clipboard not in DOUBTFUL:
            self.notify(told)
            return
        reason = f"{SENT}. If it did not arrive, copy it by hand:" if sent else BY_HAND
        open_over(self.screen, modals.TextPage("Copy", f"{reason}\n\n{text}"))

    def hand_over(self, line: str) -> bool:
        """Copy a text to the clipboard; return false if the terminal does not allow it."""
        if self.terminal.clipboard is Clipboard.NONE:
            return False
        self.copy_to_clipboard(line)
        return True

    def copy_to_clipboard(self, text: str) -> None:
        """Copy a text in a way that this terminal supports; the driver drops Textual's sequence."""
        super().copy_to_clipboard(text)
        if self.driver is not None:
            try:
                self.driver.copy(text, self.terminal.clipboard)
            except ValueError as error:
                self.notify(str(error), severity="warning")
