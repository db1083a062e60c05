"""The desk of the arcade: it seats players at tables, and knows which tables wait for them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from textual.app import App
from textual.screen import Screen

from ..gamekit.registry import GAMES, Listing
from ..house.house import Found, House, MoneyElsewhere
from ..house.memory import Memory
from ..house.purse import Course, course_of
from ..house.waiting import Moment, Unfinished, Waiting, moment_of
from ..inputs.errors import BadInput
from ..inputs.files import BadFile
from ..records.ledger import LedgerBusy, LedgerError
from .aside import aside
from .patience import Patience

if TYPE_CHECKING:  # the menu is painted without a table, and without what sits down at one
    from ..engine.chance import Source
    from ..gamekit.seating import AnySeating
    from ..house.lobby import AnySitting, Fresh
    from ..teacher.answers import Answers
    from .table.live import LiveTable

    AnyTable: TypeAlias = LiveTable[Any, Any, Any, Any, Any]

TOLD = 5
"""Rounds from which on a sitting that was left is told of."""
Sized = Callable[[Screen[Any]], Screen[Any]]


def fair() -> Source:
    """Make a source whose seed nobody knows yet."""
    from ..engine.chance import CommittedSource

    return CommittedSource()


class Desk:
    """Opens tables for the player of a house, one at a time.

    ``seed`` makes every shuffle a numbered one; else it is ``fresh``, with ``word`` mixed into it.
    ``sized`` gives a new screen the classes of the window's size, and ``loaded`` is called once
    all games have been loaded, if no table is open then.
    """

    def __init__(
        self,
        app: App[None],
        house: House,
        sized: Sized,
        seed: int | None = None,
        word: str = "",
        fresh: Fresh = fair,
        memory: Memory | None = None,
        loaded: Callable[[], None] = lambda: None,
    ) -> None:
        self._app, self.house, self._sized = app, house, sized
        self._loaded_all = loaded
        self.seed, self.word, self._fresh = seed, word, fresh
        self.memory = memory or Memory()
        self.refused: Callable[[str, tuple[str, ...]], None] = lambda game, where: None
        self.found = Found()
        self.moments: dict[Path, Moment] = {}
        self._unfinished, self._left_off = Unfinished(), tuple[Waiting, ...]()
        self._lost: str | None = None  # the text that says so; empty once it is known not to be
        self._loaded: set[str] = set()
        self._has_all = False
        self.left_at_stake: list[str] = []
        """The games at which bets wait that were open when the program ended."""
        self._last_log: Path | None = None
        self._next: Source | None = None  # its commitment has been shown
        self._mixed = False  # a word has been mixed into it
        self._ended: tuple[Listing, Path] | None = None
        self._open: dict[int, AnySitting] = {}
        self._answers: Answers | None = None
        self.practised = ""
        """What waited in the practice room when the player left it last, in a few words."""
        self._opening = False

    @property
    def answers(self) -> Answers:
        """What the player answered in practice."""
        if self._answers is None:
            from ..teacher.answers import Answers

            self._answers = Answers(self.house.answers, self.house.player)
        return self._answers

    def sized(self, screen: Screen[Any]) -> Screen[Any]:
        """Give a screen the classes of the window's size."""
        return self._sized(screen)

    # ---- what waits -----------------------------------------------------------------------

    def look_in(self) -> None:
        """Look for sittings with money that were broken off."""
        ledger, self.found = self.house.ledger, Found()
        if ledger is not None and ledger.open_sittings(self.house.player):
            from ..house.lobby import look_in

            self.found = look_in(self.house, {game.slug: game.parts() for game in GAMES})

    async def catch_up(self) -> bool:
        """Find the games for points that wait, and where all stand; tell if that has changed."""
        before = self.waiting, self.moments, self.notes
        await self._look_for_games()
        self.moments = await asyncio.to_thread(self._tell, self.waiting)
        return before != (self.waiting, self.moments, self.notes)

    @property
    def notes(self) -> tuple[str, ...]:
        """What there is to say of sittings with money, and of a ledger that seems to be lost."""
        return (*self.found.notes, self._lost) if self._lost else self.found.notes

    async def _look_for_games(self) -> None:
        games = {game.slug: game.parts for game in GAMES}
        self._left_off = await asyncio.to_thread(self._unfinished.look, self.house, games)

    def _tell(self, waiting: tuple[Waiting, ...]) -> dict[Path, Moment]:
        from ..house.lobby import seems_lost

        if self._lost != "":
            self._lost = seems_lost(self.house)
        told = {}
        for one in waiting:
            with suppress(BadFile):  # opening it will say so
                told[one.log] = moment_of(_listing(one.game).parts(), one.log)
        return told

    @property
    def waiting(self) -> tuple[Waiting, ...]:
        """All that waits: with a bet at stake, then for points; of each the newest first."""
        staked = (Waiting(one.game, one.log, one) for one in reversed(self.found.waiting))
        return (*staked, *self._left_off)

    def waiting_at(self, slug: str) -> tuple[Waiting, ...]:
        """Give what waits at a game, the newest first."""
        return tuple(one for one in self.waiting if one.game == slug)

    @property
    def at_tables(self) -> int:
        """What the player has at tables that wait, in cents, as of the last round there."""
        waiting = self.found.waiting
        return sum(one.bought if one.held is None else one.held for one in waiting)

    # ---- the player -----------------------------------------------------------------------

    def course(self) -> Course | None:
        """Read the player's money. Raises :class:`~tui_casino.records.ledger.LedgerError`."""
        return course_of(self.house)

    def last_cashed_out(self) -> Path | None:
        """Give the log of the sitting that was finished last, in this run or before it.

        Raises :class:`~tui_casino.records.ledger.LedgerError`.
        """
        if self._last_log is None and (books := self.house.books) is not None:
            logs = [move.log for move in books.moves(self.house.player) if move.game]
            return Path(logs[-1]) if logs else None
        return self._last_log

    def take_ended(self) -> tuple[Listing, Path] | None:
        """Give the game and the log of the sitting that was left for the menu; once.

        Nothing after few rounds: there is little to tell of them.
        """
        ended, self._ended = self._ended, None
        return ended

    def table_title(self, listing: Listing) -> str:
        """Name the table at which one would sit; games that were not loaded yet have their usual.

        Nothing, if even that is not known.
        """
        name = self.memory.table(listing.slug)
        if name is None or listing.slug not in self._loaded:
            return listing.table
        return listing.tables().titles.get(name, listing.table)

    def asks_first(self, listing: Listing) -> bool:
        """Tell whether a game has something to ask before the player's first sitting there."""
        if not self.memory.lasts or self.memory.table(listing.slug) is not None:
            return False
        return listing.tables().first is not None

    def asks_way(self, listing: Listing) -> AnySeating | None:
        """Give how one would sit down from the menu, if a way to sit there is asked each time."""
        tables, name = listing.tables(), self.memory.table(listing.slug)
        if (table := tables.choices.get(name or "")) is None or table.asks is not None:
            return None
        seating = tables.seating(name)
        return seating if seating.asks else None

    # ---- tables are opened ----------------------------------------------------------------

    async def load_games(self) -> None:
        """Import tables and games on a thread, one after the other, until a table is opened."""
        if self._has_all:
            return
        with suppress(Exception):  # the opening of a table says why a game cannot be loaded
            await asyncio.to_thread(self._load_games)
        if not (self._opening or self._open):  # a table goes again; what was loaded stays
            self._has_all = True
            self._loaded_all()

    def _load_games(self) -> None:
        import_module(".table.live", __package__)
        from .table.face import face_of

        for game in GAMES:
            if self._opening or self._open or not self._app.is_running:
                return
            game.parts()
            face_of(game)
            self._loaded.add(game.slug)

    @property
    def opening(self) -> bool:
        """Whether a table is on its way."""
        return self._opening

    def open_game(
        self,
        slug: str,
        seating: AnySeating | None = None,
        wanted: Waiting | None = None,
        before: AnyTable | None = None,
    ) -> None:
        """Go on with a sitting that waits, or sit down anew; one at a time.

        What is ``wanted`` of several that wait is gone on with, else the newest. With a
        ``seating`` one sits down so, unless a bet waits at this game. ``before`` is the table of
        the same game that one comes from, if one does.
        """
        if not self._opening:  # the keys of an impatient player would open table upon table
            self._opening = True
            self._app.call_later(self.open_now, slug, seating, wanted, before)

    async def open_now(
        self,
        slug: str,
        seating: AnySeating | None,
        wanted: Waiting | None = None,
        before: AnyTable | None = None,
    ) -> None:
        """Open a table without waiting for anything else; what goes wrong is said."""
        try:
            await self._open_table(_listing(slug), seating, wanted, before)
        finally:
            self._opening = False

    async def _open_table(
        self,
        listing: Listing,
        seating: AnySeating | None,
        wanted: Waiting | None,
        before: AnyTable | None,
    ) -> None:
        try:
            sitting = await self._sitting(listing, seating, wanted)
        except LedgerBusy:
            again = Patience(lambda: self._sitting(listing, seating, wanted, waits=True))
            heed = partial(self._opened, listing, seating, before)
            await self._app.push_screen(again, heed)
        except (BadInput, OSError) as error:
            self._refuse(listing, error)
        else:
            await self.seat(listing, sitting, seating, before)

    async def _sitting(
        self,
        listing: Listing,
        seating: AnySeating | None,
        wanted: Waiting | None,
        *,
        waits: bool = False,
    ) -> AnySitting:
        """Go on with a sitting, or begin one: off the loop, if it ``waits`` for the ledger."""
        await asyncio.to_thread(self.look_in) if waits else self.look_in()
        sitting = await self._taken_up(listing, wanted)  # another program may have let one go
        if sitting is None and seating is None:
            await self._look_for_games()
            sitting = await self._gone_on(listing, wanted)
        if sitting is not None:
            return sitting
        sit = partial(self._sat_down, listing, seating or self.usual(listing))
        return await aside(sit) if waits else sit()

    def _opened(
        self,
        listing: Listing,
        seating: AnySeating | None,
        before: AnyTable | None,
        found: AnySitting | BadInput | OSError | None,
    ) -> None:
        """Take what came of waiting: a sitting, an error, or nothing if the player gave up."""
        if isinstance(found, BadInput | OSError):
            self._refuse(listing, found)
        elif found is not None:
            self._opening = True
            self._app.call_later(self._seat_again, listing, found, seating, before)

    def _refuse(self, listing: Listing, error: BadInput | OSError) -> None:
        if isinstance(error, MoneyElsewhere):
            self.refused(listing.slug, error.games)
        else:
            self._app.notify(str(error), title="This table cannot be opened", severity="error")

    def remember(self, listing: Listing, seating: AnySeating) -> None:
        """Sit down so from the menu from now on, if that is one of the game's tables."""
        if (name := listing.tables().name_of(seating)) is not None:
            self.memory.sits_at(listing.slug, name)

    def usual(self, listing: Listing) -> AnySeating:
        """Say how one sits down from the menu: at the table that was chosen last."""
        from .table.face import face_of

        tables = face_of(listing).tables
        name = self.memory.table(listing.slug)
        table = tables.choices.get(name or "")
        return tables.seating(name if table is not None and table.asks is None else None)

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
        from .table.face import face_of
        from .table.live import LiveTable

        self._open[id(sitting)] = sitting
        face = face_of(listing)
        self._loaded.add(listing.slug)
        table: AnyTable = LiveTable(listing.title, face, sitting, seating or self.usual(listing))
        table.view.weighs = face.trains and self.memory.trains(listing.slug)
        if before is not None:
            table.go_on_from(before)
        screen = self._sized(table)
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
        from ..gamekit.seating import Seating
        from ..house.sitting import Left, Sitting

        self.memory.trains_at(listing.slug, on=table.view.weighs)
        if sitting.left is Left.CASHED_OUT:
            self._last_log = sitting.log.path
            if left is None and sitting.dialogue.tally.rounds >= TOLD:
                self._ended = listing, sitting.log.path
        match left:
            case Sitting():  # it goes on, after a step back
                self._opening = True
                self._app.call_later(self._seat_again, listing, left, seating, table)
                return
            case Seating():
                self.remember(listing, left)
                self.open_game(listing.slug, left, before=table)
        sitting.close()
        self._open.pop(id(sitting), None)

    async def _seat_again(
        self,
        listing: Listing,
        sitting: AnySitting,
        seating: AnySeating | None,
        before: AnyTable | None,
    ) -> None:
        try:
            await self.seat(listing, sitting, seating, before)
        finally:
            self._opening = False

    @property
    def at_stake(self) -> list[str]:
        """The games at whose open tables a bet is at stake that outlasts the program."""
        return [
            sitting.parts.game.slug
            for sitting in self._open.values()
            if sitting.staked and sitting.house.keeps
        ]

    def close(self) -> None:
        """Let go of the sittings that are open still; what is at stake waits in their logs."""
        self.left_at_stake += self.at_stake
        for sitting in self._open.values():
            sitting.close()
        self._open.clear()

    async def _taken_up(self, listing: Listing, wanted: Waiting | None) -> AnySitting | None:
        from ..house.lobby import resume

        for one in _first(wanted, self.waiting_at(listing.slug)):
            if one.entry is None:
                continue
            if found := await aside(partial(resume, self.house, listing.parts(), one.entry)):
                return found
        return None

    async def _gone_on(self, listing: Listing, wanted: Waiting | None) -> AnySitting | None:
        for one in _first(wanted, self.waiting_at(listing.slug)):
            try:
                return await self._practised(listing, one.log)
            except (BadInput, OSError) as error:
                self._app.notify(
                    str(error), title="The game that was left cannot go on", severity="warning"
                )
                break
        return None

    async def _practised(self, listing: Listing, path: Path) -> AnySitting:
        from ..house.resuming import go_on

        practice = replace(self.house, ledger=None)
        return await aside(partial(go_on, practice, listing.parts(), path))

    def _sat_down(self, listing: Listing, seating: AnySeating) -> AnySitting:
        from ..house.lobby import mix_in, new_source, sit_down

        parts = listing.parts()
        house = replace(self.house, ledger=None) if seating.practice else self.house
        if seating.source is not None:
            return sit_down(house, parts, seating, seating.source(self.seed))
        source = self._next or new_source(self.seed, fresh=self._fresh)
        if self.word and not self._mixed:
            source = mix_in(self.word, source)
        try:
            sitting = sit_down(house, parts, seating, source)
        except LedgerError as error:
            if not isinstance(error, LedgerBusy | MoneyElsewhere):
                self._next, self._mixed = None, False  # it may be on the list, for this log alone
            raise
        self._next, self._mixed = None, False
        return sitting

    # ---- recorded sittings ----------------------------------------------------------------

    async def play_on_from(self, listing: Listing, path: Path, step: int) -> None:
        """Go on for practice from a step of a recorded sitting. Raises as :func:`.branch`."""
        from ..house.sitting import branch

        parts = listing.parts()
        await self.seat(listing, await aside(partial(branch, self.house, parts, path, step)))

    async def go_on_with(self, listing: Listing, path: Path) -> None:
        """Go on with a sitting for practice that was cut off. Raises as :func:`.go_on`."""
        await self.seat(listing, await self._practised(listing, path))

    async def show(self, screen: Screen[Any]) -> None:
        """Show a screen that was made for this player."""
        await self._app.push_screen(self._sized(screen))

    # ---- the next shuffle -----------------------------------------------------------------

    def next_commitment(self) -> str:
        """Choose the seed of the next shuffle, if none is, and tell its commitment."""
        from ..house.lobby import shown

        self._next = self._next or shown(self.house, self._fresh)
        return self._next.origin.value

    def mix_in(self, word: str) -> None:
        """Mix a word into the next shuffle. Raises :class:`BadInput` for one that is none."""
        from ..house.lobby import mix_in

        self._next = mix_in(word, self._next or self._fresh())
        self._mixed = True


def _listing(slug: str) -> Listing:
    return next(game for game in GAMES if game.slug == slug)


def _first(wanted: Waiting | None, waiting: tuple[Waiting, ...]) -> list[Waiting]:
    """Put what is wanted before the others, if it waits still."""
    return sorted(waiting, key=lambda one: wanted is None or one.log != wanted.log)
