"""Chance as a session has it: the seed is in the cage, which tells a card when it is dealt."""

from __future__ import annotations

import errno
from collections.abc import Sequence
from typing import overload

from ...cards.card import Card
from ...engine.chance import CommittedSource, Origin, Source, Stream, check_word, source_of
from ...engine.offers import Dice
from ...records.ledger import LedgerError
from ...records.log import NotWritten
from ..requests import Block, Draw, Fresh, Publish, Reveal, Shuffle
from .cage_line import CageLine


class CageSource:
    """A source whose seed the cage has. To look at the ``seed`` reveals it, and ends the dealing.

    What cannot be had just now raises :class:`~tui_casino.records.log.NotWritten`, as a line that
    cannot be written does: the table stands still, and nothing has happened.
    """

    def __init__(self, line: CageLine, origin: Origin) -> None:
        self._line, self._origin = line, origin
        self._revealed: CommittedSource | None = None

    @property
    def seed(self) -> bytes:
        """Have the seed revealed. Raises :class:`LedgerError`, also for one that was not chosen."""
        if self._revealed is None:
            found = CommittedSource(self._line.ask(Reveal(self.kept), bytes), self._origin.word)
            if found.origin != self._origin:
                raise LedgerError("the seed is not the one that was committed to")
            self._revealed = found
        return self._revealed.seed

    @property
    def origin(self) -> Origin:
        """The commitment, and the player's word."""
        return self._origin

    @property
    def kept(self) -> bytes:
        """The commitment, by which the cage knows it."""
        return bytes.fromhex(self._origin.value)

    def mixed(self, word: str, /) -> Source:
        """Give the source with the player's word mixed in. Raises ``ValueError`` for none."""
        check_word(word)
        return CageSource(self._line, Origin("committed", self._origin.value, word))

    def dice(self, occasion: str, /) -> Dice:
        """Give the dice of an occasion, thrown in the cage; of a seed that is revealed, here."""
        if self._revealed is not None:
            return self._revealed.dice(occasion)
        return _CageDice(self._line, self.kept, self._origin.word, occasion)


class _CageDice(Stream):
    """The dice of one occasion: for a choice a block at a time, for a shoe the cards alone."""

    def __init__(self, line: CageLine, source: bytes, word: str, occasion: str) -> None:
        super().__init__(b"", occasion)
        self._line, self._source, self._word_mixed = line, source, word
        self._occasion = occasion

    def block(self, number: int) -> bytes:
        """Ask for eight words of the stream."""
        request = Block(self._source, self._word_mixed, self._occasion, number)
        try:
            return self._line.ask(request, bytes)
        except LedgerError as error:
            raise NotWritten(errno.EIO, str(error)) from None

    def shuffled(self, pack: Sequence[Card], /) -> Sequence[Card]:
        """Have the shoe made; each card is asked for when it is dealt."""
        shoe = int(self._occasion.removeprefix("shoe "))
        named = "".join(map(str, pack))
        try:
            self._line.ask(Shuffle(self._source, self._word_mixed, shoe, named), None)
        except LedgerError as error:
            raise NotWritten(errno.EIO, str(error)) from None
        return _CageShoe(self._line, self._source, shoe, len(pack))


class _CageShoe(Sequence[Card]):
    """The cards of a shoe, face down: one is turned over when it is looked at."""

    def __init__(self, line: CageLine, source: bytes, shoe: int, cards: int) -> None:
        self._line, self._source, self._shoe, self._cards = line, source, shoe, cards

    def __len__(self) -> int:
        return self._cards

    @overload
    def __getitem__(self, at: int) -> Card: ...

    @overload
    def __getitem__(self, at: slice) -> Sequence[Card]: ...

    def __getitem__(self, at: int | slice) -> Card | Sequence[Card]:
        if isinstance(at, slice):
            raise TypeError("cards are turned over one by one")
        try:
            return Card.parse(self._line.ask(Draw(self._source, self._shoe, at), str))
        except LedgerError as error:
            raise NotWritten(errno.EIO, str(error)) from None


def fresh(line: CageLine) -> CageSource:
    """Have a seed chosen, and know its commitment. Raises :class:`LedgerError`."""
    digest: bytes = line.ask(Fresh(), bytes)
    return CageSource(line, Origin("committed", digest.hex()))


def publish(line: CageLine, commitment: str) -> None:
    """Have a commitment put on the list before it is shown. Raises :class:`LedgerError`."""
    line.ask(Publish(bytes.fromhex(commitment)), None)


def again(line: CageLine, origin: Origin, kept: bytes | None) -> Source | None:
    """Make the source of an open sitting again; ``kept`` is what the ledger gives for its seed.

    Raises ``ValueError`` if that is of another sitting.
    """
    if origin.kind != "committed":
        return source_of(origin)
    if kept is None:
        return None
    source = CageSource(line, origin)
    if source.kept != kept:
        raise ValueError("the seed is not the one that was committed to")
    return source
