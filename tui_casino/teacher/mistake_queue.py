"""A player's answers in practice, and the queue of mistakes not learned yet, costliest first.

The answers are stored permanently as a file with one JSON line per answer. The file is a record,
not a cache. Lines are only appended, and an unreadable line is skipped. The file refers to mistakes
by the names of their logs, so the logs may be moved to another folder.

Each reviewed session adds its mistakes to the queue. After a correct answer, a mistake is not
pending for the rest of that day (UTC). It leaves the queue after correct answers on two days.

Today's five are each day the player's five costliest mistakes from all games. The set needs no file
of its own. The mistakes that were answered today belong to it, whatever the answer; the pending
mistakes fill it up. A day begins at 0:00 UTC, as everywhere in practice.
"""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from msgspec import Struct

from ..gamekit.adviser import MistakeKind
from ..inputs.files import open_regular, os_error_reason, read_bytes
from ..records.codec import decode, encode
from ..records.summaries import WrittenDecision
from ..structs import replace
from .mistakes import ReviewedSitting, StakesFilter, default_stakes

MOST_BYTES_READ = 1 << 26
"""At most this many bytes of the file are read; an answer takes about 200 bytes."""
DAYS_TO_LEARN = 2
"""The number of days with a correct answer until a mistake counts as learned."""
DAY_MILLISECONDS = 86_400_000
"""The number of milliseconds in a day; a day begins at 0:00 UTC."""

MistakeKey: TypeAlias = tuple[str, str, int]
"""The identity of a mistake: its game, the name of its log, and the step."""


class PracticeAnswer(Struct, frozen=True):
    """A player's answer to a practice position, and whether it was correct.

    ``at`` is the time in milliseconds since 1970. ``log`` is the name of the mistake's log and
    ``step`` its step there; for a drill they are "" and 0. ``spot`` is the spot of the choice, as
    in :class:`~..gamekit.adviser.MistakeKind`. ``cost`` is the cost of the answer in the game's
    units, and ``seconds`` is the time the answer took.
    """

    player: str
    at: int
    game: str
    spot: str
    log: str
    step: int
    right: bool
    cost: float
    seconds: float

    @property
    def key(self) -> MistakeKey:
        """The key of the mistake that was answered."""
        return self.game, self.log, self.step


class AnswerFile:
    """One player's answers; without a ``path``, they are only kept in memory."""

    def __init__(self, path: Path | None, player: str) -> None:
        self._path, self.player = path, player
        self._kept: list[PracticeAnswer] | None = None

    def all(self) -> tuple[PracticeAnswer, ...]:
        """Return the player's answers, oldest first, without unreadable lines."""
        if self._kept is None:
            self._kept = [] if self._path is None else [*_read(self._path, self.player)]
        return tuple(self._kept)

    def add(self, answer: PracticeAnswer) -> str:
        """Add an answer; return "", or the reason why it cannot be written to the file."""
        self.all()
        assert self._kept is not None
        self._kept.append(answer)
        if self._path is None:
            return ""
        try:
            _append(self._path, encode(answer))
        except OSError as error:
            return os_error_reason(error)
        return ""


def _read(path: Path, player: str) -> Iterable[PracticeAnswer]:
    try:
        lines = read_bytes(path, MOST_BYTES_READ).splitlines()
    except OSError:
        return
    for line in lines:
        try:
            answer = decode(line, PracticeAnswer)
        except ValueError:  # cut off, or written by another version
            continue
        if answer.player == player:
            yield answer


def _append(path: Path, line: bytes) -> None:
    """Append a line in one write, after a line feed if the last line is incomplete.

    Raises ``OSError``.
    """
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    file = open_regular(path, os.O_RDWR | os.O_CREAT | os.O_APPEND)
    try:
        end = os.lseek(file, 0, os.SEEK_END)
        torn = b""
        if end:
            os.lseek(file, end - 1, os.SEEK_SET)
            torn = b"" if os.read(file, 1) == b"\n" else b"\n"
        os.write(file, torn + line + b"\n")
    finally:
        os.close(file)


def correct_on(answers: Iterable[PracticeAnswer], day: int) -> frozenset[MistakeKey]:
    """Return the mistakes that were answered correctly on a day (days since 1970)."""
    return frozenset(
        a.key for a in answers if a.log and a.right and a.at // DAY_MILLISECONDS == day
    )


def count_correct_days(answers: Iterable[PracticeAnswer]) -> Mapping[MistakeKey, int]:
    """Count the days on which each mistake was answered correctly.

    Only the first answer of a day counts, because after it the player has seen the solution.
    """
    first: dict[tuple[MistakeKey, int], PracticeAnswer] = {}
    for answer in answers:
        if answer.log:
            place = answer.key, answer.at // DAY_MILLISECONDS
            if place not in first or answer.at < first[place].at:
                first[place] = answer
    days: defaultdict[MistakeKey, int] = defaultdict(int)
    for (key, _), answer in first.items():
        days[key] += answer.right
    return days


class QueuedMistake(Struct, frozen=True):
    """A pending mistake, its ``cost`` in bets or points, and the ``days`` with a correct answer."""

    mistake: WrittenDecision
    cost: float
    days: int


class MistakeGroup(Struct, frozen=True):
    """The mistakes of one kind: how many are pending and learned, and the pending cost in ``unit``.

    Without a kind, the group contains all mistakes of the game. ``strong_loss`` is what a strong
    player of the game loses in 100 rounds.
    """

    game: str
    kind: MistakeKind | None
    pending: int
    cost: float
    learned: int
    unit: str
    strong_loss: float = 1.0

    @property
    def relative(self) -> float:
        """The cost in units that can be compared between games: what a strong player loses."""
        return self.cost / self.strong_loss


def key_of(mistake: WrittenDecision) -> MistakeKey:
    """Return the key of a mistake in a player's answers."""
    return mistake.game, mistake.log.name, mistake.step


RankedMistake: TypeAlias = tuple[float, float, WrittenDecision, MistakeKey]
"""A mistake with its relative cost, its cost in bets or points, and its key in the answers."""


class MistakeQueue:
    """All mistakes that are known so far, and the answers to them.

    The queue contains the mistakes of the sessions that a filter admits; ``chosen_stakes`` is the
    player's choice of a filter. Costs of different games are compared in relation to what a strong
    player of the game loses. ``clock`` returns milliseconds since 1970; without it, a mistake that
    was answered correctly stays pending.
    """

    def __init__(self, answers: AnswerFile, clock: Callable[[], int] | None = None) -> None:
        self.answers, self._clock = answers, clock
        self.sittings: list[ReviewedSitting] = []
        self.chosen_stakes: StakesFilter | None = None
        self._all: tuple[int, StakesFilter, list[RankedMistake]] = 0, StakesFilter.MONEY, []
        self._groups: tuple[object, tuple[MistakeGroup, ...]] = None, ()

    def add(self, sitting: ReviewedSitting) -> None:
        """Add the mistakes of a session."""
        self.sittings.append(sitting)

    @property
    def stakes(self) -> StakesFilter:
        """The filter of the sessions; unless the player chose one, it admits no scripts."""
        default = default_stakes(tuple(self.sittings))
        return self.chosen_stakes or (
            StakesFilter.MONEY if default is StakesFilter.ALL else default
        )

    @property
    def admitted(self) -> list[ReviewedSitting]:
        """The sessions that the filter admits."""
        return [*filter(self.stakes.admits, tuple(self.sittings))]

    def _ranked(self) -> Sequence[RankedMistake]:
        """Return all mistakes by cost; another thread may add sessions at the same time."""
        sittings = tuple(self.sittings)
        count, last_stakes, ranked = self._all
        stakes = self.stakes
        if stakes is not last_stakes:
            count, ranked = 0, []
        if count != len(sittings):
            new = filter(stakes.admits, sittings[count:])
            ranked = [*ranked, *(one for each in new for one in _rank_mistakes(each))]
            ranked.sort(key=lambda one: (-one[0], *one[3]))
        self._all = len(sittings), stakes, ranked
        return ranked

    def pending(
        self, game: str | None = None, kind: MistakeKind | None = None
    ) -> list[QueuedMistake]:
        """Return the pending mistakes, costliest first, only those of a game or kind if given."""
        days, answered_today = count_correct_days(self.answers.all()), self._answered_today()
        return [
            QueuedMistake(mistake, cost, correct_days)
            for _, cost, mistake, key in self._ranked()
            if game in (None, mistake.game)
            and kind in (None, mistake.kind)
            and (correct_days := days.get(key, 0)) < DAYS_TO_LEARN
            and key not in answered_today
        ]

    def _today(self) -> int:
        return self._clock() // DAY_MILLISECONDS if self._clock else -1

    def _answered_today(self) -> frozenset[MistakeKey]:
        """Return the mistakes that were answered correctly today."""
        return correct_on(self.answers.all(), self._today())

    def groups(self, game: str | None = None) -> tuple[MistakeGroup, ...]:
        """Return a group for each kind of mistake, costliest first and learned kinds last."""
        stamp = len(self.sittings), len(self.answers.all()), self.stakes, self._today()
        if self._groups[0] != stamp:
            self._groups = stamp, self._grouped()
        return tuple(group for group in self._groups[1] if game in (None, group.game))

    def _grouped(self) -> tuple[MistakeGroup, ...]:
        days, last = count_correct_days(self.answers.all()), self._last_sittings()
        answered_today = self._answered_today()
        sums: dict[tuple[str, MistakeKind], list[float]] = {}
        for _, cost, mistake, key in self._ranked():
            one = sums.setdefault((mistake.game, mistake.kind), [0, 0.0, 0])
            if days.get(key, 0) >= DAYS_TO_LEARN:
                one[2] += 1
            elif key not in answered_today:
                one[0] += 1
                one[1] += cost
        groups = [
            MistakeGroup(
                slug,
                kind,
                int(pending),
                cost,
                int(learned),
                last[slug].unit,
                last[slug].strong_loss,
            )
            for (slug, kind), (pending, cost, learned) in sums.items()
            if pending or learned  # otherwise all were answered correctly today
        ]
        return tuple(sorted(groups, key=lambda one: (-one.relative, one.game, str(one.kind))))

    def games(self) -> tuple[MistakeGroup, ...]:
        """Return a group for each game, costliest first."""
        together: dict[str, MistakeGroup] = {}
        for group in self.groups():
            total = together.get(group.game)
            together[group.game] = replace(
                group,
                kind=None,
                pending=group.pending + (total.pending if total else 0),
                cost=group.cost + (total.cost if total else 0),
                learned=group.learned + (total.learned if total else 0),
            )
        return tuple(sorted(together.values(), key=lambda one: (-one.relative, one.game)))

    def _last_sittings(self) -> dict[str, ReviewedSitting]:
        return {each.entry.game or "": each for each in self.sittings}

    def answered(self, mistake: WrittenDecision) -> Iterator[PracticeAnswer]:
        """Return the answers to a mistake, oldest first."""
        key = key_of(mistake)
        return (answer for answer in self.answers.all() if answer.key == key)


def _rank_mistakes(sitting: ReviewedSitting) -> Iterator[RankedMistake]:
    costs = ((sitting.cost_of(one), one) for one in sitting.mistakes)
    return ((cost / sitting.strong_loss, cost, one, key_of(one)) for cost, one in costs)


FIVE = 5
"""The number of mistakes per day."""


class DailyFive(Struct, frozen=True):
    """Today's mistakes: whether each first answer was right, and the ``rest`` to be answered."""

    answers: tuple[bool, ...] = ()
    rest: tuple[WrittenDecision, ...] = ()

    @property
    def size(self) -> int:
        """The number of today's mistakes: five, or fewer if the player has made fewer mistakes."""
        return len(self.answers) + len(self.rest)

    @property
    def marks(self) -> str:
        """A mark for each of today's mistakes: right, wrong or not answered yet."""
        return " ".join(
            [*("✓" if right else "✗" for right in self.answers), *("·" * len(self.rest))]
        )

    @property
    def count(self) -> str:
        """The progress in words."""
        return f"{len(self.answers)} of {self.size}"

    @property
    def end(self) -> str:
        """Why no mistake of today is left, as a sentence without its full stop."""
        return "Today's mistakes are answered" if self.answers else "You have no mistakes to answer"


def daily_five(queue: MistakeQueue, now: int) -> DailyFive:
    """Return today's five mistakes; ``now`` is in milliseconds since 1970.

    Each game contributes its costliest mistakes in turn, because costs in bets and in points cannot
    be compared.
    """
    first: dict[MistakeKey, bool] = {}
    for answer in queue.answers.all():
        if answer.log and answer.at // DAY_MILLISECONDS == now // DAY_MILLISECONDS:
            first.setdefault(answer.key, answer.right)
    answers = tuple(first.values())[:FIVE]
    turns, pending = Counter[str](), list[tuple[int, int, WrittenDecision]]()
    for place, queued in enumerate(queue.pending()):
        mistake = queued.mistake
        if key_of(mistake) not in first:
            pending.append((turns[mistake.game], place, mistake))
            turns[mistake.game] += 1
    pending.sort(key=lambda one: one[:2])
    return DailyFive(answers, tuple(mistake for *_, mistake in pending[: FIVE - len(answers)]))
