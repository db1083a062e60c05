"""The Textual application: theme, settings, notices, error handling, and opening tables."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from traceback import walk_tb
from typing import TYPE_CHECKING, ClassVar

from msgspec import Struct
from rich.console import RenderableType
from textual import constants, on, work
from textual.app import App
from textual.binding import Binding, BindingType
from textual.css.query import NoMatches
from textual.driver import Driver
from textual.events import Event, Key, Paste, Resize
from textual.filter import LineFilter
from textual.geometry import Size
from textual.notifications import SeverityLevel
from textual.screen import Screen
from textual.widget import Widget

from ..gamekit.registry import listing_of
from ..house.desk import new_committed_source
from ..house.house import House
from ..house.limits import PlayTimer
from ..house.settings import ONLY_NOW, WARNINGS, Settings, save
from ..house.visit_state import VisitState
from ..inputs.errors import BadInput, report_fault
from ..structs import replace
from .desk import ScreenDesk, TableRequest
from .draw.look import Look
from .lazy import modals
from .menu.screen import Menu
from .navigation import Navigation
from .terminal.detection import ColourDepth, GlyphSet, TerminalCapabilities
from .terminal.output import BLACK_BACKGROUND_FILTER, PRINTABLE_FILTER
from .textual_compat import ErrorHandlingApp, repaint
from .theme import SIXTEEN, THEMES, HasSheets, theme_for
from .widgets.hint_line import HintLine
from .widgets.key_names import key_name
from .widgets.line_widget import HasLook, HasTempo, HasWarnings
from .widgets.painter import HasPainter, painter_for
from .widgets.title_bar import Notices, make_notice
from .window import BROAD, Window, ask_over, open_over

if TYPE_CHECKING:  # imported only where needed, because the first paint does without
    from ..gamekit.table_catalog import AnyTableSetup
    from ..house.lobby import SourceFactory
    from ..records.asciicast import CastRecorder
    from ..teacher.practice_tasks import TaskRequest
    from .table.hot_seat_screen import PlayersNamed

LEAST_COLUMNS, LEAST_ROWS = 40, 15
WORD = """\
The house has chosen its seed, with this commitment:
{}

Type any words as your client seed. Together with the house's seed, which can \
no longer change, they decide the cards."""
AROUND = 30
"""The columns of the title row that are not available for the text of a notice."""
ANIMATED = constants.TEXTUAL_ANIMATIONS != "none"


class StartOptions(Struct, frozen=True):
    """The options with which the arcade starts; ``game`` and ``seating`` open a table immediately.

    ``error`` is a message to show first, for example about unreadable settings. ``practice`` is a
    request with which the practice room opens. ``daily`` opens the room of the daily deal, and the
    deal of the game that it names, if any. ``table`` is the code of a table with others, at which
    the player sits down, or which the player ``watches``. ``word`` is the client seed for every
    shuffle, ``cast`` records the terminal's output, and ``fresh`` creates the sources of fair
    shuffles. ``memory`` stores what is kept between visits. ``watch`` is called when the app
    starts, so that the caller can end the app when its terminal closes. ``painted`` is called once
    the first screen is painted, and ``loaded`` once all games are imported.
    """

    house: House
    terminal: TerminalCapabilities
    settings: Settings
    settings_file: Path | None
    seed: int | None = None
    game: str | None = None
    seating: AnyTableSetup | None = None
    error: str | None = None
    word: str = ""
    cast: CastRecorder | None = None
    fresh: SourceFactory = new_committed_source
    memory: VisitState | None = None
    practice: TaskRequest | None = None
    daily: str | None = None
    table: str | None = None
    watches: bool = False
    watch: Callable[[App[None]], None] = lambda app: None
    painted: Callable[[], None] = lambda: None
    loaded: Callable[[], None] = lambda: None


LONGEST_SAID = 20
"""The maximum number of characters of a pasted text that a refusal quotes."""


class Arcade(HasLook, HasTempo, HasWarnings, HasPainter, HasSheets, ErrorHandlingApp, Navigation):
    """The arcade on the screen; ``ansi_color`` is the result of :func:`.detection.prepare`."""

    TITLE = "TUI Casino"
    ALLOW_SELECT = False  # clicks play the game; Textual cannot style a selection here
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
        Binding("ctrl+c", "interrupt", show=False, priority=True, system=True),
        Binding("ctrl+z", "suspend_process", show=False, priority=True, system=True),
        Binding("ctrl+p", "command_palette", "All actions", show=False, id="app.palette"),
        Binding("f3", "settings", "Settings", show=False, id="app.settings"),
    ]

    def __init__(self, start: StartOptions, ansi_color: bool | None = None) -> None:
        self.start = start
        self.settings, self.terminal = start.settings, start.terminal
        self.error: str | None = None
        self._size_request: modals.TerminalTooSmall | None = None
        self._shown = False
        self._window: Size | None = None  # after a change; the app's own size follows later
        super().__init__(ansi_color=ansi_color)
        self.notices = Notices(self)
        memory = start.memory or VisitState()
        self._pastime = PlayTimer(start.house.clock, memory, start.settings.limits)
        self.desk = ScreenDesk(
            self,
            self._house(),
            start.seed,
            start.word,
            start.fresh,
            memory,
        )
        self.desk.has_goals = self.settings.goals
        for theme in THEMES.values():
            self.register_theme(theme)
        self._apply_look(self.settings)

    # ---- appearance -----------------------------------------------------------------------

    def _apply_look(self, settings: Settings) -> None:
        chosen = theme_for(self.start.terminal, settings.theme)
        tier = self.start.terminal.tier
        truecolour = self.start.terminal.colours is ColourDepth.TRUE
        soft = settings.card_style or ("soft" if truecolour else "boxed")
        self.look = Look(
            palette=chosen,
            tier=tier,
            soft=soft == "soft" and truecolour and tier is GlyphSet.UNICODE,
            four_colour=settings.four_colour,
        )
        self.theme = chosen.name
        self.set_class(tier is GlyphSet.ASCII, "-ascii")
        self.set_class(tier is GlyphSet.CP437, "-cp437")
        self.tempo = settings.tempo if ANIMATED else 0.0
        self.warned_share = WARNINGS[settings.warn]
        self.animation_level = "full" if self.tempo else "none"

    def show_look(self, settings: Settings) -> None:
        """Apply the appearance settings to the whole screen."""
        self._apply_look(settings)
        self.refresh(layout=True)
        for screen in self.screen_stack:
            for widget in screen.walk_children(with_self=True):
                widget.refresh()

    def get_key_display(self, binding: Binding) -> str:
        """Return the text for a binding's key, which is the same on every screen."""
        return binding.key_display or key_name(binding.key)

    def refresh_css(self, animate: bool = True) -> None:
        """Apply the theme's colours; before the first screen, only set the style variables."""
        if self.screen_stack:
            super().refresh_css(animate)
        else:
            self.stylesheet.set_variables(self.get_css_variables())

    def apply_settings(self, settings: Settings) -> str | None:
        """Apply new settings immediately and save them; return the reason if saving fails."""
        before, self.settings = self.settings, settings
        self.use_keys()
        self.desk.house = self._house()
        self.desk.has_goals = settings.goals
        self._pastime.limits = settings.limits
        self.show_look(settings)
        try:
            if self.start.settings_file is None:
                raise BadInput(f"{ONLY_NOW}: there is no folder for them; set HOME")
            save(self.start.settings_file, settings, before)
        except BadInput as error:
            self.notify(str(error), severity="warning")
            return str(error)
        return None

    def _house(self) -> House:
        """Return the house with the player's settings; the name only if the server gave none."""
        house, settings = self.start.house, self.settings
        name = house.name or settings.name.strip() or None
        return replace(
            house,
            name=name,
            play_timer=self._pastime,
            buy_in=house.buy_in or (settings.buy_in_cents if house.ledger else None),
            seat_names=settings.seat_names,
            repays_debt=settings.repay_debt,
        )

    def on_players_named(self, message: PlayersNamed) -> None:
        """Save the names of two players at one keyboard, so that they are not asked for again."""
        self.apply_settings(replace(self.settings, players=message.names))

    # ---- start ----------------------------------------------------------------------------

    def get_default_screen(self) -> Menu:
        """Settle interrupted sessions and return the menu, left empty if a table was requested."""
        self.desk.settle_open_sittings(self.start.table and self.start.table.upper())
        self.set_class(self.size.width >= BROAD, "-broad")
        table = self.start.game if self._asked_seating is None else None
        return self.desk.with_size_classes(Menu(self.desk, covered_by=table))

    @property
    def _asked_seating(self) -> AnyTableSetup | None:
        """The requested seating, if the player still has to choose its options."""
        seating = self.start.seating
        return seating if seating is not None and seating.variants_of else None

    async def on_mount(self) -> None:
        """Open the table or the practice room that was requested, and show the first error."""
        self.start.watch(self)
        if self.start.cast is not None:
            self.start.cast.on_trouble = self._notify_error
        self.map_keys()
        if self.start.game is not None and (way := self._asked_seating) is not None:
            game = listing_of(self.start.game)
            if isinstance(menu := self.screen, Menu):
                menu.call_after_refresh(menu.ask_way, game, way)
        elif self.start.game is not None:
            await self.desk.open_table(
                TableRequest(listing_of(self.start.game), self.start.seating)
            )
            if isinstance(self.screen, Menu):  # the table could not be opened
                self.screen.call_later(self.screen.lay_out_deferred)
        if self.start.practice is not None:
            self.open_practice(self.start.practice)
        if self.start.daily is not None:
            self.open_daily(self.start.daily)
        if self.start.table is not None and self.start.watches:
            await self.desk.watch_table(self.start.table)
        elif self.start.table is not None:
            await self.desk.sit_with_others(self.start.table)
        if self.start.error:
            self._show_settings_error(self.start.error)

    def _show_settings_error(self, trouble: str) -> None:
        """Show an error in a notice, and also in a window if it is too long for a notice."""
        self.notify(trouble, title="Settings", severity="warning")
        if len(trouble) > self.size.width - AROUND:
            self.call_later(lambda: open_over(self.screen, modals.TextPage("Settings", trouble)))

    def on_ready(self) -> None:
        """Report that the first screen is painted; from now on, paint only changes."""
        self.start.painted()
        self.painter = painter_for(self)
        self._shown = True
        self._ask_for_room()

    def on_menu_all_loaded(self) -> None:
        self.start.loaded()

    def on_unmount(self) -> None:
        self.desk.close()

    def on_paste(self, event: Paste) -> None:
        """Say that pasted text has no effect on a screen without a command line."""
        screen = self.screen
        places = (screen,) if isinstance(screen, Window) else screen.query(HintLine)
        for place in places:
            words = "".join(filter(str.isprintable, event.text[:LONGEST_SAID]))
            place.refuse_words(words, event.time)

    def on_input_flooded(self) -> None:
        self.notify("Text arrived too fast to be typed, and was ignored.", severity="warning")

    def on_resize(self, event: Resize) -> None:
        """Ask for a larger window while the terminal is too small; the game is not affected."""
        self.set_class(event.size.width >= BROAD, "-broad")
        self._window = event.size
        if self._shown:  # otherwise a requested table would cover the message
            self._ask_for_room()

    @property
    def lacks_room(self) -> bool:
        """Whether the terminal is too small for the screens."""
        size = self._window or self.size
        return size.width < LEAST_COLUMNS or size.height < LEAST_ROWS

    def _ask_for_room(self) -> None:
        small = self.lacks_room
        if small and self._size_request is None:
            self._size_request = modals.TerminalTooSmall(LEAST_COLUMNS, LEAST_ROWS)
            self.push_screen(self._size_request)
        elif self._size_request is not None and not small:
            asking, self._size_request = self._size_request, None
            self.call_later(asking.dismiss)  # dismissed later, in case the push is still running

    @work
    async def action_add_word(self) -> None:
        """Show the commitment to the next shuffle, then ask for the player's client seed."""
        if self.desk.seed is not None:
            self.notify(f"The shuffle uses seed {self.desk.seed}; this is free play.")
            return
        if not isinstance(menu := self.screen, Menu):  # the key was pressed twice
            return
        try:
            text = WORD.format(self.desk.next_commitment())
        except BadInput as error:
            self.notify(str(error), severity="warning")
            return
        typed = await ask_over(
            menu, modals.InputDialog("Your client seed for the next shuffle", text)
        )
        if typed is None:
            return
        try:
            self.desk.mix_in(typed)
        except BadInput as error:
            self.notify(str(error), severity="warning")
        else:
            self.notify("Your client seed is mixed in." if typed else "No client seed is mixed in.")

    @work
    async def action_verify(self) -> None:
        """Verify the session that was cashed out last, and show its proof."""
        if not isinstance(menu := self.screen, Menu):  # the key was pressed twice
            return
        from .replay.proof import load_proof_page  # late: only when the key is pressed

        title = "Proof of the last shuffle"
        try:
            path = self.desk.last_cashed_out()
        except BadInput as error:
            open_over(menu, modals.TextPage(title, str(error)))
            return
        if path is None:
            menu.refuse("v", "you have not finished a session yet.")
        else:
            open_over(menu, await load_proof_page(title, path, self.desk.house))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Allow only quitting in a tiny terminal; the daily deal and goals can be off.

        Only a server has tables with others.
        """
        if action == "goal" and not self.desk.has_goals:
            return False
        if action == "daily_deal" and (not (self.start.house.has_daily and self.settings.daily)):
            return False
        if action == "shared_tables" and self.start.house.shared_tables is None:
            return None
        return self._size_request is None or action == "quit"

    # ---- keys ------------------------------------------------------------------------------

    async def on_event(self, event: Event) -> None:
        """Handle an event; with Caps Lock on, letter keys keep their meaning."""
        if isinstance(event, Key) and not event.is_forwarded and self._is_only_small(event):
            event = type(event)(event.key.lower(), event.key.lower())
        await super().on_event(event)

    def _is_only_small(self, event: Key) -> bool:
        """Return whether a key is a capital that has no meaning, unlike its small letter."""
        letter, focused = event.character or "", self.focused
        if not (letter.isascii() and letter.isupper()) or not self.screen_stack:
            return False
        if focused is not None and focused.check_consume_key(event.key, letter):
            return False
        active = self.screen.active_bindings
        return letter.lower() in active and active.keys().isdisjoint(event.aliases)

    # ---- keys of other programs --------------------------------------------------------------

    def action_interrupt(self) -> None:
        """Copy the selected text; if none is selected, say how to quit."""
        if selected := self.screen.get_selected_text():
            self.copy_to_clipboard(selected)
            return
        waits = "; your bet stays on the table" if self.desk.at_stake else ""
        self.notify(f"{key_name('ctrl+q')} quits{waits}.")

    def action_suspend_process(self) -> None:
        """Return to the shell, if the program was started from one."""
        if self.driver is not None and self.driver.can_suspend:
            super().action_suspend_process()
        else:
            self.notify("There is no shell to return to.")

    @on(Driver.SignalResume)
    def repaint(self) -> None:
        """Repaint the whole screen, because the shell has written over it."""
        repaint(self.screen)

    # ---- messages and errors --------------------------------------------------------------

    def notify(
        self,
        message: str,
        *,
        title: str = "",
        severity: SeverityLevel = "information",
        timeout: float | None = None,
        markup: bool = False,
    ) -> None:
        """Show a notice without markup, because its text may come from a file."""
        bad = severity != "information"
        self.notices.add(make_notice(message, title, bad=bad, seconds=timeout))

    def clear_notifications(self) -> None:
        """Remove all notices."""
        self.notices.clear()

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Return the filters that every painted line passes through."""
        grounds = [BLACK_BACKGROUND_FILTER] if self.look.palette is SIXTEEN else []
        return [*super().get_line_filters(), PRINTABLE_FILTER, *grounds]

    def get_driver_class(self) -> type[Driver]:
        """Return a driver that tolerates any input."""
        from .terminal.unix_driver import (
            harden_driver,  # late: sessions of a server need no terminal
        )

        return harden_driver(super().get_driver_class())

    @property
    def cast(self) -> CastRecorder | None:
        """The recorder of the terminal's output, if there is one."""
        return self.start.cast

    def _notify_error(self, reason: str) -> None:
        self.call_later(self.notify, reason, severity="warning")

    def is_harmless(self, error: Exception) -> bool:
        """Return whether an error comes from a widget that was closed before it was complete.

        While the app itself ends, for example because its connection closed, any widget may be
        incomplete.
        """
        inner = getattr(error, "error", error)  # the error that a worker's error wraps
        ends = self.return_code is not None
        return isinstance(inner, NoMatches) and (ends or self._from_closed(inner))

    def _from_closed(self, error: Exception) -> bool:
        """Return whether an error comes from a screen that is no longer shown."""
        for frame, _ in walk_tb(error.__traceback__):
            node = frame.f_locals.get("self")
            if isinstance(node, Widget):
                screens = [n for n in node.ancestors_with_self if isinstance(n, Screen)]
                if not node.is_running or not screens or screens[-1] not in self.screen_stack:
                    return True
        return False

    def panic(self, *renderables: RenderableType) -> None:
        """Write a crash report and exit; a traceback on the screen would reveal cards and seeds."""
        error = sys.exc_info()[1]
        self.error = report_fault(error or RuntimeError("the cause of this error is unknown"))
        super().panic()
