"""The settings screen: one line per setting; every change takes effect immediately."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, ClassVar, Generic, cast

from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget
from textual.widgets import Input, Static

from ...house.settings import LONGEST_NAME, SETTING_CHOICES, SettingChoices, Settings, V
from ...structs import replace
from ..modals import MARKS
from ..theme import sheet
from ..window import Window, ask_over
from .keys_screen import KeyboardSettings, KeysScreen, SettingsApp

REST = 4
"""Rows that the settings leave to the edges of the window and to the explanation."""
WHY_NAME = "Your name at the table."
WHY_KEYS = "Change the key of any action. Enter opens the list."


class SettingRow(Widget, Generic[V], can_focus=True):
    """A row with a setting and its value, changed with arrow keys, Enter, Space or the mouse."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right,enter,space", "turn(1)", "Change", id="settings.forward"),
        Binding("left", "turn(-1)", "Change back", show=False, id="settings.back"),
    ]

    class Changed(Message):
        """The player has chosen another value; ``change`` applies the value to the settings."""

        def __init__(self, change: Callable[[Settings], Settings]) -> None:
            super().__init__()
            self.change = change

    def __init__(self, choice: SettingChoices[V], settings: Settings) -> None:
        super().__init__(id=choice.key)
        self.choice: SettingChoices[V] = choice
        self.value: V = choice.value(settings)

    def render(self) -> Content:
        """Return the title at the left, and the value between arrows at the right."""
        mark = row_marker(self)
        return Content(f"{mark}{self.choice.title:<{self._start() - 1}}{self._shown()}")

    def on_click(self, event: events.Click) -> None:
        """Change the value by mouse: backwards on the left arrow, forwards anywhere else."""
        self.action_turn(-1 if self._start() <= event.x < self._start() + 2 else 1)

    def action_turn(self, step: int) -> None:
        """Switch to the next or previous value; the last value is followed by the first."""
        values = list(self.choice.words)
        place = (
            values.index(self.value) if self.value in values else -1
        )  # the file may contain other values
        value = self.value = values[(place + step) % len(values)]
        self.refresh()
        self.post_message(self.Changed(lambda settings: self.choice.change(settings, value)))

    def _shown(self) -> str:
        return f"< {self.choice.say(self.value)} >"

    def _start(self) -> int:
        return max(len(self.choice.title) + 2, self.size.width - len(self._shown()))


def row_marker(row: Widget) -> str:
    """Return the text before a row: a mark if it has the focus."""
    return MARKS[row.app.has_class("-ascii")] if row.has_focus else " "


class KeysRow(Widget, can_focus=True):
    """A row that opens the keys screen; ``own`` is the number of keys changed by the player."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right,enter,space", "open", "Open", id="settings.forward"),
    ]

    class Opened(Message):
        """The player has asked to see the keys."""

    own: reactive[int] = reactive(0)

    def render(self) -> Content:
        """Return the title at the left, and the number of changed keys at the right."""
        count = f"{self.own} changed >" if self.own else "default >"
        return Content(f"{row_marker(self)}{'Keys':<{self.size.width - 1 - len(count)}}{count}")

    def on_click(self) -> None:
        self.action_open()

    def action_open(self) -> None:
        self.post_message(self.Opened())


class SettingsScreen(Window[None]):
    """All settings, and a row that opens the keys.

    ``known_as`` is the name by which the house knows the player, if any. It is shown, but it is not
    a setting. The row of the setting ``first`` is focused at the start.
    """

    CSS_PATH = [sheet("settings")]  # noqa: RUF012 - as Textual has it
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "app.focus_previous", "Up", show=False, id="settings.up"),
        Binding("down", "app.focus_next", "Down", show=False, id="settings.down"),
        Binding("escape,f3", "close", "Close", id="settings.close"),
    ]
    edge = "arrows change, Esc closes"

    def __init__(
        self,
        settings: Settings,
        keyboard: KeyboardSettings,
        known_as: str | None = None,
        first: str = "",
    ) -> None:
        super().__init__(classes="modal")
        self.settings, self._keyboard, self._known_as = settings, keyboard, known_as
        self._first = first or SETTING_CHOICES[0].key

    def compose(self) -> ComposeResult:
        """Lay out one row per setting, with an explanation of the current one below."""
        with Vertical(classes="window") as window:
            window.border_title = "Settings"
            with Vertical(id="rows"):
                yield from self._rows()
            yield Static(id="why", markup=False)

    def _rows(self) -> Iterator[Widget]:
        for choice in SETTING_CHOICES:
            yield SettingRow[Any](choice, self.settings)
        yield KeysRow(id="keys")
        with Horizontal(id="name-row"):
            mine = self._known_as is None
            yield Static(" Name" if mine else " Name (set by the server)", markup=False)
            if self._known_as is None:
                name = self.settings.name
                yield Input(name, max_length=LONGEST_NAME, compact=True, id="name")
            else:
                yield Static(self._known_as, id="known-as", markup=False)

    def on_resize(self) -> None:
        """Let the rows scroll if there are too few for all and the explanation."""
        self.query_one("#rows").styles.max_height = max(1, self.app.size.height - REST)

    def on_mount(self) -> None:
        for name in self.query(Input):
            name.cursor_blink = False
        self.query_one(KeysRow).own = len(self.settings.keys)
        self.query(f"#{self._first}").focus()

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        match event.widget:
            case SettingRow() as row:
                self._say(row.choice.help_text)
            case KeysRow():
                self._say(WHY_KEYS)
            case _:
                self._say(WHY_NAME)

    def _say(self, text: str, *, bad: bool = False) -> None:
        label = self.query_one("#why", Static)
        label.set_class(bad, "-bad")
        label.update(text)

    def on_keys_row_opened(self) -> None:
        self._open_keys()

    @work(exclusive=True, group="keys", name="action_open_keys")
    async def _open_keys(self) -> None:
        keys = await ask_over(self, KeysScreen(self.settings.keys, self._keyboard))
        if keys is not None:
            self.settings = replace(self.settings, keys=keys)
            self.query_one(KeysRow).own = len(keys)

    @on(SettingRow.Changed)
    def _row_changed(self, event: SettingRow.Changed) -> None:
        self._change(event.change(self.settings))

    @on(Input.Submitted)
    @on(Input.Blurred)
    def _name_given(self) -> None:
        if self._known_as is not None:
            return
        typed = self.query_one(Input).value
        name = "".join(letter for letter in typed if letter.isprintable()).strip()
        self._change(replace(self.settings, name=name[:LONGEST_NAME]))

    def action_close(self) -> None:
        """Close the window, and apply the typed name."""
        self._name_given()
        self.dismiss()

    def _change(self, changed: Settings) -> None:
        if changed != self.settings:
            self.settings = changed
            if trouble := cast(SettingsApp, self.app).apply_settings(changed):
                self._say(trouble, bad=True)
