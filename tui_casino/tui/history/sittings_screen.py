"""The base of the screens that read all of the player's sessions on a thread."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from textual import work
from textual.worker import get_current_worker

from ...house.own_sessions import own_accounts, own_logs
from ...inputs.files import BadFile
from ...records.cache import Cache
from ...records.ledger import SittingAccount
from ...records.log_catalog import CatalogEntry
from ..desk import ScreenDesk
from ..room import Room
from ..table.statistics_screen import export_figures
from ..theme import sheet
from ..widgets.hint_line import HintMessage

PROGRESS = 0.1
"""Seconds between two progress messages."""


class SittingsScreen(Room[None]):
    """The base of the statistics, leaks and practice screens; subclasses lay out their content.

    A screen calls :meth:`begin_reading` to start, and goes through the sessions in
    :meth:`review_logs_of`, on a thread.
    """

    CSS_PATH = [sheet("records")]  # noqa: RUF012 - as Textual has it

    def __init__(self, desk: ScreenDesk, title: str, lead: str = "") -> None:
        super().__init__(title, lead=lead)
        self.desk = desk

    def begin_reading(self) -> None:
        """Start reading the sessions; their owners are read first, on the event loop."""
        self._read(own_accounts(self.desk.house, partial(self.notify, severity="warning")))

    @work(thread=True, exclusive=True, group="read")
    def _read(self, accounts: Mapping[str, SittingAccount]) -> None:
        worker, app = get_current_worker(), self.app
        try:
            entries = own_logs(self.desk.house, accounts)
        except BadFile as error:
            app.call_from_thread(self.notify, str(error), severity="error")
            entries = []
        self.review_logs_of(entries, Cache(self.desk.house.cache), lambda: not worker.is_cancelled)

    def review_logs_of(
        self, entries: list[CatalogEntry], cache: Cache, still: Callable[[], bool]
    ) -> None:
        """Read the sessions while ``still`` returns true; this runs on a thread."""
        raise NotImplementedError

    def export(self, report: Mapping[str, Any], names: tuple[str, ...]) -> None:
        """Write figures to files in the player's folder, and show a message."""
        folder = self.desk.house.folder
        messages, written = export_figures(report, names, folder)
        both = f"Exported CSV and JSON to {folder}" if written else "; ".join(messages)
        self.hints.show_message(
            HintMessage("told" if written else "refused", "" if written else "e", both)
        )
