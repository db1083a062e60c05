"""The steps of a session that players play at a machine alone, without a table and a log."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from random import Random
from typing import Any

from tests.helpers.scripted_sessions import ME, Choose
from tui_casino.engine.chance import ChanceSource
from tui_casino.engine.game import AskSeats, Deal, NeedCard, NeedShoe, Seat, Shoe
from tui_casino.gamekit.adviser import PlayedStep
from tui_casino.gamekit.definition import AnyDefinition


def played_steps(
    definition: AnyDefinition,
    options: Any,
    players: Mapping[Seat, Choose],
    names: Sequence[str],
    cards: Random,
    source: ChanceSource,
) -> Iterator[tuple[PlayedStep[Any, Any], tuple[Any, ...]]]:
    """Yield each step of a session with its events, until it is over; shuffles are left out."""
    game, stock = definition.game, list[Any]()
    state = game.start(options)
    for number in count():
        seat: Seat | None = None
        match game.turn(state):
            case NeedShoe(pack):
                stock = cards.sample(pack, len(pack))
                action: Any = Shoe(len(stock))
            case NeedCard():
                action = Deal(stock.pop())
            case AskSeats((seat, *_)):
                able = tuple(one for one in game.offers(state, seat) if one.barred is None)
                dice = source.dice(f"step {number}")
                action = players[seat](game.view(state, seat), able, dice)
            case _:
                return
        before, result = state, game.step(state, seat, action)
        state = result.state
        if not isinstance(action, Shoe):
            yield PlayedStep(before, action, state, ME, names), result.events
