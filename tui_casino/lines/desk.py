"""The desk of a session by lines: what waits, and how one sits down."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from ..engine.chance import CommittedSource, Source
from ..gamekit.registry import GAMES, Listing
from ..gamekit.seating import AnySeating
from ..house.house import Found, House, MoneyElsewhere
from ..house.lobby import (
    AnySitting,
    Fresh,
    look_in,
    mix_in,
    new_source,
    resume,
    shown,
    sit_down,
)
from ..house.memory import Memory
from ..house.resuming import go_on
from ..house.waiting import Moment, Unfinished, Waiting, moment_of
from ..inputs.errors import BadInput
from ..inputs.files import BadFile
from ..records.ledger import LedgerBusy, LedgerError


class Desk:
    """Seats the player of a house, one table after the other.

    ``seed`` makes every shuffle a numbered one; else it is ``fresh``, with ``word`` mixed into it.
    """

    def __init__(
        self,
        house: House,
        memory: Memory,
        seed: int | None = None,
        word: str = "",
        fresh: Fresh = CommittedSource,
    ) -> None:
        self.house, self.memory = house, memory
        self.seed, self.word, self._fresh = seed, word, fresh
        self._next: Source | None = None  # its commitment has been said
        self._mixed = False
        self._found, self._unfinished = Found(), Unfinished()
        self._left_off: tuple[Waiting, ...] = ()

    def look_in(self) -> tuple[str, ...]:
        """Settle what was broken off, find what waits, and give what there is to say of it.

        Raises :class:`~tui_casino.records.ledger.LedgerError`.
        """
        ledger = self.house.ledger
        self._found = Found()
        if ledger is not None and (ledger.new or ledger.open_sittings(self.house.player)):
            self._found = look_in(self.house, {game.slug: game.parts() for game in GAMES})
        games = {game.slug: game.parts for game in GAMES}
        self._left_off = self._unfinished.look(self.house, games)
        return self._found.notes

    def waiting_at(self, slug: str) -> tuple[Waiting, ...]:
        """Give what waits at a game, the newest first: with a bet at stake, then for points."""
        staked = (Waiting(one.game, one.log, one) for one in reversed(self._found.waiting))
        return tuple(one for one in (*staked, *self._left_off) if one.game == slug)

    @property
    def stuck(self) -> frozenset[str]:
        """The games at which a sitting cannot be resumed."""
        return frozenset(one.game for one in self._found.stuck)

    def moment(self, waiting: Waiting) -> Moment | None:
        """Tell where a sitting stands that waits; nothing if its log cannot be read."""
        with suppress(BadFile):  # going on with it says so
            return moment_of(_listing(waiting.game).parts(), waiting.log)
        return None

    def table_title(self, listing: Listing) -> str:
        """Name the table at which one would sit."""
        name = self.memory.table(listing.slug)
        return listing.table if name is None else listing.tables().titles.get(name, listing.table)

    def usual(self, listing: Listing) -> AnySeating:
        """Say how one sits down: at the table that was chosen last."""
        tables = listing.tables()
        table = tables.choices.get(name := self.memory.table(listing.slug) or "")
        return tables.seating(name if table is not None and table.asks is None else None)

    def remember(self, listing: Listing, seating: AnySeating) -> None:
        """Sit down so from now on, if that is one of the game's tables."""
        if (name := listing.tables().name_of(seating)) is not None:
            self.memory.sits_at(listing.slug, name)

    def take_up(self, waiting: Waiting) -> AnySitting | None:
        """Go on with a sitting that waits; ``None`` if it is settled meanwhile.

        Raises :class:`BadInput` and ``OSError`` as what takes it up does.
        """
        parts = _listing(waiting.game).parts()
        if waiting.entry is None:
            return go_on(replace(self.house, ledger=None), parts, waiting.log)
        return resume(self.house, parts, waiting.entry)

    def sit_down(self, listing: Listing, seating: AnySeating) -> AnySitting:
        """Begin a sitting. Raises as :func:`~tui_casino.house.lobby.sit_down`."""
        house = replace(self.house, ledger=None) if seating.practice else self.house
        if seating.source is not None:
            return sit_down(house, listing.parts(), seating, seating.source(self.seed))
        source = self._next or new_source(self.seed, fresh=self._fresh)
        if self.word and not self._mixed:
            source = mix_in(self.word, source)
        try:
            sitting = sit_down(house, listing.parts(), seating, source)
        except LedgerError as error:
            if not isinstance(error, LedgerBusy | MoneyElsewhere):
                self._next, self._mixed = None, False  # it may be on the list, for this log alone
            raise
        self._next, self._mixed = None, False
        return sitting

    def next_commitment(self) -> str:
        """Choose the seed of the next shuffle, if none is, and tell what it is committed to.

        Raises :class:`~tui_casino.records.ledger.LedgerError`.
        """
        self._next = self._next or shown(self.house, self._fresh)
        return self._next.origin.value

    def mix_in(self, word: str) -> None:
        """Mix a word into the next shuffle, whose commitment has been said.

        Raises :class:`BadInput` for a word that is none.
        """
        self._next = mix_in(word, self._next or self._fresh())
        self._mixed = True


def _listing(slug: str) -> Listing:
    try:
        return next(game for game in GAMES if game.slug == slug)
    except StopIteration:
        raise BadInput(f"there is no game {slug!r} here") from None
