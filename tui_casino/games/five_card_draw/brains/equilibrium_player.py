"""The computer player that plays the solution of the limit table for two.

It looks up its hand in the blueprint and chooses at random with the frequencies found there. The
solution does not cover other tables, more than one opponent, or stacks too short for all possible
bets. In these cases it plays like the exact player.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from ....engine.game import Seat
from ....engine.offers import Dice
from ..machine import state as m
from ..machine.betting import ANTE, LIMITS, Betting, BettingRules
from .equilibrium.betting_tree import CLOSES, FIRST, MOST_PUT_IN
from .lazy import blueprint
from .players import CAREFUL_EXACT, Offers

if TYPE_CHECKING:
    from .equilibrium.blueprint import Blueprint

LEVEL = "equilibrium"
_ACTS: Mapping[str, m.Action] = {
    "k": m.Check(),
    "b": m.Bet(),
    "f": m.Fold(),
    "c": m.Call(),
    "r": m.Raise(),
}


class EquilibriumPlayer:
    """Plays near equilibrium against one opponent at fixed limit, and otherwise like ``exact``.

    Verification of a log replays its choices, so another blueprint would need another player name.
    """

    def choose(self, view: m.State, seat: Seat, offers: Offers, dice: Dice) -> m.Action:
        """Choose an action with the frequencies of the blueprint."""
        return choose_from_blueprint(blueprint.blueprint, view, seat, offers, dice)


def choose_from_blueprint(
    load_blueprint: Callable[[], Blueprint], view: m.State, seat: Seat, offers: Offers, dice: Dice
) -> m.Action:
    """Choose by the frequencies of a blueprint, or like ``exact`` if it does not cover the hand."""
    if view.phase not in PHASES or not fits_blueprint(view):
        return CAREFUL_EXACT.choose(view, seat, offers, dice)
    blueprint, hand = load_blueprint(), view.hands[seat]
    position = view.dealt_in.index(seat)
    if view.phase is m.Phase.OPENING:
        assert view.betting is not None
        name = decision_name(view.betting, view.dealt_in)
        return _ACTS[blueprint.opening(position, name, hand, dice)]
    close_index = first_round_close_index(view)
    first_drew = None if position == FIRST else view.drawn[view.dealt_in[FIRST]]
    if view.phase is m.Phase.DRAW:
        return m.Discard(blueprint.discards(position, close_index, first_drew, hand, dice))
    assert view.betting is not None
    name = decision_name(view.betting, view.dealt_in)
    first, dealer = (view.drawn[one] or 0 for one in view.dealt_in)
    return _ACTS[blueprint.closing(position, (first, dealer, close_index), name, hand, dice)]


def first_round_close_index(view: m.State) -> int:
    """Return the index in `CLOSES` of how the first round between two players closed."""
    bet_now = max(view.betting.bets) if view.betting else 0
    bets = (max(view.put_in) - bet_now - ANTE) // LIMITS[0]
    opened_first = view.opener is not None and view.dealt_in.index(view.opener) == FIRST
    return find_close_index(bets, opened_first)


def find_close_index(bets: int, opened_first: bool) -> int:
    """Return the index in `CLOSES` of a round with this number of bets, opened by either seat."""
    letter = "b" if opened_first else "k"
    indices = (index for index, close in enumerate(CLOSES) if close.bets == bets)
    return next(index for index in indices if CLOSES[index].name[0] == letter or not bets)


PHASES = (m.Phase.OPENING, m.Phase.DRAW, m.Phase.CLOSING)


def has_known_bets(options: m.Options) -> bool:
    """Return whether a table has the limits that the solution and the limit adviser know."""
    return options.stakes is m.Stakes.LIMIT and options.betting == BettingRules()


def fits_blueprint(view: m.State) -> bool:
    """Return whether the solution covers a hand: two players at fixed limit with enough chips."""
    return (
        has_known_bets(view.options)
        and len(view.dealt_in) == 2
        and all(view.stacks[seat] + view.put_in[seat] >= MOST_PUT_IN for seat in view.dealt_in)
    )


def decision_name(betting: Betting, dealt_in: tuple[int, ...]) -> str:
    """Return the tree's name for a decision: the acts of the betting round so far."""
    dealers_turn = dealt_in.index(betting.pending[0]) != FIRST
    if not betting.opened:
        return "k" if dealers_turn else ""
    opened_by_dealer = (betting.raises % 2 == 0) != dealers_turn
    return ("kb" if opened_by_dealer else "b") + "r" * betting.raises
