"""All mistakes that a player made in the recorded sessions, in one form for every game.

What each costs is worked out where logs are reviewed (`records.summaries`), so that it is the same
here and in the statistics. Sessions that are not over do not count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum

from ..records.cache import Cache
from ..records.header import HUMAN
from ..records.shelf import Entry, Games
from ..records.summaries import Reviewed, WrittenDecision, review_all

POINTS_UNIT = "points"
"""The unit of costs in games for points."""


@dataclass(frozen=True, slots=True)
class Studied:
    """A sitting that counts: its rounds, its mistakes, and what its ``unit`` of costs is.

    ``choices`` counts all that one chose by where that was. ``stake`` is what was bet in a round
    on average, in the game's units; 1 in a game for points, and ``None`` where nothing was bet. If
    no round was settled it is the most that was at stake. A round that was broken off counts if a
    mistake was made.
    """

    entry: Entry
    rounds: int
    unit: str
    stake: float | None
    mistakes: tuple[WrittenDecision, ...]
    choices: Mapping[str, int] = field(default_factory=dict)


class Stakes(Enum):
    """Which sessions count: those for money, free play, or all of them.

    Games for points count in both. Shuffles by number, which scripts use, count only in ``ALL``.
    """

    MONEY = "for money"
    PRACTICE = "practice"
    ALL = "all, by number too"

    def admits(self, studied: Studied) -> bool:
        """Tell whether a session counts."""
        entry = studied.entry
        if self is Stakes.ALL:
            return True
        if entry.source is not None and entry.source.kind == "numbered":
            return False
        return studied.unit == POINTS_UNIT or (entry.player is not None) == (self is Stakes.MONEY)

    @property
    def next(self) -> Stakes:
        """The one that a key goes on to."""
        every: list[Stakes] = [*Stakes]
        return every[(every.index(self) + 1) % len(every)]


def usual_stakes(studied: Iterable[Studied]) -> Stakes:
    """Choose money, or what there is if nobody has played for money."""
    every = [*studied]
    found = (stakes for stakes in Stakes if any(map(stakes.admits, every)))
    return next(found, Stakes.MONEY)


def study(
    found: Iterable[Entry],
    games: Games,
    cache: Cache,
    still: Callable[[], bool] = lambda: True,
) -> Iterator[Studied | Reviewed]:
    """Go through the sittings, each as soon as it is known; what does not count as it was reviewed.

    Those of games without a judge do not count, nor do those of several at one keyboard: nobody
    knows whose mistakes they were. Nothing raises, and it ends once
    ``still`` says no, as :func:`~..records.summaries.review_all` has it.
    """
    for reviewed in review_all(found, games, cache, choices=True, still=still):
        yield _studied(reviewed, games) or reviewed


def _studied(reviewed: Reviewed, games: Games) -> Studied | None:
    entry, summary = reviewed.entry, reviewed.summary
    if summary is None or entry.game is None or entry.players.count(HUMAN) != 1:
        return None
    parts = games[entry.game]()
    if not parts.adviser.judges:
        return None
    rounds = max([summary.rounds, *(mistake.round for mistake in reviewed.mistakes)])
    stake = None
    if parts.points:
        stake = 1.0
    elif summary.wagered:
        stake = summary.wagered / summary.rounds / parts.game.unit
    elif reviewed.bet:
        stake = float(reviewed.bet)
    unit = POINTS_UNIT if parts.points else "bets"
    return Studied(entry, rounds, unit, stake, reviewed.mistakes, reviewed.spots)


def dearest(studied: Iterable[Studied], text: str = "") -> list[WrittenDecision]:
    """List all mistakes, the dearest first, of the kinds that have a text in them.

    Games have their own units, so costs are compared in bets or points; equal ones as they came.
    """
    wanted = text.casefold()
    found = [
        (float(mistake.cost) / (each.stake or 1), mistake)
        for each in studied
        for mistake in each.mistakes
        if wanted in str(mistake.kind).casefold()
    ]
    found.sort(key=lambda one: -one[0])
    return [mistake for _, mistake in found]
