"""The queue of mistakes that the player has not learned yet, costliest first.

Each reviewed session adds its mistakes. A mistake that was answered right is not pending for the
rest of that day (UTC). It leaves the queue after right answers on two days.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from ..gamekit.adviser import MistakeKind
from ..records.summaries import WrittenDecision
from .answers import (
    DAY_MILLISECONDS,
    DAYS_TO_LEARN,
    AnswerFile,
    MistakeKey,
    PracticeAnswer,
    correct_on,
    count_correct_days,
)
from .mistakes import ReviewedSitting, StakesFilter


@dataclass(frozen=True, slots=True)
class QueuedMistake:
    """A pending mistake: its ``cost`` in bets or points, and the days with a right answer."""

    mistake: WrittenDecision
    cost: float
    days: int


@dataclass(frozen=True, slots=True)
class MistakeGroup:
    """The mistakes of one kind: how many are pending and learned, and the pending cost in ``unit``.

    Without a kind, all mistakes of the game.
    """

    game: str
    kind: MistakeKind | None
    pending: int
    cost: float
    learned: int
    unit: str


def key_of(mistake: WrittenDecision) -> MistakeKey:
    """Return the key of a mistake in a player's answers."""
    return mistake.game, mistake.log.name, mistake.step


RankedMistake: TypeAlias = tuple[float, WrittenDecision, MistakeKey]
"""A mistake with its cost in bets or points, and its key in a player's answers."""


class MistakeQueue:
    """All mistakes that are known so far, and the answers to them.

    If ``stakes`` is set, only the sessions that this filter admits count. ``clock`` returns
    milliseconds since 1970; without it, a mistake that was answered right stays pending.
    """

    def __init__(self, answers: AnswerFile, clock: Callable[[], int] | None = None) -> None:
        self.answers, self._clock = answers, clock
        self.sittings: list[ReviewedSitting] = []
        self.stakes: StakesFilter | None = None
        self._all: tuple[int, StakesFilter | None, list[RankedMistake]] = 0, None, []
        self._groups: tuple[object, tuple[MistakeGroup, ...]] = None, ()

    def add(self, sitting: ReviewedSitting) -> None:
        """Add the mistakes of a session."""
        self.sittings.append(sitting)

    @property
    def admitted(self) -> list[ReviewedSitting]:
        """The sessions that the stakes filter admits."""
        stakes = self.stakes
        return [each for each in self.sittings if stakes is None or stakes.admits(each)]

    def _ranked(self) -> Sequence[RankedMistake]:
        """Return all mistakes by cost; another thread may add sessions at the same time."""
        sittings = tuple(self.sittings)
        count, last_stakes, ranked = self._all
        stakes = self.stakes
        if stakes is not last_stakes:
            count, ranked = 0, []
        if count != len(sittings):
            new = (each for each in sittings[count:] if stakes is None or stakes.admits(each))
            ranked = [*ranked, *(one for each in new for one in _rank_mistakes(each))]
            ranked.sort(key=lambda one: (-one[0], *one[2]))
        self._all = len(sittings), stakes, ranked
        return ranked

    def pending(
        self, game: str | None = None, kind: MistakeKind | None = None
    ) -> list[QueuedMistake]:
        """Return the pending mistakes, of one game or kind if given, costliest first."""
        days, answered_today = count_correct_days(self.answers.all()), self._answered_today()
        return [
            QueuedMistake(mistake, cost, correct_days)
            for cost, mistake, key in self._ranked()
            if game in (None, mistake.game)
            and kind in (None, mistake.kind)
            and (correct_days := days.get(key, 0)) < DAYS_TO_LEARN
            and key not in answered_today
        ]

    def _today(self) -> int:
        return self._clock() // DAY_MILLISECONDS if self._clock else -1

    def _answered_today(self) -> frozenset[MistakeKey]:
        """Return the mistakes that were answered right today."""
        return correct_on(self.answers.all(), self._today())

    def groups(self, game: str | None = None) -> tuple[MistakeGroup, ...]:
        """Return a group for each kind of mistake, costliest first and learned ones last."""
        stamp = len(self.sittings), len(self.answers.all()), self.stakes, self._today()
        if self._groups[0] != stamp:
            self._groups = stamp, self._grouped()
        return tuple(group for group in self._groups[1] if game in (None, group.game))

    def _grouped(self) -> tuple[MistakeGroup, ...]:
        days, units = count_correct_days(self.answers.all()), self._units()
        answered_today = self._answered_today()
        sums: dict[tuple[str, MistakeKind], list[float]] = {}
        for cost, mistake, key in self._ranked():
            one = sums.setdefault((mistake.game, mistake.kind), [0, 0.0, 0])
            if days.get(key, 0) >= DAYS_TO_LEARN:
                one[2] += 1
            elif key not in answered_today:
                one[0] += 1
                one[1] += cost
        groups = [
            MistakeGroup(slug, kind, int(pending), cost, int(learned), units[slug])
            for (slug, kind), (pending, cost, learned) in sums.items()
            if pending or learned  # otherwise all were answered right today
        ]
        return tuple(sorted(groups, key=lambda one: (-one.cost, one.game, str(one.kind))))

    def games(self) -> tuple[MistakeGroup, ...]:
        """Return a group for each game, costliest first."""
        together: dict[str, MistakeGroup] = {}
        for group in self.groups():
            total = together.get(group.game, MistakeGroup(group.game, None, 0, 0.0, 0, group.unit))
            together[group.game] = MistakeGroup(
                group.game,
                None,
                total.pending + group.pending,
                total.cost + group.cost,
                total.learned + group.learned,
                group.unit,
            )
        return tuple(sorted(together.values(), key=lambda one: (-one.cost, one.game)))

    def _units(self) -> dict[str, str]:
        return {each.entry.game or "": each.unit for each in self.sittings}

    def answered(self, mistake: WrittenDecision) -> Iterator[PracticeAnswer]:
        """Return the answers to a mistake, oldest first."""
        key = key_of(mistake)
        return (answer for answer in self.answers.all() if answer.key == key)


def _rank_mistakes(sitting: ReviewedSitting) -> Iterator[RankedMistake]:
    stake = sitting.stake or 1
    return ((float(one.cost) / stake, one, key_of(one)) for one in sitting.mistakes)
