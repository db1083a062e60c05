"""The room of tables: the tables with others that a player may sit down at, and new ones."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from ..engine.seating import SharedPlay
from ..gamekit.registry import GAMES, GameListing, find_listing
from ..inputs.numbers import count_noun
from ..records.codec import decode
from .shared_tables import FROZEN, SharedTablesClient, TableLine

EMPTY = "No table is open now. n makes one, and others find it here."
NOT_NOW = f"{FROZEN}."
NO_SEAT, CLOSED = "all seats of this table are taken.", "this table is closed."
EVERYBODY, BY_CODE = "everybody on this server", "only people to whom you give its code"
BLOCK, UNBLOCK, BLOCKED = "block", "unblock", "blocked"
BLOCK_EFFECT = ": you hear no phrases, and your tables are closed to them"
NOBODY_TO_BLOCK = "nobody else sits at this table, and you block nobody."
NEW_GAME, NEW_FOR = "A new table: which game?", "Who may sit down?"


class ListedTable(Struct, frozen=True):
    """A table in the room: its code, game and rules, the seconds for a choice, and who sits there.

    A player has a time ``bank`` for all choices together. In free seats there may be
    ``computers``; one that stays has a name. ``sits`` says whether the player sits there,
    ``is_own`` whether they do or have made it. The ``others`` are people, not computers.
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

    @property
    def pace(self) -> str:
        """The time for choices, in words."""
        bank = f", and a time bank of {count_noun(self.bank, 'second')}" * bool(self.bank)
        return f"{count_noun(self.seconds, 'second')} for each choice{bank}"

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


def read_tables(tables: SharedTablesClient) -> tuple[ListedTable, ...]:
    """Return the tables that the player sees: their own, those with free seats, then full ones.

    Raises :class:`~tui_casino.records.ledger.LedgerError`.
    """
    known = ((line, find_listing(line.game)) for line in tables.list())
    listed = [_listed(line, listing) for line, listing in known if listing is not None]
    return tuple(sorted(listed, key=lambda one: (not one.is_own, one.is_full)))


def _listed(line: TableLine, listing: GameListing) -> ListedTable:
    shared = listing.definition().shared
    assert shared is not None, "the server has made the table"
    names = tuple(one.name for one in line.seats if not one.is_free)
    return ListedTable(
        line.code,
        listing.title,
        shared.describe(decode(line.options, shared.game.Options)),
        shared.seconds,
        names,
        len(line.seats),
        sum(one.is_free and one.state == "computer" for one in line.seats),
        line.own is not None,
        line.is_own or line.own is not None,
        is_frozen=line.state == "frozen",
        bank=shared.bank,
        others=tuple(
            one.name
            for seat, one in enumerate(line.seats)
            if one.state in ("seated", "away") and seat != line.own
        ),
    )


def shared_games() -> dict[GameListing, SharedPlay[Any]]:
    """Return the games that several people can play. This imports all games."""
    every = ((listing, listing.definition().shared) for listing in GAMES)
    return {listing: shared for listing, shared in every if shared is not None}
