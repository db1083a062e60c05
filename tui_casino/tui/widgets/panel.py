"""The side panel of a table: titled texts, shown if there is room for them."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Label, Static

from .text_blocks import TextBlock

PANEL_WIDTH = 30


class TailText(TextBlock):
    """Shows as many of a text's last lines as fit."""

    _whole: str | None = None

    def put(self, text: str) -> None:
        """Show as much of the end of this text as fits."""
        self._whole = text
        self.on_resize()

    def on_resize(self) -> None:
        """Show as much of the end as fits after the resize."""
        if self._whole is not None:
            rows = self.size.height or len(self._whole)
            self.update("\n".join(self._whole.split("\n")[-rows:]))


class Panel(Vertical):
    """Sections one below the other, each with a title; texts are up to :data:`PANEL_WIDTH` wide.

    A game may put its own widget ``above`` them.
    """

    def __init__(self, *parts: str, above: Widget | None = None) -> None:
        super().__init__()
        self._parts, self._above = parts, above
        self._titles: dict[str, Label] = {}

    def compose(self) -> ComposeResult:
        """Lay out the sections."""
        if self._above is not None:
            yield self._above
        for part in self._parts:
            title = Label(part.upper(), classes="panel-title", markup=False)
            text = TailText(id=f"panel-{part.replace(' ', '-')}", classes="panel-part")
            title.display = text.display = False
            self._titles[part] = title
            yield from (title, text)

    def put(self, part: str, text: Content | str, *, tail: bool = False) -> None:
        """Write one of the sections; for a ``tail``, write only the last lines that fit.

        The title of an empty section is hidden.
        """
        widgets = self.query(f"#panel-{part.replace(' ', '-')}").results(Static)
        for shown in widgets:  # there is none while the screen is closing
            if tail and isinstance(text, str) and isinstance(shown, TailText):
                shown.put(text)
            else:
                shown.update(text)
            self._titles[part].display = shown.display = bool(text)
