"""The computer players by level, and who sits where."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ....engine.game import Player, Seat
from ..machine.moves import Action
from ..machine.state import HUMAN, Options, Stakes, State
from .players import Careful, CarefulExact, Exact, Opponent, Tight
from .solved import Solved

PLAYERS: Mapping[str, Callable[[], Player[State, Action]]] = {
    Opponent.level: Opponent,
    "tight": Tight,
    "exact": Exact,
    "tight.2": Careful,
    "exact.2": CarefulExact,
    Solved.level: Solved,
}
"""By their names in logs."""
PRESENT: Mapping[str, str] = {
    Opponent.level: Opponent.level,
    "tight": "tight.2",
    "exact": "exact.2",
    Solved.level: Solved.level,
}
"""The names of those who play now, by level."""
SOLVED = Solved.level
LEVELS = tuple(level for level in PRESENT if level != SOLVED)
"""Those that sit wherever there are stakes."""
ALGORITHM = Opponent.level
"""The level of every computer at the course's table."""
MIXED = "mixed"


def levels_at(options: Options) -> tuple[str, ...]:
    """Give the levels that sit at a table: near equilibrium only where the game was solved."""
    solved = options.stakes is Stakes.LIMIT and options.opponents == 1
    return (*LEVELS, SOLVED) if solved else LEVELS


def seats_of(opponents: int, level: str) -> Mapping[Seat, str | None]:
    """Seat so many opponents of a level beside the human; mixed ones play each another way."""
    levels = [LEVELS[place % len(LEVELS)] for place in range(opponents)]
    if level != MIXED:
        levels = [level] * opponents
    return {HUMAN: None} | {Seat(place): PRESENT[who] for place, who in enumerate(levels, 1)}


def level_of(player: str) -> str:
    """Give the level of a player by his name in a log."""
    return player.partition(".")[0]
