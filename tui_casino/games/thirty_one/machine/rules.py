"""The rules of Hit Me: totals of hands, the dealer's rule, and the options of a house."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from msgspec import Struct

from ....cards.card import RANKS, Card, Hand, Rank

LIMIT = 31
"""The best total; a hand with a higher total is bust."""
SAFE_TOTAL = 14
"""The total that a player may stand on, so that only 31 beats it."""
DEALER_WINS_ON = 14
"""The total on which the dealer stops and beats all hands, except those on `SAFE_TOTAL`."""
STANDS_AT = 27
"""The lowest total on which the dealer stands."""
DECKS = 2
MINIMUM, MAXIMUM = 20, 200
"""The smallest and the largest bet, in dollars."""
PURSE = 1_000
"""A player's starting credit, in dollars."""
CENTS = 100
"""Cents per dollar. The table counts in cents, because insurance may pay fractions of a dollar."""
LEAST_STOCK = 30
"""The shoe is shuffled if it has fewer cards than this before a round."""
LEAST_ROUND = 3
"""With fewer cards no bet is possible: each side gets one card, and the player needs another."""

VALUES: Mapping[Rank, int] = MappingProxyType({rank: min(rank.value, 10) for rank in RANKS})
"""The value of each rank; an ace counts 1, and 10 more if the total stays within 31."""


class Odds(Struct, frozen=True):
    """The odds of a side bet: ``paid`` for each ``staked``, such as 43 to 10 for 4.3:1.

    Raises ``ValueError`` unless both are at least 1.
    """

    paid: int = 1
    staked: int = 1

    def __post_init__(self) -> None:
        if self.paid < 1 or self.staked < 1:
            raise ValueError(f"odds must be two numbers above 0, not {self}")

    def winnings(self, stake: int) -> int:
        """Return the winnings of a stake, without the stake itself, rounded down."""
        return stake * self.paid // self.staked

    def __str__(self) -> str:
        return f"{self.paid}:{self.staked}"


class Rules(Struct, frozen=True):
    """The rules that a house may choose; the defaults are the game's own rules.

    - ``dealer_hits_soft``: the dealer hits a soft 27. (In the source, the dealer never draws
      beyond 27.)
    - ``double_two_cards``: doubling is allowed only on two cards, not at any time in the turn.
    - ``split_same_rank``: splitting needs two cards of equal rank, not only of equal value such as
      a jack and a king.
    - ``most_hands``: the most hands after splits, from 2 (no second split) to 4.
    - ``double_after_split``: a split hand may be doubled.
    - ``insurance``: the odds that the side bet pays, even money by default.

    Raises ``ValueError`` for other numbers of hands.
    """

    dealer_hits_soft: bool = False
    double_two_cards: bool = False
    split_same_rank: bool = False
    most_hands: int = 2
    double_after_split: bool = True
    insurance: Odds = Odds()

    def __post_init__(self) -> None:
        if not 2 <= self.most_hands <= 4:
            raise ValueError(f"splitting makes 2 to 4 hands, not {self.most_hands}")


class Total(Struct, frozen=True):
    """The total of a hand, and how many of its aces count 11 (0, 1 or 2)."""

    points: int
    soft: int = 0

    @property
    def bust(self) -> bool:
        """Whether the hand is over 31."""
        return self.points > LIMIT

    def plus(self, value: int) -> Total:
        """Return the total with one more card of this value (1 for an ace)."""
        points, soft = self.points + value, self.soft
        if value == 1:
            points, soft = points + 10, soft + 1
        while points > LIMIT and soft:
            points, soft = points - 10, soft - 1
        return Total(points, soft)


def total_of(cards: Iterable[Card]) -> Total:
    """Return a hand's total: aces count 11, lowered to 1 one by one while it is over 31."""
    total = Total(0)
    for card in cards:
        total = total.plus(VALUES[card.rank])
    return total


def dealer_draws(total: Total, rules: Rules, *, only_31: bool = False) -> bool:
    """Return whether the dealer draws; ``only_31`` means that the player stands on 14.

    Otherwise the dealer stops on 14, which wins immediately, and on 27 or more.
    """
    if total.points >= LIMIT:
        return False
    if only_31:
        return True
    if total.points == STANDS_AT and total.soft:
        return rules.dealer_hits_soft
    return total.points != DEALER_WINS_ON and total.points < STANDS_AT


def dealer_stop(cards: Iterable[Card], rules: Rules, *, only_31: bool = False) -> Total:
    """Return the dealer's total when the dealer's rule says to stop, or the total of all cards.

    The dealer may have drawn further cards against another hand of a split.
    """
    total = Total(0)
    for card in cards:
        if not dealer_draws(total, rules, only_31=only_31):
            break
        total = total.plus(VALUES[card.rank])
    return total


def may_double(cards: Hand, hands: int, rules: Rules) -> bool:
    """Return whether a hand may be doubled; ``hands`` is the number of the player's hands."""
    if hands > 1 and not rules.double_after_split:
        return False
    return len(cards) == 2 or not rules.double_two_cards


def may_split(cards: Hand, hands: int, rules: Rules) -> bool:
    """Return whether a hand may be split; ``hands`` is the number of the player's hands."""
    if len(cards) != 2 or hands >= rules.most_hands:
        return False
    one, other = (card.rank for card in cards)
    return one is other if rules.split_same_rank else VALUES[one] == VALUES[other]


def payout(bet: int, player: int, dealer: int, *, on_14: bool = False) -> int:
    """Return the payout for the bet on a hand: twice the bet, the bet itself, or nothing.

    ``player`` is a total that is not bust (a bust hand loses without the dealer). ``on_14`` means
    that the player stood on 14, so only 31 beats the hand. A dealer who stopped at 14 beats every
    other hand.
    """
    if on_14:
        return 0 if dealer == LIMIT else 2 * bet
    if dealer == DEALER_WINS_ON:
        return 0
    if dealer > LIMIT or player > dealer:
        return 2 * bet
    return bet if player == dealer else 0
