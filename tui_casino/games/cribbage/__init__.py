"""Cribbage: a trainer that counts every combination, and the game to 121."""

from typing import TYPE_CHECKING

from ...engine.game import Seat
from ...gamekit.adviser import Adviser
from ...gamekit.lazy import LazyModule
from ...gamekit.measure import Measure
from ...gamekit.parts import Parts
from .brains.players import PLAYERS
from .face import words
from .face.log import trainer_log
from .face.moment import cards_of, choosing_from, moment, moment_to_all, secret
from .face.posing import POSING
from .face.tally import begin
from .machine import game
from .machine.moves import Go, Next
from .machine.rules import ACC
from .machine.state import Form, Options, State

if TYPE_CHECKING:
    from .brains import adviser, kinds, prospects  # numpy, late
else:
    adviser = LazyModule(".brains.adviser", __package__)
    kinds = LazyModule(".brains.kinds", __package__)
    prospects = LazyModule(".brains.prospects", __package__)


def _chance(view: State, seat: Seat) -> float | None:
    chance = prospects.prospect(view, seat)
    return None if chance is None else 100 * chance


CHANCE = Measure("CHANCE TO WIN", _chance, unit=" %", ends=(0.0, 100.0))
"""The course of a game to 121; a round of the trainer has none but the points."""


def measure(options: Options) -> Measure[State] | None:
    """Say what the course of a sitting is drawn by, if not by the points ahead."""
    target = options.rule_set.target
    return CHANCE if options.form is Form.GAME and target == ACC.target else None


def score(view: State, seat: Seat) -> tuple[int, int]:
    """Give the points of a seat, and of the other."""
    return view.points[seat], view.points[1 - seat]


PARTS = Parts(
    game,
    words,
    begin,
    PLAYERS,
    takes_back=lambda options: options.open,
    chooses=lambda action: not isinstance(action, Go | Next),
    adviser=Adviser(
        judge=adviser.judge,
        worths=adviser.worths,
        kind=kinds.kind,
    ),
    points=True,
    waits=lambda options: options.form is Form.GAME,
    number_verb="p",
    moment=moment,
    moment_to_all=moment_to_all,
    hand=choosing_from,
    secret=secret,
    score=score,
    measure=measure,
    keeps=trainer_log,
    cards_of=cards_of,
    posing=POSING,
)
