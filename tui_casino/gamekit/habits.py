"""Habits: groups of mistakes in a player's words, and how often a strong player acts like that."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

from msgspec import Struct


class Habit(Struct, frozen=True):
    """The name of a habit, such as ``calling too loosely before the draw``.

    Some acts are only mistakes when they are done too often. Their habit has the verb of the act,
    such as ``call``, and is compared with how often the benchmark player does the same. Without a
    verb, every case is a mistake.
    """

    name: str
    act: str = ""


OTHER_HABIT = Habit("other mistakes")
"""The habit of all kinds that no habit of the game contains."""


class ActFrequency(NamedTuple):
    """How often an act was possible, and how often the player and the benchmark player did it.

    ``compared`` counts the cases in which the benchmark player's frequency is known. In these cases
    the player did it ``done`` times, and ``benchmark`` is the sum of the frequencies.
    """

    possible: int = 0
    compared: int = 0
    done: int = 0
    benchmark: float = 0.0

    def plus(self, other: ActFrequency) -> ActFrequency:
        """Return the sums of the figures of both."""
        return ActFrequency(
            self.possible + other.possible,
            self.compared + other.compared,
            self.done + other.done,
            self.benchmark + other.benchmark,
        )


NO_FREQUENCY = ActFrequency()


def compare_act(*, done: bool, benchmark: float) -> ActFrequency:
    """Return the frequencies of an act that was possible once."""
    return ActFrequency(1, 1, int(done), benchmark)


ActFrequencies: TypeAlias = dict[str, dict[str, ActFrequency]]
"""Frequencies of acts by the spot and the slip of the kind of mistake that the act may be."""


def add_frequencies(sums: ActFrequencies, more: Mapping[str, Mapping[str, ActFrequency]]) -> None:
    """Add frequencies to sums, act by act."""
    for spot, acts in more.items():
        own = sums.setdefault(spot, {})
        for slip, frequency in acts.items():
            own[slip] = own.get(slip, NO_FREQUENCY).plus(frequency)
