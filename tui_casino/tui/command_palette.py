"""The command palette: all actions available now, by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any, ClassVar, NamedTuple

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.fuzzy import Matcher
from textual.screen import Screen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from ..gamekit.registry import GAMES, lower_title
from ..house.settings import SETTING_CHOICES, Settings
from .menu.screen import Menu
from .modals import MarkedOptionList
from .table.screen import TableScreen
from .theme import sheet
from .widgets.hint_line import HintLine
from .widgets.key_bar import KeyBar
from .widgets.key_names import key_names
from .window import Window

COLUMNS = 56
"""Columns of a line, if the window is wide enough."""
ROOMS: Mapping[str, tuple[str, str]] = {
    "app.daily_deal": ("Daily deal", "the same cards for everybody"),
    "app.shared_tables": ("Tables with others", "people, players, multiplayer, friends"),
    "app.goal": ("Goal for a session", "choose"),
    "app.practice": ("Your mistakes", "practice and drills"),
    "app.leaks": ("Leaks", "habits"),
    "app.records": ("History", "records: sessions, logs and replays"),
    "app.statistics": ("Statistics of all sessions", "results and luck"),
}
"""The rooms by action: the title, and other words that find the room."""
GAME = "game("
"""The prefix of menu actions that play a game."""
MOVES = {"up", "down", "left", "right", "pageup", "pagedown", "home", "end", "enter", "escape"}
"""Keys that move a cursor; the palette does not list them."""
Press = Callable[[str], object]
"""Presses a key on the screen below the palette."""


class PaletteCommand(NamedTuple):
    """An entry: its name, the text to its right (usually a key), and the function to call.

    ``preview`` shows the effect while the cursor is on the entry. ``keywords`` are other words that
    find the entry.
    """

    words: str
    right: str
    do: Callable[[], object]
    preview: Callable[[], object] | None = None
    keywords: str = ""


class CommandPalette(Window[PaletteCommand | None]):
    """A list of actions, filtered by typing; it is dismissed with the chosen action.

    If several actions have the same name, the first is listed. ``restore`` ends a preview.
    """

    CSS_PATH = [sheet("settings")]  # noqa: RUF012 - as Textual has it
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss(None)", "Close", id="palette.close"),
        Binding("up", "move('cursor_up')", "Up", show=False, id="palette.up"),
        Binding("down", "move('cursor_down')", "Down", show=False, id="palette.down"),
        Binding("pageup", "move('page_up')", "Page up", show=False, id="palette.page-up"),
        Binding("pagedown", "move('page_down')", "Page down", show=False, id="palette.page-down"),
    ]
    edge = "type: find, Enter: run, Esc: close"

    def __init__(self, deeds: Iterable[PaletteCommand], restore: Callable[[], object]) -> None:
        super().__init__(classes="modal palette")
        by_name: dict[str, PaletteCommand] = {}
        for command in deeds:
            by_name.setdefault(command.words, command)
        self._deeds, self._restore = (*by_name.values(),), restore
        self._matches: list[PaletteCommand] = []
        self._previews = False

    def compose(self) -> ComposeResult:
        with Vertical(classes="window") as window:
            window.border_title = "All actions"
            line = Input(compact=True, placeholder="search")
            line.cursor_blink = False
            yield line
            options = MarkedOptionList(compact=True, markup=False)
            options.can_focus = False
            yield options
            yield Static("No action matches.", id="nothing", markup=False)

    def on_mount(self) -> None:
        self._find("")

    def on_resize(self) -> None:
        self._list()

    def on_input_changed(self, event: Input.Changed) -> None:
        self._find(event.value.strip())

    def _find(self, typed: str) -> None:
        matcher = Matcher(typed)

        def score(command: PaletteCommand) -> float:
            """Return how well a command matches; best is a name that begins with the typed text."""
            name = command.words.rpartition(": ")[2]
            begins = name.casefold().startswith(typed.casefold())
            return begins + max(map(matcher.match, (command.words, command.keywords)))

        scores = [(score(command) if typed else 1.0, command) for command in self._deeds]
        matches = [scored for scored in scores if scored[0] > 0]
        self._matches = [command for _, command in sorted(matches, key=lambda scored: -scored[0])]
        self._list()

    def _list(self) -> None:
        options = self.query_one(MarkedOptionList)
        width = max(10, min(COLUMNS, self.app.size.width - 6))
        options.set_options(Option(_line(command, width)) for command in self._matches)
        self.query_one("#nothing").set_class(not self._matches, "-shown")
        self.edge = f"{len(self._matches)} actions, Enter: run, Esc: close"
        self.name_keys()
        if self._matches:
            options.highlighted = 0

    def action_move(self, action: str) -> None:
        getattr(self.query_one(MarkedOptionList), f"action_{action}")()

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Preview the action at the cursor, if that is possible."""
        command = (
            self._matches[event.option_index] if event.option_index < len(self._matches) else None
        )
        if command is not None and command.preview is not None:
            self._previews = True
            command.preview()
        else:
            self._end_preview()

    def _end_preview(self) -> None:
        if self._previews:
            self._previews = False
            self._restore()

    def on_unmount(self) -> None:
        self._end_preview()

    def on_input_submitted(self) -> None:
        self._choose(self.query_one(MarkedOptionList).highlighted)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self._choose(event.option_index)

    def _choose(self, place: int | None) -> None:
        if place is not None and place < len(self._matches):
            self._end_preview()
            self.dismiss(self._matches[place])


def _line(command: PaletteCommand, width: int) -> Content:
    room = max(1, width - len(command.right) - 2)
    words = command.words if len(command.words) <= room else command.words[: room - 1] + "."
    return Content.assemble(f"{words:<{room}}  ", (command.right, "$muted"))


def game_commands(screen: Screen[Any], play: Callable[[str], object]) -> Iterator[PaletteCommand]:
    """Yield the games, except that of the current table."""
    present = screen.name_of_game if isinstance(screen, TableScreen) else ""
    for number, game in enumerate(GAMES, 1):
        if game.title != present:
            key = str(number) if isinstance(screen, Menu) else ""
            yield PaletteCommand(
                f"Play {lower_title(game.title)}", key, partial(play, game.slug), None, game.slug
            )


def room_commands(screen: Screen[Any], run: Callable[[str], object]) -> Iterator[PaletteCommand]:
    """Yield the rooms, each with its key if the screen has one for it."""
    active = {binding.action: binding for _, binding, _, _ in screen.active_bindings.values()}
    for action, (title, keywords) in ROOMS.items():
        if not screen.app.check_action(action.removeprefix("app."), ()):
            continue
        key = screen.app.get_key_display(active[action]) if action in active else ""
        yield PaletteCommand(title, key, partial(run, action), None, keywords)


def setting_commands(
    settings: Settings, open_at: Callable[[str], object]
) -> Iterator[PaletteCommand]:
    """Yield the settings with their current values; each opens the settings at its row."""
    for choice in SETTING_CHOICES:
        value = choice.current(settings)
        yield PaletteCommand(f"Setting: {choice.title}", value, partial(open_at, choice.key))
    yield PaletteCommand("Setting: Name", settings.name, partial(open_at, "name"))


def palette_commands(screen: Screen[Any], press: Press) -> Iterator[PaletteCommand]:
    """Yield the actions available on a screen."""
    yield from _lines(screen, press)
    yield from _tables(screen)
    yield from _unseen(screen, press)


def _lines(screen: Screen[Any], press: Press) -> Iterator[PaletteCommand]:
    """Yield the actions of the hint line and the key bar."""
    table = screen.current_hints if isinstance(screen, TableScreen) else ()
    hint_line = (hint for line in screen.query(HintLine) for hint in line.hints)
    key_bar = (hint for bar in screen.query(KeyBar) for hint in bar.hints)
    for hint in (*table, *hint_line, *key_bar):
        if hint.enabled and hint.action not in ROOMS and not _plays(screen, hint.action):
            yield PaletteCommand(hint.words, hint.display, partial(press, hint.key))


def _plays(screen: Screen[Any], action: str) -> bool:
    """Return whether an action opens a game; the palette lists the games by title instead."""
    return isinstance(screen, Menu) and action.startswith(GAME)


def _tables(screen: Screen[Any]) -> Iterator[PaletteCommand]:
    if isinstance(screen, TableScreen):
        for name, title in screen.other_tables.items():
            yield PaletteCommand(f"Change table: {title}", "", partial(screen.sit_at, name))


def _unseen(screen: Screen[Any], press: Press) -> Iterator[PaletteCommand]:
    """Yield the actions of keys that are not shown on the screen."""
    for key, (_, binding, enabled, _) in screen.active_bindings.items():
        named = binding.id is not None and not binding.id.startswith("app.")
        if not enabled or not named or binding.show or key in MOVES:
            continue
        is_hidden = isinstance(screen, TableScreen) and screen.hides_key(binding.action)
        if is_hidden or _plays(screen, binding.action):
            continue
        called = screen.binding_label(binding.action) if isinstance(screen, TableScreen) else None
        if words := binding.description if called is None else called:
            yield PaletteCommand(words, key_names(key), partial(press, key))
