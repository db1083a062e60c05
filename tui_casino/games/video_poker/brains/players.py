"""Computer players of video poker; they repeat the last bet and never leave."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ....engine.game import ComputerPlayer, Seat
from ....engine.offers import Dice, Offer
from ..machine.game import Action, Bet, Draw, Hold, Phase, State
from .adviser import hand_odds_of
from .strategy import advise


class ListPlayer:
    """Plays the 34-line strategy."""

    def choose(
        self,
        view: State,
        seat: Seat,
        offers: tuple[Offer[Action], ...],
        dice: Dice,
    ) -> Action:
        """Repeat the last bet (at most the credit), deal, or hold by the strategy."""
        match view.phase:
            case Phase.BET:
                return Bet(min(view.last, view.credit))
            case Phase.DEAL:
                return Draw()
            case _:
                return Hold(self._hold(view))

    def _hold(self, view: State) -> tuple[int, ...]:
        return advise(view.hand).positions


class OptimalPlayer(ListPlayer):
    """Makes the hold with the highest EV."""

    def _hold(self, view: State) -> tuple[int, ...]:
        return hand_odds_of(view.options.paytable, view.coins).holds(view.hand)[0].positions


PLAYERS: Mapping[str, Callable[[], ComputerPlayer[State, Action]]] = {
    "list": ListPlayer,
    "optimal": OptimalPlayer,
}
