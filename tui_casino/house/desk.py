"""The desk finds the sessions that a player can resume, and seats the player at a table.

It has no screen and no thread. The screen and screen-reader mode are its front-ends.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from ..engine.money import dollars
from ..gamekit.lazy_import import LazyModule
from ..gamekit.registry import DEFINITIONS, GameListing, listing_of, title_of
from ..inputs.files import BadFile
from ..records.ledger import LedgerBusy, LedgerError
from ..structs import replace
from .balance_history import BalanceHistory, read_balance_history
from .house import (
    House,
    LoanNeeded,
    MoneyElsewhere,
    OpenSittingsReport,
    WaitingSession,
    WaitingSummary,
)
from .visit_state import VisitState

if TYPE_CHECKING:  # the menu is painted before the modules that open tables are needed
    from ..engine.chance import ChanceSource
    from ..gamekit.table_catalog import AnyTableSetup
    from ..teacher.goals import Goal
    from . import lobby, resumption, session_goal, unfinished_games
    from .lobby import AnySitting, SourceFactory
    from .session_goal import SessionGoal
    from .unfinished_games import UnfinishedGames
else:
    lobby = LazyModule(".lobby", __package__)
    resumption = LazyModule(".resumption", __package__)
    session_goal = LazyModule(".session_goal", __package__)
    unfinished_games = LazyModule(".unfinished_games", __package__)


def new_committed_source() -> ChanceSource:
    """Return a source with a new secret seed and its commitment."""
    from ..engine.chance import CommittedSource  # late: the menu needs no shuffle

    return CommittedSource()


def describe_goal(goal: Goal | None, played: bool | None = None) -> str:
    """Return a goal in words, with its game if it belongs to one.

    ``played`` is whether the player has played a deal of the day, if that is known.
    """
    if goal is None:
        return "no goal"
    detail = goal_detail(goal, played)
    if goal.game:
        return f"{detail}: {goal.text}"
    return f"{goal.text}, {detail}" if detail else goal.text


def goal_detail(goal: Goal, played: bool | None) -> str:
    """Return a goal's game, or whether the deal of the day is ``played``; "" if neither applies."""
    if goal.game:
        return title_of(goal.game)
    if played is None or not goal.is_daily:
        return ""
    return "played" if played else "not played yet"


class Desk:
    """Seats the player of a house at one table after another.

    If a ``seed`` is given, every shuffle is derived from it. Otherwise ``new_source`` makes the
    source of a shuffle, and the player's ``client_seed`` is mixed into it.
    """

    def __init__(
        self,
        house: House,
        memory: VisitState | None = None,
        seed: int | None = None,
        client_seed: str = "",
        new_source: SourceFactory = new_committed_source,
    ) -> None:
        self.house, self.memory = house, memory or VisitState()
        self.seed, self.client_seed, self._new_source = seed, client_seed, new_source
        self.has_goals = True  # the player's setting
        self.report = OpenSittingsReport()
        self._unfinished: UnfinishedGames | None = None
        self._left_off: tuple[WaitingSession, ...] = ()
        self._lost_ledger: str | None = None  # the warning; empty if the ledger is not lost
        self._next: ChanceSource | None = None  # the next source, if its commitment has been shown
        self._mixed = False  # whether it includes a client seed

    # ---- waiting sessions -----------------------------------------------------------------

    def settle_open_sittings(self, table: str | None = None) -> None:
        """Settle interrupted money sessions, and find those that still have a bet at stake.

        The player may be coming to a ``table`` with others, given by its code. Raises
        :class:`~tui_casino.records.ledger.LedgerError`.
        """
        self.report, ledger = OpenSittingsReport(), self.house.ledger
        if ledger is not None and ledger.open_sittings(self.house.player):
            self.report = lobby.review_open_sittings(self.house, DEFINITIONS, table)
        if self.house.shared_tables is not None and self.house.shared_tables.paid():
            from .paid_seats import finish_paid_seats  # late: it is rarely needed

            finished = (*self.report.notes, *finish_paid_seats(self.house, DEFINITIONS))
            self.report = replace(self.report, notes=finished)

    def find_unfinished_games(self) -> None:
        """Find the unfinished games for points, and check whether the ledger seems to be lost."""
        if self._lost_ledger != "":
            self._lost_ledger = lobby.lost_ledger_warning(self.house)
        self._unfinished = self._unfinished or unfinished_games.UnfinishedGames()
        self._left_off = self._unfinished.find(self.house, DEFINITIONS)

    @property
    def notes(self) -> tuple[str, ...]:
        """The messages about money sessions, and about a ledger that seems to be lost."""
        return (*self.report.notes, self._lost_ledger) if self._lost_ledger else self.report.notes

    @property
    def unresumable(self) -> frozenset[str]:
        """The games with a money session that cannot be resumed."""
        return frozenset(one.game for one in self.report.unresumable)

    @property
    def waiting(self) -> tuple[WaitingSession, ...]:
        """All waiting sessions, newest first: those with a bet at stake, then games for points."""
        staked = (WaitingSession(one.game, one.log, one) for one in reversed(self.report.waiting))
        return (*staked, *self._left_off)

    def waiting_at(self, slug: str) -> tuple[WaitingSession, ...]:
        """Return the sessions that wait at a game, in the order of :attr:`waiting`."""
        return tuple(one for one in self.waiting if one.game == slug)

    def moment(self, session: WaitingSession) -> WaitingSummary | None:
        """Return a summary of a waiting session's state; ``None`` if its log is unreadable."""
        with suppress(BadFile):  # resuming it reports the error
            return unfinished_games.waiting_summary(
                listing_of(session.game).definition(), session.log, self.house.seat_names
            )
        return None

    # ---- the player -----------------------------------------------------------------------

    def course(self) -> BalanceHistory | None:
        """Return the player's balance history.

        Raises :class:`~tui_casino.records.ledger.LedgerError`.
        """
        return read_balance_history(self.house)

    def last_cashed_out(self) -> Path | None:
        """Return the log of the last money session that was cashed out.

        Raises :class:`~tui_casino.records.ledger.LedgerError`.
        """
        if (books := self.house.books) is None:
            return None
        logs = [move.log for move in books.movements(self.house.player) if move.game]
        return Path(logs[-1]) if logs else None

    def repay(self, cents: int) -> str:
        """Repay a part of the player's debt, in cents; return a sentence about it.

        Raises :class:`~tui_casino.records.ledger.LedgerError`.
        """
        ledger, player = self.house.ledger, self.house.player
        if ledger is None:
            raise LedgerError("there is no debt in free play")
        ledger.repay(player, cents, self.house.clock())
        owed = ledger.debt(player)
        rest = f"you still owe {dollars(owed)}" if owed else "you owe nothing now"
        return f"You repaid {dollars(cents)}; {rest}."

    @property
    def goal(self) -> Goal | None:
        """The goal that the player has chosen for their sessions, if goals are on."""
        return self.memory.goal if self.has_goals else None

    def session_goal(self, sitting: AnySitting) -> SessionGoal | None:
        """Return the player's goal for a session, or ``None`` if the session has none."""
        goal = self.goal
        if goal is None or not session_goal.can_count(goal, sitting):
            return None
        return session_goal.SessionGoal(goal, sitting)

    # ---- choosing a table -----------------------------------------------------------------

    def table_title(self, listing: GameListing) -> str:
        """Return the title of the table at which the player would sit down."""
        name = self.memory.table(listing.slug)
        return listing.table if name is None else listing.tables().titles.get(name, listing.table)

    def asks_first(self, listing: GameListing) -> bool:
        """Return whether the player must answer a question before their first session of a game."""
        if not self.memory.lasts or self.memory.table(listing.slug) is not None:
            return False
        return listing.tables().first is not None

    def asks_each_time(self, listing: GameListing) -> AnyTableSetup | None:
        """Return the usual setup if its table has a question to ask before each session."""
        tables, name = listing.tables(), self.memory.table(listing.slug)
        if (table := tables.choices.get(name or "")) is None or table.file_request is not None:
            return None
        seating = tables.setup(name)
        return seating if seating.variants_of else None

    def usual(self, listing: GameListing) -> AnyTableSetup:
        """Return the setup of the table that the player chose last, or the game's default."""
        tables, name = listing.tables(), self.memory.table(listing.slug)
        table = tables.choices.get(name or "")
        return tables.setup(name if table is not None and table.file_request is None else None)

    def remember(self, listing: GameListing, seating: AnyTableSetup) -> None:
        """Remember a setup as the player's last choice, if it is one of the game's tables."""
        if (name := listing.tables().name_of(seating)) is not None:
            self.memory.sits_at(listing.slug, name)

    # ---- seats ----------------------------------------------------------------------------

    def resume(self, session: WaitingSession) -> AnySitting | None:
        """Resume a waiting session; return ``None`` if it has been settled in the meantime.

        Raises :class:`~tui_casino.inputs.errors.BadInput` and ``OSError``.
        """
        if session.entry is None:
            return self.resume_log(listing_of(session.game), session.log)
        return lobby.resume(self.house, listing_of(session.game).definition(), session.entry)

    def resume_log(self, listing: GameListing, path: Path) -> AnySitting:
        """Start free play at a step of a log. Raises the errors of :func:`branch_sitting`."""
        return resumption.resume_from_log(
            replace(self.house, ledger=None), listing.definition(), path
        )

    def branch(self, listing: GameListing, path: Path, step: int) -> AnySitting:
        """Start free play at a step of a session. Raises the errors of :func:`branch_sitting`."""
        from .sitting import branch_sitting  # late: the menu opens no table

        return branch_sitting(self.house, listing.definition(), path, step)

    def sit_down(
        self, listing: GameListing, seating: AnyTableSetup, *, borrow: bool = False
    ) -> AnySitting:
        """Start a session. Raises the errors of :func:`~tui_casino.house.lobby.sit_down`."""
        definition = listing.definition()
        house = replace(self.house, ledger=None) if seating.practice else self.house
        if seating.source is not None:
            source = seating.source(self.seed)
            return lobby.sit_down(house, definition, seating, source, borrow=borrow)
        source = self._next or lobby.new_source(self.seed, factory=self._new_source)
        if self.client_seed and not self._mixed:
            source = lobby.mix_client_seed(self.client_seed, source)
        try:
            sitting = lobby.sit_down(house, definition, seating, source, borrow=borrow)
        except LoanNeeded:
            self._next, self._mixed = source, self._mixed or bool(self.client_seed)
            raise  # the same shuffle is used if the player asks for the loan
        except LedgerError as error:
            if not isinstance(error, LedgerBusy | MoneyElsewhere):
                self._next, self._mixed = None, False  # its commitment may be public
            raise
        self._next, self._mixed = None, False
        return sitting

    # ---- the next shuffle -----------------------------------------------------------------

    def next_commitment(self) -> str:
        """Return the commitment of the next shuffle; choose its seed now if there is none yet.

        Raises :class:`~tui_casino.records.ledger.LedgerError`.
        """
        self._next = self._next or lobby.announce_source(self.house, self._new_source)
        return self._next.spec.value

    def mix_in(self, client_seed: str) -> None:
        """Mix a client seed into the next shuffle, after its commitment has been shown.

        Raises :class:`~tui_casino.inputs.errors.BadInput` if the client seed is invalid.
        """
        self._next = lobby.mix_client_seed(client_seed, self._next or self._new_source())
        self._mixed = True
