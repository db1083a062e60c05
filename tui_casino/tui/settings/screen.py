"""The settings screen, where each change takes effect immediately, and the screen of the keys."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Generic, Protocol, cast

from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from ...house.settings import LONGEST_NAME, SETTING_CHOICES, SettingChoices, Settings, V
from ...structs import replace
from ..modals import MARKS, MarkedOptionList
from ..theme import sheet
from ..widgets.key_names import KeyContext, key_names
from ..window import Window, ask_over

COLUMNS = 54
"""The width of a line if the window is wide enough."""
HOW = "Enter changes the key, Del restores the default. * marks changed keys."
HOW_REFUSED = f"{HOW} ! marks refused keys."
Keymap = Mapping[str, str]


class KeyboardSettings(Protocol):
    """The keys in all places of a program."""

    def places(self) -> Sequence[KeyContext]:
        """Return every place where keys are pressed. This may take long."""
        ...

    def wrong(self, keys: Keymap) -> Sequence[str]:
        """Return what is wrong with a player's keys."""
        ...

    def refused(self, keys: Keymap) -> Sequence[str]:
        """Return the ids whose keys cannot be used."""
        ...


class KeyPrompt(Window[str | None]):
    """Asks for one key; Escape cancels."""

    def __init__(self, words: str) -> None:
        super().__init__(classes="modal")
        self._words = words

    def compose(self) -> ComposeResult:
        with Vertical(classes="window"):
            yield Static(f"Press the new key for {self._words}.", markup=False)

    def on_key(self, event: events.Key) -> None:
        event.stop()
        event.prevent_default()
        self.dismiss(None if event.key == "escape" else event.key)


class SettingsApp(Protocol):
    """An app whose settings can be changed.

    The windows call it directly, because a message would arrive after the keys that close the
    window.
    """

    settings: Settings

    def apply_settings(self, settings: Settings, /) -> str | None:
        """Apply settings immediately, and save them; return the reason if that fails."""


class KeysScreen(Window[Keymap]):
    """The list of all keys, place by place; it is dismissed with the player's own keys."""

    CSS_PATH = [sheet("settings")]  # noqa: RUF012 - as Textual has it
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,f3", "close", "Close", id="keys.close"),
        Binding("delete,backspace", "usual", "Default key", id="keys.usual"),
    ]
    edge = "Esc closes"

    def __init__(self, keys: Keymap, keyboard: KeyboardSettings) -> None:
        super().__init__(classes="modal keys")
        self.keys, self._keyboard = dict(keys), keyboard
        self._refused: set[str] = set()
        self._rows: list[tuple[str, str, str]] = []

    def compose(self) -> ComposeResult:
        """Lay out the list, with instructions below."""
        with Vertical(classes="window") as window:
            window.border_title = "Keys"
            yield MarkedOptionList(compact=True, markup=False)
            yield Static(HOW, id="why", markup=False)

    def on_mount(self) -> None:
        self._load()

    @work
    async def _load(self) -> None:
        places = await asyncio.to_thread(self._keyboard.places)
        self._refused = {*await asyncio.to_thread(self._keyboard.refused, self.keys)}
        options = self.query_one(MarkedOptionList)
        for place in places:
            named = [*place.named()]
            if named:
                options.add_option(Option(Content.styled(place.title, "$gold"), disabled=True))
                self._rows.append(("", "", ""))
            for row in named:
                options.add_option(Option(self._line(*row)))
                self._rows.append(row)
        options.highlighted = 1
        options.focus()
        self._say(self._how, bad=False)

    @property
    def _how(self) -> str:
        return HOW_REFUSED if self._refused else HOW

    def _line(self, name: str, words: str, usual: str) -> Content:
        if name in self._refused:
            keys = f"{key_names(usual)} !"
        else:
            keys = key_names(self.keys.get(name, usual)) + (" *" if name in self.keys else "  ")
        room = max(8, min(COLUMNS, self.app.size.width - 6) - len(keys) - 3)
        return Content.assemble(f"  {words[:room]:<{room}} ", keys)

    def _row(self) -> tuple[str, str, str] | None:
        at = self.query_one(MarkedOptionList).highlighted
        return self._rows[at] if at is not None and self._rows[at][0] else None

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self._ask(*self._rows[event.option_index])

    @work(exclusive=True, group="ask", name="action_ask")
    async def _ask(self, name: str, words: str, usual: str) -> None:
        key = await self.app.push_screen_wait(KeyPrompt(words))
        if key is None:
            return
        rest = {one: held for one, held in self.keys.items() if one != name}
        self._take(rest if key in usual.split(",") else {**rest, name: key}, name)

    def action_usual(self) -> None:
        if (row := self._row()) is not None and row[0] in self.keys:
            self._take({key: held for key, held in self.keys.items() if key != row[0]}, row[0])

    def _take(self, keys: dict[str, str], name: str) -> None:
        """Use a keymap if the change of the id ``name`` is valid; otherwise show what is wrong."""
        refused = self._refused - {name}
        known = self._keyboard.wrong(_without(self.keys, self._refused))
        wrong = [
            text for text in self._keyboard.wrong(_without(keys, refused)) if text not in known
        ]
        if wrong:
            self._say(f"{wrong[0]}.", bad=True)
            return
        self.keys, self._refused = keys, refused
        self._say(self._how, bad=False)
        app = cast(SettingsApp, self.app)
        if trouble := app.apply_settings(replace(app.settings, keys=keys)):
            self._say(trouble, bad=True)
        options = self.query_one(MarkedOptionList)
        for place, row in enumerate(self._rows):
            if row[0] == name:
                options.replace_option_prompt_at_index(place, self._line(*row))

    def _say(self, text: str, *, bad: bool) -> None:
        label = self.query_one("#why", Static)
        label.set_class(bad, "-bad")
        label.update(text)

    def action_close(self) -> None:
        """Close the window, and return the current keys."""
        self.dismiss(self.keys)


def _without(keys: Keymap, names: Collection[str]) -> Keymap:
    return {name: key for name, key in keys.items() if name not in names}


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
