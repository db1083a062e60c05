"""A seat at a shared table, as a session of its own.

The player's session is one at the game for one person, with the table's cards and the player's own
choices: so it has a log, a tally and a history like any other. The table of several people decides:
a choice is sent to it before it is played here, and cards are those that it dealt. Only the
table books money.
"""

from __future__ import annotations

import errno
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Condition, Thread
from typing import Any, Generic, overload

from msgspec import Struct

from ..cards.card import Card
from ..engine.chance import ChanceSource, SourceSpec
from ..engine.croupier import ShuffledShoe
from ..engine.event_bus import Recorder
from ..engine.game import A, Chance, Deal, E, IllegalAction, O, Refusal, S, Seat, Shoe
from ..engine.offers import Dice
from ..engine.seating import Join, Leave, SharedPlay
from ..gamekit.definition import GameDefinition
from ..gamekit.tally import T
from ..gamekit.unaided import unaided
from ..inputs.errors import BadInput
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
from ..records.session_log import LogWriteError, read_log
from ..structs import replace
from .house import House
from .resumption import reopen_table
from .shared_tables import SharedTablesClient, TableLine, TableNews
from .sitting import Sitting, begin_sitting

WAIT = 10.0
"""Seconds for which one request waits for news."""
PLAYER = Seat(0)
NOT_HELPED = "nobody is helped at a table with others"


class OwnAction(Struct, frozen=True):
    """A choice of the own seat: its row, and how many cards the table had dealt before it."""

    number: int
    action: Any
    cards: int


class OtherPlayer(Struct, frozen=True):
    """Somebody else at the table: name, state, money in cents, and in words what they chose."""

    name: str
    state: str
    cents: int
    doing: str


class TableFeed:
    """Reads a table on a thread of its own: the cards of its shoe, and what the own seat chose.

    ``told`` is called on that thread with each answer that brings something new, and with ``None``
    after an error, when nothing more is read. ``waits`` is called before waiting for a card.
    ``state`` is the table as the seat saw it last, as JSON.
    """

    told: Callable[[TableNews | None], None]
    waits: Callable[[], None]
    state: bytes | None = None

    def __init__(self, client: SharedTablesClient, code: str, actions: tuple[type, ...]) -> None:
        self.code, self._client = code, client
        self.told, self.waits = lambda news: None, lambda: None
        self._next, self._closed, self._actions = 0, False, actions
        self._cards: list[Card] = []
        self._card_rows: list[int] = []
        self._shoe_row, self.joined = 0, 0  # rows
        self._own = deque[OwnAction]()
        self._arrived = Condition()
        self.news: TableNews | None = None
        self._thread = Thread(target=self._run, name=f"table {code}", daemon=True)

    def catch_up(self) -> None:
        """Read everything up to now. Raises :class:`LedgerError`."""
        while self._take(self._client.read(self.code, self._next, 0)):
            pass

    def start(self) -> None:
        """Begin to read on."""
        self._thread.start()

    def close(self) -> None:
        """Stop reading; a thread that waits for a card gets an error."""
        with self._arrived:
            self._closed = True
            self._arrived.notify_all()

    def has_card(self, index: int) -> bool:
        """Return whether the table has dealt this card of its shoe, counted from 0."""
        with self._arrived:
            return index < len(self._cards)

    def card(self, index: int) -> Card:
        """Wait for a card of the shoe. Raises :class:`LogWriteError` if the table is gone."""
        if not self.has_card(index):
            self.waits()
        with self._arrived:
            self._arrived.wait_for(lambda: index < len(self._cards) or self._closed)
            if index >= len(self._cards):
                raise LogWriteError(errno.EIO, "the table is gone")
            return self._cards[index]

    def row_of(self, dealt: int) -> int | None:
        """Return the row of the last of so many cards, or of the shoe if that is 0.

        ``None`` if there is a new shoe.
        """
        with self._arrived:
            if dealt > len(self._cards):
                return None
            return self._card_rows[dealt - 1] if dealt else self._shoe_row

    def take_own(self, cards: int) -> OwnAction | None:
        """Return the next choice of the own seat made after at most this number of cards."""
        with self._arrived:
            if not self._own or self._own[0].cards > cards:
                return None
            return self._own.popleft()

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
        with self._arrived:
            for one in news.updates:
                if one.number < self._next:  # two threads have read it
                    continue
                self._next = one.number + 1
                action: Any = build_named(decode(one.action, dict), (Shoe, Deal, *self._actions))
                match action:
                    case Shoe():
                        self._cards.clear()
                        self._card_rows.clear()
                        self._shoe_row = one.number
                    case Deal(card):
                        self._cards.append(card)
                        self._card_rows.append(one.number)
                    case Join() if one.actor == news.seat:
                        self._own.clear()  # somebody else had this seat before
                        self.joined = one.number
                    case _ if one.actor is not None and one.actor == news.seat:
                        self._own.append(OwnAction(one.number, action, len(self._cards)))
            if news.updates:
                self.state = news.updates[-1].state
            was_open = self.news is None or self.news.seed is None
            self.news = news
            self._arrived.notify_all()
        return bool(news.updates) or (was_open and news.seed is not None)


class FeedSource:
    """The source of a table's cards: they come from the table, and the seed stays there."""

    seed: bytes | None = None

    def __init__(self, feed: TableFeed, commitment: str) -> None:
        self.spec, self._feed = SourceSpec("committed", commitment), feed
        self.shoe: FeedShoe | None = None

    @property
    def stored_seed(self) -> bytes:
        """The bytes of the commitment."""
        return bytes.fromhex(self.spec.value)

    def with_client_seed(self, client_seed: str, /) -> ChanceSource:
        """Refuse: the cards are everybody's."""
        raise ValueError("a client seed cannot be mixed into the cards of a shared table")

    def dice(self, occasion: str, /) -> Dice:
        """Return the shuffler of the table's shoe."""
        return _FeedDice(self)

    @property
    def dealt(self) -> int:
        """The number of cards that were dealt here."""
        return 0 if self.shoe is None else self.shoe.dealt

    @property
    def has_card(self) -> bool:
        """Whether the next card is there."""
        return self._feed.has_card(self.dealt)

    def shuffle(self, pack: Sequence[Card]) -> FeedShoe:
        """Return the table's shoe, whose cards arrive when they are dealt there."""
        self.shoe = FeedShoe(self._feed, len(pack))
        return self.shoe


class _FeedDice:
    def __init__(self, source: FeedSource) -> None:
        self._source = source

    def below(self, n: int, /) -> int:
        raise AssertionError("the table deals")

    def shuffle(self, pack: Sequence[Card], /) -> Sequence[Card]:
        return self._source.shuffle(pack)


class FeedShoe(Sequence[Card]):
    """The cards of a table's shoe; reading one waits until it was dealt. ``dealt`` were read."""

    def __init__(self, feed: TableFeed, cards: int) -> None:
        self._feed, self._count, self.dealt = feed, cards, 0

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> Card: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Card]: ...

    def __getitem__(self, index: int | slice) -> Card | Sequence[Card]:
        if isinstance(index, slice):
            raise TypeError("cards are dealt one by one")
        card = self._feed.card(index)
        self.dealt = index + 1
        return card


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
        if self._tables.seat(self._code) is not None:
            self._tables.act(self._code, _fields_of(Leave()), None, last_hash)
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
        """Return the session of the seat, if it is still taken."""
        entry = self._tables.seat(self._code)
        return entry if entry is not None and entry.id == sitting else None

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

    ``options`` are those of the table. The seat ``is_continued`` if the player came back to it.
    """

    is_continued = False

    def __init__(
        self,
        sitting: Sitting[O, S, A, E, T],
        feed: TableFeed,
        source: FeedSource,
        tables: SharedTablesClient,
        options: Any,
    ) -> None:
        self.sitting, self.feed, self.options = sitting, feed, options
        self._source, self._tables = source, tables
        self._sends, self._own_row = True, 0  # the row of the last choice that was played here
        self._ready = _shared_play(sitting.definition).ready
        self._log: Recorder[A, E] = sitting.log.step
        sitting.table.bus.recorder = self._record
        sitting.catch_up = self.catch_up

    @property
    def has_card(self) -> bool:
        """Whether the table has dealt the next card."""
        return self._source.has_card

    def others(self) -> tuple[OtherPlayer, ...]:
        """Return the other players at the table."""
        news, state = self.feed.news, self.feed.state
        if news is None:
            return ()
        shared = _shared_play(self.sitting.definition)
        whole = None if state is None else decode(state, type(shared.game.start(self.options)))
        return tuple(
            OtherPlayer(
                one.name,
                one.state,
                one.cents,
                "" if whole is None else shared.doing(whole, Seat(place)),
            )
            for place, one in enumerate(news.seats)
            if one.state != "free" and place != news.seat
        )

    def seconds_left(self) -> int | None:
        """Return the seconds that a choice may still take; ``None`` if no clock runs."""
        if (news := self.feed.news) is None or news.due is None:
            return None
        return max(0, -(-(news.due - self.sitting.house.clock()) // 1000))

    def follow(self) -> None:
        """Play here what the table has already played, without waiting."""
        while self.take_over() or (not self.sitting.table.waiting and self.has_card):
            if not self.sitting.table.waiting:
                self.sitting.table.advance()

    def take_over(self) -> bool:
        """Play a choice that the table has and this session has not; return whether there was one.

        The table chose it when this seat's time was over, or an earlier program of the player sent
        it. The table may also have continued without this seat.
        """
        table = self.sitting.table
        while table.waiting and (own := self.feed.take_own(self._source.dealt)) is not None:
            if own.number <= self._own_row or own.cards < self._source.dealt:
                continue
            self._own_row = own.number
            self._play(own.action)
            return True
        if table.waiting and self.has_card:
            self._play(self._ready)
            return True
        return False

    def catch_up(self) -> None:
        """Play here what the table has played up to now. Raises :class:`LedgerError`."""
        self.feed.catch_up()
        self.follow()

    def forget_sent(self, count: int) -> None:
        """Do not take over ``count`` choices since the last card, which this session has."""
        while count and (own := self.feed.take_own(self._source.dealt)) is not None:
            if own.cards == self._source.dealt:
                self._own_row, count = own.number, count - 1

    def end(self) -> bool:
        """Take over the seed of a table that is closed; return whether it is."""
        news = self.feed.news
        if news is None or news.seed is None:
            return False
        self._source.seed = news.seed
        return True

    def close(self) -> None:
        """Stop to read the table."""
        self.feed.close()

    def _play(self, action: A) -> None:
        self._sends = False
        try:
            self.sitting.table.play(PLAYER, action)
        finally:
            self._sends = True

    def _record(self, actor: Seat | None, action: A | Chance, events: tuple[E, ...]) -> None:
        """Send a choice to the table, and write it down once the table has taken it."""
        if actor is not None and self._sends:
            seen = self.feed.row_of(self._source.dealt)
            after = max(seen, self._own_row, self.feed.joined) if seen is not None else -1
            try:
                row = self._tables.act(self.feed.code, _fields_of(action), after)
            except LedgerError as error:
                raise LogWriteError(errno.EIO, str(error)) from None
            if row is None:
                raise IllegalAction(Refusal.BARRED, "the table has continued")
            self._own_row = row
        self._log(actor, action, events)


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
    assert house.ledger is not None, "others play for money"
    definition = unaided(definition, NOT_HELPED)
    shared = _shared_play(definition)
    feed = TableFeed(tables, table.code, shared.game.actions)
    options, source = decode(table.options, shared.game.Options), FeedSource(feed, table.commitment)
    ledger = SeatLedger(house.ledger, tables, table.code)
    seated = replace(house, ledger=ledger, restore_source=lambda origin, stored: source)
    entry, known = tables.seat(table.code), 0
    if entry is None:
        sitting = begin_sitting(
            seated,
            definition,
            shared.options(options),
            ShuffledShoe(),
            source,
            {PLAYER: None},
            shared_table=table.code,
        )
        feed.catch_up()
    else:
        feed.catch_up()
        again = reopen_table(seated, ledger, definition, entry, table.code)
        if again is None:
            raise LedgerError(f"your seat at the table {table.code} was paid out")
        sitting = again
        known = _choices_since_card(sitting.log.path)
    seat = SharedSeat(sitting, feed, source, tables, options)
    seat.forget_sent(known)
    seat.is_continued = entry is not None
    seat.follow()
    return seat


def _choices_since_card(path: Path) -> int:
    """Return how many choices a log has after its last card."""
    count = 0
    for line in read_log(path).steps():
        count = 0 if line.by is None else count + 1
    return count


def _shared_play(definition: GameDefinition[O, S, A, E, T]) -> SharedPlay[O, A]:
    assert definition.shared is not None, "the game can be shared"
    return definition.shared


def _fields_of(action: object) -> dict[str, Any]:
    """Return an action's name and fields as plain values."""
    fields: dict[str, Any] = decode(encode(name_and_fields(action)), dict)
    return fields
