"""The shared tables of a server: their seats, clocks and news.

The rows in the ledger's database are the tables (:mod:`tui_casino.records.shared_tables`). The desk
has a replica of each open table, which only the ledger's thread uses, and wakes the sessions that
wait for a new row.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from time import monotonic
from typing import Any, TypeAlias, TypeVar

from ...engine.croupier import ShuffledShoe
from ...engine.game import IllegalAction, Seat
from ...engine.seating import ComputerTurn, Leave, SharedGame
from ...house.shared_tables import (
    FROZEN,
    OwnSeat,
    TableLine,
    TableNews,
    WatchedRounds,
)
from ...records.clock import Clock
from ...records.codec import build_named
from ...records.ledger import LedgerBusy, LedgerDamaged, LedgerError, OpenSitting
from ...records.shared_tables import PhraseHeard, SeatMark, SharedTable, SharedTables
from ...records.table_replica import Occupant, TableReplica, has_ended
from ...structs import replace
from .ledger_writer import Durability, LedgerWriter
from .other_servers import (
    LATE,
    SLACK,
    OtherServers,
    SharingDesk,
    TablePresence,
)
from .slow_tables import close_unused, expire, is_slow, too_many_own, waits_in_vain
from .table_answers import (
    PaidSeatDesk,
    Replica,
    TableRefusal,
    join_action,
    line_about,
    replica_of,
    shared_play,
    table_news,
)
from .table_talk import TableTalk, check_phrase
from .table_watching import watched_by

T = TypeVar("T")
AnySharedGame: TypeAlias = SharedGame[Any, Any, Any, Any]


LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""The letters of a code: those that nobody takes for another one."""
CODE_LENGTH = 4
MOST_TABLES, MOST_OWN = 200, 3
"""The maximum numbers of open tables on this server, and of those that one player has made."""
AWAY_SECONDS = 30
"""The time after which a seat whose player is gone is paid out."""
NOTICED_AFTER = 1
"""Seconds without a reader after which a player is shown as away."""
IDLE_SECONDS = 3600
"""The time after which a table at which nobody sits is closed."""
TICK = 0.1
"""Seconds between two looks at the clocks."""
COMPUTER_SECONDS = 0.4
"""The time in which a computer chooses at least, so that others can follow."""
RESTART_SECONDS = 15
"""The time that each choice may take at least after a restart of the server."""


class SeatBusy(TableRefusal):
    """The action of a seat is not legal now."""


class AppendTimes:
    """The number of ``rows`` that were appended, and the ``last`` and ``slowest`` append.

    The times are in seconds, with the wait for the ledger.
    """

    def __init__(self) -> None:
        self.rows, self.last, self.slowest = 0, 0.0, 0.0

    def add(self, rows: int, seconds: float) -> None:
        """Count the rows of an append."""
        if rows:
            self.rows, self.last = self.rows + rows, seconds
            self.slowest = max(self.slowest, seconds)


class TableDesk(SharingDesk):
    """The open tables of this server.

    ``names`` returns the names that players show, by their ids. ``note`` tells the operator about a
    table that cannot be read or played; nobody can use it until a program can read it again.
    """

    def __init__(
        self,
        scribe: LedgerWriter,
        tables: SharedTables,
        clock: Clock,
        names: Callable[[], Mapping[str, str]],
    ) -> None:
        self._scribe, self._tables = scribe, tables
        super().__init__()
        self._others = OtherServers(tables, clock)
        self._clock, self._talk = self._others.now, TableTalk(tables, names)
        self.note: Callable[[str], None] = lambda what: None
        self._replicas: dict[str, Replica] = {}
        self._entries: dict[str, SharedTable] = {}
        self._changed: defaultdict[str, asyncio.Event] = defaultdict(asyncio.Event)
        self._seated: dict[str, defaultdict[str, TablePresence]] = {}  # by table and player
        self._away: dict[str, set[str]] = {}  # the players who were shown as away
        self._making = Counter[tuple[str, bool]]()  # by player, and whether they are slow
        self._noted = set[str]()  # the tables whose faults were noted
        self._idle_since: dict[str, int] = {}
        self._choosing: dict[str, asyncio.Task[None]] = {}  # computers
        self._looked_at: dict[str, int] = {}  # the rows when it was checked whose turn it is
        self._counted_from: dict[str, int] = {}  # absences count from this time on
        self.appends = AppendTimes()
        self.paid = PaidSeatDesk(scribe, tables, self._clock)

    async def load(self) -> None:
        """Read the open tables, as after a restart; players who sat there are away from now on.

        Nobody loses a choice by the restart: those who are asked get some time again.
        """
        await self._watch_others()
        self._talk.blocks = {*await self._scribe.do(self._tables.blocks)}
        for entry in await self._scribe.do(self._tables.open_tables):
            self._entries[entry.code] = entry
            try:
                occupants = await self._on(entry.code, lambda one: one.occupants)
                if entry.frozen is None and not self._others.are_there:
                    await self._change(entry.code, lambda one: one.extend_clock(RESTART_SECONDS))
            except LedgerError as error:
                self._leave_out(entry.code, error)
                continue
            for occupant in occupants.values():
                self._presence(entry.code, occupant.player).away_since = self._clock()

    def _presence(self, code: str, player: str) -> TablePresence:
        return self._seated.setdefault(code, defaultdict(TablePresence))[player]

    def _leave_out(self, code: str, error: Exception) -> None:
        """Close a table to everybody that cannot be read; its rows stay as they are."""
        if code not in self._others.unread:
            self.note(f"the table {code} is left out: {error}")
        self._set_aside(code, error)
        self._forget(code)

    # ---- requests -------------------------------------------------------------------------

    async def make(
        self, player: str, game: str, options: dict[str, str], *, is_listed: bool = False
    ) -> str:
        """Make a table, and return its code. Everybody sees a table that ``is_listed``."""
        shared = shared_play(game)
        if len(self._entries) + self._making.total() >= MOST_TABLES:
            raise TableRefusal("there are too many tables")
        try:
            chosen, seconds = shared.options_of(options), shared.seconds_of(options)
        except ValueError as error:
            raise LedgerError(str(error)) from None
        code = "".join(secrets.choice(LETTERS) for _ in range(CODE_LENGTH))
        entry = SharedTable(code, game, player, self._clock(), secrets.token_bytes(32), is_listed)
        entry = replace(entry, seconds=seconds)
        kind, own = (player, is_slow(entry)), self._entries.values()
        if why := too_many_own(own, player, MOST_OWN, self._making[kind], slow=is_slow(entry)):
            raise TableRefusal(why)

        def create() -> Replica:
            return TableReplica.create(
                self._tables,
                entry,
                shared.game,
                chosen,
                ShuffledShoe(),
                self._clock,
                shared.seconds,
                shared.bank,
            )

        self._making[kind] += 1
        try:
            self._replicas[code] = await self._scribe.do(create, Durability.MOVES)
        finally:
            self._making[kind] -= 1
        self.appends.rows += self._replicas[code].rows
        self._entries[code] = entry
        return code

    async def list(self, player: str, code: str | None = None) -> list[TableLine]:
        """Return a line about each open table that a player sees, the oldest first.

        These are the listed ones, those that the player made, and those at which the player sits;
        with a ``code``, only the table with this code. Tables whose makers block the player are
        left out, and without a ``code`` those whose makers the player blocks. Raises
        :class:`LedgerError` if only another version of this program can read the table.
        """
        if code is not None and code in self._others.unread:
            raise TableRefusal(self._others.why_missing(code))

        def sees(replica: Replica) -> bool:
            entry = replica.entry
            sits = any(one.player == player for one in replica.occupants.values())
            hides = {(entry.player, player)} | ({(player, entry.player)} if code is None else set())
            if not hides.isdisjoint(self._talk.blocks) and not sits:
                return False
            return code is not None or entry.is_listed or entry.player == player or sits

        def lines() -> list[TableLine]:
            found = list[TableLine]()
            for one in codes:
                with suppress(LedgerError):  # the clock notes a table that cannot be read
                    replica = self._replica(one)
                    if sees(replica) and not replica.ended:
                        found.append(self._line_about(replica, player))
            return found

        codes = [one for one in self._entries if code in (None, one)]
        return await self._scribe.do(lines)

    async def log(self, player: str, code: str) -> bytes:
        """Return the log of a closed table, which has everybody's cards, to one who sat there."""
        rows = await self._scribe.do(lambda: self._tables.rows(code))
        if player not in {row.player for row in rows}:
            raise LedgerError(f"you have not played at a table {code}")
        if not has_ended(rows):
            raise LedgerError(f"the log of the table {code} is secret until it is closed")
        return b"".join(row.line + b"\n" for row in rows)

    async def join(
        self, player: str, code: str, seat: int, sitting: OpenSitting, entropy: str = ""
    ) -> None:
        """Let a player take a free seat with the buy-in of this session."""
        action = join_action(self._entry(code), sitting.bought_in, entropy)

        def do(replica: Replica) -> None:
            if any(one.player == player for one in replica.occupants.values()):
                raise TableRefusal(f"you sit at the table {code} already")
            if (replica.entry.player, player) in self._talk.blocks:
                raise TableRefusal(f"there is no table {code}")
            if not 0 <= seat < replica.seats or seat in replica.occupants:
                raise TableRefusal(f"the seat at the table {code} is taken")
            replica.join(Seat(seat), action, player, replace(sitting, seed=None))

        await self._change(code, do)
        if not (presence := self._presence(code, player)).readers:
            presence.away_since = self._clock()

    async def find(self, player: str, code: str) -> OwnSeat | None:
        """Return a player's seat, if there is one."""

        def do(replica: Replica) -> OwnSeat | None:
            for seat, occupant in replica.occupants.items():
                sitting = self._scribe.book.open_sitting(occupant.sitting)
                if occupant.player == player and sitting is not None:
                    return OwnSeat(seat, replica.stays[player].first, sitting)
            return None

        return await self._on(code, do)

    async def mark(self, player: str, code: str, steps: int, mark: str) -> None:
        """Store the step that ended a round in the player's own log."""
        if steps < 0:
            raise TableRefusal(f"{steps} is not a number of steps")

        def do(replica: Replica) -> None:
            sitting = replica.occupants[_seat_of(replica, player)].sitting
            self._tables.book(SeatMark(sitting, steps, mark))

        await self._scribe.do(lambda: do(self._replica(code)), Durability.NOTES)

    async def act(
        self,
        player: str,
        code: str,
        do: dict[str, Any],
        after: int | None = None,
        last_hash: str | None = None,
    ) -> int | None:
        """Play an action of a player's seat; return its row, ``None`` if the table continued."""
        game = self._rules(code)
        try:
            action = build_named(do, game.actions)
        except ValueError as error:
            raise TableRefusal(f"not an action of {game.slug}: {error}") from None

        def play(replica: Replica) -> int | None:
            seat = _seat_of(replica, player)
            return replica.act(seat, action, player, last_hash=last_hash, after=after)

        return await self._change(code, play)

    async def say(self, player: str, code: str, phrase: int) -> None:
        """Let a player who sits at a table say a phrase, given by its number."""
        check_phrase(phrase)
        await self._on(code, lambda replica: _seat_of(replica, player))
        said = self._talk.say(code, player, phrase, self._clock())
        self._wake(code)
        await self._say_elsewhere(PhraseHeard(code, player, phrase, said.at))

    async def block(self, player: str, code: str, name: str, *, on: bool) -> None:
        """Let a player block somebody who sits at a table, given by name.

        With ``on`` false, the player no longer blocks them; this needs no table.
        """

        def change() -> None:
            if on:
                here = (one.player for one in _occupants(self._replica(code)))
                self._talk.block(player, name, code, here)
            else:
                self._talk.unblock(player, name)

        await self._scribe.do(change, Durability.MOVES)

    async def blocked(self, player: str) -> tuple[str, ...]:
        """Return the names of those whom a player blocks."""
        return await self._scribe.do(lambda: self._talk.blocked(player))

    async def read(
        self, player: str, code: str, first: int, wait: float, heard: int = 0
    ) -> TableNews:
        """Return what happened from row ``first`` on, and the phrases after time ``heard``.

        If there is nothing, wait for it, in seconds.
        """
        self._entry(code)  # nothing is kept about a code without a table
        seated = self._presence(code, player)
        seated.readers, seated.away_since = seated.readers + 1, None
        try:
            changed = self._changed[code]  # before reading: a change after it is not missed
            news = await self._on(code, partial(self._news, player, first, heard))
            if not (news.updates or news.phrases) and wait > 0:
                try:
                    await asyncio.wait_for(changed.wait(), wait)
                except TimeoutError:
                    return news
                news = await self._on(code, partial(self._news, player, first, heard))
            return news
        finally:
            seated.readers -= 1
            if not seated.readers:
                seated.away_since = seated.read_at = self._clock()

    async def watch(self, player: str, code: str, after: int, wait: float) -> WatchedRounds:
        """Return what a player without a seat sees of the rounds that are over, after a row.

        If there are none, wait for the end of a round, in seconds.
        """
        until, look = monotonic() + wait, partial(watched_by, player, after, self._talk)
        while True:
            self._entry(code)  # nothing is kept about a code without a table
            changed = self._changed[code]
            seen = await self._on(code, look)
            left = until - monotonic()
            if seen.lines or seen.why or left <= 0:
                return seen
            with suppress(TimeoutError):
                await asyncio.wait_for(changed.wait(), left)

    # ---- the operator ---------------------------------------------------------------------

    async def operate(self, code: str, work: Callable[[Replica], T]) -> T:
        """Change a table for the operator, also a frozen one; absences begin again.

        Raises :class:`LedgerError`, also if the table is closed.
        """

        def do(replica: Replica) -> tuple[T, SharedTable]:
            if replica.ended:
                raise TableRefusal(f"the table {code} is closed")
            return work(replica), replica.entry

        if code not in self._entries:
            rows = await self._scribe.do(lambda: self._tables.rows(code))
            if has_ended(rows):
                raise TableRefusal(f"the table {code} is closed")
            what = "this program cannot read the table" if rows else "there is no table"
            raise TableRefusal(f"{what} {code}; tui-casino admin tables lists the open ones")
        done, entry = await self._change(code, do, while_frozen=True)
        if code in self._entries:  # not closed and dropped in the meantime
            self._entries[code], self._counted_from[code] = entry, self._clock()
            for kept in (self._idle_since, self._looked_at):
                kept.pop(code, None)
        return done

    async def on_each(self, work: Callable[[Replica], T]) -> Sequence[T]:
        """Read something from the replica of each table that can be read."""

        def read() -> Sequence[T]:
            found: deque[T] = deque()
            for code in codes:
                with suppress(LedgerError):  # the clock notes a table that cannot be read
                    found.append(work(self._replica(code)))
            return found

        codes = [*self._entries]
        return await self._scribe.do(read)

    # ---- clocks ---------------------------------------------------------------------------

    async def keep_time(self) -> None:
        """Play for the seats whose time is over, until the task is cancelled."""
        try:
            while True:
                await asyncio.sleep(TICK)
                self._report_readers()
                for code in [*self._entries]:
                    try:
                        await self._tick(code)
                    except LedgerDamaged as error:
                        self._leave_out(code, error)
                    except LedgerError:
                        continue  # the ledger is busy or away; the rows are as they were
                    except Exception as error:
                        self._note_fault(code, error)  # the clocks of other tables continue
        finally:
            for task in self._choosing.values():
                task.cancel()

    async def _tick(self, code: str) -> None:
        if self._others.is_cut:
            return
        if (replica := self._replicas.get(code)) is None:
            replica = await self._on(code, lambda one: one)
        is_still = replica.ended or replica.entry.frozen is not None
        if is_still:
            self._rest(code, replica)
            return
        now = self._clock()
        is_elsewhere = self._others.are_there and self._note_elsewhere(code, replica)
        late = LATE if is_elsewhere else 0
        if replica.due is not None and max(replica.due + late, self._others.patient_until) <= now:
            await self._change(code, expire)
        turn_of = shared_play(replica.entry.game).computer
        is_new = replica.rows != self._looked_at.get(code)
        if turn_of and is_new and not is_elsewhere and code not in self._choosing:
            self._looked_at[code] = replica.rows
            self._choosing[code] = asyncio.create_task(self._play_computer(code, turn_of))
        since = self._idle_since.setdefault(code, now)
        if replica.occupants:
            del self._idle_since[code]
        is_idle = not replica.occupants and now - since >= 1000 * IDLE_SECONDS
        if (replica.why_over or is_idle) and not replica.ended:
            await self._change(code, lambda one: one.finish())
        elif waits_in_vain(replica, now):
            await self._change(code, close_unused)
        self._show_away(code)
        gone = now - 1000 * AWAY_SECONDS
        counted_from = self._counted_from.get(code, 0)
        waits = is_slow(replica.entry)  # its seats wait for those who are gone
        seats: Mapping[str, TablePresence] = {} if waits else self._seated.get(code, {})
        for player, seated in [*seats.items()]:
            if seated.away_since is None or max(counted_from, seated.away_since) > gone:
                continue
            may_leave = await self._on(code, partial(_may_leave, player))
            if may_leave and not await self._is_elsewhere(code, player):  # else after the round
                await self._change(code, partial(_leave, player))
                self._seated[code].pop(player, None)
        if replica.ended:
            self._rest(code, replica)

    def _show_away(self, code: str) -> None:
        away = {player for player in self._seated.get(code, ()) if self._is_away(code, player)}
        if away != self._away.get(code, set()):
            self._away[code] = away
            self._wake(code)

    def _rest(self, code: str, replica: Replica) -> None:
        """Show who is away from a table that is frozen or closed.

        Drop a closed one once its players had time to read the last row and leave.
        """
        self._show_away(code)
        gone = self._clock() - 1000 * AWAY_SECONDS
        seats = self._seated.get(code, {}).values()
        if replica.ended and all(
            one.away_since is not None and one.away_since <= gone for one in seats
        ):
            self._forget(code)

    def _note_fault(self, code: str, error: Exception) -> None:
        if code not in self._noted:
            self._noted.add(code)
            self.note(f"the table {code} has a fault: {error!r}")

    async def _play_computer(
        self, code: str, turn_of: Callable[[Any], ComputerTurn[Any] | None]
    ) -> None:
        """If it is a computer's turn, let it choose on a thread of its own, and play its choice."""
        try:
            choose = await self._on(code, lambda replica: replica.ask_computer(turn_of))
            if choose is None:
                return
            chosen = asyncio.to_thread(choose)
            act, _ = await asyncio.gather(chosen, asyncio.sleep(COMPUTER_SECONDS))
            await self._change(code, lambda replica: replica.play_computer(act))
        except LedgerError:
            self._looked_at.pop(code, None)  # try again
        except Exception as error:
            self._note_fault(code, error)
            with suppress(LedgerError):  # people's money is at stake
                await self._change(code, lambda replica: replica.pass_computer(turn_of))
        finally:
            self._choosing.pop(code, None)

    def _forget(self, code: str) -> None:
        """Drop a table from memory."""
        self._noted.discard(code)
        for kept in (
            self._entries,
            self._seated,
            self._away,
            self._replicas,
            self._idle_since,
            self._changed,
            self._looked_at,
            self._counted_from,
        ):
            kept.pop(code, None)
        self._talk.forget(code)

    # ---- replicas, on the ledger's thread -------------------------------------------------

    async def _on(self, code: str, work: Callable[[Replica], T]) -> T:
        """Read something from the replica of a table."""
        with self._others.patience():
            return await self._scribe.do(lambda: work(self._replica(code)))

    async def _change(
        self,
        code: str,
        work: Callable[[Replica], T],
        tries: int = 3,
        *,
        while_frozen: bool = False,
    ) -> T:
        """Change a table, and wake those who wait for it. Raises :class:`LedgerError`."""
        began = monotonic()

        def run() -> tuple[T, int]:
            replica = self._replica(code)
            if replica.entry.frozen is not None and not while_frozen:
                raise TableRefusal(FROZEN)
            before = replica.rows + replica.ended
            return work(replica), replica.rows + replica.ended - before

        try:
            done, rows = await self._scribe.do(run, Durability.MOVES)
        except IllegalAction as refused:
            raise SeatBusy(f"that is not possible now: {refused.reason}") from None
        except TableRefusal:
            raise
        except LedgerError as error:
            self._replicas.pop(code, None)  # the commit may have failed after the step
            self._wake(code)
            if tries > 1 and self._others.are_there and isinstance(error, LedgerBusy):
                # another server was in the way
                return await self._change(code, work, tries - 1, while_frozen=while_frozen)
            raise
        self.appends.add(rows, monotonic() - began)
        self._wake(code)
        return done

    def _wake(self, code: str) -> None:
        self._changed.pop(code, asyncio.Event()).set()

    async def pays(self, sitting: str) -> bool:
        """Return whether a session is that of a seat, so that only the table books its money."""

        def sits() -> bool:
            every = (one for replica in self._replicas.values() for one in _occupants(replica))
            return any(one.sitting == sitting for one in every) or self._tables.pays(sitting)

        return await self._scribe.do(sits)

    def _entry(self, code: str) -> SharedTable:
        if (entry := self._entries.get(code)) is None:
            raise TableRefusal(self._others.why_missing(code))
        return entry

    def _rules(self, code: str) -> AnySharedGame:
        return shared_play(self._entry(code).game).game

    def _replica(self, code: str) -> Replica:
        if (replica := self._replicas.get(code)) is None:
            replica = replica_of(self._tables, self._entry(code), self._clock)
            self._replicas[code] = replica
        return replica

    # ---- answers --------------------------------------------------------------------------

    def _news(self, player: str, first: int, heard: int, replica: Replica) -> TableNews:
        news = table_news(replica, player, first, self._line_about(replica).seats)
        news = replace(news, due=self._others.own_time(news.due))
        if all(one.player != player for one in replica.occupants.values()):
            return news
        phrases = self._talk.heard(replica.entry.code, player, heard, self._clock())
        return replace(news, phrases=phrases)

    def _line_about(self, replica: Replica, viewer: str | None = None) -> TableLine:
        code = replica.entry.code
        is_away = partial(self._is_away, code)
        return line_about(replica, self._talk.name_of, is_away, viewer)

    def _is_away(self, code: str, player: str) -> bool:
        seats: Mapping[str, TablePresence] = self._seated.get(code, {})
        seated = seats.get(player)  # adds nothing: this may be the ledger's thread
        if seated is None or seated.away_since is None:
            return False
        seconds = SLACK if self._others.are_there else NOTICED_AFTER
        return self._clock() - seated.away_since >= 1000 * seconds


def _seat_of(replica: Replica, player: str) -> Seat:
    for seat, occupant in replica.occupants.items():
        if occupant.player == player:
            return seat
    raise TableRefusal(f"you do not sit at the table {replica.entry.code}")


def _occupants(replica: Replica) -> Iterable[Occupant]:
    return replica.occupants.values()


def _may_leave(player: str, replica: Replica) -> bool:
    """Return whether a player's seat may be left now, or they have none."""
    seats = [seat for seat, one in replica.occupants.items() if one.player == player]
    return all(replica.offers(seat, Leave) for seat in seats)


def _leave(player: str, replica: Replica) -> None:
    """Let a player who is gone leave, if that is possible between two rounds."""
    for seat, occupant in [*replica.occupants.items()]:
        if occupant.player == player:
            replica.act(seat, Leave(), player)
