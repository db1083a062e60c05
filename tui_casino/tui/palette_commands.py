"""What the palette offers: deeds, places, tables, rooms and themes, each by its name."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from textual.screen import Screen

from ..gamekit.registry import GAMES
from .command_palette import Deed
from .menu.screen import Menu
from .menu.start_game import lower
from .table.base import TableScreen
from .widgets.hint_line import HintLine
from .widgets.key_bar import KeyBar
from .widgets.key_names import key_names

GAME = "game("
"""How the actions of the menu begin that play one of the games."""
MOVES = {"up", "down", "left", "right", "pageup", "pagedown", "home", "end", "enter", "escape"}
"""Keys that move a cursor, which one need not look for."""
Press = Callable[[str], object]
"""Presses a key on the screen below the palette."""


def deeds_of(screen: Screen[Any], press: Press) -> Iterator[Deed]:
    """Give what can be done on a screen by its keys and otherwise, each by one name once."""
    named = set[str]()
    for deed in (*_lines(screen, press), *_tables(screen), *_unseen(screen, press)):
        if deed.words not in named:
            named.add(deed.words)
            yield deed


def _lines(screen: Screen[Any], press: Press) -> Iterator[Deed]:
    """Give what stands in the hint line, and in the footer."""
    table = screen.offered if isinstance(screen, TableScreen) else ()
    here = (hint for line in screen.query(HintLine) for hint in line.hints)
    there = (hint for bar in screen.query(KeyBar) for hint in bar.hints)
    for hint in (*table, *here, *there):
        if hint.enabled and not _plays(screen, hint.action):
            yield Deed(hint.words, hint.display, partial(press, hint.key))


def _plays(screen: Screen[Any], action: str) -> bool:
    """Tell whether an action plays a game, each of which is offered by its name."""
    return isinstance(screen, Menu) and action.startswith(GAME)


def _tables(screen: Screen[Any]) -> Iterator[Deed]:
    if isinstance(screen, Menu):
        for number, game in enumerate(GAMES, 1):
            go = partial(screen.desk.open_game, game.slug)
            yield Deed(f"Play {lower(game.title)}", str(number), go)
    elif isinstance(screen, TableScreen):
        for name, title in screen.elsewhere.items():
            yield Deed(f"Sit down: {title}", "", partial(screen.sit_at, name))


def _unseen(screen: Screen[Any], press: Press) -> Iterator[Deed]:
    """Give what other keys do, which stand nowhere on the screen."""
    for key, (_, binding, enabled, _) in screen.active_bindings.items():
        named = binding.id is not None and not binding.id.startswith("app.")
        if not enabled or not named or binding.show or key in MOVES:
            continue
        if _plays(screen, binding.action):
            continue
        called = screen.called(binding.action) if isinstance(screen, TableScreen) else None
        if words := binding.description if called is None else called:
            yield Deed(words, key_names(key), partial(press, key))
