"""Five-card draw against computer opponents, for nothing, for an ante, or with two bets."""

from ...engine.game import Seat
from ...gamekit.adviser import Adviser, Kind, Mistake, Worth
from ...gamekit.parts import Parts
from .brains.levels import PLAYERS
from .face import words
from .face.history import history
from .face.moment import cards_of, hand, moment
from .face.phh import phh
from .face.posing import POSING
from .face.tally import begin
from .machine import game
from .machine.moves import Action, Play
from .machine.state import State


def judge(view: State, seat: Seat, action: Action) -> Mistake[Action] | None:
    """Weigh a bet or a discard, as :func:`.brains.grading.judge`."""
    from .brains.grading import judge  # numpy, late

    return judge(view, seat, action)


def worths(view: State, seat: Seat) -> tuple[Worth[Action], ...]:
    """Give what a seat may choose, as :func:`.brains.grading.worths`."""
    from .brains.grading import worths  # numpy, late

    return worths(view, seat)


def beside(view: State, seat: Seat, action: Action) -> tuple[Worth[Action], ...]:
    """Give what a seat could have done: by the coach, or as :func:`.brains.price.beside`."""
    from .brains.price import beside  # numpy, late

    return worths(view, seat) or beside(view, seat, action)


def kind(view: State, seat: Seat, action: Action, better: Action) -> Kind:
    """Name a mistake, as :func:`.brains.kinds.kind`."""
    from .brains.kinds import kind  # late, as what weighs

    return kind(view, seat, action, better)


PARTS = Parts(
    game,
    words,
    begin,
    PLAYERS,
    history=history,
    phh=phh,
    moment=moment,
    hand=hand,
    cards_of=cards_of,
    chooses=lambda action: not isinstance(action, Play),
    adviser=Adviser(judge, worths=worths, beside=beside, kind=kind),
    posing=POSING,
)
