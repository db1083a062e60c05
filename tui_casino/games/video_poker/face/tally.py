"""The statistics of video poker: hits of each row, and the credits bet and won."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from math import sqrt
from typing import Any

from msgspec import Struct

from ....engine.game import Seat
from ..machine.game import Event, RoundPaid
from ..machine.rules import NOTHING, PayTable

_LABELS = (
    "Jacks or Better",
    "Two Pair",
    "Three of a Kind",
    "Straight",
    "Flush",
    "Full house",
    "Four of a Kind",
    "Straight Flush",
    "Royal Flush",
)
_OTHER = "Other"
_OR_BETTER = " OR BETTER"
_WIDTH = 27


class Tally(Struct, frozen=True):
    """The number of rounds paid by each row (or :data:`NOTHING`), and the credits bet and won."""

    hands: tuple[tuple[str, int], ...] = ()
    wagered: int = 0
    won: int = 0

    @property
    def rounds(self) -> int:
        return sum(count for _, count in self.hands)

    @property
    def counts(self) -> Mapping[str, int]:
        """The hits of each row; zero for a row that has never hit."""
        return Counter(dict(self.hands))

    def add(self, event: Event) -> Tally:
        """Return the tally with this event counted; only finished rounds change it."""
        if not isinstance(event, RoundPaid):
            return self
        return self + Tally(((event.row or NOTHING, 1),), event.coins, event.won)

    def __add__(self, other: Tally) -> Tally:
        counts = Counter(dict(self.hands))
        counts.update(dict(other.hands))
        return Tally(
            tuple(sorted(counts.items())), self.wagered + other.wagered, self.won + other.won
        )

    def report(self) -> dict[str, Any]:
        """Return rounds, credits wagered and won, the return in %, and the hits by row."""
        return {
            "rounds": self.rounds,
            "wagered": self.wagered,
            "won": self.won,
            "return_percent": float(percent(self.won, self.wagered)),
            "hands": dict(self.hands),
        }


def begin(seat: Seat) -> Tally:
    """Return an empty tally for a seat."""
    return Tally()


def tally_of_counts(paytable: PayTable, coins: int, counts: Mapping[str, int]) -> Tally:
    """Return a tally of rounds with equal bets; ``counts`` says how often each row was hit."""
    pays = {row.name: row.pay(coins) for row in paytable.rows}
    won = sum(count * pays.get(row, 0) for row, count in counts.items())
    hands = tuple(sorted((row, count) for row, count in counts.items() if count))
    return Tally(hands, coins * sum(counts.values()), won)


def return_error(paytable: PayTable, coins: int, counts: Mapping[str, int]) -> float | None:
    """Return the standard error of the return as a percentage; ``None`` for fewer than two rounds.

    It is the standard deviation of the sampled pays, divided by the root of their number.
    """
    rounds = sum(counts.values())
    if rounds < 2:
        return None
    pays = {row.name: row.pay(coins) for row in paytable.rows}
    won = sum(count * pays.get(row, 0) for row, count in counts.items())
    squares = sum(count * pays.get(row, 0) ** 2 for row, count in counts.items())
    variance = Fraction(rounds * squares - won**2, rounds * (rounds - 1))
    return 100 * sqrt(variance / rounds) / coins


def percent(won: int, wagered: int) -> str:
    """Return 100 × won / wagered with two decimals, halves rounded up; ``0.00`` before any bet."""
    hundredths = (20_000 * won + wagered) // (2 * wagered) if wagered else 0
    return f"{hundredths // 100}.{hundredths % 100:02}"


def table(tally: Tally, credit: int, paytable: PayTable) -> str:
    """Return the classic statistics table: ten counts, their total, the credit and the return.

    All pairs that the pay table pays are one count, named after the lowest of them.
    """
    pairs = [row.name for row in paytable.rows if row.name.endswith(_OR_BETTER)]
    lowest = f"{pairs[-1].removesuffix(_OR_BETTER).capitalize()} or Better" if pairs else _LABELS[0]
    names = {label.upper(): label for label in _LABELS[1:]}
    counts: Counter[str] = Counter()
    for row, count in tally.hands:
        if row.endswith(_OR_BETTER):
            counts[lowest] += count
        elif row.startswith("FOUR "):
            counts["Four of a Kind"] += count
        else:
            counts[names.get(row, _OTHER)] += count
    rule = "-" * _WIDTH
    rows = [_line(label, str(counts[label])) for label in (lowest, *_LABELS[1:], _OTHER)]
    total = _line("Total", str(tally.rounds))
    balance = _line("Credit", f"{credit} ({percent(tally.won, tally.wagered)}%)")
    return "\n".join([_line("Hand", "Nb"), rule, *rows, rule, total, rule, balance])


def _line(label: str, value: str) -> str:
    return f"{label} {value.rjust(_WIDTH - len(label) - 1)}"


def row_in_words(row: str) -> str:
    """Return a row's name for use within a sentence: only its ranks keep their capitals."""
    return " ".join(word if "-" in word else word.lower() for word in row.split())
