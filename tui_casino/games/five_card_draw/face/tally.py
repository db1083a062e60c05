"""The statistics of a five-card draw session: results, hands shown and credits."""

from __future__ import annotations

from collections import Counter
from typing import Any, TypeAlias, TypeVar

from msgspec import Struct

from ....cards.poker import HandCategory, rank_hand
from ....engine.game import Seat
from ....structs import replace
from ..machine.state import Acted, Discarded, Event, HandOver, HandShown

K = TypeVar("K", bound=int)
Counts: TypeAlias = tuple[tuple[K, int], ...]


class Tally(Struct, frozen=True):
    """Counts of a seat's finished hands, and its money in credits.

    ``tied`` hands are also counted in ``won_hands``. ``categories`` counts the hands shown at a
    showdown, and ``draws`` counts the hands by the number of cards drawn.
    """

    seat: int
    rounds: int = 0
    won_hands: int = 0
    tied: int = 0
    folded: int = 0
    wagered: int = 0
    won: int = 0
    categories: tuple[tuple[HandCategory, int], ...] = ()
    draws: tuple[tuple[int, int], ...] = ()

    def add(self, event: Event) -> Tally:
        match event:
            case Discarded(self.seat, cards):
                return self + Tally(self.seat, draws=((len(cards), 1),))
            case Acted(self.seat, "fold", _):
                return self + Tally(self.seat, folded=1)
            case HandShown(self.seat, hand, _):
                return self + Tally(self.seat, categories=((rank_hand(hand).category, 1),))
            case HandOver(winners, put_in, won, _) if put_in[self.seat] or not any(put_in):
                wins = self.seat in winners
                return self + Tally(
                    self.seat,
                    rounds=1,
                    won_hands=int(wins),
                    tied=int(wins and len(winners) > 1),
                    wagered=put_in[self.seat],
                    won=won[self.seat],
                )
        return self

    def __add__(self, other: Tally) -> Tally:
        return replace(
            self,
            rounds=self.rounds + other.rounds,
            won_hands=self.won_hands + other.won_hands,
            tied=self.tied + other.tied,
            folded=self.folded + other.folded,
            wagered=self.wagered + other.wagered,
            won=self.won + other.won,
            categories=_add_counts(self.categories, other.categories),
            draws=_add_counts(self.draws, other.draws),
        )

    def report(self) -> dict[str, Any]:
        """Return the counts, the averages per hand in credits, and the hands shown and drawn."""
        return {
            "rounds": self.rounds,
            "won_hands": self.won_hands,
            "tied": self.tied,
            "folded": self.folded,
            "wagered": self.wagered,
            "won": self.won,
            "average": {
                "put_in": _average(self.wagered, self.rounds),
                "net": _average(self.won - self.wagered, self.rounds),
            },
            "shown": {category.name.lower(): count for category, count in self.categories},
            "draws": {str(cards): count for cards, count in self.draws},
        }


def _average(credits: int, hands: int) -> float | None:
    return round(credits / hands, 2) if hands else None


def _add_counts(counts: Counts[K], added: Counts[K]) -> Counts[K]:
    total = Counter(dict(counts))
    total.update(dict(added))
    return tuple(sorted(total.items()))


def begin(seat: Seat) -> Tally:
    """Return an empty tally for a seat."""
    return Tally(seat)


def table(tally: Tally, stack: int) -> str:
    """Format the counts, the hands shown, and the money in credits."""
    rule = "-" * 30
    lines = [
        f"{'Hands':<20}{tally.rounds:>10,}",
        rule,
        f"{'Won':<20}{tally.won_hands:>10,}",
        f"{'of which tied':<20}{tally.tied:>10,}",
        f"{'Folded':<20}{tally.folded:>10,}",
        rule,
    ]
    counts = dict(tally.categories)
    lines += [
        f"{category.words.capitalize():<20}{counts.get(category, 0):>10,}"
        for category in reversed(HandCategory)
    ]
    lines += [
        rule,
        f"{'Credits put in':<20}{tally.wagered:>10,}",
        f"{'Credits won':<20}{tally.won:>10,}",
        f"{'Credits now':<20}{stack:>10,}",
    ]
    return "\n".join(lines)
