"""The value of a video poker hand: the rows of a pay table and the hands that fit them.

A row's name defines the hands that it pays, so a pay table needs no code:

* ``ROYAL FLUSH``, ``STRAIGHT FLUSH``, ``FULL HOUSE``, ``FLUSH``, ``STRAIGHT``,
  ``THREE OF A KIND``, ``TWO PAIR``, ``FOUR OF A KIND``;
* ``JACKS OR BETTER``: a pair of that rank or a higher one;
* ``FOUR ACES``, ``FOUR 2-4``, ``FOUR 5-K``: four of one of these ranks, and with a kicker
  ``FOUR ACES WITH 2-4``, ``FOUR 2-4 WITH A-4``. An ace is low if a range begins with it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from operator import ge

from msgspec import Struct

from ....cards.card import RANKS, Card, Hand, Rank
from ....cards.poker import is_flush, straight_high

MAX_COINS = 5
MOST_PAY = 1_000_000
NOTHING = "nothing"
"""The name in reports for hands that no row pays."""

_BY_PLURAL = {
    "ACES": Rank.ACE,
    "TWOS": Rank.TWO,
    "THREES": Rank.THREE,
    "FOURS": Rank.FOUR,
    "FIVES": Rank.FIVE,
    "SIXES": Rank.SIX,
    "SEVENS": Rank.SEVEN,
    "EIGHTS": Rank.EIGHT,
    "NINES": Rank.NINE,
    "TENS": Rank.TEN,
    "JACKS": Rank.JACK,
    "QUEENS": Rank.QUEEN,
    "KINGS": Rank.KING,
}
_ACE_HIGH = (*RANKS[1:], Rank.ACE)
_OR_BETTER = re.compile(r"([A-Z]+) OR BETTER")
_FOUR = re.compile(
    r"FOUR (?P<four>[A-Z]+|[2-9A-Z]-[2-9A-Z])(?: WITH (?P<kicker>[A-Z]+|[2-9A-Z]-[2-9A-Z]))?"
)

Test = Callable[[Sequence[Card]], bool]


class Row(Struct, frozen=True):
    """A row of a pay table: its name, and its pays in credits for bets of 1 to 5 coins.

    Raises ``ValueError`` for an invalid name, and unless there are five valid pays.
    """

    name: str
    pays: tuple[int, ...]

    def __post_init__(self) -> None:
        _test(self.name)
        if len(self.pays) != MAX_COINS or not all(1 <= pay <= MOST_PAY for pay in self.pays):
            raise ValueError(f"{self.name!r} needs five pays of 1 to {MOST_PAY:,} credits")

    def pay(self, coins: int) -> int:
        """Return the credits paid for a bet of 1 to 5 coins."""
        return self.pays[coins - 1]


class PayTable(Struct, frozen=True):
    """A pay table: its short name, its title, and its rows from the highest down.

    Raises ``ValueError`` for no rows, for two rows of the same name, and for an invalid title.
    """

    name: str
    title: str
    rows: tuple[Row, ...]

    def __post_init__(self) -> None:
        names = [row.name for row in self.rows]
        if not names or len(set(names)) < len(names):
            raise ValueError(f"pay table {self.name!r} needs rows of different names")
        if not is_title(self.title):
            raise ValueError("the title of a pay table must be one line of plain text")


def is_title(text: str) -> bool:
    """Return whether a text is a valid title: one line of printable characters."""
    return bool(text.strip()) and text.isprintable()


def row_of(table: PayTable, hand: Sequence[Card], coins: int) -> Row | None:
    """Return the highest-paying row that five cards fit, or ``None``.

    A card file may repeat cards, so a hand may fit several rows in unusual ways. The highest pay
    decides; if two rows pay the same, the upper one does.
    """
    fitting = (row for row in table.rows if fits(row.name, hand))
    return max(fitting, key=lambda row: row.pay(coins), default=None)


def fits(name: str, hand: Sequence[Card]) -> bool:
    """Return whether the row with this name pays five cards.

    Raises ``ValueError`` for an invalid name.
    """
    return _test(name)(hand)


@lru_cache(maxsize=1 << 8)  # the built-in tables have twelve row names
def _test(name: str) -> Test:
    if name in _PLAIN:
        return _PLAIN[name]
    if match := _OR_BETTER.fullmatch(name):
        lowest = _BY_PLURAL.get(match[1])
        if lowest is not None:
            return _pair_of(_ACE_HIGH[_ACE_HIGH.index(lowest) :])
    if (fours := fours_of(name)) and all(fours):
        return _four_of(*fours)
    raise ValueError(
        f"{name!r} is not the name of a hand; give one of {', '.join(_PLAIN)}, "
        "or a name like JACKS OR BETTER, FOUR ACES, FOUR 2-4, FOUR 2-4 WITH A-4"
    )


def fours_of(name: str) -> tuple[Sequence[Rank], Sequence[Rank]] | None:
    """Return the ranks and kickers of four of a kind that a row pays; ``None`` for other rows."""
    if name == "FOUR OF A KIND":
        return RANKS, RANKS
    match = _FOUR.fullmatch(name)
    return (_ranks(match["four"]), _ranks(match["kicker"] or "2-A")) if match else None


def _ranks(text: str) -> tuple[Rank, ...]:
    """Parse ``ACES``, ``2-4``, ``J-A`` or ``A-4``; return an empty tuple for anything else."""
    if text in _BY_PLURAL:
        return (_BY_PLURAL[text],)
    letters = {rank.letter: rank for rank in RANKS}
    low, dash, high = text.partition("-")
    if not dash or low not in letters or high not in letters:
        return ()
    if low == "A" != high:
        return RANKS[: RANKS.index(letters[high]) + 1]
    return _ACE_HIGH[_ACE_HIGH.index(letters[low]) : _ACE_HIGH.index(letters[high]) + 1]


def _counts(hand: Sequence[Card]) -> Counter[Rank]:
    return Counter(card.rank for card in hand)


def _most(hand: Sequence[Card], *least: int) -> bool:
    """Return whether the most common ranks occur at least this often: ``3, 2`` is a full house."""
    counts = sorted(_counts(hand).values(), reverse=True)
    return len(counts) >= len(least) and all(map(ge, counts, least))


def _pair_of(ranks: Sequence[Rank]) -> Test:
    return lambda hand: any(n >= 2 and rank in ranks for rank, n in _counts(hand).items())


def _four_of(ranks: Sequence[Rank], kickers: Sequence[Rank]) -> Test:
    def test(hand: Sequence[Card]) -> bool:
        # five cards of one rank (only possible with a card file) have that rank as kicker as well
        return any(
            n >= 4 and rank in ranks and (set(_counts(hand)) - {rank} or {rank}) <= set(kickers)
            for rank, n in _counts(hand).items()
        )

    return test


_PLAIN: Mapping[str, Test] = {
    "ROYAL FLUSH": lambda hand: is_flush(hand) and straight_high(hand) == 14,
    "STRAIGHT FLUSH": lambda hand: is_flush(hand) and straight_high(hand) is not None,
    "FOUR OF A KIND": lambda hand: _most(hand, 4),
    "FULL HOUSE": lambda hand: _most(hand, 3, 2),
    "FLUSH": is_flush,
    "STRAIGHT": lambda hand: straight_high(hand) is not None,
    "THREE OF A KIND": lambda hand: _most(hand, 3),
    "TWO PAIR": lambda hand: _most(hand, 2, 2),
}


def winning_places(hand: Hand) -> tuple[int, ...]:
    """Return the positions, counted from 1, of the cards that make up a paying hand."""
    count = Counter(card.rank for card in hand)
    paired = tuple(place for place, card in enumerate(hand, 1) if count[card.rank] > 1)
    return paired or tuple(range(1, len(hand) + 1))
