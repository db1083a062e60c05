"""A seat's chance to win during a deal, at the moments when it learns something.

The chance is computed at these moments, from the seat's own knowledge:

* before the deal: by the score, as in `win_chances`;
* with six cards: the chance of the discard that wins most often;
* after the discard: the chance of the discard that was made, so the difference is the cost of the
  choice;
* with the starter: from all possible cribs (and his heels), and from the play and opponent's hand
  of an average deal;
* when all cards are played: from both hands, which are known by now, and all possible cribs;
* at the end of the game: 1 or 0.

At other moments there is no figure. The rest of the game is assumed to be played by the two model
players of `win_chances`.
"""

from __future__ import annotations

from ....engine.game import Seat
from ..machine.state import CountingMode, Phase, State
from .win_chance_choices import GameStanding, WinChanceValuation, discard_chances
from .win_chances import shipped_win_chances


def in_game_chance(view: State, seat: Seat) -> float | None:
    """Return a seat's chance to win a game to 121; ``None`` at other moments and in other games."""
    standing = GameStanding.from_view(view, seat)
    if standing is None:
        return None
    if view.winner is not None and view.phase in (Phase.REST, Phase.OVER):
        return float(view.winner == seat)
    match view.phase:
        case Phase.SHUFFLE | Phase.DEAL:
            return shipped_win_chances().chance(standing.score, standing.other, standing.dealer)
        case Phase.DISCARD if seat in view.waiting:
            hand = view.hands[seat]
            return max(discard_chances(hand, standing, view.options.rule_set).values())
        case Phase.DISCARD | Phase.STARTER:
            discard = view.discards[seat]
            six = (*view.hands[seat], *discard)
            return discard_chances(six, standing, view.options.rule_set, (discard,))[discard]
        case Phase.PLAY if not view.laid:
            return WinChanceValuation(view, seat, standing).before_the_play()
        case Phase.SHOW if not _hands_counted(view):
            return WinChanceValuation(view, seat, standing).after_the_play()
        case Phase.REST:
            return shipped_win_chances().chance(standing.score, standing.other, not standing.dealer)
    return None


def _hands_counted(view: State) -> int:
    """Return how many hands have been counted, which may not include the hand on show."""
    return view.shown - (view.options.counting is not CountingMode.TABLE)
