"""A player's strength at a game, compared with computer players: the cost per 100 choices.

Only choices with an alternative count. The measurement goes back from the last session to the one
that completes 500 choices, and the error is estimated as for leaks.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import pairwise

from msgspec import Struct

from ..gamekit.adviser import LevelCost
from .leaks import CostRate, chronological, rate_of_all
from .mistakes import ReviewedSitting

RECENT = 500
"""The number of choices that count; all choices of the earliest session count."""
FEWEST = 100
"""With fewer choices, the strength is unknown."""


class Strength(Struct, frozen=True):
    """The cost per 100 choices at a game, in its ``unit``, and the number of these choices.

    ``levels`` are the game's computer players, strongest first.
    """

    game: str
    rate: CostRate
    choices: int
    unit: str
    levels: tuple[LevelCost, ...]

    def __str__(self) -> str:
        """Return a phrase with the cost, its error and the place among computer players."""
        cost = f"{self.rate.cost:.2f} {self.unit} per 100 choices (standard error "
        place = f": {' '.join(self.place)}" if self.place else ""
        return f"{cost}{self.rate.error:.2f}), last {self.choices:,} choices{place}"

    @property
    def place(self) -> tuple[str, ...]:
        """The computer players that are slightly weaker and stronger: ``between A``, ``and B``.

        There is nothing to say about a game without computer players to compare with.
        """
        if not self.levels:
            return ()
        first, last = self.levels[0], self.levels[-1]
        if self.rate.cost <= first.cost:
            return (f"as strong as {first.name}",)
        if self.rate.cost > last.cost:
            return (f"weaker than {last.name}",)
        stronger, weaker = next(
            (a, b) for a, b in pairwise(self.levels) if a.cost < self.rate.cost <= b.cost
        )
        return f"between {weaker.name}", f"and {stronger.name}"


def find_strengths(sittings: Iterable[ReviewedSitting]) -> list[Strength]:
    """Return the strength at each game with enough choices, the game played last first."""
    by_game: defaultdict[str, list[ReviewedSitting]] = defaultdict(list)
    for each in reversed(chronological(sittings)):
        if each.stake is not None and each.choices:
            by_game[each.entry.game or ""].append(each)
    strengths = (_strength(game, latest) for game, latest in by_game.items())
    return [strength for strength in strengths if strength.choices >= FEWEST]


def _strength(game: str, latest: Sequence[ReviewedSitting]) -> Strength:
    costs, choices = list[float](), 0
    for each in latest:
        if choices >= RECENT:
            break
        choices += sum(each.choices.values())
        costs += map(each.cost_of, each.mistakes)
    return Strength(game, rate_of_all(costs, choices), choices, latest[0].unit, latest[0].levels)
