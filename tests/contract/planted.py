"""The toy game with faults planted in it, on which the contract's own checks are tried."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from tui_casino.engine.game import Ask
from tui_casino.gamekit.parts import AnyParts

from .play import AnyTable
from .toy import PARTS
from .toy.face import words
from .toy.face.tally import Tally
from .toy.machine import game
from .toy.machine.game import Ante


def toy(**planted: Any) -> AnyParts:
    """Give the game, with some of its functions or classes replaced by faulty ones."""
    names: Any = SimpleNamespace(**{**vars(words), **vars(game), "Tally": Tally, **planted})
    return type(PARTS)(names, names, names.Tally, planted.get("players", PARTS.players))


def ante(table: AnyTable) -> None:
    """Begin a round of the toy: all who are asked for it put their ante in."""
    turn = table.game.turn(table.state)
    assert isinstance(turn, Ask)
    for seat in turn.seats:
        table.play(seat, Ante())
