"""Today's five: each day, the player's five costliest mistakes from all games.

The set needs no file of its own. The mistakes that were answered today belong to it, whatever the
answer; the pending mistakes fill it up. A day begins at 0:00 UTC, as everywhere in practice.
"""

from __future__ import annotations

from collections import Counter

from msgspec import Struct

from ..records.summaries import WrittenDecision
from .answers import DAY_MILLISECONDS, MistakeKey
from .mistake_queue import MistakeQueue, key_of

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
