"""The desk of the arcade: it seats players at tables, and knows which tables wait for them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from textual.app import App
from textual.screen import Screen

from ..engine.chance import CommittedSource, Source
from ..gamekit.registry import GAMES, Listing
from ..gamekit.seating import AnySeating, Seating
from ..house.lobby import AnySitting, Found, Fresh, look_in, mix_in, new_source, resume, sit_down
from ..house.resuming import go_on, left_off
from ..house.sitting import House, Left, Sitting, branch
from ..inputs.errors import BadInput
from .aside import aside
from .table.face import face_of

if TYPE_CHECKING:  # the menu opens without a table
    from .table.live import LiveTable

    AnyTable: TypeAlias = LiveTable[Any, Any, Any, Any, Any]

Sized = Callable[[Screen[Any]], Screen[Any]]


class Desk:
    """Opens tables for the player of a house, one at a time.

    ``seed`` makes every shuffle a numbered one; else it is ``fresh``, with ``word`` mixed into it.
    ``sized`` gives a new screen the classes of the window's size.
    """

    def __init__(
        self,
        app: App[None],
        house: House,
        sized: Sized,
        seed: int | None = None,
        word: str = "",
        fresh: Fresh = CommittedSource,
    ) -> None:
        self._app, self.house, self._sized = app, house, sized
        self.seed, self.word, self._fresh = seed, word, fresh
        self.last_log: Path | None = None
        self.found: Found = Found((), ())
        self.left_off: dict[str, Path] = {}
        self._next: Source | None = None  # its commitment has been shown
        self._mixed = False  # a word has been mixed into it
        self._open: dict[int, AnySitting] = {}
        self._opening = False

    # ---- what waits -----------------------------------------------------------------------

    def look_in(self) -> None:
        """Look for sittings that were broken off."""
        games = {game.slug: game.parts() for game in GAMES} if self._may_have_broken() else {}
        self.found = look_in(self.house, games)
        self.left_off = left_off(self.house, {game.slug: game.parts for game in GAMES})

    def _may_have_broken(self) -> bool:
        ledger = self.house.ledger
        return ledger is not None and bool(ledger.open_sittings(self.house.player))

    # ---- tables are opened ----------------------------------------------------------------

    def load_games(self) -> None:
        """Import the games on a thread, one after the other, until a table is opened."""
        loading = asyncio.get_running_loop().run_in_executor(None, self._load_games)
        loading.add_done_callback(_heard)

    def _load_games(self) -> None:
        for game in GAMES:
            if self._opening or self._open or not self._app.is_running:
                return
            game.parts()
            face_of(game)

    def open_game(
        self, slug: str, seating: AnySeating | None = None, before: AnyTable | None = None
    ) -> None:
        """Go on with a sitting that waits, or sit down anew; one at a time.

        ``before`` is the table of the same game that one comes from, if one does.
        """
        if not self._opening:  # the keys of an impatient player would open table upon table
            self._opening = True
            self._app.call_later(self.open_now, slug, seating, before)

    async def open_now(
        self, slug: str, seating: AnySeating | None, before: AnyTable | None = None
    ) -> None:
        """Open a table without waiting for anything else; what goes wrong is said."""
        try:
            await self._open_table(slug, seating, before)
        finally:
            self._opening = False

    async def _open_table(
        self, slug: str, seating: AnySeating | None, before: AnyTable | None
    ) -> None:
        listing = next(game for game in GAMES if game.slug == slug)
        try:
            self.look_in()  # another program may have let a sitting go
            sitting = await self._taken_up(listing)
            if sitting is None and seating is None:
                sitting = await self._gone_on(listing)
            sitting = sitting or self._sat_down(listing, seating)
        except (BadInput, OSError) as error:
            self._app.notify(str(error), title="This table cannot be opened", severity="error")
            return
        await self.seat(listing, sitting, seating, before)

    async def seat(
        self,
        listing: Listing,
        sitting: AnySitting,
        seating: AnySeating | None = None,
        before: AnyTable | None = None,
    ) -> None:
        """Open the screen of a sitting; ``seating`` is how it was begun, if not as usual.

        It goes on with what the player was told at the table ``before``.
        """
        from .table.live import LiveTable

        self._open[id(sitting)] = sitting
        face = face_of(listing)
        usual = seating or face.tables.seating()
        table: AnyTable = LiveTable(listing.title, face, sitting, usual)
        if before is not None:
            table.go_on_from(before)
        screen = self._sized(table)
        self._app.clear_notifications()  # what was said at the last table would lie over this one
        self._app.screen.query("ToastHolder").remove()  # Textual leaves what held it, for ever
        await self._app.push_screen(
            screen, lambda left: self._left(listing, sitting, left, seating, table)
        )

    def _left(
        self,
        listing: Listing,
        sitting: AnySitting,
        left: AnySeating | AnySitting | None,
        seating: AnySeating | None,
        table: AnyTable,
    ) -> None:
        if sitting.left is Left.CASHED_OUT:
            self.last_log = sitting.log.path
        match left:
            case Sitting():  # it goes on, after a step back
                self._opening = True
                self._app.call_later(self._seat_again, listing, left, seating, table)
                return
            case Seating():
                self.open_game(listing.slug, left, table)
        sitting.close()
        self._open.pop(id(sitting), None)

    async def _seat_again(
        self,
        listing: Listing,
        sitting: AnySitting,
        seating: AnySeating | None,
        before: AnyTable,
    ) -> None:
        try:
            await self.seat(listing, sitting, seating, before)
        finally:
            self._opening = False

    def close(self) -> None:
        """Let go of the sittings that are open still; what is at stake waits in their logs."""
        for sitting in self._open.values():
            sitting.close()
        self._open.clear()

    async def _taken_up(self, listing: Listing) -> AnySitting | None:
        for entry in self.found.waiting:
            if entry.game != listing.slug:
                continue
            if found := await aside(partial(resume, self.house, listing.parts(), entry)):
                return found
        return None

    async def _gone_on(self, listing: Listing) -> AnySitting | None:
        path = self.left_off.get(listing.slug)
        if path is None:
            return None
        practice = replace(self.house, ledger=None)
        try:
            return await aside(partial(go_on, practice, listing.parts(), path))
        except (BadInput, OSError) as error:
            self._app.notify(
                str(error), title="The game that was left cannot go on", severity="warning"
            )
            return None

    def _sat_down(self, listing: Listing, seating: AnySeating | None) -> AnySitting:
        parts = listing.parts()
        if seating is None:
            seating = face_of(listing).tables.seating()
        house = replace(self.house, ledger=None) if seating.practice else self.house
        if seating.source is not None:
            return sit_down(house, parts, seating, seating.source(self.seed))
        source = self._next or new_source(self.seed, fresh=self._fresh)
        if self.word and not self._mixed:
            source = mix_in(self.word, source)
        sitting = sit_down(house, parts, seating, source)
        self._next, self._mixed = None, False
        return sitting

    # ---- recorded sittings ----------------------------------------------------------------

    async def play_on_from(self, listing: Listing, path: Path, step: int) -> None:
        """Go on for practice from a step of a recorded sitting. Raises as :func:`.branch`."""
        parts = listing.parts()
        await self.seat(listing, await aside(partial(branch, self.house, parts, path, step)))

    async def go_on_with(self, listing: Listing, path: Path) -> None:
        """Go on with a sitting for practice that was cut off. Raises as :func:`.go_on`."""
        practice = replace(self.house, ledger=None)
        sitting = await aside(partial(go_on, practice, listing.parts(), path))
        await self.seat(listing, sitting)

    async def show(self, screen: Screen[Any]) -> None:
        """Show a screen that was made for this player."""
        await self._app.push_screen(self._sized(screen))

    # ---- the next shuffle -----------------------------------------------------------------

    def next_commitment(self) -> str:
        """Choose the seed of the next shuffle, if none is, and tell what it is committed to."""
        self._next = self._next or self._fresh()
        return self._next.origin.value

    def mix_in(self, word: str) -> None:
        """Mix a word into the next shuffle, whose commitment has been shown.

        Raises :class:`~tui_casino.inputs.errors.BadInput` for a word that is none.
        """
        self._next = mix_in(word, self._next or self._fresh())
        self._mixed = True


def _heard(loading: asyncio.Future[None]) -> None:
    """Leave it to the opening of a table to say why a game cannot be loaded."""
    if not loading.cancelled():
        loading.exception()
