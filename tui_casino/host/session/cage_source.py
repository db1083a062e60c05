"""A source of chance whose seed stays in the cage; each card is requested when it is dealt."""

from __future__ import annotations

import errno
from collections.abc import Sequence
from typing import overload

from ...cards.card import Card
from ...engine.chance import (
    ChanceSource,
    CommittedSource,
    DiceStream,
    SourceSpec,
    check_client_seed,
    make_source,
)
from ...engine.offers import Dice
from ...records.ledger import LedgerError
from ...records.session_log import LogWriteError
from ..cage_protocol import (
    ChooseSeed,
    DrawBlock,
    DrawCard,
    PublishCommitment,
    RevealSeed,
    ShuffleShoe,
)
from .cage_client import CageClient


class CageSource:
    """A source whose seed is in the cage. Reading ``seed`` reveals it, and no more cards are dealt.

    A failed request raises :class:`~tui_casino.records.session_log.LogWriteError`, like a log line
    that cannot be written: the step has not happened, and the table waits.
    """

    def __init__(self, line: CageClient, origin: SourceSpec) -> None:
        self._line, self._origin = line, origin
        self._revealed: CommittedSource | None = None

    @property
    def seed(self) -> bytes | None:
        """The seed, which the cage reveals when this property is read.

        Raises :class:`LedgerError`, for example if the cage does not know the seed.
        """
        if self._revealed is None:
            revealed = CommittedSource(
                self._line.ask(RevealSeed(self.stored_seed), bytes), self._origin.word
            )
            if revealed.spec != self._origin:
                raise LedgerError("the seed is not the one that was committed to")
            self._revealed = revealed
        return self._revealed.seed

    @property
    def spec(self) -> SourceSpec:
        """The commitment, and the player's client seed."""
        return self._origin

    @property
    def stored_seed(self) -> bytes:
        """The commitment, which the cage uses to find the seed."""
        return bytes.fromhex(self._origin.value)

    def with_client_seed(self, word: str, /) -> ChanceSource:
        """Return the source with a client seed mixed in. Raises ``ValueError``."""
        check_client_seed(word)
        return CageSource(self._line, SourceSpec("committed", self._origin.value, word))

    def dice(self, occasion: str, /) -> Dice:
        """Return the dice for an occasion: from the cage, or from the seed once it is revealed."""
        if self._revealed is not None:
            return self._revealed.dice(occasion)
        return _CageDice(self._line, self.stored_seed, self._origin.word, occasion)


class _CageDice(DiceStream):
    """The dice for one occasion: they give random words for a choice, but only cards for a shoe."""

    def __init__(
        self, line: CageClient, commitment: bytes, client_seed: str, occasion: str
    ) -> None:
        super().__init__(b"", occasion)
        self._line, self._commitment, self._client_seed = line, commitment, client_seed
        self._occasion = occasion

    def block(self, number: int) -> bytes:
        """Request eight words from the stream."""
        request = DrawBlock(self._commitment, self._client_seed, self._occasion, number)
        try:
            return self._line.ask(request, bytes)
        except LedgerError as error:
            raise LogWriteError(errno.EIO, str(error)) from None

    def shuffle(self, pack: Sequence[Card], /) -> Sequence[Card]:
        """Request a shoe; its cards are requested one by one when they are dealt."""
        shoe = int(self._occasion.removeprefix("shoe "))
        named = "".join(map(str, pack))
        try:
            self._line.ask(ShuffleShoe(self._commitment, self._client_seed, shoe, named), None)
        except LedgerError as error:
            raise LogWriteError(errno.EIO, str(error)) from None
        return _CageShoe(self._line, self._commitment, shoe, len(pack))


class _CageShoe(Sequence[Card]):
    """The cards of a shoe; each is requested when it is read."""

    def __init__(self, line: CageClient, commitment: bytes, shoe: int, cards: int) -> None:
        self._line, self._commitment, self._shoe, self._cards = line, commitment, shoe, cards

    def __len__(self) -> int:
        return self._cards

    @overload
    def __getitem__(self, at: int) -> Card: ...

    @overload
    def __getitem__(self, at: slice) -> Sequence[Card]: ...

    def __getitem__(self, at: int | slice) -> Card | Sequence[Card]:
        if isinstance(at, slice):
            raise TypeError("cards are dealt one by one")
        try:
            return Card.parse(self._line.ask(DrawCard(self._commitment, self._shoe, at), str))
        except LedgerError as error:
            raise LogWriteError(errno.EIO, str(error)) from None


def new_source(line: CageClient) -> CageSource:
    """Request a new seed, and return a source with its commitment. Raises :class:`LedgerError`."""
    digest: bytes = line.ask(ChooseSeed(), bytes)
    return CageSource(line, SourceSpec("committed", digest.hex()))


def publish_commitment(line: CageClient, commitment: str) -> None:
    """Publish a commitment before it is shown. Raises :class:`LedgerError`."""
    line.ask(PublishCommitment(bytes.fromhex(commitment)), None)


def restore_source(
    line: CageClient, origin: SourceSpec, stored: bytes | None
) -> ChanceSource | None:
    """Return the source of an open session; ``stored`` is what the ledger has instead of its seed.

    Raises ``ValueError`` if ``stored`` belongs to another session.
    """
    if origin.kind != "committed":
        return make_source(origin)
    if stored is None:
        return None
    source = CageSource(line, origin)
    if source.stored_seed != stored:
        raise ValueError("the seed is not the one that was committed to")
    return source
