"""Questions and messages before a game opens from the menu."""

from __future__ import annotations

from collections.abc import Coroutine
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import Struct
from textual.screen import Screen

from ...gamekit.registry import GAMES, GameListing, lower_title
from ...house.house import WaitingSession
from ...inputs.errors import BadInput
from ...records.clock import format_time
from ...structs import replace
from ..desk import ScreenDesk
from ..lazy import modals, table_choice
from ..widgets.hint_line import HintMessage
from ..window import ask_over

if TYPE_CHECKING:  # a table that is requested directly does not use this module
    from ...gamekit.table_catalog import AnyTableSetup

NEW_TABLE = "new"


class GameStart(Struct, frozen=True):
    """How to open a game: with this seating, or by resuming the ``preferred`` waiting session."""

    game: GameListing
    seating: AnyTableSetup | None = None
    preferred: WaitingSession | None = None


Question: TypeAlias = Coroutine[Any, Any, GameStart | HintMessage | None]
"""Asks the player a question. The result says how to open the game or why that is impossible; it is
``None`` if the player closed the question."""


def question_before(
    menu: Screen[Any], desk: ScreenDesk, game: GameListing, *, played: bool
) -> Question | None:
    """Return a question to ask first, if any.

    ``played`` says whether the player has played this game before.
    """
    waiting = desk.waiting_at(game.slug)
    if len(waiting) > 1:
        return _choose_waiting(menu, desk, game, waiting)
    if waiting:
        return None
    if not played and desk.asks_first(game):
        return _ask_first(menu, desk, game)
    seating = desk.asks_each_time(game)
    return None if seating is None else ask_seating(menu, desk, game, seating)


async def _choose_waiting(
    menu: Screen[Any], desk: ScreenDesk, game: GameListing, waiting: tuple[WaitingSession, ...]
) -> GameStart | None:
    """Ask which of several waiting sessions to resume."""
    now, choices = desk.house.clock(), dict[str, str]()
    for one in waiting:
        moment = desk.moments.get(one.log)
        label = f"{moment.text}, {format_time(moment.time, now)}" if moment else one.log.stem
        choices[str(one.log)] = label
    if not any(one.entry for one in waiting):
        choices[NEW_TABLE] = "A new session"
    chosen = await ask_over(menu, modals.ChoiceDialog(f"{game.title}: which session?", choices))
    if chosen is None:
        return None
    if chosen == NEW_TABLE:
        return GameStart(game, desk.usual(game))
    return GameStart(game, preferred=next(one for one in waiting if str(one.log) == chosen))


async def _ask_first(menu: Screen[Any], desk: ScreenDesk, game: GameListing) -> GameStart | None:
    """Ask the question that precedes the first session of a game."""
    first = game.tables().first
    if first is not None:
        chosen = await ask_over(menu, modals.ChoiceDialog(first.question, first.answers))
        if chosen is None:
            return None
        desk.memory.sits_at(game.slug, chosen)
    return GameStart(game)


async def ask_seating(
    menu: Screen[Any], desk: ScreenDesk, game: GameListing, seating: AnyTableSetup
) -> GameStart | None:
    """Ask for the options of a seating's table."""
    tables, folder = game.tables(), desk.house.folder
    chosen_seating = await table_choice.choose_table(
        menu, tables, tables.options(), folder, lambda present: False, seating.variants_of
    )
    if chosen_seating is None:
        return None
    return GameStart(
        game,
        replace(
            seating,
            options=chosen_seating.options,
            players=chosen_seating.players,
            variants_of=None,
        ),
    )


async def choose_table(
    menu: Screen[Any], desk: ScreenDesk, game: GameListing
) -> GameStart | HintMessage | None:
    """Let the player choose a table; the menu opens this table from then on."""
    tables = game.tables()
    if any(one.entry for one in desk.waiting_at(game.slug)):
        return HintMessage("refused", "F4", f"first finish the interrupted {tables.round}.")
    try:
        seating = await table_choice.choose_table(
            menu, tables, tables.options(), desk.house.folder, partial(_same, desk.usual(game))
        )
    except BadInput as error:
        return HintMessage("refused", "F4", str(error))
    if seating is None:
        return None
    desk.remember(game, seating)
    return GameStart(game, seating)


def money_is_elsewhere(
    desk: ScreenDesk, game: str, where: tuple[str, ...]
) -> tuple[HintMessage, int | None]:
    """Return the message that another game has to be finished first, and that game's index."""
    places = {listing.slug: place for place, listing in enumerate(GAMES)}
    waits = next((slug for slug in where if desk.waiting_at(slug)), None)
    key = str(places[game] + 1)
    if waits is not None:
        place = places[waits]
        reason = f"your money is at {lower_title(GAMES[place].title)}."
        return HintMessage("refused", key, reason, f"space or {place + 1} resumes it"), place
    if desk.report.held:
        return HintMessage("refused", key, f"{desk.report.held[0]}."), None
    names = " and ".join(lower_title(GAMES[places[s]].title) if s in places else s for s in where)
    if any(one.game in where for one in desk.report.unresumable):
        reason = f"your money is at {names}, which cannot be resumed: {desk.house.settle_hint}."
        return HintMessage("refused", key, reason), None
    return HintMessage(
        "refused", key, f"your money is at {names}, in another program.", "Finish there"
    ), None


def _same(one: AnyTableSetup, other: AnyTableSetup) -> bool:
    return (one.options, one.players) == (other.options, other.players)
