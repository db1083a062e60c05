"""The screen that lists and changes keys."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping, Sequence
from typing import ClassVar, Protocol, cast

from textual import events, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from ...house.settings import Settings
from ...structs import replace
from ..modals import MarkedOptionList
from ..theme import sheet
from ..widgets.key_names import KeyContext, key_names
from ..window import Window

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
