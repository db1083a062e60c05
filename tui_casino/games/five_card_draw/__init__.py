"""Five-card draw against computer opponents, for nothing, for an ante, or with two bets."""

from typing import TYPE_CHECKING

from ...engine.game import Seat
from ...gamekit.adviser import Adviser, Worth
from ...gamekit.definition import Choices, GameDefinition, GameRecords
from ...gamekit.lazy import LazyModule
from .brains.levels import PLAYERS
from .face.history import history
from .face.phh import phh
from .face.positions import PRACTICE
from .face.tally import begin
from .face.words import WORDS
from .machine import game
from .machine.moves import Action, Play
from .machine.state import State

if TYPE_CHECKING:
    from .brains import grading, kinds, price  # numpy, late
else:
    grading = LazyModule(".brains.grading", __package__)
    kinds = LazyModule(".brains.kinds", __package__)
    price = LazyModule(".brains.price", __package__)


def beside(view: State, seat: Seat, action: Action) -> tuple[Worth[Action], ...]:
    """Return what a seat could have done: by the coach, or as :func:`.brains.price.beside`."""
    return grading.worths(view, seat) or price.beside(view, seat, action)


DEFINITION = GameDefinition(
    game,
    WORDS,
    begin,
    PLAYERS,
    choices=Choices(deliberate=lambda action: not isinstance(action, Play)),
    records=GameRecords(as_text=history, as_phh=phh),
    adviser=Adviser(
        judge=grading.judge,
        worths=grading.worths,
        beside=beside,
        kind=kinds.kind,
    ),
    positions=PRACTICE,
)
