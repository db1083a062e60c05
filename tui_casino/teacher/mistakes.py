"""All mistakes of a player in the recorded sessions, in the same form for every game.

Their costs come from the review of the logs (`records.summaries`), so practice and statistics show
the same costs. Only finished sessions count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import Enum

from msgspec import Struct, field

from ..gamekit.adviser import NO_HABITS, ActFrequencies, Habits, LevelCost
from ..gamekit.definition import Games
from ..records.cache import Cache
from ..records.log_catalog import CatalogEntry
from ..records.log_header import HUMAN
from ..records.summaries import ReviewedLog, WrittenDecision, review_logs

POINTS_UNIT = "points"
"""The unit of costs in games for points."""


class ReviewedSitting(Struct, frozen=True):
    """A session that counts: its rounds and mistakes, and the ``unit`` of the mistakes' costs.

    ``choices`` counts all judged choices by spot. ``stake`` is the average bet per round in the
    game's units, or the largest stake if no round was settled. It is 1 in games for points, and
    ``None`` if nothing was bet. ``habits``, ``strong_loss`` and ``levels`` are those of the game's
    adviser, and ``acts`` contains the frequencies of its acts. An unfinished round counts if it
    contains a mistake.
    """

    entry: CatalogEntry
    rounds: int
    unit: str
    stake: float | None
    mistakes: tuple[WrittenDecision, ...]
    choices: Mapping[str, int] = field(default_factory=dict)
    habits: Habits = NO_HABITS
    acts: ActFrequencies = field(default_factory=dict)
    strong_loss: float = 1.0
    levels: tuple[LevelCost, ...] = ()

    def cost_of(self, mistake: WrittenDecision) -> float:
        """Return the cost of a mistake in points, or in bets of its own hand or table.

        A hand on which nothing was bet before its first card counts as one with the average bet of
        the session.
        """
        return float(mistake.cost) / (mistake.bet or self.stake or 1)


class StakesFilter(Enum):
    """The sessions that count: those for money, free play, or all sessions.

    Games for points count both as money and as free play, but the daily deals of all games count
    only as free play. Sessions with a numbered shuffle or a card file, which scripts use, only
    count in ``ALL``.
    """

    MONEY = "for money"
    PRACTICE = "free play"
    ALL = "all sessions"

    def admits(self, sitting: ReviewedSitting) -> bool:
        """Return whether a session counts."""
        entry = sitting.entry
        if self is StakesFilter.ALL:
            return True
        if entry.is_repeatable:
            return False
        if sitting.unit == POINTS_UNIT and entry.daily is None:
            return True
        return (entry.player is not None) == (self is StakesFilter.MONEY)

    @property
    def next(self) -> StakesFilter:
        """The next filter; a key cycles through the filters in this order."""
        every: list[StakesFilter] = [*StakesFilter]
        return every[(every.index(self) + 1) % len(every)]


def default_stakes(sittings: Iterable[ReviewedSitting]) -> StakesFilter:
    """Return the first filter that admits any of these sessions, or ``MONEY`` if none does.

    Games for points, which count as both money and free play, only decide if there are no others.
    """
    every = [*sittings]
    bets = [each for each in every if each.unit != POINTS_UNIT]
    for among in (bets, every):
        for stakes in (StakesFilter.MONEY, StakesFilter.PRACTICE):
            if any(map(stakes.admits, among)):
                return stakes
    return StakesFilter.ALL if every else StakesFilter.MONEY


def review_sittings(
    entries: Iterable[CatalogEntry],
    games: Games,
    cache: Cache,
    still: Callable[[], bool] = lambda: True,
) -> Iterator[ReviewedSitting | ReviewedLog]:
    """Yield each session as soon as it is reviewed, as a :class:`ReviewedSitting` if it counts.

    Sessions of games without a trainer do not count. Sessions of several players at one keyboard do
    not count either, because their mistakes cannot be assigned to a player. This function never
    raises an exception, and it stops when ``still`` returns false, like
    :func:`~..records.summaries.review_logs`.
    """
    for reviewed in review_logs(entries, games, cache, choices=True, still=still):
        yield _as_reviewed_sitting(reviewed, games) or reviewed


def _as_reviewed_sitting(reviewed: ReviewedLog, games: Games) -> ReviewedSitting | None:
    entry, summary = reviewed.entry, reviewed.summary
    if summary is None or entry.game is None or entry.players.count(HUMAN) != 1:
        return None
    definition = games[entry.game]
    if not definition.adviser.has_judge:
        return None
    rounds = max([summary.rounds, *(mistake.round for mistake in reviewed.mistakes)])
    stake = None
    if definition.points:
        stake = 1.0
    elif summary.wagered:
        stake = summary.wagered / summary.rounds / definition.game.unit
    elif reviewed.bet:
        stake = float(reviewed.bet)
    unit = POINTS_UNIT if definition.points else "bets"
    return ReviewedSitting(
        entry,
        rounds,
        unit,
        stake,
        reviewed.mistakes,
        reviewed.spots,
        definition.adviser.habits,
        reviewed.acts,
        definition.adviser.strong_loss,
        definition.adviser.levels,
    )


def costliest_mistakes(
    sittings: Iterable[ReviewedSitting], text: str = ""
) -> list[WrittenDecision]:
    """Return all mistakes whose kind has ``text`` in its name, costliest first.

    Each game has its own unit, so costs are compared in relation to what a strong player of the
    game loses. Mistakes of equal cost keep their order.
    """
    words = text.casefold()
    costs = [
        (each.cost_of(mistake) / each.strong_loss, mistake)
        for each in sittings
        for mistake in each.mistakes
        if words in str(mistake.kind).casefold()
    ]
    costs.sort(key=lambda pair: -pair[0])
    return [mistake for _, mistake in costs]
