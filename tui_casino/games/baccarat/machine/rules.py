"""The rules of punto banco: values, third cards, outcomes, bets, payouts, and a table's options.

They follow the course's description of the game and use its terms: a hand "receives" cards, cards
and hands have a "value", and a hand "must hit". Bets and payouts are those of casinos.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum, StrEnum
from typing import TypeAlias, overload

from msgspec import Struct

from ....cards.card import Card, Rank, whole_packs
from ....cards.card import parse_hand as cards_of
from ....structs import replace

CAPACITY = 3
"""The largest number of cards in a hand of baccarat."""

COUP_CARDS = 6
"""The largest number of cards in a coup; with fewer cards in the shoe no coup is played."""

CENTS = 100
"""The number of cents in a credit; bets are whole credits."""


class CoupOutcome(StrEnum):
    """The outcome of a coup."""

    PLAYER = "Player"
    BANKER = "Banker"
    TIE = "Tie"


class BetSpot(Enum):
    """A betting spot; the value is the word that a player types for it."""

    PLAYER = "p"
    BANKER = "b"
    TIE = "t"
    PLAYER_PAIR = "pp"
    BANKER_PAIR = "bp"

    @property
    def label(self) -> str:
        """The name for players, such as ``Player`` or ``Player pair``."""
        return self.name.replace("_", " ").capitalize()

    @property
    def min_bet(self) -> int:
        """The smallest bet, in credits."""
        return 5 if self in (BetSpot.PLAYER, BetSpot.BANKER) else 1

    @property
    def max_bet(self) -> int:
        """The largest bet, in credits."""
        return 500 if self in (BetSpot.PLAYER, BetSpot.BANKER) else 100

    def pays(self, options: Options) -> str:
        """Return the odds that this spot pays at a table, such as ``8:1``."""
        match self:
            case BetSpot.PLAYER:
                return "1:1"
            case BetSpot.BANKER:
                return "0.95:1" if options.commission else "1:1, 6 half"
            case BetSpot.TIE:
                return "8:1"
            case _:
                return "11:1"


SPOTS: tuple[BetSpot, ...] = tuple(BetSpot)

Bets: TypeAlias = tuple[int, int, int, int, int]
"""An amount for each of the :data:`SPOTS`."""

NO_BETS: Bets = (0, 0, 0, 0, 0)


def bets_of(amounts: Iterable[int]) -> Bets:
    """Return five amounts, one for each spot. Raises ``ValueError`` for more or fewer."""
    player, banker, tie, player_pair, banker_pair = amounts
    return player, banker, tie, player_pair, banker_pair


class Hand(Struct, frozen=True, kw_only=True):
    """The cards of the player or the banker, up to a capacity; ``Hand(capacity=3)`` is empty.

    Hands are immutable. ``str`` gives ``10 of Spades,Ace of Hearts``, or ``.`` for no cards.
    """

    cards: tuple[Card, ...] = ()  # first, because logs contain the fields in this order
    capacity: int = CAPACITY

    def receive(self, card: Card) -> Hand:
        """Return the hand with one more card, or the same hand if it is full."""
        if len(self.cards) >= self.capacity:
            return self
        return replace(self, cards=(*self.cards, card))

    def get(self, index: int) -> Card | None:
        """Return the card at an index from 0, or ``None``."""
        return self.cards[index] if 0 <= index < len(self.cards) else None

    def __len__(self) -> int:
        return len(self.cards)

    def __str__(self) -> str:
        return ",".join(card.name for card in self.cards) or "."


NO_CARDS = Hand()


@overload
def value_of(thing: Card) -> int: ...
@overload
def value_of(thing: Hand) -> int: ...
def value_of(thing: Card | Hand) -> int:
    """Return a card's value (tens and face cards are 0), or the last digit of a hand's sum."""
    if isinstance(thing, Hand):
        return sum(map(value_of, thing.cards)) % 10
    return int(thing.rank) if thing.rank < Rank.TEN else 0


def is_natural(hand: Hand) -> bool:
    """Return whether the hand's value is 8 or 9; the rules use this only for two-card hands."""
    return value_of(hand) >= 8


@overload
def must_hit(hand: Hand, /) -> bool: ...
@overload
def must_hit(third_card: Card, hand: Hand, /) -> bool: ...
def must_hit(first: Card | Hand, hand: Hand | None = None) -> bool:
    """Return whether a two-card hand must receive a third card.

    If the first argument is the player's third card, the banker's table applies. Otherwise the
    player's rule applies, which is also the banker's rule if the player stands.
    """
    if isinstance(first, Hand):
        return value_of(first) <= 5
    assert hand is not None
    return value_of(hand) <= HITS_UP_TO[value_of(first)]


HITS_UP_TO = (3, 3, 4, 4, 5, 5, 6, 6, 2, 3)
"""The highest value with which the banker draws, for each value of the player's third card."""


def outcome_of(player: Hand, banker: Hand) -> CoupOutcome:
    """Return the outcome of two final hands."""
    ours, theirs = value_of(player), value_of(banker)
    if ours == theirs:
        return CoupOutcome.TIE
    return CoupOutcome.PLAYER if ours > theirs else CoupOutcome.BANKER


def is_pair(hand: Hand) -> bool:
    """Return whether the first two cards have the same rank."""
    return len(hand) >= 2 and hand.cards[0].rank is hand.cards[1].rank


class Coup(Struct, frozen=True):
    """The summary of a finished coup for roads and bets; ``value`` is that of the winning hand."""

    outcome: CoupOutcome
    value: int
    natural: bool = False
    player_pair: bool = False
    banker_pair: bool = False


def coup_of(player: Hand, banker: Hand) -> Coup:
    """Summarise a coup from its final hands."""
    return Coup(
        outcome_of(player, banker),
        max(value_of(player), value_of(banker)),
        any(len(hand) == 2 and is_natural(hand) for hand in (player, banker)),
        is_pair(player),
        is_pair(banker),
    )


# ---- drawing -----------------------------------------------------------------------------------


class HandSide(Enum):
    """A side that receives cards."""

    PLAYER = "player"
    BANKER = "banker"


_ORDER = (HandSide.PLAYER, HandSide.BANKER, HandSide.PLAYER, HandSide.BANKER)


def next_to_receive(player: Hand, banker: Hand) -> HandSide | None:
    """Return the side that receives the next card of a coup; ``None`` if the coup is over."""
    card_count = len(player) + len(banker)
    if card_count < len(_ORDER):
        return _ORDER[card_count]
    if len(banker) == CAPACITY or (card_count == len(_ORDER) and _naturals(player, banker)):
        return None
    if len(player) < CAPACITY and must_hit(player):
        return HandSide.PLAYER
    third = player.get(2)
    hits = must_hit(banker) if third is None else must_hit(third, banker)
    return HandSide.BANKER if hits else None


def _naturals(player: Hand, banker: Hand) -> bool:
    return is_natural(player) or is_natural(banker)


# ---- bets --------------------------------------------------------------------------------------


def payout(spot: BetSpot, credits: int, coup: Coup, options: Options) -> int:
    """Return the payout of a bet of whole credits, including the stake, in cents.

    Player and Banker pay 1:1, and their bets are returned on a tie. A commission of 5% is deducted
    from a Banker win; without commission, a Banker win with 6 pays only half the bet. Tie pays 8:1,
    and pairs pay 11:1.
    """
    stake = CENTS * credits
    match spot:
        case BetSpot.TIE:
            return 9 * stake if coup.outcome is CoupOutcome.TIE else 0
        case BetSpot.PLAYER_PAIR:
            return 12 * stake if coup.player_pair else 0
        case BetSpot.BANKER_PAIR:
            return 12 * stake if coup.banker_pair else 0
    if coup.outcome is CoupOutcome.TIE:
        return stake
    if coup.outcome.name != spot.name:
        return 0
    if spot is BetSpot.PLAYER:
        return 2 * stake
    if options.commission:
        return stake + stake * 95 // 100  # exact: a credit has 100 cents
    return stake + (stake // 2 if coup.value == 6 else stake)


# ---- the shoe ----------------------------------------------------------------------------------

DECKS = (8, 6, 1)
KNOWN_SHOE: tuple[Card, ...] = cards_of(
    "3C 3D 2C 5C 4C TC 5D TD 9D 9S 2D 3H 8H 7S 8D 7H 5H JC JD AD KS 6D 7H "
    "3S AC 3C 4H 4S 8C 4D 3H 9C TH TS 4C TS 2D 5H KH 5D KS 8D TH 9H JS"
)
"""The 45 cards of the shoe that the course text prescribes, in the order of the deal."""


class Options(Struct, frozen=True):
    """The credit in cents, the shoe, and whether Banker wins pay a commission.

    ``decks`` 0 means the known shoe, which has no burn card and no cut card. ``cut_card`` is the
    number of cards behind the cut card; 0 means no cut card. Raises ``ValueError`` for impossible
    values.
    """

    credit: int = 1000 * CENTS
    decks: int = DECKS[0]
    commission: bool = True
    burn: bool = True
    cut_card: int = 14

    def __post_init__(self) -> None:
        if self.credit < 0:
            raise ValueError(f"the credit must be 0 or more, not {self.credit}")
        if self.decks not in (0, *DECKS):
            known = ", ".join(map(str, DECKS))
            raise ValueError(f"a shoe has {known} decks, or 0 for the known shoe, not {self.decks}")
        if self.cut_card != 0 and not 2 * COUP_CARDS <= self.cut_card <= 26:
            raise ValueError(
                f"the cut card must be 12 to 26 cards from the end, not {self.cut_card}"
            )

    @property
    def pack(self) -> tuple[Card, ...]:
        """The cards of a full shoe."""
        return whole_packs(self.decks) if self.decks else KNOWN_SHOE


def burn_count(card: Card) -> int:
    """Return how many cards a burn card burns: 1 for an ace, 10 for a ten or a face card."""
    return min(int(card.rank), 10)
