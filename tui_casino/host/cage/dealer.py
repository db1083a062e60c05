"""The dealer of a server: it keeps the seeds of all open sessions and deals from them.

A seed leaves this process only when its session ends. Before that, the dealer gives out only single
cards, and the random numbers that a computer player needs for a choice. It shuffles with the same
code as a local game, so every log can be verified in the same way.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from msgspec import Struct, field

from ...cards.card import Card
from ...engine.chance import SEED_BYTES, CommittedSource, DiceStream
from ...engine.croupier import shuffle_pack
from ...records.ledger import LedgerError
from ...structs import repr_without

LONGEST_PACK = 52 * 100
"""The maximum number of cards in a shoe."""
MOST_UNUSED = 8
"""The maximum number of unused seeds per player; the oldest is dropped first."""
_ONE_BY_ONE = re.compile(r"(seat \d{1,4} choice|shoe \d{1,9} card) \d{1,9}")
"""Occasions for which a session may draw dice; it may never draw the dice of a shuffle."""
LOST = "the server has lost this shuffle; leave the table and sit down again"


class _Shoe(Struct):
    """A shoe: the cards in the session's order, the shuffled cards, and the number dealt."""

    pack: str
    cards: Sequence[Card]
    dealt: int = 0

    def close(self) -> None:
        """Forget the undealt cards."""
        self.pack, self.cards = "", self.cards[: self.dealt]


class _Chance(Struct):
    """A session's chance source; ``client_seed`` is ``None`` until the first use.

    A sealed source, from which other players are dealt as well, has ``is_over``. Its seed is not
    revealed here, and nothing more is dealt once this function returns true.
    """

    source: CommittedSource
    open: bool = False
    client_seed: str | None = None
    revealed: bool = False
    is_over: Callable[[], bool] | None = None
    shoes: dict[int, _Shoe] = field(default_factory=dict)

    def __repr__(self) -> str:
        return repr_without(self, "source", "shoes")


class Dealer:
    """Deals for one player. ``find`` returns the seeds of their open sessions from the ledger."""

    def __init__(self, find: Callable[[], Sequence[bytes | None]]) -> None:
        self._find = find
        self._chances: dict[bytes, _Chance] = {}

    # ---- seeds ----------------------------------------------------------------------------

    def choose_seed(self) -> bytes:
        """Choose a seed, and return its commitment."""
        unused = [digest for digest, chance in self._chances.items() if not chance.open]
        for oldest in unused[: max(0, len(unused) + 1 - MOST_UNUSED)]:
            del self._chances[oldest]
        source = CommittedSource()
        digest = _digest(source)
        self._chances[digest] = _Chance(source)
        return digest

    def seed(self, digest: bytes) -> bytes:
        """Return the seed of a session that is about to begin, for the ledger.

        A seed can be used for only one session.

        All methods of a dealer may raise :class:`LedgerError`.
        """
        chance = self._chances.get(digest)
        if chance is None or chance.open or chance.revealed:
            raise LedgerError(LOST)
        return chance.source.seed

    def opened(self, digest: bytes) -> None:
        """Note that the session with this seed has begun."""
        self._chances[digest].open = True

    def closed(self, digest: bytes) -> None:
        """Forget the seed of a session that is over."""
        self._chances.pop(digest, None)

    def reveal(self, digest: bytes) -> bytes:
        """Reveal a seed, and stop dealing from it."""
        chance = self._chance(digest)
        if chance.is_over is not None:
            raise LedgerError("the seed of a daily deal is revealed when its day is over")
        chance.revealed = True
        return chance.source.seed

    def know(self, seed: bytes, is_over: Callable[[], bool] | None = None) -> bytes:
        """Add the seed of an open session, and return its commitment.

        For a daily deal, ``is_over`` says whether its day is over.
        """
        source = CommittedSource(seed)
        digest = _digest(source)
        if digest not in self._chances:
            self._chances[digest] = _Chance(source, open=True, is_over=is_over)
        return digest

    def _chance(self, digest: bytes) -> _Chance:
        if digest not in self._chances:
            for seed in self._find():
                if seed is not None and len(seed) == SEED_BYTES:
                    self.know(seed)
        if digest not in self._chances:
            raise LedgerError(LOST)
        return self._chances[digest]

    def _with_client_seed(self, digest: bytes, client_seed: str) -> _Chance:
        """Return the chance source of a commitment, whose client seed is fixed at its first use."""
        chance = self._chance(digest)
        if chance.client_seed is None:
            try:
                chance.source = CommittedSource(chance.source.seed, client_seed)
            except ValueError as error:
                raise LedgerError(str(error)) from None
            chance.client_seed = client_seed
        if chance.client_seed != client_seed:
            raise LedgerError(
                "the client seed is fixed before the first card and cannot be changed"
            )
        return chance

    # ---- cards and dice -------------------------------------------------------------------

    def shuffle(self, digest: bytes, client_seed: str, number: int, pack: str) -> None:
        """Shuffle a new shoe and close all earlier ones; do nothing if this shoe already exists."""
        chance = self._with_client_seed(digest, client_seed)
        shoe = chance.shoes.get(number)
        if shoe is not None:
            if shoe.pack and shoe.pack != pack:
                raise LedgerError("this shoe was made from other cards")
            return
        _check_day(chance)
        if chance.revealed or number != len(chance.shoes) + 1:
            raise LedgerError("this shoe cannot be made now")
        cards = _cards(pack)
        for before in chance.shoes.values():
            before.close()
        dice = chance.source.dice(f"shoe {number}")
        chance.shoes[number] = _Shoe(pack, shuffle_pack(cards, dice))

    def draw(self, digest: bytes, number: int, index: int) -> str:
        """Deal the next card from a shoe, or return a card that was dealt before."""
        chance = self._chance(digest)
        shoe = chance.shoes.get(number)
        if shoe is None or not 0 <= index <= shoe.dealt or index >= len(shoe.cards):
            raise LedgerError("this card cannot be dealt now")
        if index == shoe.dealt:
            _check_day(chance)
            if chance.revealed:
                raise LedgerError("the seed is revealed; no more cards are dealt from it")
            shoe.dealt += 1
        return str(shoe.cards[index])

    def block(self, digest: bytes, client_seed: str, occasion: str, number: int) -> bytes:
        """Return a block of eight random words from the stream of one choice."""
        if not _ONE_BY_ONE.fullmatch(occasion) or not 0 <= number < 1 << 32:
            raise LedgerError("no dice can be drawn for that")
        chance = self._with_client_seed(digest, client_seed)
        _check_day(chance)
        if chance.revealed:
            raise LedgerError("the seed is revealed; no more dice are drawn from it")
        stream = chance.source.dice(occasion)
        assert isinstance(stream, DiceStream)
        return stream.block(number)


def _check_day(chance: _Chance) -> None:
    """Raise :class:`LedgerError` if this is a daily deal whose day is over."""
    if chance.is_over is not None and chance.is_over():
        raise LedgerError("the day of this daily deal is over, so no more cards are dealt")


def _digest(source: CommittedSource) -> bytes:
    return bytes.fromhex(source.spec.value)


def _cards(pack: str) -> list[Card]:
    if len(pack) % 2 or not 0 < len(pack) <= 2 * LONGEST_PACK:
        raise LedgerError("that is not a pack of cards")
    try:
        return [Card.parse(pack[at : at + 2]) for at in range(0, len(pack), 2)]
    except ValueError:
        raise LedgerError("that is not a pack of cards") from None
