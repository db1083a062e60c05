"""Hit me, 31 style: closer to 31 than the dealer, or stand on 14."""

from ...engine.game import Seat
from ...gamekit.adviser import Adviser, Kind, Mistake, Worth
from ...gamekit.parts import Parts
from .brains.expectation import expect
from .brains.players import PLAYERS
from .face import words
from .face.moment import moment
from .face.posing import POSING
from .face.tally import begin
from .machine import game
from .machine.moves import Action
from .machine.state import State


def judge(view: State, seat: Seat, action: Action) -> Mistake[Action] | None:
    """Weigh a choice, as :func:`.brains.judging.judge`."""
    from .brains.judging import judge  # numpy, late

    return judge(view, seat, action)


def worths(view: State, seat: Seat) -> tuple[Worth[Action], ...]:
    """Give what a seat may choose, as :func:`.brains.adviser.worths`."""
    from .brains.adviser import worths  # numpy, late

    return worths(view, seat)


def kind(view: State, seat: Seat, action: Action, better: Action) -> Kind:
    """Name a mistake, as :func:`.brains.kinds.kind`."""
    from .brains.kinds import kind  # late, as what weighs

    return kind(view, seat, action, better)


PARTS = Parts(
    game,
    words,
    begin,
    PLAYERS,
    takes_back=lambda options: True,
    adviser=Adviser(judge, expect=expect, worths=worths, kind=kind),
    moment=moment,
    prompt=words.prompt,
    posing=POSING,
)
