"""The toy game with deliberate faults, which the checks of the contract must find."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from msgspec.structs import fields

from tests.contract.toy import DEFINITION
from tests.contract.toy.machine import game
from tests.contract.toy.machine.game import Ante
from tests.helpers.random_play import AnyTable
from tui_casino.engine.game import AskSeats
from tui_casino.gamekit.definition import AnyDefinition
from tui_casino.gamekit.words import Words
from tui_casino.structs import replace


def toy(**planted: Any) -> AnyDefinition:
    """Return the game with some of its functions or classes replaced by faulty ones."""
    words = {field.name for field in fields(Words)} & planted.keys()
    return replace(
        DEFINITION,
        game=SimpleNamespace(**{**vars(game), **planted}),
        words=replace(DEFINITION.words, **{name: planted[name] for name in words}),
        tally=planted.get("Tally", DEFINITION.tally),
        players=planted.get("players", DEFINITION.players),
    )


def ante(table: AnyTable) -> None:
    """Begin a round of the toy game: all seats that are asked put in their ante."""
    turn = table.game.turn(table.state)
    assert isinstance(turn, AskSeats)
    for seat in turn.seats:
        table.play(seat, Ante())
