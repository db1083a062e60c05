"""A seat at a shared table, as a session of its own.

The player's session has a log, a tally and a history like any other, but its steps are those of the
table as the seat sees them. A choice is sent to the table, and is played here once the table has
it. Only the table books money.
"""

from __future__ import annotations

import errno
import secrets
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Condition, Thread
from time import sleep
from typing import Generic

from msgspec import Struct

from ..engine.chance import ChanceSource, SourceSpec
from ..engine.croupier import ShuffledShoe
from ..engine.game import A, E, Game, IllegalAction, O, Refusal, S, Seat
from ..engine.offers import Dice
from ..engine.seat_table import SeatTable, SeenStep
from ..engine.seating import Leave, SharedPlay, by_correspondence
from ..gamekit.definition import GameDefinition
from ..gamekit.tally import T
from ..gamekit.unaided import unaided
from ..inputs.errors import BadInput
from ..inputs.numbers import list_words
from ..records.codec import Fields, build_named, decode, encode, name_and_fields
from ..records.ledger import (
    Ledger,
    LedgerBusy,
    LedgerContents,
    LedgerError,
    LogCheckpoint,
    MoneyMovement,
    OpenSitting,
    SittingAccount,
)
from ..records.session_log import LogWriteError
from ..structs import replace
from .house import House
from .resumption import reopen_table
from .shared_tables import FROZEN, SharedTablesClient, TableEvent, TableLine, TableNews
from .sitting import Sitting, TableElsewhere, begin_sitting

_NOTHING = encode(())
ENTROPY_BYTES = 16
TRIES = 5
"""How often a player tries to leave a table that continues meanwhile."""
WAIT, BUSY = 10.0, 0.5
"""Seconds for which one request waits for news, and before the next one at a busy ledger."""
OTHERS, MOST_NAMED = "the others", 2
NOT_HELPED = "nobody is helped at a table with others"


class OtherPlayer(Struct, frozen=True):
    """Somebody else at the table: name, state, money in cents, and in words what they chose.

    ``seat`` is their seat in the game, or ``None`` if everybody plays the game for one person. They
    have no ``cents`` in a game for points. The table waits for those who are asked.
    """

    name: str
    state: str
    cents: int | None
    doing: str
    seat: Seat | None = None
    is_asked: bool = False

    @property
    def short_name(self) -> str:
        """The name in the game's own lines: that of a computer without its level."""
        return self.name.partition(",")[0] if self.state == "computer" else self.name


class SeatFeed(Generic[S, A, E]):
    """The steps of a player's seat, read on a thread of its own.

    ``told`` is called on that thread with each answer that brings something new, and with ``None``
    after an error, when nothing more is read. ``waits`` is called before waiting for a step.
    ``paused`` is called with the reason when the table cannot be read for a while, and with an
    empty text afterwards; ``trouble`` is the current reason.
    """

    told: Callable[[TableNews | None], None]
    waits: Callable[[], None]
    paused: Callable[[str], None]

    def __init__(
        self, client: SharedTablesClient, code: str, shared: SharedPlay[O], game: Game[O, S, A, E]
    ) -> None:
        self.code, self._client, self.shared, self._game = code, client, shared, game
        self.seconds = shared.seconds  # for each choice
        self._state = type(game.start(game.Options()))
        self.told, self.waits = lambda news: None, lambda: None
        self.paused, self.trouble = lambda reason: None, ""
        self._next = self._after = 0  # rows
        self._heard = 0  # the time of the last phrase
        self._seen = b""
        self._closed, self._arrived = False, Condition()
        self._steps = deque[tuple[TableEvent, SeenStep[S, A, E]]]()
        self.news: TableNews | None = None
        self._thread = Thread(target=self._run, name=f"table {code}", daemon=True)

    def begin(self, row: int) -> None:
        """Read from this row on, up to now. Raises :class:`LedgerError`."""
        self._next, self._after = row, row - 1
        self.catch_up()

    def catch_up(self) -> None:
        """Read everything up to now. Raises :class:`LedgerError`."""
        while self._note(self._client.read(self.code, self._next, 0)):
            pass

    def start(self) -> None:
        """Begin to read on."""
        self._thread.start()

    def close(self) -> None:
        """Stop reading; a thread that waits for a step gets an error."""
        with self._arrived:
            self._closed = True
            self._arrived.notify_all()

    # ---- the steps --------------------------------------------------------------------------

    @property
    def has_next(self) -> bool:
        """Whether the next step is known here."""
        return bool(self._steps)

    @property
    def next_is_own(self) -> bool:
        """Whether the next step is of the player's seat, even if its own game lacks such a step."""
        with self._arrived:
            own = None if self.news is None else self.news.seat
            return bool(self._steps) and own is not None and self._steps[0][0].actor == own

    @property
    def is_frozen(self) -> bool:
        """Whether the operator has stopped the table for a while."""
        return self.news is not None and self.news.is_frozen

    @property
    def is_closed(self) -> bool:
        """Whether the table is closed; its last steps may not be played here yet."""
        return self.news is not None and self.news.seed is not None

    def next(self) -> SeenStep[S, A, E]:
        """Return the next step. Raises :class:`LogWriteError` if the table is gone."""
        if not self._steps:
            self.waits()
        with self._arrived:
            self._arrived.wait_for(lambda: self._steps or self._closed)
            if not self._steps:
                raise LogWriteError(errno.EIO, "the table is gone")
            return self._steps[0][1]

    def take(self) -> None:
        """Go on to the step after the next one."""
        with self._arrived:
            event, _ = self._steps.popleft()
        self._after = event.number

    def send(self, action: A) -> bool:
        """Let the seat act; return false if the table has continued since the last step here.

        Raises :class:`IllegalAction` at a frozen table, and :class:`LogWriteError`.
        """
        try:
            if self.is_frozen:
                self.catch_up()  # it may have been thawed
            if self.is_frozen:
                raise IllegalAction(Refusal.BARRED, FROZEN)
            row = self._client.act(self.code, fields_of(action), self._after)
            if row is not None:
                self.catch_up()
        except LedgerError as error:
            raise LogWriteError(errno.EIO, str(error)) from None
        return row is not None

    def leave(self, last_hash: str) -> bool | None:
        """Leave the seat; the hash is that of the last line that the log will have.

        Return false if the table does not allow it now, and ``None`` if it has continued since the
        last step here. Raises :class:`LedgerError`.
        """
        if self._client.seat(self.code) is None:
            return True  # it was paid out
        try:
            left = self._client.act(self.code, fields_of(Leave()), self._after, last_hash)
        except LedgerBusy:
            raise
        except LedgerError:
            return self._client.seat(self.code) is None
        return None if left is None else True

    def has_seat(self) -> bool:
        """Return whether the player still has the seat. Raises :class:`LedgerError`."""
        return not self.is_closed and self._client.seat(self.code) is not None

    def say(self, phrase: int) -> None:
        """Say a phrase, given by its number, to the others. Raises :class:`LedgerError`."""
        self._client.say(self.code, phrase)

    def block(self, name: str, *, on: bool) -> None:
        """Block somebody at the table, or no longer block them. Raises :class:`LedgerError`."""
        self._client.block(self.code, name, on=on)

    def blocked(self) -> Sequence[str]:
        """Return the names of those whom the player blocks. Raises :class:`LedgerError`."""
        return self._client.blocked()

    # ---- reading ----------------------------------------------------------------------------

    def _run(self) -> None:
        while not self._closed:
            try:
                wait = 0.0 if self.trouble else WAIT  # the player learns when it is over
                news = self._client.read(self.code, self._next, wait, self._heard)
            except LedgerBusy as error:
                self._pause(str(error))
                sleep(BUSY)
                continue
            except LedgerError:
                self.close()
                self.told(None)
                return
            self._pause("")
            self._heard = max((self._heard, *(one.at for one in news.phrases)))
            if self._note(news) or news.phrases:  # only this thread hears the others
                self.told(news)

    def _pause(self, reason: str) -> None:
        if (reason == "") != (self.trouble == ""):
            self.trouble = reason
            self.paused(reason)

    def _note(self, news: TableNews) -> bool:
        """Note what is new; return whether anything is."""
        with self._arrived:
            before, self.news = self.news, news
            for one in news.updates:
                if one.number < self._next:  # two threads have read it
                    continue
                self._next = one.number + 1
                others = one.actor not in (None, news.seat)
                if not others or (one.state, one.events) != (self._seen, _NOTHING):
                    self._steps.append((one, self._step(one, news.seat)))
                self._seen = one.state
            self._arrived.notify_all()
        return (
            bool(news.updates)
            or before is None
            or before.seats != news.seats
            or (before.seed, before.is_frozen) != (news.seed, news.is_frozen)
        )

    def _step(self, one: TableEvent, seat: int | None) -> SeenStep[S, A, E]:
        do, kinds = decode(one.action, Fields), self._game.actions
        events = tuple(
            build_named(event, self._game.events) for event in decode(one.events, list[Fields])
        )
        plays = do["is"] in {kind.__name__ for kind in kinds}
        action = build_named(do, kinds) if plays and one.is_own else None
        actor, is_others = None, one.actor != seat and not self.shared.is_solo
        if one.actor is not None and plays and (one.is_own or is_others):
            actor = self.shared.own_seat(one.actor)
        return SeenStep(one.number, actor, do["is"], action, decode(one.state, self._state), events)


class TableSource:
    """The source of a table's cards: they come as steps, and the seed stays there until the end.

    The client seed is the entropy of the player's own seat.
    """

    seed: bytes | None = None

    def __init__(self, commitment: str, entropy: str = "") -> None:
        self.spec = SourceSpec("committed", commitment, entropy)

    @property
    def stored_seed(self) -> bytes:
        """The bytes of the commitment."""
        return bytes.fromhex(self.spec.value)

    def restore(self, origin: SourceSpec, stored: bytes | None, /) -> ChanceSource:
        """Return the source of a seat that was taken before, with the entropy from its log."""
        self.spec = replace(self.spec, word=origin.word)
        return self

    def with_client_seed(self, client_seed: str, /) -> ChanceSource:
        """Refuse: the cards are everybody's."""
        raise ValueError("a client seed cannot be mixed into the cards of a shared table")

    def dice(self, occasion: str, /) -> Dice:
        """Refuse: the table shuffles."""
        raise RuntimeError("the table shuffles")


class SeatLedger:
    """The ledger of a seat: its money goes to the table and comes back through the table.

    Everything else is that of the player's ``ledger``.
    """

    def __init__(
        self,
        ledger: Ledger,
        tables: SharedTablesClient,
        code: str,
        seat: int,
        entropy: str,
    ) -> None:
        self._ledger, self._tables, self._code, self._seat = ledger, tables, code, seat
        self._entropy = entropy
        self.name, self.persistent, self.new = ledger.name, ledger.persistent, ledger.new

    def buy_in(self, sitting: OpenSitting, player: str, at: int, loan: int = 0) -> None:
        """Take a seat with the buy-in and the entropy."""
        if loan:
            raise LedgerError("the house lends nothing at a table with others")
        self._tables.join(self._code, self._seat, sitting, self._entropy)

    def checkpoint(self, sitting: str, steps: int, mark: str, cents: int) -> bool:
        """Store the line; the table knows the money."""
        self._tables.mark(self._code, steps, mark)
        return True

    def cash_out(self, sitting: str, cents: int, last_hash: str | None, at: int) -> bool:
        """Do nothing: the table has paid the seat out."""
        return True

    def balance(self, player: str) -> int:
        """Return the player's balance."""
        return self._ledger.balance(player)

    def debt(self, player: str) -> int:
        """Return the player's debt."""
        return self._ledger.debt(player)

    def lend(self, player: str, cents: int, at: int) -> None:
        """Add a loan to the balance."""
        self._ledger.lend(player, cents, at)

    def repay(self, player: str, cents: int, at: int) -> None:
        """Pay a part of the debt."""
        self._ledger.repay(player, cents, at)

    def confirm(self, sitting: str, checkpoint: LogCheckpoint) -> None:
        """Do nothing: the table has paid the seat out, and its session is closed."""

    def open_sitting(self, sitting: str) -> OpenSitting | None:
        """Return the session of the seat, if it is still taken."""
        own = self._tables.seat(self._code)
        return own.sitting if own is not None and own.sitting.id == sitting else None

    def open_sittings(self, player: str) -> list[OpenSitting]:
        """Return the player's open sessions."""
        return self._ledger.open_sittings(player)

    def accounts(self, player: str | None = None) -> dict[str, SittingAccount]:
        """Return the player's sessions by their ids."""
        return self._ledger.accounts(player)

    def movements(self, player: str) -> list[MoneyMovement]:
        """Return the player's finished sessions, loans and repayments."""
        return self._ledger.movements(player)

    def checkpoint_of(self, log: Path, hashes: Sequence[str] = ()) -> LogCheckpoint | None:
        """Return the checkpoint of a log."""
        return self._ledger.checkpoint_of(log, hashes)

    def books(self) -> LedgerContents:
        """Return the contents of the ledger."""
        return self._ledger.books()

    def amend(self, before: LedgerContents, after: LedgerContents) -> None:
        """Replace the contents of the ledger."""
        self._ledger.amend(before, after)

    def close(self) -> None:
        """Leave the ledger open: it is the player's."""


class SharedSeat(Generic[O, S, A, E, T]):
    """A seat that a player has taken: the ``sitting``, and the ``feed`` of the table.

    The seat ``is_continued`` if the player came back to it. At a table by correspondence, it is
    kept when the player leaves, unless the player ``gives_up`` the game.
    """

    is_continued = gives_up = False

    def __init__(
        self,
        sitting: Sitting[O, S, A, E, T],
        table: SeatTable[O, S, A, E],
        feed: SeatFeed[S, A, E],
        source: TableSource,
    ) -> None:
        self.sitting, self.table, self.feed, self._source = sitting, table, feed, source
        sitting.catch_up, sitting.stand_up = self.catch_up, self.stand_up
        sitting.keeps_seat = self.is_kept
        sitting.dialogue.others = self.names

    def others(self) -> tuple[OtherPlayer, ...]:
        """Return the other players at the table."""
        if (news := self.feed.news) is None:
            return ()
        shared, for_points = self.feed.shared, self.sitting.for_points
        return tuple(
            OtherPlayer(
                one.name,
                one.state,
                None if for_points else one.cents,
                one.doing,
                None if shared.is_solo else shared.own_seat(place),
                one.is_asked,
            )
            for place, one in enumerate(news.seats)
            if one.state != "free" and place != news.seat
        )

    @property
    def waiting_text(self) -> str:
        """Says whom the table waits for; more people than :data:`MOST_NAMED` are not named."""
        asked = [one.short_name for one in self.others() if one.is_asked]
        return f"Waiting for {list_words(asked) if 0 < len(asked) <= MOST_NAMED else OTHERS}."

    def names(self) -> dict[Seat, str]:
        """Return the names of the others by their seats in the game.

        Those who have left are called by their numbers; an only opponent has a name in any case.
        """
        known = {one.seat: one.short_name for one in self.others() if one.seat is not None}
        seats = range(len(self.table.players))
        if len(seats) <= 2:
            return known
        return {Seat(seat): f"Player {seat + 1}" for seat in seats} | known

    def seconds_left(self) -> int | None:
        """Return the seconds that a choice may still take; ``None`` if no clock runs.

        The time bank does not count unless the player who is asked :attr:`is_in_bank`.
        """
        if (news := self.feed.news) is None or news.due is None:
            return None
        left = news.due - self.sitting.house.clock()
        return max(0, -(-(left if self.is_in_bank else left - news.bank) // 1000))

    @property
    def bank(self) -> int:
        """The seconds in the time bank of the player who is asked, before it is used."""
        return 0 if self.feed.news is None else -(-self.feed.news.bank // 1000)

    @property
    def is_in_bank(self) -> bool:
        """Whether the player who is asked uses the time bank now."""
        if (news := self.feed.news) is None or news.due is None:
            return False
        return bool(news.bank) and news.due - self.sitting.house.clock() <= news.bank

    @property
    def is_offer(self) -> bool:
        """Whether a computer takes a free seat when the clock has run out."""
        return self.feed.news is not None and self.feed.news.is_offer

    @property
    def was_played(self) -> bool:
        """Whether the next step is a choice that this program has not made.

        The table made it because the time was over, or another program of the player did. At a
        table that is closed the reason is another one.
        """
        return self.feed.next_is_own and not self.feed.is_closed

    def catch_up(self) -> None:
        """Play here what the table has played up to now. Raises :class:`LedgerError`."""
        self.feed.catch_up()
        while self.feed.has_next:
            self.table.advance()

    def stand_up(self, last_hash: Callable[[], str]) -> bool:
        """Leave the seat, unless something is at stake; return whether it is free now.

        Raises :class:`LedgerError`.
        """
        for _ in range(TRIES):
            if self.sitting.staked:
                return False
            if (left := self.feed.leave(last_hash())) is not None:
                return left
            self.catch_up()
        return False

    @property
    def is_slow(self) -> bool:
        """Whether the table is played by correspondence."""
        return by_correspondence(self.feed.seconds)

    def is_kept(self) -> bool:
        """Return whether the seat is kept when the player leaves. Raises :class:`LedgerError`."""
        return self.is_slow and not self.gives_up and self.feed.has_seat()

    def end(self) -> str:
        """Take over the seed of a table that is closed; return why it is, or an empty text."""
        news = self.feed.news
        if news is None or news.seed is None:
            return ""
        self._source.seed = news.seed
        return news.why or "nobody sits there"

    def close(self) -> None:
        """Stop to read the table."""
        self.feed.close()


def find_table(tables: SharedTablesClient | None, code: str) -> TableLine:
    """Return the open table with a code. Raises :class:`BadInput`, and :class:`LedgerError`."""
    if tables is None:
        raise BadInput("tables with others are on servers only")
    if (line := tables.find(code.upper())) is None:
        raise BadInput(f"there is no table {code}")
    return line


def sit_down(
    house: House,
    tables: SharedTablesClient,
    table: TableLine,
    definition: GameDefinition[O, S, A, E, T],
) -> SharedSeat[O, S, A, E, T]:
    """Take a seat at a table, or come back to it; then start its feed.

    Raises the errors of :func:`~.sitting.begin_sitting` and of :func:`~.resumption.reopen_table`.
    """
    while True:
        try:
            return _take_seat(house, tables, table, definition)
        except LedgerError:
            now = tables.find(table.code)
            if now is None or _first_free(now) == _first_free(table):
                raise
            table = now  # somebody else was faster


def _first_free(table: TableLine) -> int | None:
    """Return the seat that the next player takes, rather a free one than that of a computer."""
    free = [place for place, one in enumerate(table.seats) if one.is_free]
    return min(free, key=lambda place: table.seats[place].state == "computer", default=None)


def _take_seat(
    house: House,
    tables: SharedTablesClient,
    table: TableLine,
    definition: GameDefinition[O, S, A, E, T],
) -> SharedSeat[O, S, A, E, T]:
    assert house.ledger is not None, "others play for money"
    definition = unaided(definition, NOT_HELPED)
    if (shared := definition.shared) is None:
        raise BadInput(f"{definition.game.slug} cannot be played by several people")
    feed = SeatFeed(tables, table.code, shared, definition.game)
    feed.seconds = table.seconds or shared.seconds
    options = decode(table.options, shared.game.Options)
    source = TableSource(table.commitment, secrets.token_hex(ENTROPY_BYTES))
    if (own := tables.seat(table.code)) is not None:
        place = own.seat
    elif (free := _first_free(table)) is not None:
        place = free
    else:
        raise LedgerError(f"all seats of the table {table.code} are taken")
    ledger = SeatLedger(house.ledger, tables, table.code, place, source.spec.word)
    seated = replace(house, ledger=ledger, restore_source=source.restore)
    elsewhere = TableElsewhere(table.code, shared.own_seat(place), feed)
    if own is None:
        sitting = begin_sitting(
            seated,
            definition,
            shared.options(options),
            ShuffledShoe(),
            source,
            {},
            elsewhere=elsewhere,
        )
        if (own := tables.seat(table.code)) is None:
            raise LedgerError(f"your seat at the table {table.code} was paid out")
        is_continued = False
    else:
        again = reopen_table(seated, ledger, definition, own.sitting, elsewhere)
        if again is None:
            raise LedgerError(f"your seat at the table {table.code} was paid out")
        sitting, is_continued = again, True
    assert isinstance(sitting.table, SeatTable), "its steps come from elsewhere"
    seat = SharedSeat(sitting, sitting.table, feed, source)
    seat.is_continued = is_continued
    feed.begin(max(own.row, sitting.table.row + 1))
    while feed.has_next:
        sitting.table.advance()
    return seat


def fields_of(action: object) -> Fields:
    """Return an action's name and fields as plain values."""
    fields: Fields = decode(encode(name_and_fields(action)), dict)
    return fields
