"""Decisions at the limit table for four, where the computer players are mixed."""

from __future__ import annotations

from typing import Any

from tui_casino.engine.chance import SeededSource
from tui_casino.engine.croupier import ShuffledShoe
from tui_casino.engine.game import ComputerPlayer, Seat
from tui_casino.engine.offers import Dice
from tui_casino.engine.table import Table
from tui_casino.games.five_card_draw import DEFINITION
from tui_casino.games.five_card_draw.brains.levels import MIXED, PLAYERS, seats_of
from tui_casino.games.five_card_draw.brains.limit_adviser import basis_of, is_limit_decision
from tui_casino.games.five_card_draw.brains.players import CAREFUL_EXACT, Offers
from tui_casino.games.five_card_draw.brains.pot_odds import EvBasis
from tui_casino.games.five_card_draw.machine.state import Action, Options, Phase, Stakes, State

OPPONENTS = 3


class Noting:
    """Plays like the level ``exact``, and records the decisions that would be played out."""

    def __init__(self, decisions: list[tuple[State, Seat]]) -> None:
        self.decisions = decisions

    def choose(self, view: State, seat: Seat, offers: Offers, dice: Dice) -> Action:
        if is_limit_decision(view, seat) and basis_of(view) is EvBasis.PLAYED_OUT:
            self.decisions.append((view, seat))
        return CAREFUL_EXACT.choose(view, seat, offers, dice)


def mixed_positions(hands: int) -> list[tuple[State, Seat]]:
    """Return the decisions of the first seat in this many hands."""
    decisions: list[tuple[State, Seat]] = []
    for number in range(hands):
        players: dict[Seat, ComputerPlayer[State, Action]] = {
            seat: PLAYERS[name]() for seat, name in seats_of(OPPONENTS, MIXED).items() if name
        }
        players[Seat(0)] = Noting(decisions)
        table: Table[Any, Any, Any, Any] = Table(
            DEFINITION.game,
            Options(OPPONENTS, Stakes.LIMIT),
            ShuffledShoe(),
            SeededSource(number),
            players,
        )
        while not (table.state.winners and table.state.phase is Phase.REST):
            table.advance()
    return decisions
