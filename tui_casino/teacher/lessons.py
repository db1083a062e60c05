"""Lessons: all mistakes that one made, over all recorded sittings, in one form for every game.

What costs how much is worked out where sittings are folded (`records.folds`), so that it is the
same here and in the statistics. Of a sitting that is not over nothing is looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from pathlib import Path

from ..gamekit.adviser import Kind
from ..records.cache import Cache
from ..records.folds import Folded, fold_all
from ..records.header import HUMAN
from ..records.shelf import Entry, Games
from ..records.slips import Slip, Valued

POINTS_UNIT = "points"
"""The unit of costs in games for points."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """A mistake: where it was made, what was done, what was best, and what that cost.

    ``step`` is the log's, ``round`` counts from 1, ``at`` is milliseconds since 1970. ``cost`` and
    the ``values``, the best first, are in the game's units. ``choice`` and ``best`` are words that
    name cards.
    """

    game: str
    log: Path
    step: int
    round: int
    at: int
    kind: Kind
    cost: Fraction
    choice: str
    best: str
    values: tuple[Valued, ...]


@dataclass(frozen=True, slots=True)
class Studied:
    """A sitting that counts: its rounds, its lessons, and what its ``unit`` of costs is.

    ``choices`` counts all that one chose by where that was. ``stake`` is what was bet in a round
    on average, in the game's units; 1 in a game for points, and ``None`` where nothing was bet. If
    no round was settled it is the most that was at stake. A round that was broken off counts if a
    mistake was made.
    """

    entry: Entry
    rounds: int
    unit: str
    stake: float | None
    lessons: tuple[Lesson, ...]
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
) -> Iterator[Studied | Folded]:
    """Go through the sittings, each as soon as it is known; what does not count as it was folded.

    Those of games without a judge do not count, nor do those of several at one keyboard: nobody
    knows whose mistakes they were. Nothing raises, and it ends once
    ``still`` says no, as :func:`~..records.folds.fold_all` has it.
    """
    for folded in fold_all(found, games, cache, slips=True, still=still):
        yield _studied(folded, games) or folded


def _studied(folded: Folded, games: Games) -> Studied | None:
    entry, fold = folded.entry, folded.fold
    if fold is None or entry.game is None or entry.players.count(HUMAN) != 1:
        return None
    parts = games[entry.game]()
    if parts.adviser.judge is None:
        return None
    lessons = tuple(_lesson(entry.game, entry.path, slip) for slip in folded.slips)
    rounds = max([fold.rounds, *(lesson.round for lesson in lessons)])
    stake = None
    if parts.points:
        stake = 1.0
    elif fold.wagered:
        stake = fold.wagered / fold.rounds / parts.game.unit
    elif folded.bet:
        stake = float(folded.bet)
    unit = POINTS_UNIT if parts.points else "bets"
    return Studied(entry, rounds, unit, stake, lessons, folded.spots)


def _lesson(game: str, log: Path, slip: Slip) -> Lesson:
    return Lesson(
        game,
        log,
        slip.step,
        slip.round,
        slip.at,
        Kind(slip.spot, slip.slip),
        slip.units,
        slip.choice,
        slip.best,
        slip.values,
    )


def dearest(studied: Iterable[Studied], text: str = "") -> list[Lesson]:
    """List all lessons, the dearest first, of the kinds that have a text in them.

    Games have their own units, so costs are compared in bets or points; equal ones as they came.
    """
    wanted = text.casefold()
    found = [
        (float(lesson.cost) / (each.stake or 1), lesson)
        for each in studied
        for lesson in each.lessons
        if wanted in str(lesson.kind).casefold()
    ]
    found.sort(key=lambda one: -one[0])
    return [lesson for _, lesson in found]
