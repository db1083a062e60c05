"""The base of the full screens with a hint line, such as the menu and the history."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, TypeVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding
from textual.screen import Screen

from .widgets.base_screen import BaseScreen
from .widgets.hint_line import HintLine, HintMessage
from .widgets.key_bar import BACK, ORDER, OUT, KeyBar
from .widgets.key_names import with_own_keys
from .widgets.lists import CursorList
from .widgets.title_bar import Note, TitleBar
from .window import open_over

Result = TypeVar("Result")


def help_binding(room: str) -> Binding:
    """Return the binding of a room's help page; ``room`` is the first part of its bindings' ids."""
    return Binding("f1,question_mark", "help", "Help", id=f"{room}.help", key_display="F1")


def leave_binding(
    room: str, words: str = BACK, action: str = "dismiss", keys: str = "escape,q"
) -> Binding:
    """Return the binding that leaves a room; the key bar names the screen to which it returns."""
    return Binding(keys, action, words, id=f"{room}.leave", key_display="Esc", group=OUT)


class Room(BaseScreen, Screen[Result]):
    """A full screen: title bar, content, hint line and key bar.

    Subclasses lay out their content in :meth:`compose_content`. The hint line begins with the
    action ``lead`` and says why a key does nothing. F1 opens :attr:`HELP_PAGE`.
    """

    SCOPED_CSS = False
    HELP_PAGE: ClassVar[tuple[str, str]] = "", ""
    """The title and the text of the help page."""
    KEY_ORDER: ClassVar[Sequence[str]] = ORDER
    """The order of the keys in the key bar, by the last parts of their ids."""

    def __init__(self, title: str, subtitle: str = "", *notes: Note, lead: str = "") -> None:
        super().__init__()
        self.place = title
        self.title_bar, self.hints = TitleBar(title, subtitle, *notes), HintLine(lead)

    def compose(self) -> ComposeResult:
        """Lay out the content between title bar and hint line."""
        yield self.title_bar
        yield from self.compose_content()
        yield self.hints
        yield KeyBar(self.hints.hint, self.KEY_ORDER)

    def compose_content(self) -> ComposeResult:
        """Yield the widgets between title bar and hint line; they fill the remaining height."""
        raise NotImplementedError

    def on_mount(self) -> None:
        """Show the keys; a room without a focused widget would otherwise show none."""
        self.refresh_bindings()

    def on_key(self, event: events.Key) -> None:
        self.hints.process_key(event)

    def refuse(self, key: str, reason: str, accepted: str = "") -> None:
        """Explain in the hint line why a key does nothing now, and what would be accepted."""
        self.hints.show_message(HintMessage("refused", key, reason, accepted))

    def action_help(self) -> None:
        from .modals import TextPage  # late: the menu is painted without windows

        title, text = self.HELP_PAGE
        open_over(self, TextPage(title, with_own_keys(self, text)))


class ListRoom(Room[Result]):
    """A room whose ``page`` is a list with a cursor, with the keys of ``list_bindings``."""

    page: CursorList[Any]

    def action_go(self, rows: int) -> None:
        self.page.action_go(rows)

    def action_page(self, pages: int) -> None:
        self.page.action_page(pages)

    def on_cursor_list_moved(self) -> None:
        """Adapt the hints to the row at the cursor."""
        self.refresh_bindings()
        self.hints.refresh_hints()
