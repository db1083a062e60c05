"""The croupiers: the only source of cards, one card per step. No game knows which it has."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, runtime_checkable

from ..cards.card import BACK, RANKS, SUITS, Card, Rank
from .game import Deal, NeedShoe, Shoe
from .offers import Dice


@dataclass(frozen=True, slots=True)
class CroupierSpec:
    """What a log says of its croupier; ``cards`` are those of a file or a known test shoe.

    Raises ``ValueError`` if a back is among them.
    """

    name: Literal["shuffled", "cards", "java"]
    cards: tuple[Card, ...] = ()

    def __post_init__(self) -> None:
        if BACK in self.cards:
            raise ValueError("a card that lies face down cannot be dealt")


class Croupier(Protocol):
    """Makes shoes and deals cards when the game asks."""

    @property
    def kind(self) -> CroupierSpec:
        """What makes an equal croupier again."""
        ...

    def shoe(self, need: NeedShoe, dice: Dice, /) -> Shoe:
        """Make a shoe, and say how many cards it can deal."""
        ...

    def card(self, dice: Dice, /) -> Deal:
        """Deal the next card."""
        ...


@runtime_checkable
class HiddenShuffler(Protocol):
    """Dice that shuffle out of sight: whoever has them learns a card when it is dealt."""

    def shuffle(self, pack: Sequence[Card], /) -> Sequence[Card]:
        """Give the pack as :func:`shuffle_pack` would; a card is asked for when it is looked at."""
        ...


def shuffle_pack(pack: Sequence[Card], dice: Dice) -> list[Card]:
    """Shuffle a pack: Fisher-Yates from the last card down, over the shoe's own dice."""
    cards = list(pack)
    for last in range(len(cards) - 1, 0, -1):
        other = dice.below(last + 1)
        cards[last], cards[other] = cards[other], cards[last]
    return cards


class OutOfCards(RuntimeError):
    """A game asked for a card beyond the stock it was told of: a fault of the game."""


class ShuffledShoe:
    """A whole pack, :func:`shuffle_pack` over the shoe's own dice; deals from the front."""

    kind = CroupierSpec("shuffled")

    def __init__(self) -> None:
        self._shoe: Sequence[Card] = ()
        self._dealt = 0

    def shoe(self, need: NeedShoe, dice: Dice, /) -> Shoe:
        """Shuffle the whole pack that the game names."""
        if isinstance(dice, HiddenShuffler):
            self._shoe = dice.shuffle(need.pack)
        else:
            self._shoe = shuffle_pack(need.pack, dice)
        self._dealt = 0
        return Shoe(len(self._shoe))

    def card(self, dice: Dice, /) -> Deal:
        """Deal the next card of the shoe."""
        if self._dealt == len(self._shoe):
            raise OutOfCards
        card = self._shoe[self._dealt]
        self._dealt += 1
        return Deal(card)


class FixedShoe:
    """Known cards in a known order, never shuffled: a card file, a test shoe.

    Asked for a fresh shoe it says how many cards it still has.
    """

    def __init__(self, cards: Sequence[Card]) -> None:
        self.kind = CroupierSpec("cards", tuple(cards))
        self._dealt = 0

    def shoe(self, need: NeedShoe, dice: Dice, /) -> Shoe:
        """Count the cards that are left."""
        return Shoe(len(self.kind.cards) - self._dealt)

    def card(self, dice: Dice, /) -> Deal:
        """Deal the next card of the file."""
        if self._dealt == len(self.kind.cards):
            raise OutOfCards
        self._dealt += 1
        return Deal(self.kind.cards[self._dealt - 1])


class JavaCroupier:
    """An ordered pack, each card picked from the rest when it is wanted, as Java trainers do."""

    kind = CroupierSpec("java")
    _ORDER = tuple(Card(rank, suit) for suit in SUITS for rank in (Rank.ACE, *reversed(RANKS[1:])))

    def __init__(self) -> None:
        self._pack: list[Card] = []

    def shoe(self, need: NeedShoe, dice: Dice, /) -> Shoe:
        """Lay out the pack that the game names: C D H S, each suit A K Q … 2."""
        self._pack = [card for card in self._ORDER if card in need.pack]
        return Shoe(len(self._pack))

    def card(self, dice: Dice, /) -> Deal:
        """Pick one of the cards that are left."""
        if not self._pack:
            raise OutOfCards
        return Deal(self._pack.pop(dice.below(len(self._pack))))


def make_croupier(kind: CroupierSpec) -> Croupier:
    """Make a new croupier of this kind, as at the beginning of a sitting."""
    makers: dict[str, Callable[[], Croupier]] = {
        "shuffled": ShuffledShoe,
        "cards": lambda: FixedShoe(kind.cards),
        "java": JavaCroupier,
    }
    return makers[kind.name]()
