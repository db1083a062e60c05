"""A seat at a shared table, as a session of its own.

The player's session is one at the game for one person, with the table's cards and the player's own
choices: so it has a log, a tally and a history like any other. The table of several people decides:
a choice is sent to it before it is played here, and cards are those that it dealt. Money is booked
by the table alone.
"""

from __future__ import annotations

import errno
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Condition, Thread
from typing import Any, Generic

from ..engine.chance import ChanceSource, SourceSpec
from ..engine.croupier import CroupierSpec
from ..engine.event_bus import Recorder
from ..engine.game import A, Chance, Deal, E, NeedShoe, O, S, Seat, Shoe
from ..engine.offers import Dice
from ..engine.seating import Leave, SharedPlay
from ..gamekit.definition import GameDefinition
from ..gamekit.tally import T
from ..records.codec import build_named, decode, encode, name_and_fields
from ..records.ledger import (
    Ledger,
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
from .shared_tables import SharedTablesClient, TableLine, TableNews
from .sitting import Sitting, begin_sitting

WAIT = 10.0
"""Seconds for which one request waits for news."""
PLAYER = Seat(0)


class TableFeed:
    """Reads a table on a thread of its own, and keeps the cards that were not played here yet.

    ``told`` is called on that thread with each answer that brings something new, and with ``None``
    after an error, when nothing more is read.
    """

    told: Callable[[TableNews | None], None]

    def __init__(self, client: SharedTablesClient, code: str) -> None:
        self.code, self._client, self.told = code, client, lambda news: None
        self._next, self._closed = 0, False
        self._chances = deque[Chance]()
        self._arrived = Condition()
        self.news: TableNews | None = None
        self._thread = Thread(target=self._run, name=f"table {code}", daemon=True)

    def catch_up(self) -> None:
        """Read everything up to now, before the thread is started. Raises :class:`LedgerError`."""
        while self._take(self._client.read(self.code, self._next, 0)):
            pass

    def start(self) -> None:
        """Begin to read on."""
        self._thread.start()

    def close(self) -> None:
        """Read no more; whoever waits for a card gets an error."""
        with self._arrived:
            self._closed = True
            self._arrived.notify_all()

    @property
    def has_card(self) -> bool:
        """Whether the table has dealt a card that was not played here yet."""
        with self._arrived:
            return bool(self._chances)

    def next_chance(self) -> Chance:
        """Wait for the croupier's next step. Raises :class:`LogWriteError` if there is none."""
        with self._arrived:
            self._arrived.wait_for(lambda: self._chances or self._closed)
            if not self._chances:
                raise LogWriteError(errno.EIO, "the table is gone")
            return self._chances.popleft()

    def _run(self) -> None:
        while not self._closed:
            try:
                news = self._client.read(self.code, self._next, WAIT)
            except LedgerError:
                self.close()
                self.told(None)
                return
            if self._take(news):
                self.told(news)

    def _take(self, news: TableNews) -> bool:
        """Note what is new; return whether anything is."""
        chances: list[Chance] = []
        for one in news.updates:
            self._next = one.number + 1
            if one.actor is None:
                kinds: tuple[type[Any], ...] = (Shoe, Deal)
                chances.append(build_named(decode(one.action, dict), kinds))
        is_new = bool(news.updates) or self.news is None or news.seats != self.news.seats
        with self._arrived:
            self.news = news
            self._chances += chances
            self._arrived.notify_all()
        return is_new and bool(news.updates)


class FeedCroupier:
    """A croupier who deals what the table has dealt."""

    kind = CroupierSpec("shuffled")

    def __init__(self, feed: TableFeed) -> None:
        self._feed = feed

    def shoe(self, need: NeedShoe, dice: Dice, /) -> Shoe:
        """Wait for the table's shoe, and return it."""
        chance = self._feed.next_chance()
        assert isinstance(chance, Shoe), "the table deals in the same order"
        return chance

    def card(self, dice: Dice, /) -> Deal:
        """Wait for the table's next card, and return it."""
        chance = self._feed.next_chance()
        assert isinstance(chance, Deal), "the table deals in the same order"
        return chance


class _NoDice:
    def below(self, n: int, /) -> int:
        raise AssertionError("the table deals")


class FeedSource:
    """The source of a table's cards: the commitment; the seed stays with the table."""

    seed: bytes | None = None

    def __init__(self, commitment: str) -> None:
        self.spec = SourceSpec("committed", commitment)

    @property
    def stored_seed(self) -> bytes:
        """The bytes of the commitment."""
        return bytes.fromhex(self.spec.value)

    def with_client_seed(self, client_seed: str, /) -> ChanceSource:
        """Refuse: the cards are everybody's."""
        raise ValueError("a client seed cannot be mixed into the cards of a shared table")

    def dice(self, occasion: str, /) -> Dice:
        """Return dice that nobody throws here."""
        return _NoDice()


class SeatLedger:
    """The ledger of a seat: its money goes to the table and comes back through the table.

    Everything else is that of the player's ``ledger``.
    """

    def __init__(self, ledger: Ledger, tables: SharedTablesClient, code: str) -> None:
        self._ledger, self._tables, self._code = ledger, tables, code
        self.name, self.persistent, self.new = ledger.name, ledger.persistent, ledger.new

    def buy_in(self, sitting: OpenSitting, player: str, at: int, loan: int = 0) -> None:
        """Take a seat with the buy-in."""
        if loan:
            raise LedgerError("the house lends nothing at a table with others")
        self._tables.join(self._code, sitting)

    def checkpoint(self, sitting: str, steps: int, mark: str, cents: int) -> bool:
        """Store the line; the table knows the money."""
        self._tables.mark(self._code, steps, mark)
        return True

    def cash_out(self, sitting: str, cents: int, last_hash: str | None, at: int) -> bool:
        """Leave the seat, unless the table has paid it out already."""
        if self._ledger.open_sitting(sitting) is None:
            return True
        self._tables.act(self._code, _fields_of(Leave()), last_hash)
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
        """Check that the ledger has this checkpoint."""
        self._ledger.confirm(sitting, checkpoint)

    def open_sitting(self, sitting: str) -> OpenSitting | None:
        """Return an open session by its id."""
        return self._ledger.open_sitting(sitting)

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

    ``options`` are those of the table.
    """

    def __init__(
        self,
        sitting: Sitting[O, S, A, E, T],
        feed: TableFeed,
        tables: SharedTablesClient,
        options: Any,
    ) -> None:
        self.sitting, self.feed, self.options = sitting, feed, options
        self._tables, self._sends = tables, True
        self._ready = _shared_play(sitting.definition).ready
        self._log: Recorder[A, E] = sitting.log.step
        sitting.table.bus.recorder = self._record

    def follow(self) -> None:
        """Play here what the table has already played, without waiting."""
        while self.feed.has_card:
            self.be_ready()
            self.sitting.table.advance()

    def be_ready(self) -> None:
        """Be ready here as well, if the table went on because this seat's time was over."""
        if self.sitting.table.waiting and self.feed.has_card:
            self._sends = False
            try:
                self.sitting.table.play(PLAYER, self._ready)
            finally:
                self._sends = True

    def close(self) -> None:
        """Stop to read the table."""
        self.feed.close()

    def _record(self, actor: Seat | None, action: A | Chance, events: tuple[E, ...]) -> None:
        """Send a choice to the table, and write it down once the table has taken it."""
        if actor is not None and self._sends:
            try:
                self._tables.act(self.feed.code, _fields_of(action))
            except LedgerError as error:
                raise LogWriteError(errno.EIO, str(error)) from None
        self._log(actor, action, events)


def sit_down(
    house: House,
    tables: SharedTablesClient,
    table: TableLine,
    definition: GameDefinition[O, S, A, E, T],
) -> SharedSeat[O, S, A, E, T]:
    """Take a seat at a table, with the buy-in of the house; then start its feed.

    Raises the errors of :func:`~.sitting.begin_sitting`.
    """
    assert house.ledger is not None, "others play for money"
    shared, feed = _shared_play(definition), TableFeed(tables, table.code)
    options = decode(table.options, shared.game.Options)
    seated = replace(house, ledger=SeatLedger(house.ledger, tables, table.code))
    sitting = begin_sitting(
        seated,
        definition,
        shared.options(options),
        FeedCroupier(feed),
        FeedSource(table.commitment),
        {PLAYER: None},
    )
    seat = SharedSeat(sitting, feed, tables, options)
    feed.catch_up()
    seat.follow()
    return seat


def _shared_play(definition: GameDefinition[O, S, A, E, T]) -> SharedPlay[O, A]:
    assert definition.shared is not None, "the game can be shared"
    return definition.shared


def _fields_of(action: object) -> dict[str, Any]:
    """Return an action's name and fields as plain values."""
    fields: dict[str, Any] = decode(encode(name_and_fields(action)), dict)
    return fields
