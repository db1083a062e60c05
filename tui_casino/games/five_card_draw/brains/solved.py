"""The computer player that plays the limit table for two as it was solved.

It looks its hand up in the blueprint and lets the dice choose as often as that says. Where the
solution says nothing it plays as the exact one does: at other tables, against more than one, and
where a stack is too short for all that could be bet.
"""

from __future__ import annotations

from collections.abc import Mapping

from ....engine.game import Seat
from ....engine.offers import Dice, Offer
from ..machine.betting import Betting
from ..machine.moves import Action, Bet, Call, Check, Discard, Fold, Raise
from ..machine.state import ANTE, LIMITS, Phase, Stakes, State
from .equilibrium.tree import CLOSES, FIRST, MOST
from .players import CarefulExact

LEVEL = "equilibrium"
_ACTS: Mapping[str, Action] = {"k": Check(), "b": Bet(), "f": Fold(), "c": Call(), "r": Raise()}


class Solved(CarefulExact):
    """Plays near equilibrium against one other at fixed limit, and else as the exact one.

    It remembers who opened the betting of a hand, which the view does not show after the draw. A
    sitting that is taken up asks its players again from the beginning, so that they know it there.
    A proof asks them, too: with another blueprint this player would need another name.
    """

    level = LEVEL

    def __init__(self) -> None:
        self._done = 0, ""

    def choose(
        self,
        view: State,
        seat: Seat,
        offers: tuple[Offer[Action], ...],
        dice: Dice,
    ) -> Action:
        """Choose as often as the blueprint says."""
        if view.phase not in _PHASES or not fits(view):
            return super().choose(view, seat, offers, dice)
        from .equilibrium.lookup import blueprint  # numpy, late

        book, hand = blueprint(), view.hands[seat]
        place = view.dealt_in.index(seat)
        if view.phase is Phase.OPENING:
            assert view.betting is not None
            name = name_of(view.betting, view.dealt_in)
            act = book.opening(place, name, hand, dice)
            self._done = view.played, name + act
            return _ACTS[act]
        way = self._way(view)
        seen = None if place == FIRST else view.drawn[view.dealt_in[FIRST]]
        if view.phase is Phase.DRAW:
            return Discard(book.discards(place, way, seen, hand, dice))
        assert view.betting is not None
        name = name_of(view.betting, view.dealt_in)
        first, dealer = (view.drawn[one] or 0 for one in view.dealt_in)
        return _ACTS[book.closing(place, (first, dealer, way), name, hand, dice)]

    def _way(self, view: State) -> int:
        """Give the way in which the first round closed, by its number."""
        now = max(view.betting.bets) if view.betting else 0
        bets = (max(view.put_in) - now - ANTE) // LIMITS[0]
        ways = [way for way, close in enumerate(CLOSES) if close.bets == bets]
        hand, done = self._done
        opened = done[0] if hand == view.played else "b"
        return next(way for way in ways if len(ways) == 1 or CLOSES[way].name[0] == opened)


_PHASES = (Phase.OPENING, Phase.DRAW, Phase.CLOSING)


def fits(view: State) -> bool:
    """Tell whether a hand is of the game that was solved: two at fixed limit, stacks enough."""
    return (
        view.options.stakes is Stakes.LIMIT
        and len(view.dealt_in) == 2
        and all(view.stacks[seat] + view.put_in[seat] >= MOST for seat in view.dealt_in)
    )


def name_of(betting: Betting, dealt_in: tuple[int, ...]) -> str:
    """Name the decision of a round by what was done in it, as the tree does."""
    dealers_turn = dealt_in.index(betting.pending[0]) != FIRST
    if not betting.opened:
        return "k" if dealers_turn else ""
    opened_by_dealer = (betting.raises % 2 == 0) != dealers_turn
    return ("kb" if opened_by_dealer else "b") + "r" * betting.raises
