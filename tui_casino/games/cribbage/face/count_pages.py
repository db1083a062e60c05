"""A hand at the show as a page: its combinations with running totals, and the missed points."""

from __future__ import annotations

from msgspec import Struct

from ....cards.card import Card, Hand
from ..machine.rules import points_of
from ..machine.scoring import Score
from .spoken_count import number_in_words

PAIRS = {"pair2": "pair of {}", "pair3": "three {}", "pair4": "four {}"}
SHORT = {
    "fifteen": "fifteen",
    "run3": "run of three",
    "run4": "run of four",
    "run5": "run of five",
    "flush4": "flush",
    "flush5": "flush of five",
    "jack": "the right jack",
}
_RANKS = ("ace", *map(number_in_words, range(2, 11)), "jack", "queen", "king")


class CountRow(Struct, frozen=True):
    """A combination, the running total with it, and whether the owner's count includes it."""

    score: Score
    total: int
    claimed: bool = True

    @property
    def name(self) -> str:
        """The name of the combination, such as ``pair of sevens``."""
        kind = self.score.kind
        if kind in PAIRS:
            return PAIRS[kind].format(_plural(self.score.cards[0]))
        return SHORT.get(kind, kind)


class CountPage(Struct, frozen=True):
    """A hand with the starter, how it was counted, and both players' points after the count.

    ``counted`` is false while the owner is asked for the count. ``claimed_points`` is the owner's
    own count, or ``None`` if the table counts. ``muggins`` is the number of missed points that the
    opponent took. ``points_gained`` are the points that each seat scored, and ``back_pegs`` holds
    each seat's score before its last points.
    """

    seat: int
    hand: Hand
    starter: Card
    crib: bool
    points: tuple[int, int]
    back_pegs: tuple[int, int]
    scores: tuple[Score, ...] = ()
    claimed_points: int | None = None
    counted: bool = False
    muggins: int = 0
    points_gained: tuple[int, int] = (0, 0)

    @property
    def hand_kind(self) -> str:
        """Whether the page shows a hand or the crib."""
        return "crib" if self.crib else "hand"

    @property
    def cards(self) -> Hand:
        """The four cards of the hand, followed by the starter."""
        return (*self.hand, self.starter)

    @property
    def total_points(self) -> int:
        """The points of all combinations."""
        return points_of(self.scores)

    @property
    def missed(self) -> int:
        """The number of points that the owner failed to count."""
        return 0 if self.claimed_points is None else max(0, self.total_points - self.claimed_points)

    @property
    def rows(self) -> tuple[CountRow, ...]:
        """The combinations, in the order in which they are counted.

        An owner claims only a number of points. The owner is assumed to have counted in this order,
        so the combinations beyond the claimed points were missed.
        """
        rows, total = [], 0
        for score in self.scores:
            total += score.points
            rows.append(
                CountRow(score, total, self.claimed_points is None or total <= self.claimed_points)
            )
        return tuple(rows)

    @property
    def combination_name(self) -> str:
        """The players' name for the whole set of combinations; an empty text if it has none."""
        runs = [score for score in self.scores if score.kind.startswith("run")]
        pairs = [score for score in self.scores if score.kind.startswith("pair")]
        if len(runs) == 4:
            return "a double double run: four runs and two pairs"
        if len(runs) == 3:
            return "a triple run: three runs and three of a kind"
        if len(runs) == 2 and pairs:
            return "a double run: two runs and a pair"
        return "" if self.scores else "nothing, also called nineteen"


def _plural(card: Card) -> str:
    name = _RANKS[card.rank - 1]
    return f"{name}es" if name == "six" else f"{name}s"
