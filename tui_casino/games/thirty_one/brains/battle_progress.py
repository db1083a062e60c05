"""A battle while it is fought: what came so far, how its gain moved, and a way to stop it."""

from __future__ import annotations

from threading import Lock

import numpy as np

from .odds import battle_return
from .simulation import ENDINGS, DealerBattle, Ints, count_endings

_GAINS: Ints = np.array([battle_return(end) - 1 for end in ENDINGS], np.int64)


class BattleStopped(Exception):
    """The battle was stopped before its end."""


class BattleProgress:
    """Is told by several threads how rounds ended, and may be asked by another at any time."""

    def __init__(self, decks: int | None, seed: int) -> None:
        self._decks, self._seed = decks, seed
        self._lock, self._stopped = Lock(), False
        self._came: Ints = np.zeros(len(ENDINGS), np.int64)
        self._course: list[tuple[int, float]] = []

    def hear(self, more: Ints) -> None:
        """Count some rounds more. Raises :class:`BattleStopped` once it is stopped."""
        with self._lock:
            if self._stopped:
                raise BattleStopped
            self._came += more
            rounds = int(self._came.sum())
            self._course.append((rounds, int(self._came @ _GAINS) / rounds))

    def stop(self) -> None:
        """Have it stopped at the next rounds."""
        with self._lock:
            self._stopped = True

    @property
    def so_far(self) -> DealerBattle | None:
        """What came so far; nothing before the first rounds."""
        with self._lock:
            rounds, ends = int(self._came.sum()), count_endings(self._came)
        return DealerBattle(self._decks, self._seed, rounds, ends) if rounds else None

    @property
    def course(self) -> tuple[tuple[int, float], ...]:
        """How many rounds there were each time, and what a bet of 1 gained in them on average."""
        with self._lock:
            return tuple(self._course)
