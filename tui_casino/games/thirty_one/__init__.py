"""Hit me, 31 style: closer to 31 than the dealer, or stand on 14."""

from ...core import Seat
from ...parts import Mistake, Parts
from . import game, words
from .expectation import expect
from .moves import Action
from .players import PLAYERS
from .state import State
from .tally import begin


def judge(view: State, seat: Seat, action: Action) -> Mistake[Action] | None:
    """Weigh a choice by the coach, as :func:`.advice.judge`."""
    from .advice import judge  # numpy, late

    return judge(view, seat, action)


def quick_judge(view: State, seat: Seat, action: Action) -> Mistake[Action] | None:
    """Weigh a choice as if the shoe were endless, as the best-play chart does."""
    from .advice import judge  # numpy, late

    return judge(view, seat, action, endless=True)


PARTS = Parts(
    game,
    words,
    begin,
    PLAYERS,
    takes_back=lambda options: True,
    judge=judge,
    quick_judge=quick_judge,
    expect=expect,
)
