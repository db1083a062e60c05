"""Cribbage: a trainer that counts every combination, and the game to 121."""

from ...engine.game import Seat
from ...gamekit.adviser import Adviser, Mistake
from ...gamekit.parts import Parts
from .brains.players import PLAYERS
from .face import words
from .face.tally import begin
from .machine import game
from .machine.moves import Action, Go, Next
from .machine.state import Form, State


def judge(view: State, seat: Seat, action: Action) -> Mistake[Action] | None:
    """Weigh a choice by the advisers, as :func:`.brains.adviser.judge`."""
    from .brains.adviser import judge  # numpy, late

    return judge(view, seat, action)


PARTS = Parts(
    game,
    words,
    begin,
    PLAYERS,
    takes_back=lambda options: options.open,
    chooses=lambda action: not isinstance(action, Go | Next),
    adviser=Adviser(judge),
    points=True,
    waits=lambda options: options.form is Form.GAME,
    number_verb="p",
)
