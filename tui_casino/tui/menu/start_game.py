"""What is asked before a game opens from the menu, and what is said if its money is elsewhere."""

from __future__ import annotations

from collections.abc import Coroutine
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from textual.screen import Screen

from ...gamekit.registry import GAMES, Listing
from ...house.waiting import Waiting
from ...inputs.errors import BadInput
from ..desk import ScreenDesk
from ..lazy import modals, pages
from ..theme.clock import when
from ..widgets.hints import Said
from ..windows import ask_over

if TYPE_CHECKING:  # under a table that is asked for at once nothing is opened from here
    from ...gamekit.seating import AnySeating

ANEW = "anew"


class Start(NamedTuple):
    """How to open a game: by this seating, or at the ``wanted`` table of several that wait."""

    game: Listing
    seating: AnySeating | None = None
    wanted: Waiting | None = None


Question: TypeAlias = Coroutine[Any, Any, Start | Said | None]
"""A question to the player: how to start, why that cannot be, or nothing if it was closed."""


def question_before(
    menu: Screen[Any], desk: ScreenDesk, game: Listing, *, played: bool
) -> Question | None:
    """Return what has to be asked before a game opens; ``played`` if the player knows it."""
    waiting = desk.waiting_at(game.slug)
    if len(waiting) > 1:
        return _choose_waiting(menu, desk, game, waiting)
    if waiting:
        return None
    if not played and desk.asks_first(game):
        return _ask_first(menu, desk, game)
    seating = desk.asks_each_time(game)
    return None if seating is None else ask_way(menu, desk, game, seating)


async def _choose_waiting(
    menu: Screen[Any], desk: ScreenDesk, game: Listing, waiting: tuple[Waiting, ...]
) -> Start | None:
    """Ask which of several tables that wait the player wants."""
    now, choices = desk.house.clock(), dict[str, str]()
    for one in waiting:
        moment = desk.moments.get(one.log)
        said = f"{moment.said}, {when(moment.at, now)}" if moment else one.log.stem
        choices[str(one.log)] = said
    if not any(one.entry for one in waiting):
        choices[ANEW] = "A new one"
    chosen = await ask_over(menu, modals.Choice(f"{game.title}: which one?", choices))
    if chosen is None:
        return None
    if chosen == ANEW:
        return Start(game, desk.usual(game))
    return Start(game, wanted=next(one for one in waiting if str(one.log) == chosen))


async def _ask_first(menu: Screen[Any], desk: ScreenDesk, game: Listing) -> Start | None:
    """Ask what a game wants to know before the first session."""
    first = game.tables().first
    if first is not None:
        chosen = await ask_over(menu, modals.Choice(first.question, first.answers))
        if chosen is None:
            return None
        desk.memory.sits_at(game.slug, chosen)
    return Start(game)


async def ask_way(
    menu: Screen[Any], desk: ScreenDesk, game: Listing, seating: AnySeating
) -> Start | None:
    """Ask for the way to sit at the table that a seating names."""
    tables, here = game.tables(), desk.house.here
    way = await pages.choose_table(
        menu, tables, tables.options(), here, lambda present: False, seating.asks
    )
    if way is None:
        return None
    return Start(game, replace(seating, options=way.options, players=way.players, asks=None))


async def choose_table(menu: Screen[Any], desk: ScreenDesk, game: Listing) -> Start | Said | None:
    """Have a table chosen; from then on it is the one that opens from the menu."""
    tables = game.tables()
    if any(one.entry for one in desk.waiting_at(game.slug)):
        return Said("refused", "F4", f"first finish the {tables.round} that waits.")
    try:
        seating = await pages.choose_table(
            menu, tables, tables.options(), desk.house.here, partial(_same, desk.usual(game))
        )
    except BadInput as error:
        return Said("refused", "F4", str(error))
    if seating is None:
        return None
    desk.remember(game, seating)
    return Start(game, seating)


def money_is_elsewhere(
    desk: ScreenDesk, game: str, where: tuple[str, ...]
) -> tuple[Said, int | None]:
    """Say that a game cannot be played before another one is finished, with the place of that."""
    places = {listing.slug: place for place, listing in enumerate(GAMES)}
    waits = next((slug for slug in where if desk.waiting_at(slug)), None)
    key = str(places[game] + 1)
    if waits is not None:
        place = places[waits]
        why = f"your money waits at {lower(GAMES[place].title)}."
        return Said("refused", key, why, f"{place + 1} goes on there"), place
    names = " and ".join(lower(GAMES[places[s]].title) if s in places else s for s in where)
    if any(one.game in where for one in desk.found.stuck):
        why = f"your money is at {names}, which cannot be resumed: {desk.house.settles}."
        return Said("refused", key, why), None
    return Said(
        "refused", key, f"your money is at {names}, with another program.", "Finish there"
    ), None


def lower(title: str) -> str:
    """Give a game's title as it stands within a sentence."""
    return title[:1].lower() + title[1:]


def _same(one: AnySeating, other: AnySeating) -> bool:
    return (one.options, one.players) == (other.options, other.players)
