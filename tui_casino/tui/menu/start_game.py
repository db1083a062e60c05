"""How a game is opened from the menu: what is asked first, and what of keys that come too early."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from textual import events
from textual.screen import Screen
from textual.worker import Worker

from ...gamekit.registry import GAMES, Listing
from ...house.waiting import Waiting
from ...inputs.errors import BadInput
from ..desk import ScreenDesk
from ..lazy import modals, pages
from ..theme.clock import when
from ..widgets.key_names import key_pressed
from ..windows import ask_over

if TYPE_CHECKING:  # under a table that is asked for at once nothing is opened from here
    from ...gamekit.seating import AnySeating

ANEW = "anew"
MOST_NAMED = 6
"""Keys that came too early that are named to their player."""


class Opening:
    """Opens a game over the menu, one at a time.

    ``refuse`` says why a key opens nothing, and what would be right; ``go_to`` puts the cursor on a
    game.
    """

    def __init__(
        self,
        menu: Screen[Any],
        desk: ScreenDesk,
        refuse: Callable[[str, str, str], None],
        go_to: Callable[[int], None],
    ) -> None:
        self._menu, self._desk, self._refuse, self._go_to = menu, desk, refuse, go_to
        self._asking: Worker[None] | None = None
        self._early: list[str] = []

    # ---- keys that come too early ---------------------------------------------------------

    @property
    def under_way(self) -> bool:
        """Whether a table, or a question before it, is on its way."""
        return self._desk.opening or (self._asking is not None and not self._asking.is_finished)

    def keeps(self, event: events.Key) -> bool:
        """Keep a key from the menu that is meant for what is on its way: it would open another."""
        there = not self._menu.is_active
        if not self.under_way and not there:
            return False
        event.stop()
        event.prevent_default()
        self._early.append(key_pressed(event))
        if there:
            self._menu.call_later(self.arrived)
        return True

    def arrived(self) -> None:
        """Say, where the player is now, which keys came too early."""
        early, self._early = self._early, []
        if early:
            named = " ".join(early[:MOST_NAMED]) + " ..." * (len(early) > MOST_NAMED)
            self._menu.app.notify(f"Pressed too early, and dropped: {named}")

    # ---- what is asked first --------------------------------------------------------------

    def open(self, game: Listing, *, played: bool) -> None:
        """Open a game; ``played`` tells whether the player has been there before."""
        waiting = self._desk.waiting_at(game.slug)
        if len(waiting) > 1:
            self._ask("choose", self._choose(game, waiting))
        elif not waiting and not played and self._desk.asks_first(game):
            self._ask("ask_first", self._ask_first(game))
        elif not waiting and (seating := self._desk.asks_each_time(game)) is not None:
            self.ask_way(game, seating)
        else:
            self._desk.open_game(game.slug)

    def ask_way(self, game: Listing, seating: AnySeating) -> None:
        """Ask for the way to sit at the table that a seating names, and sit down so."""
        self._ask("ask_way", self._ask_way(game, seating))

    def choose_table(self, game: Listing) -> None:
        """Have a table chosen and sit down there; from then on it is the one from the menu."""
        self._ask("tables", self._choose_table(game))

    def _ask(self, name: str, asking: Coroutine[Any, Any, None]) -> None:
        self._asking = self._menu.run_worker(asking, name=f"action_{name}")

    async def _choose(self, game: Listing, waiting: tuple[Waiting, ...]) -> None:
        """Have one of several chosen that wait."""
        now, choices = self._desk.house.clock(), dict[str, str]()
        for one in waiting:
            moment = self._desk.moments.get(one.log)
            said = f"{moment.said}, {when(moment.at, now)}" if moment else one.log.stem
            choices[str(one.log)] = said
        if not any(one.entry for one in waiting):
            choices[ANEW] = "A new one"
        chosen = await ask_over(self._menu, modals.Choice(f"{game.title}: which one?", choices))
        if chosen == ANEW:
            self._desk.open_game(game.slug, self._desk.usual(game))
        elif chosen is not None:
            wanted = next(one for one in waiting if str(one.log) == chosen)
            self._desk.open_game(game.slug, wanted=wanted)

    async def _ask_first(self, game: Listing) -> None:
        """Ask what a game wants to know before the first sitting."""
        first = game.tables().first
        if first is not None:
            chosen = await ask_over(self._menu, modals.Choice(first.question, first.answers))
            if chosen is None:
                return
            self._desk.memory.sits_at(game.slug, chosen)
        self._desk.open_game(game.slug)

    async def _ask_way(self, game: Listing, seating: AnySeating) -> None:
        self._go_to(GAMES.index(game))
        tables, here = game.tables(), self._desk.house.here
        way = await pages.choose_table(
            self._menu, tables, tables.options(), here, lambda present: False, seating.asks
        )
        if way is not None:
            chosen = replace(seating, options=way.options, players=way.players, asks=None)
            self._desk.open_game(game.slug, chosen)

    async def _choose_table(self, game: Listing) -> None:
        tables = game.tables()
        if any(one.entry for one in self._desk.waiting_at(game.slug)):
            self._refuse("F4", f"first finish the {tables.round} that waits.", "")
            return
        usual = self._desk.usual(game)
        try:
            seating = await pages.choose_table(
                self._menu, tables, tables.options(), self._desk.house.here, partial(_same, usual)
            )
        except BadInput as error:
            self._refuse("F4", str(error), "")
            return
        if seating is not None:
            self._desk.remember(game, seating)
            self._desk.open_game(game.slug, seating)

    def money_is_elsewhere(self, game: str, where: tuple[str, ...]) -> None:
        """Say that a game cannot be played before another one is finished, and go there."""
        places = {listing.slug: place for place, listing in enumerate(GAMES)}
        waits = next((slug for slug in where if self._desk.waiting_at(slug)), None)
        key = str(places[game] + 1)
        if waits is None:
            names = " and ".join(lower(GAMES[places[s]].title) if s in places else s for s in where)
            if any(one.game in where for one in self._desk.found.stuck):
                then = self._desk.house.settles
                self._refuse(key, f"your money is at {names}, which cannot be resumed: {then}.", "")
                return
            why = f"your money is at {names}, with another program."
            self._refuse(key, why, "Finish there")
            return
        place = places[waits]
        self._go_to(place)
        why = f"your money waits at {lower(GAMES[place].title)}."
        self._refuse(key, why, f"{place + 1} goes on there")


def lower(title: str) -> str:
    """Give a game's title as it stands within a sentence."""
    return title[:1].lower() + title[1:]


def _same(one: AnySeating, other: AnySeating) -> bool:
    return (one.options, one.players) == (other.options, other.players)
