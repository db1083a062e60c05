"""The menu: the games, the purse, what happened last."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.geometry import Size
from textual.screen import Screen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from ..engine.money import dollars
from ..gamekit.registry import GAMES
from .desk import Desk
from .widgets.bars import TitleBar, capital
from .widgets.key_bar import KeyBar
from .widgets.options import Options
from .widgets.steady import Steady
from .windows import open_over

SIGN = """\
▀█▀ █ █ █   █▀▀ █▀█ █▀▀ █ █▀█ █▀█
 █  █▄█ █   █▄▄ █▀█ ▄▄█ █ █ █ █▄█"""
ASCII_SIGN = "T U I   C A S I N O"

HELP = f"""\
Choose a game with its digit, the arrows and Enter, or the mouse.

  1 to {len(GAMES)}     a game
  F2         what you won and lost, against the odds
  r          the records: every session, step by step
  F3         settings: colours, cards, motion
  w          a word of yours for the next shuffle
  v          check the last shuffle
  F1 or ?    this help
  q          leave the house

Your purse sits down with you and comes back when you leave a table. \
If you leave with a bet at stake or in a game for points, or the line is \
cut, the table waits for you with the very same cards.

At a table, keys act at once, and commands can be typed: b 5, d, \
h 1 2, a, s, $. A colon opens a command of any kind. F1 explains each game."""

RESULTS = 5
REST = 0.4
"""Seconds on the menu, after which the games are loaded, so that a table opens sooner."""
ROOMY = 5
"""So many games have an empty line each in a window of 24 lines; of more the last has none."""


class Menu(Steady, Screen[None]):
    """The first screen of the house; ``covered`` by a table, it is laid out when it is come to."""

    SCOPED_CSS = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f1,question_mark", "help", "Help", id="menu.help", key_display="F1"),
        Binding("f2,s", "app.statistics", "Statistics", id="menu.statistics", key_display="F2"),
        Binding("f3", "app.settings", "Settings", id="menu.settings", key_display="F3"),
        Binding("r", "app.records", "Records", id="menu.records"),
        Binding("w", "app.add_word", "Word", show=False, id="menu.word"),
        Binding("v", "app.verify", "Verify", show=False, id="menu.verify"),
        Binding("q", "app.quit", "Quit", id="menu.quit"),
        *(
            Binding(str(number), f"game({number})", show=False, id=f"menu.game{number}")
            for number in range(1, len(GAMES) + 1)
        ),
    ]

    def __init__(self, desk: Desk, *, covered: bool = False) -> None:
        super().__init__()
        self.desk = desk
        self._covered = covered
        self._away = False

    def compose(self) -> ComposeResult:
        """Lay out the sign, the games, and the player's side, if anybody sees them."""
        if self._covered:
            return
        ascii_only = self.app.has_class("-ascii")
        yield TitleBar("TUI Casino")
        with Vertical(id="hall"):
            yield Static(ASCII_SIGN if ascii_only else SIGN, id="sign", markup=False)
            with Horizontal(id="floor"):
                yield Options(*self._options(), id="games", compact=True, markup=False)
                with Vertical(id="player"):
                    yield Static(id="purse", markup=False)
                    yield Static(id="results", markup=False)
            yield Static(id="notes", markup=False)
        yield KeyBar()

    def _options(self) -> list[Option]:
        waiting = {entry.game for entry in self.desk.found.waiting}
        options = []
        for number, game in enumerate(GAMES, 1):
            bet, left = game.slug in waiting, game.slug in self.desk.left_off
            state = "  your bet waits" if bet else "  your game waits" if left else ""
            # no colours: the highlighted row has its own
            title = Content.assemble((f"{number} {game.title}", "bold"), state)
            gap = "" if number == len(GAMES) > ROOMY else "\n"
            line = f"\n  {game.line}{gap}"
            options.append(Option(Content.assemble(title, line), id=game.slug))
        return options

    def on_mount(self) -> None:
        """Put the cursor on the games."""
        if not self._covered:
            self._enter()

    async def uncover(self) -> None:
        """Lay out what was covered from the beginning."""
        self._covered = False
        await self.recompose()
        self._enter()

    def _screen_resized(self, size: Size) -> None:
        """Lay nothing out that is not there: Textual would paint the table above once more."""
        if not self._covered:
            super()._screen_resized(size)

    def _enter(self) -> None:
        self.set_timer(REST, self.desk.load_games)
        self.query_one(OptionList).focus()
        self._show_player()

    def on_screen_suspend(self) -> None:
        """Leave for a table, or for a window."""
        self._away = True

    async def on_screen_resume(self) -> None:
        """Show what has changed while a game was played; at first nothing has."""
        if not self._away:
            return
        self._away = False
        self.desk.look_in()
        if self._covered:
            await self.uncover()
            return
        games = self.query_one(OptionList)
        at = games.highlighted
        games.set_options(self._options())
        games.highlighted = at or 0
        self._show_player()

    def _show_player(self) -> None:
        house = self.desk.house
        lines: list[Content] = [Content.styled(house.identity.name, "bold")]
        results: list[Content] = []
        titles = {game.slug: game.title for game in GAMES}
        if house.ledger is None:
            lines.append(Content("practice, no purse"))
        else:
            purse = house.ledger.purse(house.player)
            lines.append(Content.assemble("purse ", (dollars(purse), "bold $gold")))
            if lent := house.ledger.lent(house.player):
                lines.append(Content.assemble("lent ", (dollars(lent), "$muted")))
            for result in house.ledger.results(house.player, RESULTS):
                net = result.cashed - result.bought
                sign = "+" if net > 0 else "-" if net < 0 else " "
                colour = "$good" if net > 0 else "$bad" if net < 0 else "$muted"
                amount = f"{sign}{dollars(abs(net))}"
                name = titles.get(result.game, result.game)
                results.append(Content.assemble((f"{amount:>9} ", colour), name))
        self.query_one("#purse", Static).update(Content("\n").join(lines))
        title = [Content.styled("Last results", "$muted")] if results else []
        self.query_one("#results", Static).update(Content("\n").join([*title, *results]))
        self.query_one("#notes", Static).update("\n".join(map(capital, self.desk.found.notes)))

    def action_game(self, number: int) -> None:
        """Open the game of this number."""
        self.desk.open_game(GAMES[number - 1].slug)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Open the game chosen with Enter or the mouse."""
        if event.option.id:
            self.desk.open_game(event.option.id)

    def action_help(self) -> None:
        """Show how to get about."""
        from .modals import Page

        open_over(self, Page("TUI Casino", HELP))
