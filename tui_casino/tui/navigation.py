"""Open screens and windows from anywhere: history, settings, keys, command palette."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from textual import work
from textual.app import App
from textual.screen import Screen

from ..gamekit.lazy_import import LazyModule
from ..house.desk import describe_goal
from ..house.settings import THEMES, Settings
from ..structs import replace
from .copy_actions import CopyActions
from .lazy import modals
from .theme import theme_for
from .widgets.key_names import key_name
from .widgets.title_bar import HasNotices

if TYPE_CHECKING:  # late: only when they are opened
    from ..teacher import practice_tasks
    from ..teacher.practice_tasks import TaskRequest
    from . import command_palette
    from .command_palette import PaletteCommand
    from .daily.screen import DailyScreen
    from .history.leaks_screen import LeaksScreen
    from .history.screen import HistoryScreen
    from .history.statistics_screen import HistoryStatisticsScreen
    from .practice.screen import PracticeScreen
    from .settings import keymap
    from .tables_room import TablesRoom
    from .widgets.key_names import KeyContext
else:
    practice_tasks = LazyModule("..teacher.practice_tasks", __package__)
    keymap = LazyModule(".settings.keymap", __package__)
    command_palette = LazyModule(".command_palette", __package__)


class LazyKeyboard(Struct, frozen=True):
    """The program's keys; the first call loads every screen and game, which takes a while.

    Conflicts at the current table, ``table``, are listed before the others.
    """

    program: type[App[None]]
    table: str = ""

    def places(self) -> Sequence[KeyContext]:
        """Return every place where keys are pressed."""
        return keymap.places(self.program)

    def wrong(self, keys: Mapping[str, str], only: str | None = None) -> list[str]:
        """Return what is wrong with a player's keys, or only with those of the id ``only``."""
        return keymap.wrong_keys(keys, self.program, self.table, only)

    def refused(self, keys: Mapping[str, str]) -> list[str]:
        """Return the ids whose keys cannot be used."""
        return [name for name in keys if self.wrong(keys, name)]


class Navigation(HasNotices, CopyActions):
    """An app that opens the rooms and windows. Subclasses define how settings are applied."""

    settings: Settings
    refused_keys: Mapping[str, str] = MappingProxyType({})
    """The player's own keys that conflict, by id; they are not in force."""

    def show_look(self, settings: Settings) -> None:
        """Apply the appearance settings without saving them."""
        raise NotImplementedError

    def apply_settings(self, settings: Settings) -> str | None:
        """Apply new settings immediately and save them; return the reason if saving fails."""
        raise NotImplementedError

    # ---- rooms ----------------------------------------------------------------------------

    def action_records(self) -> None:
        from .history.screen import HistoryScreen  # late: only when opened

        self._open_once(HistoryScreen)

    def action_statistics(self) -> None:
        from .history.statistics_screen import (
            HistoryStatisticsScreen,  # late: only when opened
        )

        self._open_once(HistoryStatisticsScreen)

    def action_leaks(self) -> None:
        """Open the leaks: what each kind of mistake costs."""
        from .history.leaks_screen import LeaksScreen  # late: only when opened

        self._open_once(LeaksScreen)

    def action_practice(self) -> None:
        self.open_practice()

    def action_daily(self) -> None:
        """Open the practice room with today's five mistakes."""
        self.open_practice(practice_tasks.DailyRequest())

    def action_goal(self) -> None:
        """Let the player choose a goal for their sessions, or none."""
        desk = self.desk
        goals = {str(place): goal for place, goal in enumerate(desk.offered_goals, 1)}
        texts = {key: describe_goal(goal) for key, goal in goals.items()}
        present = next((key for key, goal in goals.items() if goal == desk.goal), None)

        def choose(key: str | None) -> None:
            if key is not None:
                desk.memory.has_goal(goals[key])

        self.push_screen(modals.ChoiceDialog("A goal for your sessions", texts, present), choose)

    def action_daily_deal(self) -> None:
        self.open_daily()

    def open_daily(self, game: str = "") -> None:
        """Open the room of the daily deal, and a game's deal if there is one."""
        from .daily.screen import DailyScreen  # late: only when opened

        self._open_once(DailyScreen, game)

    def action_shared_tables(self) -> None:
        """Open the room of tables with other people."""
        from .tables_room import TablesRoom  # late: only when opened

        self._open_once(TablesRoom)

    def open_practice(self, begin: TaskRequest | None = None) -> None:
        """Open the practice room, and start with this request if there is one."""
        from .practice.screen import PracticeScreen  # late: only when opened

        self._open_once(PracticeScreen, begin)

    def _open_once(
        self,
        kind: type[
            DailyScreen
            | HistoryScreen
            | HistoryStatisticsScreen
            | LeaksScreen
            | PracticeScreen
            | TablesRoom
        ],
        *arguments: Any,
    ) -> None:
        if any(isinstance(screen, kind) for screen in self.screen_stack):
            self.notify("This room is already open: Esc leads back to it.")
        else:
            self.push_screen(self.desk.with_size_classes(kind(self.desk, *arguments)))

    def open_game(self, slug: str) -> None:
        """Close the rooms, leave the table, and open a game."""
        from .table.seated_table import SeatedTable  # late: the menu does not need a table

        for screen in reversed(self.screen_stack[1:]):
            if isinstance(screen, SeatedTable):
                screen.leave_for_game(slug)
                return
            screen.dismiss(None)
        self.desk.open_game(slug)

    # ---- settings, keys, notices ----------------------------------------------------------

    def action_settings(self, first: str = "") -> None:
        """Open the settings, at the row of the setting ``first`` if there is one."""
        from .settings.screen import SettingsScreen  # late: only when opened

        if not any(isinstance(screen, SettingsScreen) for screen in self.screen_stack):
            house = self.desk.house
            known_as = house.display_name if house.remote else None
            self.push_screen(SettingsScreen(self.settings, self._keyboard(), known_as, first))

    def action_keys(self) -> None:
        from .settings.screen import KeysScreen  # late: only when opened

        self.push_screen(KeysScreen(self.settings.keys, self._keyboard()))

    def _keyboard(self) -> LazyKeyboard:
        from .table.screen import TableScreen  # late: the menu does not need a table

        tables = (screen for screen in self.screen_stack if isinstance(screen, TableScreen))
        return LazyKeyboard(type(self), next((table.name_of_game for table in tables), ""))

    @work
    async def map_keys(self) -> None:
        """Apply the player's own keys, except those that conflict, which are reported."""
        keys = dict(self.settings.keys)
        self.use_keys()
        if keys:
            keyboard = await asyncio.to_thread(self._keyboard)  # loads the tables
            for text in await asyncio.to_thread(keyboard.wrong, keys):
                self.notify(text, title="Keys", severity="warning")
            refused = await asyncio.to_thread(keyboard.refused, keys)
            self.refused_keys = {name: keys[name] for name in refused}
            self.use_keys()

    def use_keys(self) -> None:
        """Apply the player's own keys, except the refused ones."""
        own = self.settings.keys.items()
        self.set_keymap({name: key for name, key in own if self.refused_keys.get(name) != key})

    def action_notices(self) -> None:
        """Show earlier notices, newest first."""
        texts = [notice.text for notice in reversed(self.notices.history)]
        self.push_screen(modals.TextPage("Notices", "\n\n".join(texts) or "No notices yet."))

    # ---- the command palette --------------------------------------------------------------

    def action_command_palette(self) -> None:
        """Open the command palette over a screen; windows have their own keys."""
        screen = self.screen
        if not screen.is_modal:
            window = command_palette.CommandPalette(
                [*self._deeds(screen)], lambda: self.show_look(self.settings)
            )
            self.push_screen(window, self._do)

    def _do(self, deed: PaletteCommand | None) -> None:
        if deed is not None:
            self.call_later(deed.do)  # the palette is still open

    def _deeds(self, screen: Screen[Any]) -> Iterator[PaletteCommand]:
        """Yield every action available now: the screen's own, the program's, and the themes."""
        yield from command_palette.palette_commands(screen, self.simulate_key)
        yield from command_palette.game_commands(screen, self.open_game)
        yield from command_palette.room_commands(screen, self.run_action)
        yield from command_palette.setting_commands(self.settings, self.action_settings)
        yield command_palette.PaletteCommand("Keys", "", self.action_keys)
        yield command_palette.PaletteCommand("Notices", "", self.action_notices)
        for name, title in self._themes().items():
            chosen = replace(self.settings, theme=name)
            yield command_palette.PaletteCommand(
                f"Theme: {title}",
                "current" if name == self.settings.theme else "",
                partial(self.apply_settings, chosen),
                partial(self.show_look, chosen),
            )
        yield command_palette.PaletteCommand("Quit", key_name("ctrl+q"), self.action_quit)

    def _themes(self) -> Mapping[str | None, str]:
        """Return the themes that the terminal can show, by name."""
        from ..house.settings import BY_TERMINAL  # late: the menu does not need it

        shown: dict[str | None, str] = {
            name: title
            for name, title in THEMES.items()
            if theme_for(self.terminal, name).name == name
        }
        return {**BY_TERMINAL, **shown}
