"""Playing cards: ranks, suits, cards, packs, and their text forms.

>>> ten = Card.parse("TS")
>>> str(ten), ten.symbol, ten.name
('TS', '10♠', '10 of Spades')
>>> Card.parse("10♠") is ten is Card.parse("10 of Spades")
True
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from typing import NoReturn, TypeAlias


class Rank(IntEnum):
    """The rank of a card, with the ace low; each game decides how much an ace counts.

    ``BACK`` is the rank of a face-down card; no pack contains it. To iterate, use :data:`RANKS`,
    which has the thirteen real ranks.
    """

    BACK = 0
    ACE = 1
    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    NINE = 9
    TEN = 10
    JACK = 11
    QUEEN = 12
    KING = 13

    @property
    def letter(self) -> str:
        """One character: ``A 2 … 9 T J Q K``, or ``?`` for a back."""
        return "?A23456789TJQK"[self]

    @property
    def pip(self) -> str:
        """The text on a card: like :attr:`letter`, but ``10``."""
        return "10" if self is Rank.TEN else self.letter

    @property
    def word(self) -> str:
        """``Ace``, ``2`` … ``10``, ``Jack``, ``Queen``, ``King``."""
        return self.name.capitalize() if self in _COURT else self.pip

    @property
    def plural(self) -> str:
        """The name of several cards of this rank: ``sixes``, ``kings``."""
        return f"{self.name.lower()}{'es' if self is Rank.SIX else 's'}"


class Suit(IntEnum):
    """The suit of a card, listed in the order C D H S; no suit is higher than another.

    ``BACK`` is the suit of a face-down card.
    """

    BACK = 0
    CLUBS = 1
    DIAMONDS = 2
    HEARTS = 3
    SPADES = 4

    @property
    def letter(self) -> str:
        """``C D H S``, or ``?`` for a back."""
        return "?CDHS"[self]

    @property
    def symbol(self) -> str:
        """``♣ ♦ ♥ ♠``, or ``?`` for a back."""
        return "?♣♦♥♠"[self]

    @property
    def word(self) -> str:
        """``Clubs``, ``Diamonds``, ``Hearts``, ``Spades``."""
        return self.name.capitalize()


_COURT = (Rank.ACE, Rank.JACK, Rank.QUEEN, Rank.KING)
RANKS: tuple[Rank, ...] = tuple(Rank)[1:]
SUITS: tuple[Suit, ...] = tuple(Suit)[1:]


class Card:
    """A playing card. The 52 cards and :data:`BACK` exist once, so equal cards are identical.

    ``index`` is the card's place in :data:`PACK`: ``13 * suit + rank``, counted from zero (clubs
    first, aces first), or -1 for a back. Cards are ordered by rank, ace low, then by suit C D H S.
    Raises ``ValueError`` if no card has this rank and suit.
    """

    __slots__ = ("index", "rank", "suit")
    rank: Rank
    suit: Suit
    index: int

    def __new__(cls, rank: Rank, suit: Suit) -> Card:
        """Return the only card of this rank and suit."""
        try:
            return _CARDS[rank, suit]
        except KeyError:
            raise ValueError(f"there is no card of rank {rank!r} and suit {suit!r}") from None

    @staticmethod
    def parse(text: str) -> Card:
        """Parse ``TS``, ``10♠``, ``10 of Spades`` or ``??`` (a back), with exactly this spelling.

        Raises ``ValueError`` for any other text; the message describes how cards are written.
        """
        try:
            return _TEXTS[text]
        except KeyError:
            raise ValueError(
                f"{text!r} is not a card; write a rank A 2 3 4 5 6 7 8 9 T J Q K "
                "and a suit C D H S, like TS"
            ) from None

    def __str__(self) -> str:
        return _SHORT[self.index]

    def __repr__(self) -> str:
        return f"Card.parse({str(self)!r})"

    @property
    def symbol(self) -> str:
        """Rank and suit symbol: ``10♠``."""
        return self.rank.pip + self.suit.symbol

    @property
    def name(self) -> str:
        """The card in words, such as ``10 of Spades``; ``face down`` for a back."""
        return "face down" if self is BACK else f"{self.rank.word} of {self.suit.word}"

    def __lt__(self, other: Card) -> bool:
        return (self.rank, self.suit) < (other.rank, other.suit)

    def __hash__(self) -> int:  # not the address, so that sets have the same order everywhere
        return self.index

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError("cards are immutable")

    def __reduce__(self) -> tuple[type[Card], tuple[Rank, Suit]]:
        return Card, (self.rank, self.suit)


def _make(rank: Rank, suit: Suit, index: int) -> Card:
    card = object.__new__(Card)
    for name, value in (("rank", rank), ("suit", suit), ("index", index)):
        object.__setattr__(card, name, value)
    return card


PACK: tuple[Card, ...] = tuple(
    _make(rank, suit, 13 * s + r) for s, suit in enumerate(SUITS) for r, rank in enumerate(RANKS)
)
"""The 52 cards in the order C D H S, each suit from ace to king."""

BACK = _make(Rank.BACK, Suit.BACK, -1)
"""A face-down card; views contain it instead of the cards that a seat may not see."""

_SHORT = tuple(card.rank.letter + card.suit.letter for card in (*PACK, BACK))
_CARDS = {(card.rank, card.suit): card for card in (*PACK, BACK)}
_TEXTS = {text: card for card in PACK for text in (str(card), card.symbol, card.name)}
_TEXTS["??"] = BACK

Hand: TypeAlias = tuple[Card, ...]


def whole_packs(decks: int) -> tuple[Card, ...]:
    """Return the cards of ``decks`` whole packs, one pack after the other."""
    return PACK * decks


def parse_hand(text: str) -> Hand:
    """Parse cards separated by white space, like ``TS 2H``; see :meth:`Card.parse` for errors."""
    return tuple(map(Card.parse, text.split()))


def format_cards(cards: Iterable[Card]) -> str:
    """Format cards separated by spaces; the inverse of :func:`parse_hand`."""
    return " ".join(map(str, cards))


def card_symbols(cards: Iterable[Card]) -> str:
    """Format cards with suit symbols, separated by spaces: ``10♠ A♥``."""
    return " ".join(card.symbol for card in cards)
