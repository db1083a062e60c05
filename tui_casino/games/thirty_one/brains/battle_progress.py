"""The progress of a simulation: its results, its average gain over time, and a way to stop it."""

from __future__ import annotations

from threading import Lock

import numpy as np

from .odds import battle_return
from .simulation import ENDINGS, DealerBattle, Ints, count_endings

_GAINS: Ints = np.array([battle_return(end) - 1 for end in ENDINGS], np.int64)


class BattleStopped(Exception):
    """Raised if the simulation is stopped before it ends."""


class BattleProgress:
    """Collects the results of a simulation from several threads; any thread may read them."""

    def __init__(self, decks: int | None, seed: int) -> None:
        self._decks, self._seed = decks, seed
        self._lock, self._stopped = Lock(), False
        self._counts: Ints = np.zeros(len(ENDINGS), np.int64)
        self._gain_history: list[tuple[int, float]] = []

    def add_rounds(self, counts: Ints) -> None:
        """Count more finished rounds. Raises :class:`BattleStopped` after :meth:`stop`."""
        with self._lock:
            if self._stopped:
                raise BattleStopped
            self._counts += counts
            rounds = int(self._counts.sum())
            self._gain_history.append((rounds, int(self._counts @ _GAINS) / rounds))

    def stop(self) -> None:
        """Stop the simulation at its next progress report."""
        with self._lock:
            self._stopped = True

    @property
    def result(self) -> DealerBattle | None:
        """The results so far, or ``None`` before the first rounds."""
        with self._lock:
            rounds, ends = int(self._counts.sum()), count_endings(self._counts)
        return DealerBattle(self._decks, self._seed, rounds, ends) if rounds else None

    @property
    def gain_history(self) -> tuple[tuple[int, float], ...]:
        """For each report so far, the number of rounds and the average gain per bet of 1."""
        with self._lock:
            return tuple(self._gain_history)
