"""The screen that hides a table between the turns of two players at one keyboard."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from time import monotonic
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.message import Message
from textual.widgets import Input, Static

from ...gamekit.words import SEAT_NAMES
from ...house.settings import split_names
from ..draw.text import transliterate
from ..modals import InputDialog
from ..room import Room, leave_binding
from ..widgets.key_bar import VERB
from ..widgets.line_widget import look_of
from .action_text import with_card_signs

NAMES_QUESTION = f"""\
Type two names, such as: Ann, Bob
Esc: {SEAT_NAMES[0]} and {SEAT_NAMES[1]}"""
LINES = 8
"""The number of recent events shown."""


class PlayersNamed(Message):
    """The players at one keyboard have entered their names, separated by a comma."""

    def __init__(self, names: str) -> None:
        super().__init__()
        self.names = names


class NamesDialog(InputDialog):
    """Asks two players at one keyboard for their names; Escape keeps the default names."""

    edge = "Enter, Esc"

    def __init__(self) -> None:
        super().__init__("Two players", NAMES_QUESTION)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Return the names if they are valid."""
        event.prevent_default()
        if split_names(event.value):
            self.dismiss(event.value)
        else:
            self.write("two names and a comma", bad=True)


class HotSeatScreen(Room[None]):
    """Shows what both players may know, and waits for the player whose turn it is.

    The screen covers the whole table. ``answer`` is called with true when the player asks to see
    their cards, before the table becomes visible, and with false when a player leaves instead.

    For ``reading_seconds``, keys do not uncover the cards: the other player may still be typing.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space,enter", "look", "See your cards", id="cover.look", group=VERB),
        leave_binding("cover", "Leave", "leave"),
    ]

    def __init__(
        self,
        title: str,
        player: str,
        events: Iterable[str],
        answer: Callable[[bool], None],
        reading_seconds: float = 0,
    ) -> None:
        super().__init__(title, f"{player}'s turn")
        lines = [with_card_signs(line) for line in events][-LINES:]
        prompt = f"{player}: press Space to see your cards"
        self._text = "\n".join([*lines, "", prompt] if lines else [prompt])
        self._answer, self._reading_seconds = answer, reading_seconds

    def on_mount(self) -> None:
        """Note the time; the keys pressed until now were meant for the table."""
        self._shown_at = monotonic()

    def compose_content(self) -> ComposeResult:
        """Lay out the recent events and the name of the player whose turn it is."""
        with VerticalScroll(classes="cover", can_focus=False):
            yield Static(transliterate(self._text, look_of(self).tier), markup=False)

    def action_look(self) -> None:
        if self.is_current and monotonic() - self._shown_at >= self._reading_seconds:
            self._answer(True)
            self.dismiss()

    def action_leave(self) -> None:
        """Show the table with the cards that both players may see, then leave it."""
        if self.is_current:
            self.dismiss(None)
            self.call_later(self._answer, False)
