"""A seat's chance to win during a deal, at the moments when it learns something.

They are told from what the seat knows, in this order:

* before the deal: by the score, as `win_chances` has it;
* with six cards: that of the discard that wins most often; then that of the one that was made, so
  that between the two lies what a bad one cost;
* with the starter: one's own hand and the crib as they may be, the play and the other's hand as
  those of any deal, a jack turned up among them;
* when all cards are laid: by both hands, which are known now, and every crib;
* at the end of the game: 1 or 0.

In between nothing is told. It is the same two players who go on that `win_chances` plays.
"""

from __future__ import annotations

from ....engine.game import Seat
from ..machine.state import CountingMode, Phase, State
from .win_chance_choices import GameStanding, WinChanceValuation, discard_chances
from .win_chances import shipped_win_chances


def in_game_chance(view: State, seat: Seat) -> float | None:
    """Give a seat's chance to win a game to 121; ``None`` in between, and in another game."""
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
    """Give how many hands have been counted; the one on show waits for its owner to count it."""
    return view.shown - (view.options.counting is not CountingMode.TABLE)
