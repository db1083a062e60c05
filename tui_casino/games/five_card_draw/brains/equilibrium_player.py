"""The computer player that plays the limit table for two as it was solved.

It looks its hand up in the blueprint and lets the dice choose as often as that says. Where the
solution says nothing it plays as the exact one does: at other tables, against more than one, and
where a stack is too short for all that could be bet.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from ....engine.game import Seat
from ....engine.offers import Dice
from ..machine.betting import Betting
from ..machine.moves import Action, Bet, Call, Check, Discard, Fold, Raise
from ..machine.state import ANTE, LIMITS, Phase, Stakes, State
from .equilibrium.betting_tree import CLOSES, FIRST, MOST_PUT_IN
from .lazy import blueprint_lookup
from .players import CAREFUL_EXACT, Offers

if TYPE_CHECKING:
    from .equilibrium.blueprint_lookup import Blueprint

LEVEL = "equilibrium"
_ACTS: Mapping[str, Action] = {"k": Check(), "b": Bet(), "f": Fold(), "c": Call(), "r": Raise()}


class EquilibriumPlayer:
    """Plays near equilibrium against one other at fixed limit, and else as the exact one.

    A proof asks it again: with another blueprint this player would need another name.
    """

    def choose(self, view: State, seat: Seat, offers: Offers, dice: Dice) -> Action:
        """Choose as often as the blueprint says."""
        return choose_from_blueprint(blueprint_lookup.blueprint, view, seat, offers, dice)


def choose_from_blueprint(
    load_blueprint: Callable[[], Blueprint], view: State, seat: Seat, offers: Offers, dice: Dice
) -> Action:
    """Choose as often as a blueprint says, and as the exact one where it says nothing."""
    if view.phase not in PHASES or not fits_blueprint(view):
        return CAREFUL_EXACT.choose(view, seat, offers, dice)
    blueprint, hand = load_blueprint(), view.hands[seat]
    position = view.dealt_in.index(seat)
    if view.phase is Phase.OPENING:
        assert view.betting is not None
        name = decision_name(view.betting, view.dealt_in)
        return _ACTS[blueprint.opening(position, name, hand, dice)]
    close_index = first_round_close_index(view)
    first_drew = None if position == FIRST else view.drawn[view.dealt_in[FIRST]]
    if view.phase is Phase.DRAW:
        return Discard(blueprint.discards(position, close_index, first_drew, hand, dice))
    assert view.betting is not None
    name = decision_name(view.betting, view.dealt_in)
    first, dealer = (view.drawn[one] or 0 for one in view.dealt_in)
    return _ACTS[blueprint.closing(position, (first, dealer, close_index), name, hand, dice)]


def first_round_close_index(view: State) -> int:
    """Give the way in which the first round closed between two, by its number."""
    bet_now = max(view.betting.bets) if view.betting else 0
    bets = (max(view.put_in) - bet_now - ANTE) // LIMITS[0]
    opened_first = view.opener is not None and view.dealt_in.index(view.opener) == FIRST
    return find_close_index(bets, opened_first)


def find_close_index(bets: int, opened_first: bool) -> int:
    """Give the way in which so many bets went in, by whether the first seat opened."""
    letter = "b" if opened_first else "k"
    indices = (index for index, close in enumerate(CLOSES) if close.bets == bets)
    return next(index for index in indices if CLOSES[index].name[0] == letter or not bets)


PHASES = (Phase.OPENING, Phase.DRAW, Phase.CLOSING)


def fits_blueprint(view: State) -> bool:
    """Tell whether a hand is of the game that was solved: two at fixed limit, stacks enough."""
    return (
        view.options.stakes is Stakes.LIMIT
        and len(view.dealt_in) == 2
        and all(view.stacks[seat] + view.put_in[seat] >= MOST_PUT_IN for seat in view.dealt_in)
    )


def decision_name(betting: Betting, dealt_in: tuple[int, ...]) -> str:
    """Name the decision of a round by what was done in it, as the tree does."""
    dealers_turn = dealt_in.index(betting.pending[0]) != FIRST
    if not betting.opened:
        return "k" if dealers_turn else ""
    opened_by_dealer = (betting.raises % 2 == 0) != dealers_turn
    return ("kb" if opened_by_dealer else "b") + "r" * betting.raises
