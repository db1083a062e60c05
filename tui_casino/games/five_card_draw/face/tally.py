"""Five-card draw's statistics: hands won, tied and folded, what they were, and the money."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import Any, TypeAlias, TypeVar

from ....cards.poker import HandCategory, rank_hand
from ....engine.game import Seat
from ..machine.moves import Acted, Discarded, Event, HandOver, HandShown

K = TypeVar("K", bound=int)
Counts: TypeAlias = tuple[tuple[K, int], ...]


@dataclass(frozen=True, slots=True)
class Tally:
    """Finished hands of a seat, and its money in credits.

    ``tied`` are among those ``won``. ``categories`` count the hands that came to a showdown,
    ``draws`` how many cards were exchanged.
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
        """Count what concerns the seat."""
        match event:
            case Discarded(self.seat, cards):
                return self + Tally(self.seat, draws=((len(cards), 1),))
            case Acted(self.seat, "fold", _):
                return self + Tally(self.seat, folded=1)
            case HandShown(self.seat, hand, _):
                return self + Tally(self.seat, categories=((rank_hand(hand).category, 1),))
            case HandOver(winners, put_in, won, _):
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
        """Give hands and credits by name, averages of a hand, what was shown and drawn."""
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
    """Begin a seat's statistics."""
    return Tally(seat)


def table(tally: Tally, stack: int) -> str:
    """Print hands and credits, and what was shown."""
    rule = "-" * 30
    lines = [
        f"{'Hands':<20}{tally.rounds:>10,}",
        rule,
        f"{'Won':<20}{tally.won_hands:>10,}",
        f"{'of them tied':<20}{tally.tied:>10,}",
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
        f"{'Put in':<20}{tally.wagered:>10,}",
        f"{'Came back':<20}{tally.won:>10,}",
        f"{'Credit':<20}{stack:>10,}",
    ]
    return "\n".join(lines)
