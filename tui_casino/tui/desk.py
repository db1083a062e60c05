"""The desk of the screen: opens tables for the player and reports errors."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypeVar

from msgspec import Struct
from textual.app import App
from textual.message import Message
from textual.screen import Screen

from ..engine.money import dollars
from ..gamekit.lazy_import import LazyModule, load_lazy
from ..gamekit.registry import DEFINITIONS, GAMES, GameListing, listing_of
from ..house.desk import Desk, goal_detail, new_committed_source
from ..house.house import House, LoanNeeded, MoneyElsewhere, WaitingSession, WaitingSummary
from ..house.table_watch import TableWatch
from ..house.visit_state import VisitState
from ..inputs.errors import BadInput
from ..records.ledger import LedgerBusy
from ..structs import replace
from .lazy import face, live, modals, watch_page
from .widgets.base_screen import set_card_room
from .window import open_over

if TYPE_CHECKING:  # not imported at run time: the menu is painted before any table
    from ..daily import session as daily_session
    from ..daily.session import DailyOverview, DailySession
    from ..engine.game import Seat
    from ..gamekit.table_catalog import AnyTableSetup
    from ..house.lobby import AnySitting, SourceFactory
    from ..house.session_goal import SessionGoal
    from ..teacher import goals
    from ..teacher.goals import Goal
    from ..teacher.mistake_queue import AnswerFile
    from ..teacher.overview import MistakeOverview
    from .table.live import LiveTable
    from .table.snapshot import SeatTotals

    AnyTable: TypeAlias = LiveTable[Any, Any, Any, Any, Any]
else:
    daily_session = LazyModule("..daily.session", __package__)
    goals = LazyModule("..teacher.goals", __package__)


class Closable(Protocol):
    """An object that holds a file open until it is closed."""

    def close(self) -> None:
        """Close the file."""
        ...


ClosableT = TypeVar("ClosableT", bound=Closable | None)


async def run_cancellable(make: Callable[[], ClosableT]) -> ClosableT:
    """Run ``make`` on a thread; if the caller is cancelled, close the result.

    Raises the exceptions of ``make``.
    """
    making = asyncio.get_running_loop().run_in_executor(None, make)
    try:
        return await asyncio.shield(making)
    except asyncio.CancelledError:
        making.add_done_callback(_close_unheard)
        raise


def _close_unheard(making: asyncio.Future[ClosableT]) -> None:
    if not making.cancelled() and making.exception() is None:
        result = making.result()
        if result is not None:
            result.close()


AnyScreen = TypeVar("AnyScreen", bound=Screen[Any])


class TableRequest(Struct, frozen=True):
    """A table that the player wants to open.

    If several sessions are waiting, the ``preferred`` one is resumed, or else the newest. With a
    ``seating``, a new session begins unless a bet is waiting at this game. ``previous`` is the
    table of the same game that the player has just left, if any. With ``borrow``, the player has
    asked for a loan if the balance is too low.
    """

    listing: GameListing
    seating: AnyTableSetup | None = None
    preferred: WaitingSession | None = None
    previous: AnyTable | None = None
    borrow: bool = False


WITHOUT_MONEY = "Cribbage, the daily deal and practice need no money."


class ScreenDesk(Desk):
    """Opens tables on the screen, one at a time."""

    class Refused(Message):
        """A game cannot be opened because the player's money is at the tables of other games."""

        def __init__(self, game: str, elsewhere: tuple[str, ...]) -> None:
            super().__init__()
            self.game, self.elsewhere = game, elsewhere

    def __init__(
        self,
        app: App[None],
        house: House,
        seed: int | None = None,
        word: str = "",
        fresh: SourceFactory = new_committed_source,
        memory: VisitState | None = None,
    ) -> None:
        super().__init__(house, memory, seed, word, fresh)
        self._app = app
        self.moments: dict[Path, WaitingSummary] = {}
        self._loaded: set[str] = set()
        self._has_all = False
        self.games_at_stake: list[str] = []
        """Games with a bet at stake that were open when the program ended."""
        self._last_log: Path | None = None
        self._ended: tuple[GameListing, Path, SessionGoal | None] | None = None
        self._open: dict[int, AnySitting] = {}
        self._kept_totals: dict[str, Mapping[Seat, SeatTotals[Any, Any]]] = {}
        """The totals of the sessions that wait, by id; they last as long as the visit."""
        self._answers: AnswerFile | None = None
        self.overview: MistakeOverview | None = None
        """The player's mistakes, once they have been read."""
        self.daily: DailyOverview | None = None
        """The daily deals of the day, once they have been read."""
        self._opening = False

    @property
    def answers(self) -> AnswerFile:
        if self._answers is None:
            from ..teacher.mistake_queue import (
                AnswerFile,  # late: the menu is painted before any table
            )

            self._answers = AnswerFile(self.house.answers, self.house.player)
        return self._answers

    def with_size_classes(self, screen: AnyScreen) -> AnyScreen:
        """Set the size classes of a new screen immediately, which avoids painting it twice."""
        app = self._app
        breakpoints = (
            (app.size.width, screen.HORIZONTAL_BREAKPOINTS or app.HORIZONTAL_BREAKPOINTS),
            (app.size.height, screen.VERTICAL_BREAKPOINTS or app.VERTICAL_BREAKPOINTS),
        )
        for extent, classes in breakpoints:
            fits = [name for minimum, name in classes or () if extent >= minimum]
            screen.add_class(*fits[-1:], update=False)  # the screen is not mounted yet
        set_card_room(screen, app.size, update=False)
        return screen

    # ---- waiting sessions -----------------------------------------------------------------

    async def catch_up(self) -> None:
        """Find waiting games for points, and the positions of all waiting sessions."""
        await asyncio.to_thread(self.find_unfinished_games)
        self.moments = await asyncio.to_thread(self._moments, self.waiting)

    def _moments(self, waiting: tuple[WaitingSession, ...]) -> dict[Path, WaitingSummary]:
        found = {one.log: self.moment(one) for one in waiting}
        return {log: moment for log, moment in found.items() if moment is not None}

    # ---- the player -----------------------------------------------------------------------

    def last_cashed_out(self) -> Path | None:
        """Return the log of the session that finished last, in this run or an earlier one."""
        return self._last_log or super().last_cashed_out()

    def take_ended(self) -> tuple[GameListing, Path, SessionGoal | None] | None:
        """Return the game, log and goal of the session that the player just left, once per session.

        Return ``None`` after fewer than :data:`SUMMARY_ROUNDS` rounds.
        """
        ended, self._ended = self._ended, None
        return ended

    @property
    def offered_goals(self) -> tuple[Goal | None, ...]:
        """The goals that the player may choose; ``None`` means no goal."""
        own = None if self.overview is None else self.overview.own_goal
        has_daily = self._app.check_action("daily_deal", ()) is True
        return goals.offered_goals(own, has_daily=has_daily)

    @property
    def goal_words(self) -> tuple[str, str] | None:
        """The player's goal for the menu and its detail; ``None`` if there is no goal."""
        if self.goal is None:
            return None
        played = None if self.daily is None else any(one.finished for one in self.daily.tries)
        return self.goal.short, goal_detail(self.goal, played)

    def table_title(self, listing: GameListing) -> str:
        """Return the title of the table; games that are not loaded yet show their usual one."""
        return super().table_title(listing) if listing.slug in self._loaded else listing.table

    # ---- opening tables -------------------------------------------------------------------

    async def load_games(self) -> bool:
        """Import tables and games on a thread, one after the other, until a table is opened.

        Return whether this call has loaded the last of them.
        """
        if self._has_all:
            return False
        with suppress(Exception):  # opening a table reports why a game cannot be loaded
            await asyncio.to_thread(self._load_games)
        self._has_all = not (self._opening or self._open)  # the rest is loaded later
        return self._has_all

    def _load_games(self) -> None:
        import_module(".table.live", __package__)
        for game in GAMES:
            if self._opening or self._open or not self._app.is_running:
                return
            game.definition()
            load_lazy(face.face_of(game).pages.odds)  # loads numpy early
            self._loaded.add(game.slug)

    async def read_daily(self) -> None:
        """Read the tries of the day on a thread, if the daily deal is on.

        Nothing is read while a table opens, or if the clock is wrong.
        """

        def read() -> DailyOverview:
            return daily_session.read_day(self.house, DEFINITIONS)

        if not self._opening and self._app.check_action("daily_deal", ()):
            with suppress(BadInput):
                self.daily = await asyncio.to_thread(read)

    @property
    def opening(self) -> bool:
        return self._opening

    def open_game(
        self,
        slug: str,
        seating: AnyTableSetup | None = None,
        preferred: WaitingSession | None = None,
    ) -> None:
        """Open a table as in :meth:`open_table`; ignored while another table is opening."""
        self._open_later(TableRequest(listing_of(slug), seating, preferred))

    def _open_later(self, request: TableRequest) -> None:
        if not self._opening:  # an impatient player would otherwise open several tables
            self._opening = True
            self._app.call_later(self.open_table, request)

    async def open_table(self, request: TableRequest) -> None:
        """Resume a waiting session or begin a new one; errors are shown to the player."""
        try:
            sitting = await self._sitting(request)
        except LedgerBusy:
            dialog = modals.LedgerBusyDialog(lambda: self._sitting(request, waits=True))
            await self._app.push_screen(dialog, partial(self._after_wait, request))
        except LoanNeeded as needed:
            await self._ask_for_loan(needed, request)
        except (BadInput, OSError) as error:
            self._refuse(request.listing, error)
        else:
            await self._seat(request, sitting)
        finally:
            self._opening = False

    async def _sitting(self, request: TableRequest, *, waits: bool = False) -> AnySitting:
        """Resume or begin a session; do this on a thread if it ``waits`` for the ledger."""
        await asyncio.to_thread(self.settle_open_sittings) if waits else self.settle_open_sittings()
        listing = request.listing
        # another program may have released a session
        sitting = await self._resume_waiting(listing, request.preferred)
        if sitting is None and request.seating is None:
            await asyncio.to_thread(self.find_unfinished_games)
            sitting = await self._resume_points(listing, request.preferred)
        if sitting is not None:
            return sitting
        seating = request.seating or self.usual(listing)
        sit = partial(self.sit_down, listing, seating, borrow=request.borrow)
        return await run_cancellable(sit) if waits else sit()

    def _after_wait(
        self, request: TableRequest, found: AnySitting | BadInput | OSError | None
    ) -> None:
        """Handle the outcome of a wait: a session, an error, or ``None`` if the player gave up."""
        if isinstance(found, LoanNeeded):
            self._app.call_later(self._ask_for_loan, found, request)
        elif isinstance(found, BadInput | OSError):
            self._refuse(request.listing, found)
        elif found is not None:
            self._opening = True
            self._app.call_later(self._seat_again, request, found)

    async def _ask_for_loan(self, needed: LoanNeeded, request: TableRequest) -> None:
        """Ask whether the player wants a loan; if so, open the table with it."""

        def decide(borrow: bool | None) -> None:
            if borrow:
                self._open_later(replace(request, preferred=None, borrow=True))
            else:
                self._app.notify(WITHOUT_MONEY)

        lend = f"Borrow {dollars(needed.cents)}"
        dialog = modals.ConfirmationDialog("A loan?", needed.question, lend, "No loan")
        await self._app.push_screen(dialog, decide)

    def _refuse(self, listing: GameListing, error: BadInput | OSError) -> None:
        if isinstance(error, MoneyElsewhere):
            menu = self._app.screen_stack[0]
            menu.post_message(self.Refused(listing.slug, error.games))
        else:
            self._app.notify(str(error), title="Cannot open this table", severity="error")

    async def _seat(self, request: TableRequest, sitting: AnySitting) -> None:
        """Open the screen of a session.

        The table takes over the trainer setting and the totals of the ``previous`` table.
        """
        listing = request.listing
        self._open[id(sitting)] = sitting
        game_face = face.face_of(listing)
        self._loaded.add(listing.slug)
        table: AnyTable = live.LiveTable(
            listing.title, game_face, sitting, request.seating or self.usual(listing)
        )
        table.view.trains = sitting.definition.adviser.has_judge and self.memory.trains(
            listing.slug
        )
        table.view.guesses_first = self.memory.guesses_first(listing.slug)
        table.goal = self.session_goal(sitting)
        if request.previous is not None:
            table.continue_from(request.previous)
        table.view.totals_by_seat.update(self._kept_totals.pop(sitting.id, {}))
        screen = self.with_size_classes(table)
        await self._app.push_screen(
            screen, lambda outcome: self._after_table(request, sitting, outcome, table)
        )

    async def sit_with_others(self, code: str) -> None:
        """Take a seat as in :meth:`open_shared_table`; errors are shown to the player."""
        try:
            await self.open_shared_table(code)
        except (BadInput, OSError) as error:
            self._app.notify(str(error), title="Cannot sit down there", severity="error")

    async def open_shared_table(self, code: str) -> None:
        """Take a seat at a table with other people, and open its screen.

        Raises the errors of :func:`~tui_casino.house.shared_seat.sit_down`.
        """
        from ..house.shared_seat import find_table, sit_down  # late: most visits are without others
        from .table.shared import TableWithOthers

        tables = self.house.shared_tables
        line = await asyncio.to_thread(find_table, tables, code)
        assert tables is not None, "it has a table"
        listing = listing_of(line.game)
        game_face = await asyncio.to_thread(face.face_of, listing)
        definition = listing.definition()
        seat = await asyncio.to_thread(sit_down, self.house, tables, line, definition)
        sitting = seat.sitting
        self._open[id(sitting)] = sitting
        title = f"{listing.title} · {line.code}"
        table: AnyTable = TableWithOthers(title, game_face, seat, self.memory)
        request = TableRequest(listing)
        await self._app.push_screen(
            self.with_size_classes(table),
            lambda outcome: self._after_table(request, sitting, outcome, table),
        )

    async def watch_table(self, code: str) -> None:
        """Open the window in which the player watches a table; errors are shown to the player."""
        tables = self.house.shared_tables
        try:
            if tables is None or (line := await asyncio.to_thread(tables.find, code)) is None:
                raise BadInput(f"there is no table {code}")
            watch = TableWatch(tables, line)
            first = await asyncio.to_thread(watch.read)
        except (BadInput, OSError) as error:
            self._app.notify(str(error), title="Cannot watch this table", severity="error")
            return
        open_over(self._app.screen, watch_page.WatchPage(watch, first))

    async def seat_try(
        self, listing: GameListing, session: DailySession, on_left: Callable[[str | None], None]
    ) -> None:
        """Open the screen of a daily deal; ``on_left`` gets the game to open next, if any."""
        sitting, game_face = session.sitting, face.face_of(listing)
        self._open[id(sitting)] = sitting
        advice = replace(game_face.advice, answers={})
        table: AnyTable = live.LiveTable(
            listing.title, replace(game_face, advice=advice), sitting, attempt=session
        )

        def close(outcome: AnyTableSetup | AnySitting | str | None) -> None:
            sitting.close()
            self._open.pop(id(sitting), None)
            on_left(outcome if isinstance(outcome, str) else None)

        await self._app.push_screen(self.with_size_classes(table), close)

    def _after_table(
        self,
        request: TableRequest,
        sitting: AnySitting,
        outcome: AnyTableSetup | AnySitting | str | None,
        table: AnyTable,
    ) -> None:
        from ..gamekit.table_catalog import TableSetup  # late: the menu is painted before any table
        from ..house.sitting import SUMMARY_ROUNDS, Sitting, SittingEnding

        listing = request.listing
        if not sitting.definition.unaided:
            self.memory.trains_at(
                listing.slug,
                on=table.view.trains,
                used=table.used_trainer,
                guesses=table.view.guesses_first,
            )
        if sitting.ending is SittingEnding.BROKEN_OFF:
            self._kept_totals[sitting.id] = table.view.totals_by_seat
        if sitting.ending is SittingEnding.CASHED_OUT:
            self._last_log = sitting.log.path
            if outcome is None and sitting.dialogue.tally.rounds >= SUMMARY_ROUNDS:
                self._ended = listing, sitting.log.path, table.goal
        match outcome:
            case Sitting():  # the session continues after a choice was taken back
                self._opening = True
                self._app.call_later(self._seat_again, replace(request, previous=table), outcome)
                return
            case str():
                self.open_game(outcome)
            case TableSetup():
                self.remember(listing, outcome)
                self._open_later(TableRequest(listing, outcome, previous=table))
        sitting.close()
        self._open.pop(id(sitting), None)

    async def _seat_again(self, request: TableRequest, sitting: AnySitting) -> None:
        try:
            await self._seat(request, sitting)
        finally:
            self._opening = False

    @property
    def at_stake(self) -> list[str]:
        """The games with a bet at an open table that will be kept when the program ends."""
        return [
            sitting.definition.game.slug
            for sitting in self._open.values()
            if sitting.staked and sitting.house.can_resume
        ]

    def close(self) -> None:
        """Close the open sessions; bets at stake are kept in their logs."""
        waits = [one.game for one in self.waiting if one.entry is not None]
        self.games_at_stake += dict.fromkeys([*self.at_stake, *waits])
        for sitting in self._open.values():
            sitting.close()
        self._open.clear()

    async def _resume_waiting(
        self, listing: GameListing, preferred: WaitingSession | None
    ) -> AnySitting | None:
        for one in _first(preferred, self.waiting_at(listing.slug)):
            if one.entry is not None and (
                found := await run_cancellable(partial(self.resume, one))
            ):
                return found
        return None

    async def _resume_points(
        self, listing: GameListing, preferred: WaitingSession | None
    ) -> AnySitting | None:
        for one in _first(preferred, self.waiting_at(listing.slug)):
            try:
                return await run_cancellable(partial(self.resume_log, listing, one.log))
            except (BadInput, OSError) as error:
                self._app.notify(str(error), title="Cannot resume the game", severity="warning")
                break
        return None

    # ---- recorded sessions ----------------------------------------------------------------

    async def branch_from(self, listing: GameListing, path: Path, step: int) -> None:
        """Begin free play at a step of a recorded session. Raises the errors of :meth:`branch`."""
        branch = partial(self.branch, listing, path, step)
        await self._seat(TableRequest(listing), await run_cancellable(branch))

    async def resume_free_play(self, listing: GameListing, path: Path) -> None:
        """Resume a session of free play that was cut off.

        Raises the errors of :meth:`resume_log`.
        """
        resume = partial(self.resume_log, listing, path)
        await self._seat(TableRequest(listing), await run_cancellable(resume))

    async def show(self, screen: Screen[Any]) -> None:
        await self._app.push_screen(self.with_size_classes(screen))


def _first(
    preferred: WaitingSession | None, waiting: tuple[WaitingSession, ...]
) -> list[WaitingSession]:
    """Return the waiting sessions with the preferred one first, if it is still waiting."""
    return sorted(waiting, key=lambda one: preferred is None or one.log != preferred.log)
