"""All places where keys have actions: screens, tables and windows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

from textual.binding import Binding
from textual.dom import DOMNode

from ...gamekit.action_grammar import takes_arguments
from ...gamekit.registry import GAMES, GameListing
from ..command_palette import CommandPalette
from ..daily.board_screen import DailyBoardScreen
from ..daily.result_screen import DailyResultScreen
from ..daily.screen import DailyScreen
from ..history.leaks_screen import LeaksScreen
from ..history.log_list import LogList
from ..history.screen import HistoryScreen
from ..history.statistics_screen import HistoryStatisticsScreen
from ..history.summary_screen import SummaryWindow
from ..menu.screen import Menu
from ..menu.tour import Tour
from ..modals import ChoiceDialog, ConfirmationDialog, InputDialog, LedgerBusyDialog, TextPage
from ..positions.position_screen import PositionScreen
from ..positions.verdict_screen import VerdictScreen
from ..practice.screen import PracticeScreen
from ..replay.graph import CurveWindow
from ..replay.proof import ProofPage
from ..replay.screen import ReplayTable
from ..table.face import face_of
from ..table.hot_seat_screen import HotSeatScreen
from ..table.shared import TableWithOthers
from ..table.statistics_screen import StatisticsScreen
from ..tables_room import TablesRoom
from ..watch_page import WatchPage
from ..widgets.key_names import KeyContext, bindings_of, key_conflicts, unknown_ids
from .screen import KeysScreen, SettingRow, SettingsScreen

TABLES = "Every table"
ROOMS: Mapping[str, tuple[type[DOMNode], ...]] = {
    "Menu": (Menu,),
    "Tables with others": (TablesRoom,),
    "Daily deal": (DailyScreen,),
    "Result of a daily deal": (DailyResultScreen,),
    "Boards of daily deals": (DailyBoardScreen,),
    "Your mistakes": (PracticeScreen,),
    "Practice position": (PositionScreen,),
    "Verdict on a choice": (VerdictScreen,),
    "History": (HistoryScreen, LogList),
    "Replay": (ReplayTable,),
    "Statistics of all sessions": (HistoryStatisticsScreen,),
    "Leaks": (LeaksScreen,),
}
WINDOWS: Mapping[str, tuple[type[DOMNode], ...]] = {
    "Settings": (SettingsScreen, SettingRow),
    "Keys": (KeysScreen,),
    "Command palette": (CommandPalette,),
    "Text pages": (TextPage,),
    "Proofs": (ProofPage,),
    "Rounds of a table that you watch": (WatchPage,),
    "Lists": (ChoiceDialog,),
    "Text input": (InputDialog,),
    "Questions": (ConfirmationDialog,),
    "Tour": (Tour,),
    "Graph of a replay": (CurveWindow,),
    "Summary of a session": (SummaryWindow,),
    "Between turns at one keyboard": (HotSeatScreen,),
    "Locked ledger": (LedgerBusyDialog,),
    "Statistics at a table": (StatisticsScreen,),
}
"""Windows that open over a screen; the screen's own keys do nothing while a window is open."""


@lru_cache(4)
def places(program: type[DOMNode]) -> tuple[KeyContext, ...]:
    """Return every place where keys have actions; the program's own keys work in all of them.

    This loads every game, which takes a while.
    """
    everywhere = tuple(bindings_of(program))
    table = tuple(bindings_of(TableWithOthers))
    return (
        KeyContext("Everywhere", everywhere),
        KeyContext(TABLES, _but(everywhere, table), everywhere, frozenset({"enter"})),
        *(_table(game, table, everywhere) for game in GAMES),
        *(
            KeyContext(title, _but(everywhere, bindings_of(*kinds)), everywhere)
            for title, kinds in (*ROOMS.items(), *WINDOWS.items(), *_windows_of_games())
        ),
    )


def _windows_of_games() -> Iterator[tuple[str, tuple[type[DOMNode], ...]]]:
    """Yield the title and the class of each window that belongs to a single game."""
    for game in GAMES:
        for title, window in face_of(game).pages.windows.items():
            yield f"{game.title}: {title}", (window(),)


def _table(
    game: GameListing, table: tuple[Binding, ...], everywhere: tuple[Binding, ...]
) -> KeyContext:
    """Return the place of a game's table; keys of the game's view override those of all tables."""
    verbs = game.definition().words.verbs.items()
    typed = frozenset(word[0] for word, kind in verbs if takes_arguments(kind) and len(word) == 1)
    view = tuple(bindings_of(face_of(game).view))
    own = {binding.key for binding in view}
    shared = tuple(one for one in table if one.key not in own)
    return KeyContext(game.title, _but(table, view), (*shared, *everywhere), typed | {"enter"})


def _but(
    others: tuple[Binding, ...], bindings: tuple[Binding, ...] | list[Binding]
) -> tuple[Binding, ...]:
    ids = {binding.id for binding in others}
    return tuple(one for one in bindings if one.id is None or one.id not in ids)


def wrong_keys(
    keymap: Mapping[str, str], program: type[DOMNode], first: str = "", only: str | None = None
) -> list[str]:
    """Return what is wrong with a player's keys; the place ``first`` is checked first."""
    contexts = sorted(places(program), key=lambda place: place.title != first)
    strangers = unknown_ids(keymap, contexts) if only is None else []
    return [*strangers, *key_conflicts(keymap, contexts, only)]
