"""Cribbage: a trainer that counts every combination, and the game to 121."""

from ...core import Seat
from ...parts import Mistake, Parts
from . import game, words
from .moves import Action
from .players import PLAYERS
from .state import Form, State
from .tally import begin


def judge(view: State, seat: Seat, action: Action) -> Mistake[Action] | None:
    """Weigh a choice by the coaches, as :func:`.advice.judge`."""
    from .advice import judge  # numpy, late

    return judge(view, seat, action)


PARTS = Parts(
    game,
    words,
    begin,
    PLAYERS,
    takes_back=lambda options: options.open,
    judge=judge,
    points=True,
    waits=lambda options: options.form is Form.GAME,
    number_verb="p",
)
