"""All mistakes of a player in the recorded sessions, in the same form for every game.

Their costs come from the review of the logs (`records.summaries`), so practice and statistics show
the same costs. Only finished sessions count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum

from ..records.cache import Cache
from ..records.log_catalog import CatalogEntry, Games
from ..records.log_header import HUMAN
from ..records.summaries import ReviewedLog, WrittenDecision, review_logs

POINTS_UNIT = "points"
"""The unit of costs in games for points."""


@dataclass(frozen=True, slots=True)
class ReviewedSitting:
    """A session that counts: its rounds, its mistakes, and the ``unit`` of their costs.

    ``choices`` counts all judged choices by spot. ``stake`` is the average bet per round in the
    game's units, or the largest stake if no round was settled. It is 1 in games for points, and
    ``None`` if nothing was bet. An unfinished round counts if it contains a mistake.
    """

    entry: CatalogEntry
    rounds: int
    unit: str
    stake: float | None
    mistakes: tuple[WrittenDecision, ...]
    choices: Mapping[str, int] = field(default_factory=dict)


class StakesFilter(Enum):
    """The sessions that count: those for money, free play, or all sessions.

    Games for points count as both. Sessions with numbered seeds, which scripts use, only count in
    ``ALL``.
    """

    MONEY = "for money"
    PRACTICE = "free play"
    ALL = "all sessions"

    def admits(self, sitting: ReviewedSitting) -> bool:
        """Return whether a session counts."""
        entry = sitting.entry
        if self is StakesFilter.ALL:
            return True
        if entry.source is not None and entry.source.kind == "numbered":
            return False
        return sitting.unit == POINTS_UNIT or (entry.player is not None) == (
            self is StakesFilter.MONEY
        )

    @property
    def next(self) -> StakesFilter:
        """The next value, in the order in which a key goes through them."""
        every: list[StakesFilter] = [*StakesFilter]
        return every[(every.index(self) + 1) % len(every)]


def default_stakes(sittings: Iterable[ReviewedSitting]) -> StakesFilter:
    """Return the first filter that admits any of these sessions, or ``MONEY``."""
    every = [*sittings]
    admitting = (stakes for stakes in StakesFilter if any(map(stakes.admits, every)))
    return next(admitting, StakesFilter.MONEY)


def review_sittings(
    entries: Iterable[CatalogEntry],
    games: Games,
    cache: Cache,
    still: Callable[[], bool] = lambda: True,
) -> Iterator[ReviewedSitting | ReviewedLog]:
    """Yield each session as soon as it is reviewed, as a :class:`ReviewedSitting` if it counts.

    Sessions of games without a judge do not count. Sessions of several players at one keyboard do
    not count either, because their mistakes cannot be assigned to a player. This never raises, and
    it ends when ``still`` returns false, as :func:`~..records.summaries.review_logs` does.
    """
    for reviewed in review_logs(entries, games, cache, choices=True, still=still):
        yield _as_reviewed_sitting(reviewed, games) or reviewed


def _as_reviewed_sitting(reviewed: ReviewedLog, games: Games) -> ReviewedSitting | None:
    entry, summary = reviewed.entry, reviewed.summary
    if summary is None or entry.game is None or entry.players.count(HUMAN) != 1:
        return None
    definition = games[entry.game]()
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
    return ReviewedSitting(entry, rounds, unit, stake, reviewed.mistakes, reviewed.spots)


def costliest_mistakes(
    sittings: Iterable[ReviewedSitting], text: str = ""
) -> list[WrittenDecision]:
    """Return all mistakes whose kinds contain ``text`` in their names, costliest first.

    Each game has its own unit, so costs are compared in bets or points. Mistakes of equal cost keep
    their order.
    """
    words = text.casefold()
    costs = [
        (float(mistake.cost) / (each.stake or 1), mistake)
        for each in sittings
        for mistake in each.mistakes
        if words in str(mistake.kind).casefold()
    ]
    costs.sort(key=lambda pair: -pair[0])
    return [mistake for _, mistake in costs]
