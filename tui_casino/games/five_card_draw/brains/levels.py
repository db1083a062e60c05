"""The levels of computer players, and the players at each table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from ....engine.game import ComputerPlayer, Seat
from ..machine.state import HUMAN, Action, Options, Stakes, State
from . import players
from .equilibrium_player import LEVEL, EquilibriumPlayer
from .exploiter import EXPLOITER, Exploiter, LegacyExploiter
from .style_players import ANY, BLUEPRINT_LEVELS, HIDDEN, STYLES, StylePlayer

_SHOWN: Mapping[str, Callable[[], ComputerPlayer[State, Action]]] = {
    "algorithm": lambda: players.ALGORITHM,
    "tight": lambda: players.TIGHT_ONE,
    "exact": lambda: players.EXACT,
    "tight.2": lambda: players.CAREFUL,
    "exact.2": lambda: players.CAREFUL_EXACT,
    LEVEL: EquilibriumPlayer,
    EXPLOITER: LegacyExploiter,
    f"{EXPLOITER}.2": Exploiter,
    **{level: partial(StylePlayer, level) for level in BLUEPRINT_LEVELS},
    **{
        f"{level}-{style}": partial(StylePlayer, level, style)
        for level in BLUEPRINT_LEVELS
        for style in (*STYLES, ANY)
    },
}
PLAYERS: Mapping[str, Callable[[], ComputerPlayer[State, Action]]] = {
    **_SHOWN,
    **{name + HIDDEN: player for name, player in _SHOWN.items()},
}
"""All computer players by their names in logs; the names of hidden players end in `HIDDEN`."""
PRESENT: Mapping[str, str] = {
    "algorithm": "algorithm",
    "tight": "tight.2",
    "exact": "exact.2",
    LEVEL: LEVEL,
    EXPLOITER: f"{EXPLOITER}.2",
    **{level: level for level in BLUEPRINT_LEVELS},
}
"""The current player name of each level."""
SOLVED = LEVEL
LEVELS = ("algorithm", "tight", "exact")
"""The levels at every table with stakes."""
AT_LIMIT = (*BLUEPRINT_LEVELS, EXPLOITER)
"""The levels at every table with betting."""
ALGORITHM = "algorithm"
"""The only level at the classic table."""
MIXED = "mixed"


def levels_at(options: Options) -> tuple[str, ...]:
    """Return the levels that a table offers, without ``MIXED``."""
    match options.stakes, options.opponents:
        case Stakes.NOTHING, _:
            return (ALGORITHM,)
        case Stakes.LIMIT, 1:
            return (*LEVELS, *AT_LIMIT, SOLVED)
        case Stakes.LIMIT, _:
            return (*LEVELS, *AT_LIMIT)
    return LEVELS


def seats_of(
    opponents: int, level: str, style: str = "", *, hidden: bool = False
) -> Mapping[Seat, str | None]:
    """Return the players of a table by seat: the human, and opponents of a level.

    Mixed opponents get different levels. ``style`` is one of `STYLES`, ``MIXED`` for different
    styles, or empty; only the levels in `BLUEPRINT_LEVELS` have styles. ``hidden`` players' levels
    and styles are not shown.
    """
    levels = [LEVELS[place % len(LEVELS)] for place in range(opponents)]
    if level != MIXED:
        levels = [level] * opponents
    names = [PRESENT[who] for who in levels]
    if style:
        styles = [*STYLES] if style == MIXED else [style]
        names = [f"{name}-{styles[place % len(styles)]}" for place, name in enumerate(names)]
    ending = HIDDEN if hidden else ""
    return {HUMAN: None} | {Seat(place): who + ending for place, who in enumerate(names, 1)}


def level_of(player: str) -> str:
    """Return the level and style of a player from its name in a log: ``strong tight``."""
    return player.partition(".")[0].replace("-", " ")


def is_hidden(player: str) -> bool:
    """Return whether a player's level and style are hidden."""
    return player.endswith(HIDDEN)
