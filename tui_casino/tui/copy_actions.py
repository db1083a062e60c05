"""Copy the path of a log, or its last hash, to the terminal's clipboard."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol, runtime_checkable

from textual.app import App

from ..inputs.errors import BadInput
from ..inputs.sanitize import plain
from .desk import ScreenDesk
from .lazy import modals
from .modal_windows import open_over
from .terminal.clipboard import Clipboard
from .terminal.detection import TerminalCapabilities
from .terminal.driver import HasDriver

NO_COPIES = "Your terminal takes no copies from a program."


@runtime_checkable
class LogScreen(Protocol):
    """A screen that is about a log."""

    @property
    def log_path(self) -> Path | None:
        """The log, if it is about one now. Raises :class:`~tui_casino.inputs.errors.BadInput`."""
        ...


class CopyActions(HasDriver, App[None]):
    """An app that hands text to its terminal's clipboard, and says what."""

    desk: ScreenDesk
    terminal: TerminalCapabilities

    def action_copy_log(self) -> None:
        """Copy where the log is that this screen is about; from afar, the command that gets it."""
        screen = self.screen
        try:
            path = screen.log_path if isinstance(screen, LogScreen) else None
        except BadInput as error:
            self.notify(str(error), severity="warning")
            return
        if path is None:
            self.notify("There is no log here to copy the path of.", severity="warning")
            return
        line = plain(f"log {path.stem}" if self.desk.house.remote else str(path))
        if self.hand_over(line):
            self.notify(f"Copied, for you to paste: {line}")
        else:
            open_over(screen, modals.TextPage("Copy", f"{NO_COPIES} By hand:\n\n{line}"))

    def hand_over(self, line: str) -> bool:
        """Copy a line; false where the terminal takes none."""
        if self.terminal.clipboard is Clipboard.NONE:
            return False
        self.copy_to_clipboard(line)
        return True

    def copy_to_clipboard(self, text: str) -> None:
        """Copy a text as this terminal has it; what Textual writes for it the driver drops."""
        super().copy_to_clipboard(text)
        if self.driver is not None:
            try:
                self.driver.copy(text, self.terminal.clipboard)
            except ValueError as error:
                self.notify(str(error), severity="warning")
