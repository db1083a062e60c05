"""The croupiers, which deal all cards, one per step. Games do not know their croupier."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, Protocol, runtime_checkable

from msgspec import Struct

from ..cards.card import BACK, RANKS, SUITS, Card, Rank
from .game import Deal, NeedShoe, Shoe
from .offers import Dice


class CroupierSpec(Struct, frozen=True):
    """The croupier as a log describes it; ``cards`` holds the cards of a card file or known shoe.

    Raises ``ValueError`` if one of the cards is face down.
    """

    name: Literal["shuffled", "cards", "java"]
    cards: tuple[Card, ...] = ()

    def __post_init__(self) -> None:
        if BACK in self.cards:
            raise ValueError("a face-down card cannot be dealt")


class Croupier(Protocol):
    """Makes shoes and deals cards when the game asks for them."""

    @property
    def kind(self) -> CroupierSpec:
        """The specification from which an identical croupier can be made."""
        ...

    def shoe(self, need: NeedShoe, dice: Dice, /) -> Shoe:
        """Make a shoe; return the action that announces its number of cards."""
        ...

    def shuffle_rest(self, dice: Dice, /) -> None:
        """Shuffle the cards that are left in the shoe, if they were shuffled before."""
        ...

    def card(self, dice: Dice, /) -> Deal:
        """Deal the next card."""
        ...


@runtime_checkable
class HiddenShuffler(Protocol):
    """Dice that shuffle in another process; this process learns each card only when it is dealt."""

    def shuffle(self, pack: Sequence[Card], /) -> Sequence[Card]:
        """Return the pack as :func:`shuffle_pack` orders it; cards are fetched when accessed."""
        ...


def shuffle_pack(pack: Sequence[Card], dice: Dice) -> list[Card]:
    """Shuffle a pack with the shoe's own dice: Fisher-Yates from the last card down."""
    cards = list(pack)
    for last in range(len(cards) - 1, 0, -1):
        other = dice.below(last + 1)
        cards[last], cards[other] = cards[other], cards[last]
    return cards


class OutOfCards(RuntimeError):
    """A game asked for more cards than the shoe has, which is a bug in the game."""


class ShuffledShoe:
    """A whole pack in the order of :func:`shuffle_pack`, dealt from the front."""

    kind = CroupierSpec("shuffled")

    def __init__(self) -> None:
        self._shoe: Sequence[Card] = ()
        self._dealt = 0

    def shoe(self, need: NeedShoe, dice: Dice, /) -> Shoe:
        """Shuffle the whole pack that the game asks for."""
        if isinstance(dice, HiddenShuffler):
            self._shoe = dice.shuffle(need.pack)
        else:
            self._shoe = shuffle_pack(need.pack, dice)
        self._dealt = 0
        return Shoe(len(self._shoe))

    def shuffle_rest(self, dice: Dice, /) -> None:
        """Shuffle the cards that are not dealt yet."""
        rest = shuffle_pack(self._shoe[self._dealt :], dice)
        self._shoe = [*self._shoe[: self._dealt], *rest]

    def card(self, dice: Dice, /) -> Deal:
        """Deal the next card of the shoe."""
        if self._dealt == len(self._shoe):
            raise OutOfCards
        card = self._shoe[self._dealt]
        self._dealt += 1
        return Deal(card)


class FixedShoe:
    """Known cards in a known order, from a card file or a test shoe; it never shuffles.

    A new shoe continues with the remaining cards.
    """

    def __init__(self, cards: Sequence[Card]) -> None:
        self.kind = CroupierSpec("cards", tuple(cards))
        self._dealt = 0

    def shoe(self, need: NeedShoe, dice: Dice, /) -> Shoe:
        """Return the number of remaining cards."""
        return Shoe(len(self.kind.cards) - self._dealt)

    def shuffle_rest(self, dice: Dice, /) -> None:
        """Leave the cards in their order."""

    def card(self, dice: Dice, /) -> Deal:
        """Deal the next card of the file."""
        if self._dealt == len(self.kind.cards):
            raise OutOfCards
        self._dealt += 1
        return Deal(self.kind.cards[self._dealt - 1])


class JavaCroupier:
    """An ordered pack from which each deal picks a random card, as in the original Java program."""

    kind = CroupierSpec("java")
    _ORDER = tuple(Card(rank, suit) for suit in SUITS for rank in (Rank.ACE, *reversed(RANKS[1:])))

    def __init__(self) -> None:
        self._pack: list[Card] = []

    def shoe(self, need: NeedShoe, dice: Dice, /) -> Shoe:
        """Sort the pack that the game asks for: suits C D H S, and each suit A K Q … 2."""
        self._pack = [card for card in self._ORDER if card in need.pack]
        return Shoe(len(self._pack))

    def shuffle_rest(self, dice: Dice, /) -> None:
        """Do nothing: each card is picked at random."""

    def card(self, dice: Dice, /) -> Deal:
        """Pick one of the remaining cards at random."""
        if not self._pack:
            raise OutOfCards
        return Deal(self._pack.pop(dice.below(len(self._pack))))


def make_croupier(kind: CroupierSpec) -> Croupier:
    """Return a new croupier of this kind, in its state at the beginning of a session."""
    makers: dict[str, Callable[[], Croupier]] = {
        "shuffled": ShuffledShoe,
        "cards": lambda: FixedShoe(kind.cards),
        "java": JavaCroupier,
    }
    return makers[kind.name]()
