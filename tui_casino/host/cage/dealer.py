"""The dealer of a host: keeps the seeds of all open sessions and deals from them.

A seed leaves this process when its sitting ends, and before that a card at a time, the dice of a
choice when it is made. What shuffles is what shuffles everywhere, so every log reads the same.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from ...cards.card import Card
from ...engine.chance import SEED_BYTES, CommittedSource, DiceStream
from ...engine.croupier import shuffle_pack
from ...records.ledger import LedgerError

LONGEST_PACK = 52 * 100
"""Cards of a shoe."""
MOST_UNUSED = 8
"""Seeds that were chosen for a player and not played yet; the oldest is forgotten."""
_ONE_BY_ONE = re.compile(r"(seat \d{1,4} choice|shoe \d{1,9} card) \d{1,9}")
"""Occasions whose dice are thrown when it has come to them: never those of a shuffle."""
LOST = "the house does not know this shuffle any more: sit down anew"


@dataclass(slots=True)
class _Shoe:
    """A shoe: its pack as the session named it, its cards in order, and how many were dealt."""

    pack: str
    cards: Sequence[Card]
    dealt: int = 0

    def close(self) -> None:
        """Forget the cards that were not dealt."""
        self.pack, self.cards = "", self.cards[: self.dealt]


@dataclass(slots=True)
class _Chance:
    """The source of a session, or of the next one; ``client_seed`` is ``None`` until first used."""

    source: CommittedSource = field(repr=False)
    open: bool = False
    client_seed: str | None = None
    revealed: bool = False
    shoes: dict[int, _Shoe] = field(default_factory=dict, repr=False)


class Dealer:
    """Deals for one player. ``find`` gives the seeds of his open sittings, from the ledger."""

    def __init__(self, find: Callable[[], Sequence[bytes | None]]) -> None:
        self._find = find
        self._chances: dict[bytes, _Chance] = {}

    # ---- seeds ----------------------------------------------------------------------------

    def choose_seed(self) -> bytes:
        """Choose a seed, and give the commitment."""
        unused = [digest for digest, chance in self._chances.items() if not chance.open]
        for oldest in unused[: max(0, len(unused) + 1 - MOST_UNUSED)]:
            del self._chances[oldest]
        source = CommittedSource()
        digest = _digest(source)
        self._chances[digest] = _Chance(source)
        return digest

    def seed(self, digest: bytes) -> bytes:
        """Give the seed of a sitting that begins, for the ledger: it is used once.

        Raises :class:`LedgerError`, as all that is asked of a dealer.
        """
        chance = self._chances.get(digest)
        if chance is None or chance.open or chance.revealed:
            raise LedgerError(LOST)
        return chance.source.seed

    def opened(self, digest: bytes) -> None:
        """Note that its sitting has begun."""
        self._chances[digest].open = True

    def closed(self, digest: bytes) -> None:
        """Forget a seed: its sitting is over."""
        self._chances.pop(digest, None)

    def reveal(self, digest: bytes) -> bytes:
        """Give a seed away, and deal nothing new from it any more."""
        chance = self._chance(digest)
        chance.revealed = True
        return chance.source.seed

    def know(self, seed: bytes) -> bytes:
        """Take on the seed of an open sitting, and give its commitment."""
        source = CommittedSource(seed)
        digest = _digest(source)
        if digest not in self._chances:
            self._chances[digest] = _Chance(source, open=True)
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
        """Find a chance, with the word that it has from its first use on."""
        chance = self._chance(digest)
        if chance.client_seed is None:
            try:
                chance.source = CommittedSource(chance.source.seed, client_seed)
            except ValueError as error:
                raise LedgerError(str(error)) from None
            chance.client_seed = client_seed
        if chance.client_seed != client_seed:
            raise LedgerError("the word was mixed in before the first card; it stays")
        return chance

    # ---- cards and dice -------------------------------------------------------------------

    def shuffle(self, digest: bytes, client_seed: str, number: int, pack: str) -> None:
        """Make a shoe; one that was made stays as it is, and with the next one it is over."""
        chance = self._with_client_seed(digest, client_seed)
        shoe = chance.shoes.get(number)
        if shoe is not None:
            if shoe.pack and shoe.pack != pack:
                raise LedgerError("this shoe was made of other cards")
            return
        if chance.revealed or number != len(chance.shoes) + 1:
            raise LedgerError("it is not the moment for this shoe")
        cards = _cards(pack)
        for before in chance.shoes.values():
            before.close()
        dice = chance.source.dice(f"shoe {number}")
        chance.shoes[number] = _Shoe(pack, shuffle_pack(cards, dice))

    def draw(self, digest: bytes, number: int, index: int) -> str:
        """Turn over the next card of a shoe, or tell one again."""
        chance = self._chance(digest)
        shoe = chance.shoes.get(number)
        if shoe is None or not 0 <= index <= shoe.dealt or index >= len(shoe.cards):
            raise LedgerError("it is not the moment for this card")
        if index == shoe.dealt:
            if chance.revealed:
                raise LedgerError("the seed is told: nothing more is dealt")
            shoe.dealt += 1
        return str(shoe.cards[index])

    def block(self, digest: bytes, client_seed: str, occasion: str, number: int) -> bytes:
        """Throw the dice of a choice: eight words of its stream."""
        if not _ONE_BY_ONE.fullmatch(occasion) or not 0 <= number < 1 << 32:
            raise LedgerError("there are no dice for that")
        chance = self._with_client_seed(digest, client_seed)
        if chance.revealed:
            raise LedgerError("the seed is told: nothing more is thrown")
        stream = chance.source.dice(occasion)
        assert isinstance(stream, DiceStream)
        return stream.block(number)


def _digest(source: CommittedSource) -> bytes:
    return bytes.fromhex(source.spec.value)


def _cards(pack: str) -> list[Card]:
    if len(pack) % 2 or not 0 < len(pack) <= 2 * LONGEST_PACK:
        raise LedgerError("there is no such pack")
    try:
        return [Card.parse(pack[at : at + 2]) for at in range(0, len(pack), 2)]
    except ValueError:
        raise LedgerError("there is no such pack") from None
