"""The room of tables: the tables with others that a player may sit down at, and new ones."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from ..engine.seating import SharedPlay, by_correspondence, pace_text
from ..gamekit.registry import GAMES, GameListing, find_listing, lower_title
from ..inputs.numbers import count_noun, list_words
from ..records.codec import decode
from .shared_tables import FROZEN, SharedTablesClient, TableLine
from .table_clock import clock_text, clock_words, seconds_until

EMPTY = "No table is open now. n makes one, and others find it here."
NOT_NOW = f"{FROZEN}."
NO_SEAT, CLOSED = "all seats of this table are taken.", "this table is closed."
SEES_MORE = "you sit at this table, and see more from your seat."
EVERYBODY, BY_CODE = "everybody on this server", "only people to whom you give its code"
BLOCK, UNBLOCK, BLOCKED = "block", "unblock", "blocked"
BLOCK_EFFECT = ": you hear no phrases, and your tables are closed to them"
NOBODY_TO_BLOCK = "nobody else sits at this table, and you block nobody."
YOUR_MOVE = "your move"
NEW_GAME, NEW_FOR = "A new table: which game?", "Who may sit down?"


class ListedTable(Struct, frozen=True):
    """A table in the room: its code, game and rules, the seconds for a choice, and who sits there.

    A player has a time ``bank`` for all choices together. In free seats there may be
    ``computers``; one that stays has a name. ``sits`` says whether the player sits there,
    ``is_own`` whether they do or have made it. The ``others`` are people, not computers. If it is
    the player's move at a table by correspondence, it may take ``left`` seconds.
    """

    code: str
    game: str
    rules: str
    seconds: int
    names: tuple[str, ...]
    seats: int
    computers: int = 0
    sits: bool = False
    is_own: bool = False
    is_closed: bool = False
    is_frozen: bool = False
    bank: int = 0
    others: tuple[str, ...] = ()
    left: int | None = None

    @property
    def is_move(self) -> bool:
        """Whether it is the player's move at a table by correspondence."""
        return self.left is not None and not self.is_closed

    @property
    def short_pace(self) -> str:
        """The time for choices in short: 15 s, or a day."""
        return "a day" if by_correspondence(self.seconds) else f"{self.seconds} s"

    @property
    def pace(self) -> str:
        """The time for choices, in words."""
        bank = f", and a time bank of {count_noun(self.bank, 'second')}" * bool(self.bank)
        return f"{pace_text(self.seconds)}{bank}"

    @property
    def players(self) -> tuple[str, ...]:
        """The names of the people at the table, and how many computers play there."""
        return (*self.names, *([count_noun(self.computers, "computer")] * bool(self.computers)))

    @property
    def is_full(self) -> bool:
        """Whether all seats are taken."""
        return len(self.names) >= self.seats

    @property
    def refusal(self) -> str:
        """The reason why the player cannot sit down, or ""."""
        if self.is_closed:
            return CLOSED
        if self.is_frozen and not self.sits:
            return NOT_NOW
        return NO_SEAT if self.is_full and not self.sits else ""

    @property
    def no_watching(self) -> str:
        """The reason why the player cannot watch the table, or ""."""
        if self.is_closed:
            return CLOSED
        return SEES_MORE if self.sits else ""


def read_tables(tables: SharedTablesClient, now: int) -> tuple[ListedTable, ...]:
    """Return the tables that the player sees.

    Those at which it is the player's move come first, then those at which the player sits, other
    own ones, those with free seats, and full ones. ``now`` is the time in milliseconds.

    Raises :class:`~tui_casino.records.ledger.LedgerError`.
    """
    known = ((line, find_listing(line.game)) for line in tables.list())
    listed = [_listed(line, listing, now) for line, listing in known if listing is not None]
    return tuple(
        sorted(listed, key=lambda one: (not one.is_move, not one.sits, not one.is_own, one.is_full))
    )


def _listed(line: TableLine, listing: GameListing, now: int) -> ListedTable:
    shared = listing.definition().shared
    assert shared is not None, "the server has made the table"
    names = tuple(one.name for one in line.seats if not one.is_free)
    rules = shared.describe(decode(line.options, shared.game.Options))
    return ListedTable(
        line.code,
        listing.title,
        f"{rules[:1].lower()}{rules[1:]}",  # it is part of a sentence
        line.seconds,
        names,
        len(line.seats),
        sum(one.is_free and one.state == "computer" for one in line.seats),
        line.own is not None,
        line.is_own or line.own is not None,
        is_frozen=line.state == "frozen",
        bank=shared.bank,
        others=_others(line),
        left=None if line.asked_until is None else seconds_until(line.asked_until, now),
    )


def _others(line: TableLine) -> tuple[str, ...]:
    return tuple(
        one.name
        for seat, one in enumerate(line.seats)
        if one.state in ("seated", "away") and seat != line.own
    )


class OwnMoves(Struct, frozen=True):
    """The tables by correspondence where it is the player's move.

    ``where`` is the game and the opponent at the one with the least time, ``until`` its end, in
    milliseconds since 1970.
    """

    count: int = 0
    where: str = ""
    until: int = 0

    def text(self, now: int) -> str:
        """Return them in one line, or "" if there are none."""
        return self._with(f"{clock_text(seconds_until(self.until, now))} left")

    def sentence(self, now: int) -> str:
        """Return the line as it is said."""
        return self._with(f"{clock_words(seconds_until(self.until, now))} left")

    def _with(self, left: str) -> str:
        if self.count > 1:
            return f"Your move at {self.count} tables"
        return f"Your move: {self.where}, {left}" if self.count else ""


def read_moves(tables: SharedTablesClient) -> OwnMoves:
    """Return where it is the player's move. This imports no game.

    Raises :class:`~tui_casino.records.ledger.LedgerError`.
    """
    asked = [(line.asked_until, line) for line in tables.list() if line.asked_until is not None]
    if not asked:
        return OwnMoves()
    until, line = min(asked, key=lambda one: one[0])
    listing, others = find_listing(line.game), _others(line)
    title = line.game if listing is None else lower_title(listing.title)
    return OwnMoves(len(asked), f"{title} with {list_words(others)}" if others else title, until)


def shared_games() -> dict[GameListing, SharedPlay[Any]]:
    """Return the games that several people can play. This imports all games."""
    every = ((listing, listing.definition().shared) for listing in GAMES)
    return {listing: shared for listing, shared in every if shared is not None}
