"""The arcade: the Textual application, its theme, its errors, and the way to the tables."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from traceback import walk_tb
from typing import Any, ClassVar, TypeVar

from rich.console import RenderableType
from textual import constants
from textual.app import App, SystemCommand
from textual.binding import Binding, BindingType
from textual.css.query import NoMatches
from textual.driver import Driver
from textual.events import Resize
from textual.screen import Screen
from textual.widget import Widget

from ..commands import Seating
from ..core import dollars
from ..errors import BadInput, write_error
from ..lobby import Found, look_in, resume, sit_down
from ..places import styles_folder
from ..registry import GAMES, Listing
from ..sitting import House, Sitting
from .driver import hardened, watch_terminal
from .menu import Menu
from .modals import TooSmall
from .settings import Settings, clashes, save, unknown_ids
from .terminal import Colours, Terminal, Tier
from .themes import THEMES, theme_for
from .widgets.card_art import Look

LEAST_COLUMNS, LEAST_ROWS = 40, 15
AnyScreen = TypeVar("AnyScreen", bound=Screen[Any])
ANIMATED = constants.TEXTUAL_ANIMATIONS != "none"


@dataclass(frozen=True, slots=True)
class Start:
    """What the arcade is opened with; ``game`` and ``seating`` open a table at once.

    ``trouble`` is what the player shall hear of first, such as settings that cannot be read.
    """

    house: House
    terminal: Terminal
    settings: Settings
    settings_file: Path
    seed: int | None = None
    game: str | None = None
    seating: Seating | None = None
    trouble: str | None = None


class Arcade(App[None]):
    """The arcade on the screen; ``ansi_color`` is what :func:`.terminal.prepare` gave."""

    TITLE = "TUI Casino"
    CSS_PATH = [*sorted(styles_folder().glob("*.tcss"))]  # noqa: RUF012 - as Textual has it
    HORIZONTAL_BREAKPOINTS = [  # noqa: RUF012
        (0, "-tiny"),
        (48, "-small"),
        (80, "-normal"),
        (104, "-wide"),
    ]
    VERTICAL_BREAKPOINTS = [  # noqa: RUF012
        (0, "-low"),
        (24, "-middle"),
        (34, "-tall"),
    ]
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+q", "quit", "Quit", show=False, priority=True, id="app.quit"),
        Binding("f3", "settings", "Settings", show=False, id="app.settings"),
    ]

    def __init__(self, start: Start, ansi_color: bool | None = None) -> None:
        self.start = start
        self.house, self.settings = start.house, start.settings
        self.error_file: str | None = None
        self._asking: TooSmall | None = None
        super().__init__(ansi_color=ansi_color)
        self.found: Found = Found((), ())
        for theme in THEMES.values():
            self.register_theme(theme)
        self._apply_look()

    # ---- how it looks ---------------------------------------------------------------------

    def _apply_look(self) -> None:
        chosen = theme_for(self.start.terminal, self.settings.theme)
        tier = self.start.terminal.tier
        truecolour = self.start.terminal.colours is Colours.TRUE
        soft = self.settings.card_style or ("soft" if truecolour else "boxed")
        self.look = Look(
            palette=chosen,
            tier=tier,
            soft=soft == "soft" and truecolour and tier is Tier.UNICODE,
            four_colour=self.settings.four_colour,
        )
        self.theme = chosen.name
        self.set_class(tier is Tier.ASCII, "-ascii")
        self.set_class(tier is Tier.CP437, "-cp437")
        self.animation_level = "full" if self.settings.animation and ANIMATED else "none"

    def apply_settings(self, settings: Settings) -> None:
        """Take over new settings at once, and keep them."""
        self.settings = settings
        self._apply_look()
        self._map_keys()
        self.refresh(layout=True)
        for screen in self.screen_stack:
            for widget in screen.walk_children():
                widget.refresh()
        try:
            save(self.start.settings_file, settings)
        except BadInput as error:
            self.notify(str(error), severity="warning")

    def _map_keys(self) -> None:
        """Give bindings the player's own keys, and report those that clash or are unknown."""
        self.set_keymap(dict(self.settings.keys))
        if not self.settings.keys:
            return
        own = [binding for _, binding in self._bindings]
        screens: list[type[Screen[Any]]] = [Menu, *(game.screen() for game in GAMES)]
        tables = [[*own, *(b for _, b in screen._merge_bindings())] for screen in screens]
        wrong = {
            *unknown_ids(self.settings.keys, [binding for table in tables for binding in table]),
            *(clash for table in tables for clash in clashes(self.settings.keys, table)),
        }
        for text in sorted(wrong):
            self.notify(text, title="Keys", severity="warning", timeout=15)

    # ---- the way in -----------------------------------------------------------------------

    async def on_mount(self) -> None:
        """Settle what was broken off, and open the menu, or the table that was asked for."""
        watch_terminal(self)
        self._map_keys()
        self.look_in()
        with self.batch_update():  # a table on top of the menu is all that is painted
            await self.push_screen(self._sized(Menu()))
            if self.start.game is not None:
                await self._open(self.start.game, self.start.seating)
        if self.start.trouble:
            self.notify(self.start.trouble, title="Settings", severity="warning", timeout=15)

    def on_resize(self, event: Resize) -> None:
        """Ask for a larger window while this one is too small; nothing is lost meanwhile."""
        small = event.size.width < LEAST_COLUMNS or event.size.height < LEAST_ROWS
        if small and self._asking is None:
            self._asking = TooSmall(LEAST_COLUMNS, LEAST_ROWS)
            self.push_screen(self._asking)
        elif self._asking is not None and not small:
            asking, self._asking = self._asking, None
            self.call_later(asking.dismiss)  # behind the push, should that still be under way

    def look_in(self) -> None:
        """Look for sittings that were broken off."""
        games = {game.slug: game.parts() for game in GAMES} if self._may_have_broken() else {}
        self.found = look_in(self.house, games)

    def _may_have_broken(self) -> bool:
        ledger = self.house.ledger
        return ledger is not None and bool(ledger.open_sittings(self.house.player))

    def open_game(self, slug: str, seating: Seating | None = None) -> None:
        """Go on with a sitting that waits, or sit down anew."""
        self.call_later(self._open, slug, seating)

    async def _open(self, slug: str, seating: Seating | None) -> None:
        listing = next(game for game in GAMES if game.slug == slug)
        try:
            self.look_in()  # another program may have let a sitting go
            sitting = self._taken_up(listing) or self._sat_down(listing, seating)
        except (BadInput, OSError) as error:
            self.notify(str(error), title="This table cannot be opened", severity="error")
            return
        screen = self._sized(listing.screen()(listing.title, sitting))
        with self.batch_update():  # painted when it is whole, not a first time while it is mounted
            await self.push_screen(screen, lambda seating: self._left(slug, seating))

    def _sized(self, screen: AnyScreen) -> AnyScreen:
        """Give a new screen the classes of this size at once: later it would be painted twice."""
        breakpoints = (
            (self.size.width, self.HORIZONTAL_BREAKPOINTS),
            (self.size.height, self.VERTICAL_BREAKPOINTS),
        )
        for extent, classes in breakpoints:
            screen.add_class([name for least, name in classes if extent >= least][-1])
        return screen

    def _left(self, slug: str, seating: Seating | None) -> None:
        if seating is not None:
            self.open_game(slug, seating)

    def _taken_up(self, listing: Listing) -> Sitting[Any, Any, Any, Any] | None:
        for entry in self.found.waiting:
            if entry.game != listing.slug:
                continue
            if found := resume(self.house, listing.parts(), entry):
                return found
        return None

    def _sat_down(self, listing: Listing, seating: Seating | None) -> Sitting[Any, Any, Any, Any]:
        parts = listing.parts()
        if seating is None:
            seating = listing.command().usual()
        return sit_down(self.house, parts, seating, self.start.seed)

    # ---- pages ----------------------------------------------------------------------------

    def statistics(self) -> str:
        """Give what was won and lost, by game."""
        ledger = self.house.ledger
        if ledger is None:
            return "Play for practice leaves no statistics."
        titles = {game.slug: game.title for game in GAMES}
        lines = [f"{'Game':<15}{'':>4}{'Bought':>11}{'Cashed out':>12}{'Net':>12}"]
        for game, sittings, bought, cashed in ledger.totals(self.house.player):
            lines.append(
                f"{titles.get(game, game):<15}{sittings:>4}{dollars(bought):>11}"
                f"{dollars(cashed):>12}{signed(cashed - bought):>12}"
            )
        return "\n".join(lines) if len(lines) > 1 else "Nothing has been played yet."

    def action_settings(self) -> None:
        """Open the settings."""
        from .settings_screen import SettingsScreen

        if not any(isinstance(screen, SettingsScreen) for screen in self.screen_stack):
            self.push_screen(SettingsScreen(self.settings, self.apply_settings))

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """Offer what the house has in the command palette; nothing that acts on the machine."""
        yield SystemCommand("Settings", "Colours, cards and motion", self.action_settings)
        if hasattr(screen, "action_help"):
            yield SystemCommand("Help", "The keys and the rules in short", screen.action_help)
        if hasattr(screen, "action_statistics"):
            yield SystemCommand(
                "Statistics", "What came and what it paid", screen.action_statistics
            )
        yield SystemCommand("Quit", "Leave the house", self.action_quit)

    # ---- trouble --------------------------------------------------------------------------

    def get_driver_class(self) -> type[Driver]:
        """Give a driver that lives with any input."""
        return hardened(super().get_driver_class())

    def _handle_exception(self, error: Exception) -> None:
        """End the app politely, but not for a part that was closed before it was whole."""
        inner = getattr(error, "error", error)  # of a worker
        if isinstance(inner, NoMatches) and self._from_closed(inner):
            return
        super()._handle_exception(error)

    def _from_closed(self, error: Exception) -> bool:
        """Tell whether an error comes from a screen that is not shown any more."""
        for frame, _ in walk_tb(error.__traceback__):
            node = frame.f_locals.get("self")
            if isinstance(node, Widget):
                screens = [n for n in node.ancestors_with_self if isinstance(n, Screen)]
                if not node.is_running or not screens or screens[-1] not in self.screen_stack:
                    return True
        return False

    def panic(self, *renderables: RenderableType) -> None:
        """Say nothing of what the parts of Textual would print, which may be a traceback."""
        self._fatal_error()

    def _fatal_error(self) -> None:
        """Write an unexpected error to a file: on the screen it would show cards and seeds."""
        error = sys.exc_info()[1]
        self.error_file = write_error(error or RuntimeError("an error that left no trace"))
        self._close_messages_no_wait()


def signed(cents: int) -> str:
    """Print cents with their sign: ``+12.00``."""
    return f"{'+' if cents > 0 else '-' if cents < 0 else ''}{dollars(abs(cents))}"
