"""Five-card draw against computer opponents, for nothing, for an ante, or with two bets."""

from ...engine.game import Seat
from ...gamekit.adviser import Adviser, Worth
from ...gamekit.parts import Parts
from .brains.levels import PLAYERS
from .face import words
from .face.history import history
from .face.moment import cards_of, moment
from .face.tally import begin
from .machine import game
from .machine.moves import Action
from .machine.state import State


def beside(view: State, seat: Seat, action: Action) -> tuple[Worth[Action], ...]:
    """Give what a seat could have done, as :func:`.brains.price.beside`."""
    from .brains.price import beside  # numpy, late

    return beside(view, seat, action)


PARTS = Parts(
    game,
    words,
    begin,
    PLAYERS,
    history=history,
    moment=moment,
    cards_of=cards_of,
    adviser=Adviser(beside=beside),
)
